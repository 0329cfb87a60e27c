//! Mutated writers: the reference as a writer with one bad habit each. A duty of writers is proved by them: the judge of
//! written files has to notice the habit, and to name the duty. Owns the wrapping; the habits stand in [`table`].

mod bytes;
mod calls;
mod sink;
mod table;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::rc::Rc;

use hurray_adapter::{
    Answer, Candidate, Failure, Hello, KvEntry, NewItem, Observed, Reader, Sink, Source, WriteOptions, Writer,
    WriterState,
};
use hurray_spec::Rule;

pub use table::WRITER_MUTANTS;

use hurray_corpus::write_vector::name_of;
use sink::{Kept, Lossy};

/// A writer that is right but for one habit.
#[derive(Clone, Copy, Debug)]
pub struct WriterMutant {
    /// The duty it neglects.
    pub rule: Rule,
    /// The habit in a few words.
    pub name: &'static str,
    habit: Habit,
}

/// One bad habit.
#[derive(Clone, Copy, Debug)]
enum Habit {
    /// Changes the finished file.
    Bytes(fn(&mut Vec<u8>)),
    /// Takes other options than those given.
    Options(fn(&mut WriteOptions)),
    /// Writes another item than the one given.
    Item(fn(&mut NewItem)),
    /// Writes other entries than those given.
    Entries(fn(&mut Vec<KvEntry>)),
    /// Says of such an item that it is written, whatever became of it.
    Shrug(fn(&NewItem) -> bool),
    /// Refuses an item for what was written before it: the names, in order.
    Refuse(fn(&[Vec<u8>], &NewItem) -> bool),
    /// Takes the name of a refused item for taken.
    Grudge,
    /// Drops what a sink did not take at once.
    Drop,
}

impl WriterMutant {
    /// Gives the habit to `inner`, which should be the reference.
    pub fn mutate<C: Candidate>(&self, inner: C) -> MutatedWriter<C> {
        MutatedWriter { inner, habit: self.habit }
    }
}

/// A candidate that writes with a habit, and reads as `inner` does.
#[derive(Debug)]
pub struct MutatedWriter<C> {
    inner: C,
    habit: Habit,
}

impl<C: Candidate> Candidate for MutatedWriter<C> {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        self.inner.open(source)
    }

    fn validate(&mut self, source: Source) -> Answer {
        self.inner.validate(source)
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        let mut options = options.clone();
        if let Habit::Options(change) = self.habit {
            change(&mut options);
        }
        let mut kept = None;
        let sink = match (self.habit, sink) {
            (Habit::Bytes(_), sink) => {
                let bytes = Rc::new(RefCell::new(Vec::new()));
                kept = Some((Rc::clone(&bytes), sink));
                Sink::Served(Box::new(Kept(bytes)))
            }
            (Habit::Drop, Sink::Served(served)) => Sink::Served(Box::new(Lossy(served))),
            (_, sink) => sink,
        };
        let inner = self.inner.create(sink, &options)?;
        let (written, refused) = (Vec::new(), BTreeSet::new());
        Ok(Box::new(Mutated { inner, habit: self.habit, kept, written, refused }))
    }
}

/// The bytes so far, and where they go in the end.
type KeptFile = (Rc<RefCell<Vec<u8>>>, Sink);

struct Mutated {
    inner: Box<dyn Writer>,
    habit: Habit,
    kept: Option<KeptFile>,
    /// Names of the items that were written.
    written: Vec<Vec<u8>>,
    /// Names of the items that were refused.
    refused: BTreeSet<Vec<u8>>,
}

fn refused() -> Failure {
    Failure::Refused("a mutant's defect".to_owned())
}

impl Writer for Mutated {
    fn header(&mut self) -> Answer {
        self.inner.header()
    }

    fn put(&mut self, item: &NewItem) -> Answer {
        let name = name_of(item).0.clone();
        let answer = match self.habit {
            Habit::Refuse(is_refused) if is_refused(&self.written, item) => Err(refused()),
            Habit::Grudge if self.refused.contains(&name) => Err(refused()),
            Habit::Item(change) => {
                let mut item = item.clone();
                change(&mut item);
                self.inner.put(&item)
            }
            Habit::Shrug(is_ignored) if is_ignored(item) => self.inner.put(item).or(Ok(Observed::default())),
            _ => self.inner.put(item),
        };
        match &answer {
            Ok(_) => self.written.push(name),
            Err(_) => drop(self.refused.insert(name)),
        }
        answer
    }

    fn finish(&mut self, kv: &[KvEntry]) -> Answer {
        let mut entries = kv.to_vec();
        if let Habit::Entries(change) = self.habit {
            change(&mut entries);
        }
        let seen = self.inner.finish(&entries)?;
        if let (Habit::Bytes(change), Some((bytes, sink))) = (self.habit, &mut self.kept) {
            let mut bytes = bytes.borrow().clone();
            change(&mut bytes);
            match sink {
                Sink::Path(path) => fs::write(path, &bytes)?,
                Sink::Served(served) => served.write_all(&bytes)?,
            }
        }
        Ok(seen)
    }

    fn state(&self) -> Option<WriterState> {
        self.inner.state()
    }
}
