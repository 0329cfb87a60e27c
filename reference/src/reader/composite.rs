//! One composite: its head and the descriptors behind it, each nested head taking its own members first. The data of a
//! member is read by its name, like that of any tensor.

use hurray_spec::Rule;

use crate::check::composite::{MAX_DEPTH, box_of, check_closed, check_member, head_of};
use crate::judge::Judge;
use crate::memory::{Buffer, reserved};
use crate::model::TensorDescriptor;
use crate::reject::{Error, Limit, Misuse, Span};
use crate::wire::index::Index;

use super::job::{decode, descriptor_to_read};
use super::open::Opened;
use super::pending::Pending;

/// A member of a composite, direct or nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Vec<u8>,
    /// Its descriptor.
    pub descriptor: TensorDescriptor,
    /// Heads above it: 1 for a direct member.
    pub depth: usize,
}

/// A composite with its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composite {
    /// Name of the head.
    pub name: Vec<u8>,
    /// Descriptor of the head.
    pub descriptor: TensorDescriptor,
    /// Direct and nested members by descriptor offset; those of a nested head stand right behind it.
    pub members: Vec<Member>,
    /// Whether all members are there. Only a permissive reader hands out what is torn, and that is no composite.
    pub is_complete: bool,
    /// Absolute offset of the last descriptor.
    pub(crate) end: u64,
}

/// A head whose members are under way.
struct Frame {
    /// Position of the head in `nodes`.
    head: usize,
    span: Span,
    /// Positions of its direct members in `nodes`.
    members: Vec<usize>,
    wanted: u32,
}

/// A composite under way. How deep it goes costs memory and no stack.
pub(super) struct Gather {
    /// Tensors from the head on, by descriptor offset.
    order: Vec<usize>,
    next: usize,
    nodes: Vec<Member>,
    frames: Vec<Frame>,
    /// Offset of the last descriptor.
    end: u64,
}

/// What it needs next, or its end.
pub(super) enum Gathered {
    Range(Gather, Pending),
    Composite(Box<Composite>),
}

impl Gather {
    /// From the head at `position` of the index.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub(super) fn new(position: usize, index: &Index) -> Result<Self, Limit> {
        let offset_of = |position: usize| index.get(position).map_or(0, |entry| entry.descriptor_offset);
        let start = offset_of(position);
        let mut order: Vec<usize> = reserved(index.len() as u64)?;
        order.push(position);
        order.extend((0..index.len()).filter(|other| offset_of(*other) > start));
        order.sort_unstable_by_key(|position| offset_of(*position));
        Ok(Gather { order, next: 0, nodes: Vec::new(), frames: Vec::new(), end: start })
    }

    /// Takes the descriptor that was asked for and says what comes next.
    ///
    /// # Errors
    /// The composite is at fault, or memory cannot be had.
    pub(super) fn advance(
        mut self,
        bytes: Option<Buffer>,
        opened: &Opened,
        size: u64,
        judge: &mut Judge,
    ) -> Result<Gathered, Error> {
        if let (Some(bytes), Some(position)) = (bytes, self.order.get(self.next)) {
            let entry = opened.index.get(*position).ok_or(Misuse::NotOpen)?;
            let descriptor = decode(&bytes, &entry, judge)?.descriptor;
            let span = Span::at(entry.descriptor_offset, u64::from(entry.descriptor_length));
            self.next += 1;
            self.end = entry.descriptor_offset;
            self.accept(entry.name.to_vec(), descriptor, span, judge)?;
        }
        self.close(judge)?;
        if self.next > 0 && self.frames.is_empty() {
            return self.finish(true);
        }
        match self.order.get(self.next).and_then(|position| opened.index.get(*position)) {
            Some(entry) => {
                let range = descriptor_to_read(&entry, size, judge)?;
                Ok(Gathered::Range(self, Pending::new(&range, 1)?))
            }
            None => {
                let span = self.frames.last().map_or(Span::at(0, 0), |frame| frame.span);
                judge.require(false, Rule::ContainerCompositeTornReject, span)?;
                self.finish(false)
            }
        }
    }

    fn accept(
        &mut self,
        name: Vec<u8>,
        descriptor: TensorDescriptor,
        span: Span,
        judge: &mut Judge,
    ) -> Result<(), Error> {
        let at = self.nodes.len();
        if let Some(frame) = self.frames.last_mut() {
            let place = frame.members.len() as u32;
            if let Some(head) = self.nodes.get(frame.head) {
                check_member(&head.descriptor, &descriptor, place, span, judge)?;
            }
            frame.members.push(at);
        }
        let wanted = head_of(&descriptor).map(|head| head.member_count);
        self.nodes.push(Member { name, descriptor, depth: self.frames.len() });
        let Some(wanted) = wanted else {
            return if at == 0 { Err(Misuse::NoComposite.into()) } else { Ok(()) };
        };
        judge.require(self.frames.len() < MAX_DEPTH, Rule::CompositeNestDepth, span)?;
        self.frames.push(Frame { head: at, span, members: Vec::new(), wanted });
        Ok(())
    }

    /// Judges every head whose last member has come.
    fn close(&mut self, judge: &mut Judge) -> Result<(), Error> {
        while let Some(frame) = self.frames.pop_if(|frame| frame.members.len() as u64 >= u64::from(frame.wanted)) {
            let Some(head) = self.nodes.get(frame.head) else { continue };
            let members = frame.members.iter().filter_map(|member| self.nodes.get(*member));
            let boxes: Vec<_> = members.filter_map(|member| box_of(&member.descriptor)).collect();
            check_closed(&head.descriptor, &boxes, frame.span, judge)?;
        }
        Ok(())
    }

    fn finish(self, is_complete: bool) -> Result<Gathered, Error> {
        let mut nodes = self.nodes.into_iter();
        let head = nodes.next().ok_or(Misuse::NotOpen)?;
        Ok(Gathered::Composite(Box::new(Composite {
            name: head.name,
            descriptor: head.descriptor,
            members: nodes.collect(),
            is_complete,
            end: self.end,
        })))
    }
}
