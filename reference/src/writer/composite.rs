//! Composites on the way out: the whole tree is judged before its first byte, then flattened into the order of the file.

use std::collections::BTreeSet;
use std::slice;

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::composite::{Groups, Step, head_of};
use crate::judge::{Judge, Policy};
use crate::model::TensorDescriptor;
use crate::reject::{Error, Misuse, Span};

use super::encode::{check_name, encode};

/// A member of a composite to be written. Every node has a name: head and members alike stand in the index.
#[derive(Clone, Copy, Debug)]
pub enum FileCompositeNode<'a> {
    /// A tensor with its data.
    Tensor {
        /// Its name, unlike any other in the file.
        name: &'a str,
        /// Its descriptor.
        descriptor: &'a TensorDescriptor,
        /// One payload per buffer handle.
        buffers: &'a [&'a [u8]],
    },
    /// A composite inside the composite.
    Composite {
        /// Name of its head, unlike any other in the file.
        name: &'a str,
        /// Descriptor of its head.
        head: &'a TensorDescriptor,
        /// Its direct members, in order.
        members: &'a [FileCompositeNode<'a>],
    },
}

/// One tensor of a composite, ready for [`FileWriterCore::tensor`](super::FileWriterCore::tensor).
#[derive(Clone, Copy, Debug)]
pub struct FileTensorNode<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a TensorDescriptor,
    /// One payload per buffer handle; none for a head.
    pub buffers: &'a [&'a [u8]],
}

/// The tensors of a composite in the order of the file: the head, then its members, each nested head before its own.
///
/// Everything is judged before anything is returned: names, payloads and descriptors of all nodes, member counts, what
/// members owe their head, exact cover of partitions, nesting. Names are compared with each other; those that stand in
/// the file already are known to the writer alone, see [`FileWriterCore::composite`](super::FileWriterCore::composite).
///
/// # Errors
/// A node is refused for what it is or for where it stands; a limit if the boxes of a partition cut each other up beyond
/// reason.
pub fn flatten_composite<'a>(
    name: &'a str,
    head: &'a TensorDescriptor,
    members: &'a [FileCompositeNode<'a>],
) -> Result<Vec<FileTensorNode<'a>>, Error> {
    Ok(flatten(name, head, members)?.into_iter().map(|(node, _)| node).collect())
}

/// The same, with the bytes of the descriptors.
pub(super) fn flatten<'a>(
    name: &'a str,
    head: &'a TensorDescriptor,
    members: &'a [FileCompositeNode<'a>],
) -> Result<Vec<(FileTensorNode<'a>, Vec<u8>)>, Error> {
    let mut flat = Flat::default();
    let mut rest = vec![flat.push_head(name, head, members)?];
    while let Some(level) = rest.last_mut() {
        match level.next() {
            None => {
                rest.pop();
            }
            Some(FileCompositeNode::Tensor { name, descriptor, buffers }) => {
                require_members(descriptor, 0)?;
                flat.push(FileTensorNode { name, descriptor, buffers })?;
            }
            Some(FileCompositeNode::Composite { name, head, members }) => {
                let level = flat.push_head(name, head, members)?;
                rest.push(level);
            }
        }
    }
    Ok(flat.nodes)
}

#[derive(Default)]
struct Flat<'a> {
    nodes: Vec<(FileTensorNode<'a>, Vec<u8>)>,
    names: BTreeSet<&'a str>,
    groups: Groups,
}

impl<'a> Flat<'a> {
    fn push_head(
        &mut self,
        name: &'a str,
        head: &'a TensorDescriptor,
        members: &'a [FileCompositeNode<'a>],
    ) -> Result<slice::Iter<'a, FileCompositeNode<'a>>, Error> {
        if head_of(head).is_none() {
            return Err(Misuse::NoComposite.into());
        }
        require_members(head, to_u64(members.len()))?;
        self.push(FileTensorNode { name, descriptor: head, buffers: &[] })?;
        Ok(members.iter())
    }

    fn push(&mut self, node: FileTensorNode<'a>) -> Result<(), Error> {
        check_name(node.name)?;
        if !self.names.insert(node.name) {
            return Err(Misuse::NameTaken.into());
        }
        let encoded = encode(node.descriptor, node.buffers)?;
        let step = check_next(&self.groups, node.descriptor)?;
        self.groups.take(step);
        self.nodes.push((node, encoded));
        Ok(())
    }
}

/// A head says how many members it has.
fn require_members(descriptor: &TensorDescriptor, given: u64) -> Result<(), Misuse> {
    let declared = head_of(descriptor).map_or(0, |head| u64::from(head.member_count));
    if declared == given { Ok(()) } else { Err(Misuse::MemberCount { declared, given }) }
}

/// What writing this tensor next changes of the open composites.
///
/// # Errors
/// It breaks a rule there, tolerated ones included.
pub(super) fn check_next(groups: &Groups, descriptor: &TensorDescriptor) -> Result<Step, Error> {
    let mut judge = Judge::new(Policy::collecting());
    let step = groups.check(descriptor, Span::at(0, 0), &mut judge);
    let broken: Option<Rule> = judge.findings().first().map(|finding| finding.rule);
    match (broken, step) {
        (Some(rule), _) => Err(Misuse::Composite(rule).into()),
        (None, Err(Error::Reject(reject))) => Err(Misuse::Composite(reject.rule).into()),
        (None, step) => step,
    }
}
