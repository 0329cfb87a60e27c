//! The reader without I/O: it names ranges of the file, is told how many bytes came, and hands out what they mean.
//!
//! Owns the order of the steps and what a failure costs. What bytes have to look like is for `wire` and `check`.

mod bare;
mod composite;
mod container;
mod job;
mod open;
mod pending;
mod taken;

use crate::judge::{Finding, Judge, Policy};
use crate::memory::Buffer;
use crate::model::TensorDescriptor;
use crate::reject::{Error, Misuse, Reject};
use crate::wire::index::Index;
use crate::wire::kv::KvSection;

use composite::{Gather, Gathered};
use job::{Job, Kind, Progress};
use open::{Opened, Opening};
use pending::Pending;

pub use bare::decode_descriptor;
pub use composite::{Composite, FileItem};
pub use container::Container;
pub use job::Tensor;

/// What the core needs next, or has ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStep {
    /// Read these bytes into [`FileReaderCore::input_dst`] and report how many came.
    Range {
        /// Absolute file offset, in bytes.
        offset: u64,
        /// Bytes wanted, at least one.
        len: usize,
    },
    /// The file is open and no job is under way.
    Ready,
    /// A descriptor waits to be taken.
    Descriptor,
    /// A tensor waits to be taken.
    Tensor,
    /// A composite waits to be taken.
    Composite,
}

enum State {
    Opening(Opening),
    Idle,
    Working(Job),
    Gathering(Box<Gather>),
    Descriptor(Box<TensorDescriptor>),
    Tensor(Box<Tensor>),
    Composite(Box<Composite>),
    /// A composite that was judged and not kept, up to the descriptor at this offset.
    Judged(u64),
    /// A failed open is final; every step says so again.
    Failed(Error),
}

/// Reads one file of a known size.
///
/// Call [`step`](Self::step); on a range fill [`input_dst`](Self::input_dst) and call
/// [`report_filled`](Self::report_filled); repeat until something is ready. A range whose count was never reported is
/// offered again. A failed job leaves the core usable, a failed open does not.
pub struct FileReaderCore {
    size: u64,
    judge: Judge,
    pending: Option<Pending>,
    state: State,
    opened: Option<Opened>,
    no_index: Index,
    no_kv: KvSection,
}

impl FileReaderCore {
    /// A strict reader of a file of `size` bytes.
    pub fn new(size: u64) -> Self {
        Self::with_policy(size, Policy::strict())
    }

    /// A reader with another policy.
    pub fn with_policy(size: u64, policy: Policy) -> Self {
        FileReaderCore {
            size,
            judge: Judge::new(policy),
            pending: None,
            state: State::Opening(Opening::default()),
            opened: None,
            no_index: Index::default(),
            no_kv: KvSection::default(),
        }
    }

    /// What to do next. Does no I/O and never waits.
    ///
    /// # Errors
    /// What the bytes so far amount to. After a failed open the same error every time; after a failed job the next step
    /// is [`FileStep::Ready`].
    pub fn step(&mut self) -> Result<FileStep, Error> {
        loop {
            if let Some(pending) = self.pending.as_ref().filter(|pending| !pending.is_full()) {
                let (offset, len) = pending.range();
                return Ok(FileStep::Range { offset, len });
            }
            let bytes = self.pending.take().map(Pending::into_bytes);
            match std::mem::replace(&mut self.state, State::Idle) {
                State::Opening(opening) => match opening.advance(bytes, self.size, &mut self.judge) {
                    Ok(open::Next::Range(opening, pending)) => {
                        self.state = State::Opening(opening);
                        self.pending = Some(pending);
                    }
                    Ok(open::Next::Opened(opened)) => self.opened = Some(*opened),
                    Err(error) => return Err(self.fail_open(error)),
                },
                State::Working(job) => self.advance_job(job, bytes)?,
                State::Gathering(gather) => self.advance_gather(gather, bytes)?,
                State::Idle => return Ok(FileStep::Ready),
                state => return self.waiting(state),
            }
        }
    }

    fn waiting(&mut self, state: State) -> Result<FileStep, Error> {
        let step = match &state {
            State::Descriptor(_) => Ok(FileStep::Descriptor),
            State::Tensor(_) => Ok(FileStep::Tensor),
            State::Composite(_) | State::Judged(_) => Ok(FileStep::Composite),
            State::Failed(error) => Err(error.clone()),
            State::Opening(_) | State::Working(_) | State::Gathering(_) | State::Idle => Ok(FileStep::Ready),
        };
        self.state = state;
        step
    }

    fn advance_job(&mut self, job: Job, bytes: Option<Buffer>) -> Result<(), Error> {
        let Some(opened) = &self.opened else { return Err(Misuse::NotOpen.into()) };
        match job.advance(bytes, opened, self.size, &mut self.judge) {
            Ok(Progress::Range(job, pending)) => {
                self.state = State::Working(job);
                self.pending = Some(pending);
            }
            Ok(Progress::Descriptor(descriptor)) => self.state = State::Descriptor(descriptor),
            Ok(Progress::Tensor(tensor)) => self.state = State::Tensor(tensor),
            Err(error) => {
                self.note(&error);
                return Err(error);
            }
        }
        Ok(())
    }

    fn advance_gather(&mut self, gather: Box<Gather>, bytes: Option<Buffer>) -> Result<(), Error> {
        let Some(opened) = &self.opened else { return Err(Misuse::NotOpen.into()) };
        match gather.advance(bytes, opened, self.size, &mut self.judge) {
            Ok(Gathered::Range(gather, pending)) => {
                self.state = State::Gathering(gather);
                self.pending = Some(pending);
            }
            Ok(Gathered::Composite(composite)) => self.state = State::Composite(composite),
            Ok(Gathered::Judged(end)) => self.state = State::Judged(end),
            Err(error) => {
                self.note(&error);
                return Err(error);
            }
        }
        Ok(())
    }

