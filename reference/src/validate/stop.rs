//! Why a walk over a file stopped. Owns no walk.

use crate::reject::Error;

/// Why a walk stopped.
pub(super) enum Stop<E> {
    /// The transport failed.
    Source(E),
    /// Noted, or to be put in the report.
    Core(Error),
}
