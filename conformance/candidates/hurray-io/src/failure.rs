//! What an error of the library means in the protocol.
//!
//! An error that the bytes of the file have caused is a rejection, in whatever words. The library wraps what its
//! transport says in `Io`, and there two kinds are no fault of the transport: the file ends before what its own offsets
//! promise (`UnexpectedEof`), and an offset that no file can have (`InvalidInput`, the answer of an operating system to
//! a seek beyond 2^63). Both come from the bytes, both refuse them, so both count as rejections. Every other kind is
//! `io`.

use std::io::ErrorKind;

use hurray_adapter::Failure;
use hurray_io::Error;

/// Translates an error of a reading call.
pub(crate) fn failure(error: Error) -> Failure {
    match error {
        Error::Io(io) => match io.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidInput | ErrorKind::InvalidData => Failure::reject(io),
            _ => Failure::from(io),
        },
        Error::TensorNotFound(_) => Failure::NotFound,
        Error::NotAComposite(_) => Failure::Refused(error.to_string()),
        Error::FrameTooLarge { .. } => Failure::Limit(error.to_string()),
        Error::Core(_)
        | Error::UnexpectedEof
        | Error::InvalidHeader(_)
        | Error::InvalidCrossMachineSyncMode { .. }
        | Error::TornComposite { .. }
        // The format bounds the nesting, too; the library only has another number.
        | Error::CompositeNestingTooDeep { .. }
        | Error::InvalidFileMagic
        | Error::InvalidTrailerMagic
        | Error::UnsupportedContainerVersion { .. }
        | Error::DuplicateTensorName(_)
        | Error::TensorNameEmpty
        | Error::TensorNameTooLong { .. }
        | Error::IndexCrc32cMismatch { .. }
        | Error::DuplicateKvKey(_)
        | Error::KvKeyEmpty
        | Error::KvKeyTooLong { .. }
        | Error::ReservedFileFlagBits { .. }
        | Error::IndexOverrunsTrailer => Failure::reject(error),
        // Errors of writing calls, and whatever a later release adds: nothing a verdict on a file may rest on.
        _ => Failure::Error(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn io(kind: ErrorKind) -> Failure {
        failure(Error::Io(kind.into()))
    }

    #[test]
    fn a_transport_that_failed_is_no_rejection() {
        assert_eq!(io(ErrorKind::PermissionDenied), Failure::Io("other".to_owned()));
        assert_eq!(io(ErrorKind::TimedOut), Failure::Io("timed_out".to_owned()));
    }

    #[test]
    fn a_file_that_ends_too_early_is_rejected() {
        assert!(matches!(io(ErrorKind::UnexpectedEof), Failure::Reject { .. }));
        assert!(matches!(failure(Error::UnexpectedEof), Failure::Reject { .. }));
    }

    #[test]
    fn a_missing_name_and_a_wrong_call_are_neither() {
        assert_eq!(failure(Error::TensorNotFound("a".to_owned())), Failure::NotFound);
        let call = Error::BufferSizeMismatch { index: 0, declared: 1, actual: 2 };
        assert!(matches!(failure(call), Failure::Error(_)));
    }
}
