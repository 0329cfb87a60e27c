//! The specification of the Hurray file format as data: every rule with its id, level, party and text.
//!
//! The rules live in `spec/rules/*.toml`; `rules.rs` is generated from them by `cargo xtask codegen`, one row a rule, and
//! checked in CI, so that nothing parses TOML at run time. This crate decides nothing and knows no byte of the format beyond its
//! tables.

mod row;
mod rules;
pub mod tables;

use std::fmt;

use strum::{Display, EnumString, VariantNames};

pub use rules::Rule;

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
    /// Not at all, for the reason given in [`RuleInfo::reason`].
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

/// All there is to know about a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo {
    /// The stable id, `area.noun.requirement`.
    pub id: &'static str,
    /// How binding it is.
    pub level: Level,
    /// Whom it binds.
    pub party: Party,
    /// What kind of statement it is.
    pub kind: Kind,
    /// The requirement, in our own words.
    pub text: &'static str,
    /// Document and section it rests on.
    pub source: &'static str,
    /// The document it comes from.
    pub origin: Origin,
    /// Rulings that settle contested points of it.
    pub rulings: &'static [&'static str],
    /// How it is seen to.
    pub enforced: Enforced,
    /// Why it is enforced nowhere, or deferred; empty otherwise.
    pub reason: &'static str,
    /// A contested rule that a strict reader lets pass (accepting is preferred); only `validate` flags it.
    pub tolerated: bool,
    /// The rule whose enforcing site this one shares.
    pub same_as: Option<Rule>,
}

impl Rule {
    /// The rule of that id.
    pub fn from_id(id: &str) -> Option<Rule> {
        Rule::ALL.binary_search_by(|rule| rule.id().cmp(id)).ok().map(|at| Rule::ALL[at])
    }

    /// The stable id.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// First part of the id.
    pub fn area(self) -> &'static str {
        self.id().split('.').next().unwrap_or_default()
    }

    /// The rule whose site enforces this one: itself unless it is a twin.
    pub fn site(self) -> Rule {
        self.info().same_as.unwrap_or(self)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
