//! What an implementation has to offer to be judged: three traits, every operation beyond `open` optional.

use std::io;

use crate::hello::Hello;
use crate::observe::{KvEntry, Observed, U64};
use crate::protocol::StepResult;
use crate::source::Source;
use crate::writing::{NewFile, NewItem, Sink, WriteOptions, WriterState};

/// The end of one operation.
pub type Answer = Result<Observed, Failure>;

/// Why an operation did not succeed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The bytes are at fault.
    Reject {
        /// Rule id, if the implementation knows it.
        rule: Option<String>,
        /// Absolute file offset of the fault, in bytes.
        offset: Option<u64>,
        /// For people.
        message: String,
    },
    /// No tensor has that name.
    NotFound,
    /// The argument is wrong, or the reader or writer cannot do this now; nothing was done.
    Refused(String),
    /// Legal bytes beyond a limit of the implementation.
    Limit(String),
    /// The transport failed.
    Io(String),
    /// Not offered.
    Unsupported,
    /// The adapter's own fault: every error that is not a verdict on the file.
    Error(String),
}

impl Failure {
    /// A rejection with a message and nothing else.
    pub fn reject(message: impl ToString) -> Self {
        Failure::Reject { rule: None, offset: None, message: message.to_string() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(
            match error.kind() {
                io::ErrorKind::Interrupted => "interrupted",
                io::ErrorKind::TimedOut => "timed_out",
                io::ErrorKind::UnexpectedEof => "unexpected_eof",
                io::ErrorKind::WriteZero => "closed",
                _ => "other",
            }
            .to_owned(),
        )
    }
}

impl From<Failure> for StepResult {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Reject { rule, offset, message } => StepResult::Reject { rule, offset: offset.map(U64), message },
            Failure::NotFound => StepResult::NotFound {},
            Failure::Refused(message) => StepResult::Refused { message, state: None },
            Failure::Limit(message) => StepResult::Limit { message, state: None },
            Failure::Io(kind) => StepResult::Io { kind, state: None },
            Failure::Unsupported => StepResult::Unsupported {},
            Failure::Error(message) => StepResult::Error { message, state: None },
        }
    }
}

/// An implementation of the format.
pub trait Candidate {
    /// What it is and what it can be asked. Called once.
    fn hello(&self) -> Hello;

    /// Opens a file; what was seen of the header goes into [`Observed::container`].
    ///
    /// # Errors
    /// Any [`Failure`]; the file's later steps are then refused.
    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure>;

    /// Opens a file permissively: what ruling R3 lists is accepted, uninterpreted. Asked of who declares
    /// [`Hello::permissive`].
    ///
    /// # Errors
    /// As [`Candidate::open`].
    fn open_permissive(&mut self, _source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        Err(Failure::Unsupported)
    }

    /// Decodes the descriptor that `bytes` begin with; no file is around it. What was seen goes into
    /// [`Observed::tensor`] and [`Observed::descriptor_length`].
    ///
    /// # Errors
    /// Any [`Failure`].
    fn descriptor(&mut self, _bytes: &[u8]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// Checks every requirement of a file and reports all that are broken.
    ///
    /// # Errors
    /// Any [`Failure`]; a file too broken to be walked through may be rejected instead.
    fn validate(&mut self, _source: Source) -> Answer {
        Err(Failure::Unsupported)
    }

    /// Reads a file from its first byte to its last, without going back or ahead. What came by goes into
    /// [`Observed::scan`].
    ///
    /// # Errors
    /// Any [`Failure`].
    fn scan(&mut self, _stream: Box<dyn io::Read>) -> Answer {
        Err(Failure::Unsupported)
    }

    /// Makes a writer. Whether the header goes out here or in [`Writer::header`] is the implementation's choice.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for options that the format does not allow.
    fn create(&mut self, _sink: Sink, _options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        Err(Failure::Unsupported)
    }

    /// Writes a whole file: by default item by item.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for a description that no file can have.
    fn write(&mut self, sink: Sink, file: &NewFile) -> Answer {
        let mut writer = self.create(sink, &file.options)?;
        writer.header()?;
        for item in &file.items {
            writer.put(item)?;
        }
        writer.finish(&file.kv)
    }
}

/// One file being written.
pub trait Writer {
    /// Writes the header, if it is not out yet.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn header(&mut self) -> Answer {
        Ok(Observed::default())
    }

    /// Writes one item.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for an item that the file cannot have, before its first byte.
    fn put(&mut self, item: &NewItem) -> Answer;

    /// Writes the end of the file: key-values, index, trailer.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for entries that the file cannot have, before the first byte.
    fn finish(&mut self, kv: &[KvEntry]) -> Answer;

    /// Whether it can go on, where the implementation tells.
    fn state(&self) -> Option<WriterState> {
        None
    }
}

/// One open file.
pub trait Reader {
    /// The names, in index order.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn list(&mut self) -> Answer {
        Err(Failure::Unsupported)
    }

    /// The key-value entries, in file order.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn kv(&mut self) -> Answer {
        Err(Failure::Unsupported)
    }

    /// One descriptor.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn describe(&mut self, _name: &[u8]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// One descriptor and its buffers.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn read(&mut self, _name: &[u8]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// One composite.
    ///
    /// # Errors
    /// Any [`Failure`].
    fn composite(&mut self, _name: &[u8]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// Where the element at `index` stands, dimension 0 first. Block-paged tensors take
    /// `[sequence, token, head, component]`.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for an index that is not of the tensor.
    fn locate(&mut self, _name: &[u8], _index: &[u64]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// What the element at `index` is worth; index as of [`Reader::locate`].
    ///
    /// Integers and bool (0, 1) in decimal; floats of at most 32 bits, and every quantized element, as the 8 hex digits of
    /// the float32 they are; float64 as 16, float128 as 32 hex digits of its bits; complex numbers as real part, a blank
    /// and imaginary part.
    ///
    /// # Errors
    /// Any [`Failure`]; [`Failure::Refused`] for an index that is not of the tensor.
    fn decode(&mut self, _name: &[u8], _index: &[u64]) -> Answer {
        Err(Failure::Unsupported)
    }

    /// Every tensor, as "load the file" does.
    ///
    /// # Errors
    /// Any [`Failure`]; that of the first tensor which cannot be read.
    fn all(&mut self) -> Answer {
        Err(Failure::Unsupported)
    }
}