    fn fail_open(&mut self, error: Error) -> Error {
        self.note(&error);
        self.pending = None;
        self.state = State::Failed(error.clone());
        error
    }

    fn note(&mut self, error: &Error) {
        if let Error::Reject(reject) = error {
            self.judge.note_end(reject);
        }
    }

    /// The memory for the range last offered, exactly as long as it; empty if none is.
    pub fn input_dst(&mut self) -> &mut [u8] {
        self.pending.as_mut().map_or(&mut [], Pending::unfilled)
    }

    /// Says that the first `filled` bytes of [`input_dst`](Self::input_dst) have arrived. Fewer than offered is normal:
    /// the rest is offered next.
    ///
    /// # Errors
    /// More than was offered, or nothing was offered: refused, nothing changes. 0: the file ends here although its size
    /// says otherwise; that ends the open for good, or the job.
    pub fn report_filled(&mut self, filled: usize) -> Result<(), Error> {
        let Some(pending) = &mut self.pending else { return Err(Misuse::NothingOffered.into()) };
        let Err(error) = pending.fill(filled) else { return Ok(()) };
        if let Error::Reject(_) = error {
            self.pending = None;
            if matches!(self.state, State::Opening(_)) {
                return Err(self.fail_open(error));
            }
            self.state = State::Idle;
            self.note(&error);
        }
        Err(error)
    }

    /// Begins reading one descriptor; an unfinished job is abandoned.
    ///
    /// # Errors
    /// The file is not open, or holds no such tensor.
    pub fn begin_descriptor(&mut self, name: impl AsRef<[u8]>) -> Result<(), Error> {
        self.begin(name.as_ref(), Kind::Descriptor)
    }

    /// Begins reading one tensor, descriptor and buffers; an unfinished job is abandoned.
    ///
    /// # Errors
    /// As [`begin_descriptor`](Self::begin_descriptor).
    pub fn begin_tensor(&mut self, name: impl AsRef<[u8]>) -> Result<(), Error> {
        self.begin(name.as_ref(), Kind::Tensor)
    }

    /// Begins reading one composite, its head and every member, nested ones too, with their data: one range per descriptor
    /// and one per non-empty buffer. An unfinished job is abandoned.
    ///
    /// # Errors
    /// As [`begin_descriptor`](Self::begin_descriptor).
    pub fn begin_composite(&mut self, name: impl AsRef<[u8]>) -> Result<(), Error> {
        let position = self.position(name.as_ref())?;
        self.gather(position, true)
    }

    /// Begins judging the composite whose head is at that place of the index, by descriptors alone, which are not kept.
    pub(crate) fn begin_judging_composite_at(&mut self, position: usize) -> Result<(), Error> {
        self.gather(position, false)
    }

    fn gather(&mut self, position: usize, is_kept: bool) -> Result<(), Error> {
        let opened = self.opened.as_ref().ok_or(Misuse::NotOpen)?;
        let gather = Gather::new(position, &opened.index, is_kept);
        self.pending = None;
        self.state = State::Gathering(Box::new(gather));
        Ok(())
    }

    fn begin(&mut self, name: &[u8], kind: Kind) -> Result<(), Error> {
        let position = self.position(name)?;
        self.begin_at(position, kind);
        Ok(())
    }

    /// Begins reading the tensor at that place of the index; its name may not be unique.
    pub(crate) fn begin_descriptor_at(&mut self, position: usize) {
        self.begin_at(position, Kind::Descriptor);
    }

    fn begin_at(&mut self, position: usize, kind: Kind) {
        self.pending = None;
        self.state = State::Working(Job::new(position, kind));
    }

    fn position(&self, name: &[u8]) -> Result<usize, Error> {
        match (&self.opened, &self.state) {
            (None, State::Failed(error)) => Err(error.clone()),
            (None, _) => Err(Misuse::NotOpen.into()),
            (Some(opened), _) => opened.index.find(name).ok_or(Error::NotFound),
        }
    }

    /// The header's fields, once the file is open.
    pub fn container(&self) -> Option<Container> {
        self.opened.as_ref().map(Opened::container)
    }

    /// The tensors of the file; empty before it is open.
    pub fn index(&self) -> &Index {
        self.opened.as_ref().map_or(&self.no_index, |opened| &opened.index)
    }

    /// The key-value entries of the file; empty before it is open.
    pub fn kv(&self) -> &KvSection {
        self.opened.as_ref().map_or(&self.no_kv, |opened| &opened.kv)
    }

    /// What a collecting policy has noted so far.
    pub fn findings(&self) -> &[Finding] {
        self.judge.findings()
    }

    pub(crate) fn opened(&self) -> Option<&Opened> {
        self.opened.as_ref()
    }

    /// The index beside the judge, for checks of one entry.
    pub(crate) fn index_and_judge(&mut self) -> Option<(&Index, &mut Judge)> {
        self.opened.as_ref().map(|opened| (&opened.index, &mut self.judge))
    }

    /// The judge, for checks of the whole file.
    pub(crate) fn judge(&mut self) -> &mut Judge {
        &mut self.judge
    }

    /// Notes a rejection that ended a unit outside the core.
    pub(crate) fn note_end(&mut self, reject: &Reject) {
        self.judge.note_end(reject);
    }
}
