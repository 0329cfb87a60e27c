//! The words of a rule: how binding it is, whom it binds, what kind it is, how it is seen to, where it comes from. Owns their
//! spelling.

use strum::{Display, EnumString, VariantNames};

/// How binding a rule is, in the words of RFC 2119.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Level {
    /// An absolute requirement.
    Must,
    /// A recommendation.
    Should,
    /// A permission.
    May,
}

/// Whom a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Party {
    /// The bytes of a file.
    File,
    /// Whoever reads one.
    Reader,
    /// Whoever writes one.
    Writer,
}

/// What kind of statement a rule is; each kind is proved in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// A reader has to reject something.
    ReaderRejects,
    /// A reader has to cope with something.
    ReaderAccepts,
    /// A property of the bytes.
    File,
    /// A duty of writers.
    Writer,
    /// A clause of the I/O contract.
    Io,
    /// Advice; nothing can break it observably.
    Advice,
}

/// How a rule is seen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Enforced {
    /// A reader, or `validate`, checks it at one site; the check can be left out on its own.
    Require,
    /// The layout of the bytes admits no violation.
    Type,
    /// A bound that keeps memory safe; never left out.
    Bound,
    /// Accepting, or decoding rightly, is the point; a reader that is too strict, or decodes wrongly, breaks it.
    Accept,
    /// The writer sees to it.
    Writer,
    /// Seen only under an I/O schedule.
    Schedule,
    /// Not at all, for the reason given in its reason.
    None,
}

/// The document a rule comes from, and so whom it can bind at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Origin {
    /// The pinned text of the format: binds every implementation.
    Format,
    /// The I/O contract, a later document: binds only who claims it.
    IoContract,
}
