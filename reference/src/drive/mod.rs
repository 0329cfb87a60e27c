//! Moves the bytes between the cores and `std::io`. The only module that may do I/O; it decides nothing.

mod error;
mod sources;

use std::io::{self, Read, Write};

use crate::bytes::to_u64;
use crate::judge::Policy;
use crate::reader::{FileReaderCore, FileStep};
use crate::reject;
use crate::sequential::{Passing, Scanned, SequentialReader};
use crate::validate::{self, Report};
use crate::writer::{FileWriteOp, WriteStep};

pub use error::Error;
pub use sources::{Memory, Positional, ReadAt, Seeking, Source};

/// Answers every range the core asks for, and returns the step that ended the job. An interrupted read is repeated.
///
/// # Errors
/// What the core answers, or the transport's failure; after the latter the call may be repeated.
pub fn drive_reader<S: ReadAt + ?Sized>(core: &mut FileReaderCore, source: &mut S) -> Result<FileStep, Error> {
    loop {
        match core.step()? {
            FileStep::Range { offset, .. } => match source.read_at(offset, core.input_dst()) {
                Ok(filled) => core.report_filled(filled)?,
                // Nothing has failed: the same range is offered again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            },
            other => return Ok(other),
        }
    }
}

/// Bytes of a stream that are read at once.
const PIECE_LEN: usize = 64 << 10;

/// Reads a file in order from something that cannot seek, telling `passing` what goes by. An interrupted read is repeated.
///
/// # Errors
/// What the reader answers, or the transport's failure. A stream cannot be read again: both are final.
pub fn scan<S: Read + ?Sized>(stream: &mut S, policy: Policy, passing: &mut dyn Passing) -> Result<Scanned, Error> {
    let mut reader = SequentialReader::new(policy);
    let mut piece = vec![0; PIECE_LEN];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(reader.finish()?),
            Ok(len) => reader.push(piece.get(..len).ok_or(reject::Error::from(overfill(len)))?, passing)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A stream that says it has read more than it was given room for.
fn overfill(reported: usize) -> reject::Misuse {
    reject::Misuse::Overfill { reported: to_u64(reported), offered: to_u64(PIECE_LEN) }
}

/// Walks through a file of `size` bytes and reports every broken rule that `policy` does not waive.
///
/// # Errors
/// The transport's failure.
pub fn validate<S: ReadAt + ?Sized>(size: u64, source: &mut S, policy: &Policy) -> io::Result<Report> {
    validate::validate(size, policy, |offset, dst| {
        loop {
            match source.read_at(offset, dst) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                answer => return answer,
            }
        }
    })
}

/// Writes every byte of one item. The sink may take fewer bytes than it is offered; an interrupted write is repeated.
///
/// # Errors
/// What the operation answers, or the sink's failure. Whether the item can be submitted again is for
/// [`FileWriterCore::is_unusable`](crate::FileWriterCore::is_unusable) to say.
pub fn drive_writer<W: Write + ?Sized>(mut op: FileWriteOp<'_>, sink: &mut W) -> Result<(), Error> {
    while let WriteStep::Output { .. } = op.step()? {
        match sink.write(op.output_src()) {
            Ok(0) => return Err(op.report_sink_closed().into()),
            Ok(written) => op.report_written(written)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Opens the file that `source` holds. Its size is asked for once.
///
/// # Errors
/// What the core answers, or the transport's failure.
pub fn open<S: Source + ?Sized>(source: &mut S, policy: Policy) -> Result<FileReaderCore, Error> {
    let mut core = FileReaderCore::with_policy(source.size()?, policy);
    drive_reader(&mut core, source)?;
    Ok(core)
}
