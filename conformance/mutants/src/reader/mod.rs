//! Mutants: the reference with one over-strict or careless habit each. A rule whose point is *accepting* is proved by
//! them: some vector that lists the rule has to notice the habit. Owns the wrapping; the habits stand in [`table`].

mod avoid;
mod composite;
mod decode;
mod meaning;
mod payload;
mod refuse;
mod sequential;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::Read;
use std::rc::Rc;

use hurray_adapter::{
    Answer, Candidate, Failure, Hello, MemorySource, Observed, Op, Reader, Source, TensorObservation,
};
use hurray_corpus::Feature;
use hurray_spec::Rule;

use avoid::uses;
use composite::Family;
use hurray_conformance::judge::writer::file_view::{Entry, View};
use sequential::rejected;
pub use table::READER_MUTANTS;

/// A candidate that is right but for one habit.
#[derive(Clone, Copy, Debug)]
pub struct ReaderMutant {
    /// The rule the habit breaks.
    pub rule: Rule,
    /// The habit in a few words.
    pub name: &'static str,
    /// What is waived in the wrapped reference, so that the habit is reached at all.
    pub waive: &'static [Rule],
    habit: Habit,
}

/// One bad habit.
#[derive(Clone, Copy, Debug)]
enum Habit {
    /// Rejects the whole file at open.
    Refuse(fn(&View) -> bool),
    /// Rejects a step for what it saw.
    RefuseStep(fn(&Sight<'_>, &Observed) -> bool),
    /// Rejects the descriptors of tensors for what they say.
    Avoid(fn(&TensorObservation) -> bool),
    /// Rejects tensors of one type, layout or scheme, by the words of `needs`.
    Lacks(&'static str),
    /// Rejects composites for what the descriptors of head and members say.
    Disown(fn(&Family) -> bool),
    /// Has no habit but to let pass what is waived.
    Lenient,
    /// Changes what a step saw.
    Spoil(fn(&Sight<'_>, &mut Observed)),
    /// Reads what goes by with a slip.
    Pass(sequential::Slip),
    /// Looks up another name than the one asked for; `None` is not found.
    Lookup(fn(&View, &[u8]) -> Option<Vec<u8>>),
}

/// The step a habit is looking at.
#[derive(Debug)]
struct Sight<'a> {
    step: Op,
    /// The tensor of `describe` and `read`.
    name: &'a [u8],
    /// How often that tensor was asked for before, on this reader.
    asked_before: u32,
    view: &'a View,
}

impl ReaderMutant {
    /// Gives the habit to `inner`, which should be the reference with [`ReaderMutant::waive`] waived.
    pub fn mutate<C: Candidate>(&self, inner: C) -> Mutated<C> {
        Mutated { inner, habit: self.habit }
    }
}

/// A candidate with a habit.
#[derive(Debug)]
pub struct Mutated<C> {
    inner: C,
    habit: Habit,
}

/// The feature that a table names; a test holds every name of the table against the vocabulary.
fn known(feature: &'static str) -> Feature {
    feature.parse().unwrap_or_else(|_| panic!("`{feature}` is no feature"))
}

impl<C: Candidate> Candidate for Mutated<C> {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let view = Rc::new(View::of(source)?);
        let opened = self.inner.open(view.source())?;
        self.opened(view, opened)
    }

    fn open_permissive(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let view = Rc::new(View::of(source)?);
        let opened = self.inner.open_permissive(view.source())?;
        self.opened(view, opened)
    }

    fn descriptor(&mut self, bytes: &[u8]) -> Answer {
        let answer = self.inner.descriptor(bytes);
        let view = Rc::new(View::of(Source::Served(Box::new(MemorySource(bytes.into()))))?);
        let inner = Box::new(NoFile);
        MutatedReader { inner, habit: self.habit, view, asked: HashMap::new() }.tamper(Op::Descriptor, b"", answer)
    }

    fn validate(&mut self, source: Source) -> Answer {
        self.inner.validate(source)
    }

    fn scan(&mut self, mut stream: Box<dyn Read>) -> Answer {
        let Habit::Pass(slip) = self.habit else { return self.inner.scan(stream) };
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        let view = View::of(Source::Served(Box::new(MemorySource(bytes.into()))))?;
        sequential::walk(&mut self.inner, &view, slip)
    }
}

/// What a descriptor by itself is read from.
struct NoFile;

impl Reader for NoFile {}

impl<C: Candidate> Mutated<C> {
    fn opened(
        &self,
        view: Rc<View>,
        (mut observed, inner): (Observed, Box<dyn Reader>),
    ) -> Result<(Observed, Box<dyn Reader>), Failure> {
        if matches!(self.habit, Habit::Refuse(is_refused) if is_refused(&view)) {
            return Err(rejected());
        }
        let mut reader = MutatedReader { inner, habit: self.habit, view, asked: HashMap::new() };
        observed = reader.tamper(Op::Open, b"", Ok(observed))?;
        Ok((observed, Box::new(reader)))
    }
}

struct MutatedReader {
    inner: Box<dyn Reader>,
    habit: Habit,
    view: Rc<View>,
    asked: HashMap<Vec<u8>, u32>,
}

impl MutatedReader {
    fn tamper(&mut self, step: Op, name: &[u8], answer: Answer) -> Answer {
        let asked_before = self.asked.get(name).copied().unwrap_or(0);
        let sight = Sight { step, name, asked_before, view: &self.view };
        let mut observed = answer?;
        match self.habit {
            Habit::RefuseStep(is_refused) if is_refused(&sight, &observed) => return Err(rejected()),
            Habit::Avoid(is_avoided) if observed.tensor.as_ref().is_some_and(is_avoided) => return Err(rejected()),
            Habit::Lacks(feature) if observed.tensor.as_ref().is_some_and(|tensor| uses(tensor, known(feature))) => {
                return Err(rejected());
            }
            Habit::Disown(is_disowned) => {
                let family = observed.composite.as_ref().and_then(|seen| Family::of(self.inner.as_mut(), seen));
                if family.as_ref().is_some_and(is_disowned) {
                    return Err(rejected());
                }
            }
            Habit::Spoil(spoil) => spoil(&sight, &mut observed),
            _ => {}
        }
        Ok(observed)
    }

    fn tensor(&mut self, step: Op, name: &[u8], ask: fn(&mut dyn Reader, &[u8]) -> Answer) -> Answer {
        let looked_up = match self.habit {
            Habit::Lookup(lookup) => lookup(&self.view, name).ok_or(Failure::NotFound)?,
            _ => name.to_vec(),
        };
        let answer = ask(self.inner.as_mut(), &looked_up);
        let answer = self.tamper(step, name, answer);
        *self.asked.entry(name.to_vec()).or_default() += 1;
        answer
    }
}

impl Reader for MutatedReader {
    fn list(&mut self) -> Answer {
        let answer = self.inner.list();
        self.tamper(Op::List, b"", answer)
    }

    fn kv(&mut self) -> Answer {
        let answer = self.inner.kv();
        self.tamper(Op::Kv, b"", answer)
    }

    fn describe(&mut self, name: &[u8]) -> Answer {
        self.tensor(Op::Describe, name, |reader, name| reader.describe(name))
    }

    fn read(&mut self, name: &[u8]) -> Answer {
        self.tensor(Op::Read, name, |reader, name| reader.read(name))
    }

    fn composite(&mut self, name: &[u8]) -> Answer {
        self.tensor(Op::Composite, name, |reader, name| reader.composite(name))
    }

    fn locate(&mut self, name: &[u8], index: &[u64]) -> Answer {
        let answer = self.inner.locate(name, index);
        self.tamper(Op::Locate, name, answer)
    }

    fn decode(&mut self, name: &[u8], index: &[u64]) -> Answer {
        let answer = self.inner.decode(name, index);
        self.tamper(Op::Decode, name, answer)
    }

    fn all(&mut self) -> Answer {
        self.inner.all()
    }
}
