//! Mutants of the I/O contract: readers and writers with one careless habit each. Every clause that can be seen from
//! outside is proved by one: some schedule has to name it. Owns the wrapping; the habits stand in [`table`].

mod phase;
mod read;
mod source;
mod table;
mod write;

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use hurray_adapter::{Answer, Candidate, Failure, Hello, Observed, Reader, Sink, Source, WriteOptions, Writer};
use hurray_spec::Rule;

use phase::Phase;
use read::{BadReader, Nothing, ReaderHabit};
use source::{BadSource, SourceHabit};
use write::{BadSink, BadWriter, SharedSink, SinkHabit, WriterHabit};

pub use table::TRANSFER_MUTANTS;

/// A candidate that keeps the contract but for one habit.
#[derive(Clone, Copy, Debug)]
pub struct TransferMutant {
    /// The clause the habit breaks.
    pub rule: Rule,
    /// The habit in a few words.
    pub name: &'static str,
    habit: IoHabit,
}

/// One bad habit.
#[derive(Clone, Copy, Debug)]
enum IoHabit {
    /// How it asks for ranges during one kind of step, or during all.
    Source(Option<Phase>, SourceHabit),
    /// How it carries on after a failure, or what it says of what it read.
    Reader(ReaderHabit),
    /// How it offers bytes.
    Sink(SinkHabit),
    /// How it takes calls.
    Writer(WriterHabit),
}

impl TransferMutant {
    /// Whether it is a writer that has the habit.
    pub fn writes(&self) -> bool {
        matches!(self.habit, IoHabit::Sink(_) | IoHabit::Writer(_))
    }

    /// Gives the habit to `inner`.
    pub fn mutate<C: Candidate>(&self, inner: C) -> MutatedTransfer<C> {
        MutatedTransfer { inner, habit: self.habit }
    }
}

/// A candidate with a habit.
#[derive(Debug)]
pub struct MutatedTransfer<C> {
    inner: C,
    habit: IoHabit,
}

type Opened = Result<(Observed, Box<dyn Reader>), Failure>;

impl<C: Candidate> MutatedTransfer<C> {
    fn opened(&mut self, source: Source, open: impl FnOnce(&mut C, Source) -> Opened) -> Opened {
        let phase = Rc::new(Cell::new(Phase::Open));
        let source = match (self.habit, source) {
            (IoHabit::Source(when, habit), Source::Served(served)) => {
                Source::Served(Box::new(BadSource::new(served, habit, when, Rc::clone(&phase))))
            }
            (_, source) => source,
        };
        match (open(&mut self.inner, source), self.habit) {
            (Ok((observed, inner)), IoHabit::Reader(habit)) => {
                Ok((observed, Box::new(BadReader::new(inner, Some(habit), phase))))
            }
            (Ok((observed, inner)), _) => Ok((observed, Box::new(BadReader::new(inner, None, phase)))),
            (Err(_), IoHabit::Reader(ReaderHabit::OpensAnything)) => Ok((Observed::default(), Box::new(Nothing))),
            (Err(failure), _) => Err(failure),
        }
    }
}

impl<C: Candidate> Candidate for MutatedTransfer<C> {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn open(&mut self, source: Source) -> Opened {
        self.opened(source, C::open)
    }

    fn open_permissive(&mut self, source: Source) -> Opened {
        self.opened(source, C::open_permissive)
    }

    fn scan(&mut self, stream: Box<dyn io::Read>) -> Answer {
        self.inner.scan(stream)
    }

    fn validate(&mut self, source: Source) -> Answer {
        self.inner.validate(source)
    }

    fn descriptor(&mut self, bytes: &[u8]) -> Answer {
        self.inner.descriptor(bytes)
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        let (sink, shared) = match (self.habit, sink) {
            (IoHabit::Sink(habit), Sink::Served(served)) => (Sink::Served(Box::new(BadSink::new(served, habit))), None),
            (IoHabit::Writer(_), Sink::Served(served)) => {
                let shared = SharedSink::new(served);
                (Sink::Served(Box::new(shared.clone())), Some(shared))
            }
            (_, sink) => (sink, None),
        };
        let inner = self.inner.create(sink, options)?;
        match self.habit {
            IoHabit::Writer(habit) => Ok(Box::new(BadWriter::new(inner, habit, shared))),
            _ => Ok(inner),
        }
    }
}

#[cfg(test)]
mod tests;
