//! Which of the suite's good files shows what an adapter declares. Owns the choice and nothing else.

use hurray_adapter::{Hello, Op};

use crate::run::probe::canary::CANARY;
use hurray_corpus::{Class, Expect, ReadMode, Vector, VectorSet};

/// A good file that uses only what is declared and shows what is wanted: the canary if it does, else the smallest.
pub(super) fn good_file<'a>(set: &'a VectorSet, hello: &Hello, shows: impl Fn(&Vector) -> bool) -> Option<&'a Vector> {
    let is_good = |vector: &Vector| {
        vector.expect == Expect::Accept
            && vector.class == Class::Explicit
            && vector.mode == ReadMode::Whole
            && vector.needs.iter().all(|need| need.is_read_by(hello))
            && shows(vector)
    };
    let canary = set.get(CANARY).filter(|canary| is_good(canary));
    canary.or_else(|| set.vectors.iter().filter(|vector| is_good(vector)).min_by_key(|vector| vector.bytes.len()))
}

/// A good file that every reading of the text can read without seeking.
pub(super) fn good_stream<'a>(set: &'a VectorSet, hello: &Hello) -> Option<&'a Vector> {
    let is_good = |vector: &&Vector| {
        vector.mode.is_sequential()
            && vector.expect == Expect::Accept
            && !vector.passing.is_empty()
            && vector.needs.iter().all(|need| need.is_read_by(hello))
    };
    set.vectors.iter().filter(is_good).min_by_key(|vector| vector.bytes.len())
}

/// A good descriptor that stands in no file.
pub(super) fn bare_descriptor(set: &VectorSet) -> Option<&Vector> {
    let is_good = |vector: &&Vector| !vector.mode.is_of_file() && vector.expect == Expect::Accept;
    set.vectors.iter().filter(is_good).min_by_key(|vector| vector.bytes.len())
}

/// Whether a file has what an operation is there to show.
pub(super) fn shows_operation(vector: &Vector, operation: Op) -> bool {
    let seen = &vector.observe;
    match operation {
        Op::Kv => !seen.kv_may_be_hidden && seen.kv.as_ref().is_some_and(|entries| !entries.is_empty()),
        Op::Composite => !seen.composites.is_empty(),
        Op::Locate => vector.meaning.iter().any(|meaning| meaning.place.is_some()),
        Op::Decode => vector.meaning.iter().any(|meaning| meaning.value.is_some()),
        Op::List | Op::Describe | Op::Read | Op::All => !seen.tensors.is_empty() && seen.composites.is_empty(),
        Op::Open | Op::Descriptor | Op::Validate | Op::Scan => true,
        Op::Write | Op::Create | Op::Header | Op::Put | Op::Finish => true,
    }
}
