//! Habits of a writer: how it offers bytes, and how it takes calls.
//!
//! Owns these defects and nothing else.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::rc::Rc;

use hurray_adapter::{Answer, Failure, KvEntry, KvValue, NewItem, NewTensor, Observed, Payload, Writer, WriterState};

/// One habit of offering bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SinkHabit {
    /// Takes a short write for a whole one.
    DropsTheRest,
    /// Puts a zero byte in after an interruption.
    PadsAfterInterruptions,
    /// Takes a failure for success.
    SwallowsErrors,
    /// Takes a closed sink for one that took everything.
    TakesNothingForAll,
    /// Puts eight zero bytes in before whatever follows a failure.
    PadsAfterErrors,
}

/// A sink behind a habit.
pub(super) struct BadSink {
    inner: Box<dyn Write>,
    habit: SinkHabit,
    pad: usize,
    has_padded: bool,
}

impl BadSink {
    pub(super) fn new(inner: Box<dyn Write>, habit: SinkHabit) -> BadSink {
        BadSink { inner, habit, pad: 0, has_padded: false }
    }
}

impl Write for BadSink {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        while self.pad > 0 {
            self.pad -= self.inner.write(&[0; 8][..self.pad])?.min(self.pad);
        }
        let answer = self.inner.write(src);
        let is_interrupted = matches!(&answer, Err(error) if error.kind() == io::ErrorKind::Interrupted);
        match (self.habit, &answer) {
            (SinkHabit::DropsTheRest, Ok(taken)) if *taken > 0 => return Ok(src.len()),
            (SinkHabit::TakesNothingForAll, Ok(0)) => return Ok(src.len()),
            (SinkHabit::SwallowsErrors, Err(_)) if !is_interrupted => return Ok(src.len()),
            (SinkHabit::PadsAfterInterruptions, Err(_)) if is_interrupted && !self.has_padded => self.pad = 1,
            (SinkHabit::PadsAfterErrors, Err(_)) if !is_interrupted && !self.has_padded => self.pad = 8,
            _ => {}
        }
        self.has_padded |= self.pad > 0;
        answer
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// One habit of taking calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum WriterHabit {
    /// Keeps the name of an item that failed.
    KeepsNames,
    /// Gives up when such a call fails, whether a byte is out or not.
    GivesUp(Call),
    /// Says that it is usable, whatever happened.
    SaysUsable,
    /// Says that it has finished a file that is torn.
    FinishesTorn,
    /// Writes an index behind what is torn.
    IndexesTorn,
    /// Takes other items behind a composite that is torn.
    GoesOnTorn,
    /// Writes the header with the first item.
    HeaderLate,
    /// Says that it took what was refused, where that holds.
    Takes(fn(&Wrong<'_>) -> bool),
}

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Header,
    Put,
    Finish,
}

/// A call that was refused.
pub(super) enum Wrong<'a> {
    /// An item, and whether its name is taken.
    Put(&'a NewItem, bool),
    /// The entries of the end.
    Finish(&'a [KvEntry]),
}

/// A sink that a writer and its habit both write to.
#[derive(Clone)]
pub(super) struct SharedSink(Rc<RefCell<Box<dyn Write>>>);

impl SharedSink {
    pub(super) fn new(inner: Box<dyn Write>) -> SharedSink {
        SharedSink(Rc::new(RefCell::new(inner)))
    }
}

impl Write for SharedSink {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(src)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// A writer with a habit.
pub(super) struct BadWriter {
    inner: Box<dyn Writer>,
    /// Where it writes, if that is served.
    sink: Option<SharedSink>,
    habit: WriterHabit,
    /// Names of items that were submitted.
    names: BTreeSet<Vec<u8>>,
    has_given_up: bool,
    is_header_out: bool,
    has_torn_composite: bool,
}

impl BadWriter {
    pub(super) fn new(inner: Box<dyn Writer>, habit: WriterHabit, sink: Option<SharedSink>) -> BadWriter {
        BadWriter {
            inner,
            sink,
            habit,
            names: BTreeSet::new(),
            has_given_up: false,
            is_header_out: false,
            has_torn_composite: false,
        }
    }

    fn call(&mut self, call: Call, run: impl FnOnce(&mut dyn Writer) -> Answer) -> Answer {
        if self.has_given_up {
            return Err(Failure::Refused("given up".to_owned()));
        }
        if matches!(self.habit, WriterHabit::HeaderLate) && !self.is_header_out {
            self.inner.header()?;
            self.is_header_out = true;
        }
        let answer = run(self.inner.as_mut());
        if matches!((&answer, self.habit), (Err(Failure::Io(_)), WriterHabit::GivesUp(when)) if when == call) {
            self.has_given_up = true;
        }
        answer
    }

    /// What is said of a call that was refused.
    fn pretend(&self, answer: Answer, wrong: &Wrong<'_>) -> Answer {
        match (answer, self.habit) {
            (Err(Failure::Refused(_)), WriterHabit::Takes(takes)) if takes(wrong) => Ok(Observed::default()),
            (answer, _) => answer,
        }
    }
}

impl Writer for BadWriter {
    fn header(&mut self) -> Answer {
        match self.habit {
            WriterHabit::HeaderLate => Ok(Observed::default()),
            _ => self.call(Call::Header, |inner| inner.header()),
        }
    }

    fn put(&mut self, item: &NewItem) -> Answer {
        let is_new = self.names.insert(name(item).to_vec());
        if matches!(self.habit, WriterHabit::KeepsNames) && !is_new {
            return Err(Failure::Refused("the name is taken".to_owned()));
        }
        if self.has_torn_composite && is_new {
            return Ok(Observed::default());
        }
        let answer = self.call(Call::Put, |inner| inner.put(item));
        let is_torn = answer.is_err() && self.inner.state() == Some(WriterState::Unusable);
        self.has_torn_composite |=
            matches!((self.habit, item), (WriterHabit::GoesOnTorn, NewItem::Composite(_))) && is_torn;
        self.pretend(answer, &Wrong::Put(item, !is_new))
    }

    fn finish(&mut self, kv: &[KvEntry]) -> Answer {
        let is_torn = self.inner.state() == Some(WriterState::Unusable);
        match (self.habit, &mut self.sink) {
            (WriterHabit::FinishesTorn, _) if is_torn => return Ok(Observed::default()),
            (WriterHabit::IndexesTorn, Some(sink)) if is_torn => {
                sink.write_all(b"an index, and a trailer HRRY")?;
                return Ok(Observed::default());
            }
            _ => {}
        }
        let answer = self.call(Call::Finish, |inner| inner.finish(kv));
        self.pretend(answer, &Wrong::Finish(kv))
    }

    fn state(&self) -> Option<WriterState> {
        match self.habit {
            WriterHabit::SaysUsable => Some(WriterState::Usable),
            _ if self.has_torn_composite => Some(WriterState::Usable),
            _ if self.has_given_up => Some(WriterState::Unusable),
            _ => self.inner.state(),
        }
    }
}

fn name(item: &NewItem) -> &[u8] {
    match item {
        NewItem::Tensor(tensor) => &tensor.name.0,
        NewItem::Composite(composite) => &composite.name.0,
    }
}

/// A name that was submitted before.
pub(super) fn taken_name(wrong: &Wrong<'_>) -> bool {
    matches!(wrong, Wrong::Put(_, true))
}

/// A name of no bytes, or of too many.
pub(super) fn bad_name(wrong: &Wrong<'_>) -> bool {
    matches!(wrong, Wrong::Put(item, _) if !(1..=65_535).contains(&name(item).len()))
}

/// Payloads that are not those of the descriptor.
pub(super) fn bad_buffers(wrong: &Wrong<'_>) -> bool {
    let Wrong::Put(NewItem::Tensor(NewTensor { descriptor, buffers, .. }), _) = wrong else { return false };
    let wanted = descriptor.handles.iter().flatten().map(|handle| handle.byte_size.map(|size| size.0));
    wanted.ne(buffers.iter().map(Payload::len))
}

/// Members that are not those of the head.
pub(super) fn bad_members(wrong: &Wrong<'_>) -> bool {
    matches!(wrong, Wrong::Put(NewItem::Composite(_), false)) && !same_names(wrong) && !bad_name(wrong)
}

/// Members that share a name.
pub(super) fn same_names(wrong: &Wrong<'_>) -> bool {
    let Wrong::Put(NewItem::Composite(composite), _) = wrong else { return false };
    let names: BTreeSet<&[u8]> = composite.members.iter().map(name).collect();
    names.len() < composite.members.len()
}

/// Entries whose array is no array of one type.
pub(super) fn bad_arrays(wrong: &Wrong<'_>) -> bool {
    matches!(wrong, Wrong::Finish(kv) if kv.iter().any(|entry| matches!(entry.value, KvValue::Array { .. })))
}

/// Entries whose keys are not allowed.
pub(super) fn bad_keys(wrong: &Wrong<'_>) -> bool {
    matches!(wrong, Wrong::Finish(_)) && !bad_arrays(wrong)
}
