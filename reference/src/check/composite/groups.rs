//! Composites under way, as their tensors come by: which heads are open, what the next tensor owes them, when they close.
//!
//! Reading, writing and validating all go through here. How deep composites nest costs memory and no stack.

use hurray_spec::Rule;

use crate::judge::{Judge, bound};
use crate::model::{CompositionRule, TensorDescriptor};
use crate::reject::{Error, Span};

use super::{Extent, MAX_DEPTH, box_of, check_closed, check_member, head_of};

/// Open heads that are followed at most, whatever a policy notes or waives: each costs memory.
const MAX_FOLLOWED: usize = 64;

/// The heads whose members are still coming, outermost first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    open: Vec<Open>,
}

#[derive(Clone, Debug)]
struct Open {
    head: TensorDescriptor,
    span: Span,
    /// Direct members that have come.
    come: u32,
    wanted: u32,
    /// The boxes of those members; kept of partitions alone, no other rule asks for them.
    boxes: Vec<Extent>,
}

/// What one tensor changes, once it is taken in.
#[derive(Debug)]
pub(crate) struct Step {
    member_box: Option<Extent>,
    opened: Option<Box<Open>>,
    /// Heads that are complete with this tensor, counted from the innermost.
    closed: usize,
}

impl Groups {
    /// How many heads are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Members that the innermost open head still lacks.
    pub(crate) fn missing(&self) -> u32 {
        self.open.last().map_or(0, |open| open.wanted.saturating_sub(open.come))
    }

    /// The descriptor of the innermost open head.
    pub(crate) fn span(&self) -> Option<Span> {
        self.open.last().map(|open| open.span)
    }

    /// Judges the next tensor, whose descriptor is at `span`: as a member of the innermost open head, as a head itself, and
    /// every head that it completes. Nothing changes before it is [taken in](Self::take).
    ///
    /// # Errors
    /// Any broken rule; a limit if the boxes of a partition cut each other up beyond reason.
    pub(crate) fn check(&self, next: &TensorDescriptor, span: Span, judge: &mut Judge) -> Result<Step, Error> {
        let owner = self.open.last();
        if let Some(owner) = owner {
            check_member(&owner.head, next, owner.come, span, judge)?;
        }
        let mut step = Step {
            member_box: owner.filter(|open| open.is_partition()).and_then(|_| box_of(next)),
            opened: None,
            closed: 0,
        };
        if let Some(fields) = head_of(next) {
            judge.require(self.open.len() < MAX_DEPTH, Rule::CompositeNestDepth, span)?;
            bound(self.open.len() < MAX_FOLLOWED, Rule::CompositeNestDepth, span)?;
            if fields.member_count > 0 {
                let open = Open { head: next.clone(), span, come: 0, wanted: fields.member_count, boxes: Vec::new() };
                step.opened = Some(Box::new(open));
                return Ok(step);
            }
            check_closed(next, std::iter::empty(), span, judge)?;
        }
        for open in self.open.iter().rev() {
            // The innermost head gets one member more by this tensor; the others have counted the head inside them.
            let coming = u32::from(step.closed == 0);
            if open.come.saturating_add(coming) < open.wanted {
                break;
            }
            let last = step.member_box.as_ref().filter(|_| coming > 0);
            check_closed(&open.head, open.boxes.iter().chain(last), open.span, judge)?;
            step.closed = step.closed.saturating_add(1);
        }
        Ok(step)
    }

    /// Takes in a tensor that was judged.
    pub(crate) fn take(&mut self, step: Step) {
        if let Some(owner) = self.open.last_mut() {
            owner.come = owner.come.saturating_add(1);
            owner.boxes.extend(step.member_box);
        }
        self.open.truncate(self.open.len().saturating_sub(step.closed));
        self.open.extend(step.opened.map(|opened| *opened));
    }
}

impl Open {
    fn is_partition(&self) -> bool {
        head_of(&self.head).is_some_and(|head| head.composition_rule == CompositionRule::PARTITION)
    }
}
