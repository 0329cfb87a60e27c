//! Sources and sinks that obey a schedule and note each operation.
//!
//! Owns what each fault does. It must not know whether a candidate copes: that is decided in `judge`.

mod player;
pub mod preload;
mod sink;
mod source;

pub use sink::FaultySink;
pub use source::FaultySource;

/// Operations that are kept; whoever does more is only counted.
const KEPT: usize = 1 << 16;
/// Operations after which every further one fails: no candidate goes on for ever.
const MOST: u64 = 1 << 20;

/// One read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Absolute offset, in bytes: where it reads, or how much the sink holds.
    pub offset: u64,
    /// Bytes asked for or offered.
    pub len: u64,
    /// What came of it.
    pub moved: Moved,
}

/// What came of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// That many bytes were moved and reported.
    Bytes(u64),
    /// None were, and that was reported: the end of a source, a closed sink.
    Nothing,
    /// None were, and a failure of that kind was reported.
    Failed(&'static str),
    /// Bytes were moved, and a failure was reported.
    Lost,
    /// More bytes were reported than asked for or offered.
    TooMany(u64),
}

/// What a faulty source or sink did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The operations, in order; the first of them.
    pub operations: Vec<Operation>,
    /// How many there were.
    pub count: u64,
    /// Position in `operations` of the first that a clause changed.
    pub changed: Option<usize>,
}

impl Log {
    fn note(&mut self, operation: Operation, is_changed: bool) {
        self.count += 1;
        if self.operations.len() < KEPT {
            if is_changed && self.changed.is_none() {
                self.changed = Some(self.operations.len());
            }
            self.operations.push(operation);
        }
    }

    /// The operation a clause changed first, with its number from 1.
    pub fn first_changed(&self) -> Option<(usize, Operation)> {
        let at = self.changed?;
        Some((at + 1, *self.operations.get(at)?))
    }

    /// Whether the schedule made a difference at all.
    pub fn is_reached(&self) -> bool {
        self.changed.is_some()
    }
}
