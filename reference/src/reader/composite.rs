//! One composite in one job: its head and the tensors behind it, each nested head taking its own members first.
//!
//! Every descriptor is judged as a member before a byte of its data is asked for. Owns the walk and the tree; what members
//! owe their head is for `check::composite`.

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::composite::{Groups, Step, head_of};
use crate::judge::Judge;
use crate::memory::Buffer;
use crate::model::TensorDescriptor;
use crate::reject::{Error, Misuse, Span};
use crate::wire::index::{Index, IndexEntry};

use super::job::{Job, Progress, Tensor, decode, descriptor_to_read};
use super::open::Opened;
use super::pending::Pending;

/// A member of a composite.
#[derive(Clone, Debug)]
pub enum FileItem {
    /// A tensor with its data.
    Tensor(Box<Tensor>),
    /// A composite inside the composite.
    Composite(Box<Composite>),
}

impl FileItem {
    /// Its name.
    pub fn name(&self) -> &[u8] {
        match self {
            FileItem::Tensor(tensor) => &tensor.name,
            FileItem::Composite(composite) => &composite.name,
        }
    }
}

/// A composite with its members.
#[derive(Clone, Debug)]
pub struct Composite {
    /// Name of the head.
    pub name: Vec<u8>,
    /// Descriptor of the head.
    pub descriptor: TensorDescriptor,
    /// The direct members by descriptor offset.
    pub members: Vec<FileItem>,
    /// Whether all members are there. Only a permissive reader hands out what is torn, and that is no composite.
    pub is_complete: bool,
}

/// A composite under way. How deep it goes costs memory and no stack.
pub(super) struct Gather {
    /// Place of the next tensor in the order of descriptor offsets.
    next: usize,
    groups: Groups,
    /// The open composites of the tree, outermost first; `None` if it is only to be judged.
    tree: Option<Vec<Composite>>,
    /// The tensor whose data is under way, and what it changes.
    tensor: Option<(Job, Step)>,
    /// Offset of the last descriptor.
    end: u64,
}

/// What it needs next, or its end.
pub(super) enum Gathered {
    Range(Box<Gather>, Pending),
    Composite(Box<Composite>),
    /// Judged and not kept; the offset of the last descriptor.
    Judged(u64),
}

impl Gather {
    /// From the head at `position` of the index. Without `is_kept` only descriptors are read, and forgotten.
    pub(super) fn new(position: usize, index: &Index, is_kept: bool) -> Self {
        let tree = is_kept.then(Vec::new);
        Gather { next: index.offset_place(position), groups: Groups::default(), tree, tensor: None, end: 0 }
    }

    /// Takes the bytes that were asked for and says what comes next.
    ///
    /// # Errors
    /// The composite is at fault, or memory cannot be had.
    pub(super) fn advance(
        mut self: Box<Self>,
        bytes: Option<Buffer>,
        opened: &Opened,
        size: u64,
        judge: &mut Judge,
    ) -> Result<Gathered, Error> {
        if let Some((job, step)) = self.tensor.take() {
            let progress = job.advance(bytes, opened, size, judge)?;
            return self.go_on(progress, step, opened, size, judge);
        }
        let (Some(bytes), Some((position, entry))) = (bytes, self.entry(&opened.index)) else {
            return self.ask(opened, size, judge);
        };
        let decoded = decode(&bytes, &entry, judge)?;
        drop(bytes);
        let descriptor = &decoded.descriptor;
        let is_first = self.groups.depth() == 0;
        let head = head_of(descriptor);
        if is_first && head.is_none() {
            return Err(Misuse::NoComposite.into());
        }
        let span = Span::at(entry.descriptor_offset, u64::from(entry.descriptor_length));
        let step = self.groups.check(descriptor, span, judge)?;
        let next = self.next.saturating_add(1);
        let left = to_u64(opened.index.len().saturating_sub(next));
        // No need to read members first, only to find that there are not enough of them.
        let is_whole = head.is_none_or(|head| u64::from(head.member_count) <= left);
        judge.require(is_whole, Rule::ContainerCompositeTornReject, span)?;
        self.end = entry.descriptor_offset;
        self.next = next;
        match &mut self.tree {
            None => {
                self.groups.take(step);
                self.ask_or_end(opened, size, judge)
            }
            Some(tree) if head.is_some() => {
                let (name, descriptor) = (entry.name.to_vec(), decoded.descriptor);
                tree.push(Composite { name, descriptor, members: Vec::new(), is_complete: false });
                self.groups.take(step);
                self.close();
                self.ask_or_end(opened, size, judge)
            }
            Some(_) => {
                let progress = Job::read_data(position, decoded, &entry, opened, size, judge)?;
                self.go_on(progress, step, opened, size, judge)
            }
        }
    }

    /// The next tensor by descriptor offset, and its position in the index.
    fn entry<'a>(&self, index: &'a Index) -> Option<(usize, IndexEntry<'a>)> {
        let position = *index.in_offset_order().get(self.next)?;
        Some((position, index.get(position)?))
    }

    /// The data of a tensor has come, or more of it is needed.
    fn go_on(
        mut self: Box<Self>,
        progress: Progress,
        step: Step,
        opened: &Opened,
        size: u64,
        judge: &mut Judge,
    ) -> Result<Gathered, Error> {
        match progress {
            Progress::Range(job, pending) => {
                self.tensor = Some((job, step));
                Ok(Gathered::Range(self, pending))
            }
            Progress::Tensor(tensor) => {
                if let Some(owner) = self.tree.as_mut().and_then(|tree| tree.last_mut()) {
                    owner.members.push(FileItem::Tensor(tensor));
                }
                self.groups.take(step);
                self.close();
                self.ask_or_end(opened, size, judge)
            }
            Progress::Descriptor(_) => Err(Misuse::NotOpen.into()),
        }
    }

    /// Moves every composite that is complete into the one around it.
    fn close(&mut self) {
        let Some(tree) = &mut self.tree else { return };
        while tree.len() > self.groups.depth().max(1) {
            fold(tree, true);
        }
    }

    fn ask_or_end(self: Box<Self>, opened: &Opened, size: u64, judge: &mut Judge) -> Result<Gathered, Error> {
        if self.groups.depth() == 0 { self.finish(true) } else { self.ask(opened, size, judge) }
    }

    fn ask(self: Box<Self>, opened: &Opened, size: u64, judge: &mut Judge) -> Result<Gathered, Error> {
        match self.entry(&opened.index) {
            Some((_, entry)) => {
                let range = descriptor_to_read(&entry, size, judge)?;
                Ok(Gathered::Range(self, Pending::new(&range, 1)?))
            }
            None => {
                let span = self.groups.span().unwrap_or(Span::at(0, 0));
                judge.require(false, Rule::ContainerCompositeTornReject, span)?;
                self.finish(false)
            }
        }
    }

    fn finish(mut self, is_complete: bool) -> Result<Gathered, Error> {
        let Some(tree) = &mut self.tree else { return Ok(Gathered::Judged(self.end)) };
        while tree.len() > 1 {
            fold(tree, is_complete);
        }
        let root = tree.pop().ok_or(Misuse::NotOpen)?;
        Ok(Gathered::Composite(Box::new(Composite { is_complete, ..root })))
    }
}

/// Moves the innermost composite into the one around it.
fn fold(tree: &mut Vec<Composite>, is_complete: bool) {
    let Some(inner) = tree.pop() else { return };
    let inner = Composite { is_complete, ..inner };
    match tree.last_mut() {
        Some(outer) => outer.members.push(FileItem::Composite(Box::new(inner))),
        None => tree.push(inner),
    }
}
