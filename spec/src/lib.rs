//! The specification of the Hurray file format as data: every rule with its id, level, party and text.
//!
//! The rules live in `spec/rules/*.toml`; `rules.rs` is generated from them by `cargo xtask codegen`, one row a rule, and
//! checked in CI, so that nothing parses TOML at run time. This crate decides nothing and knows no byte of the format beyond its
//! tables.

mod row;
mod rules;
pub mod tables;
mod words;

use std::fmt;

pub use rules::{Rule, RuleInfo};
pub use words::{Enforced, Kind, Level, Origin, Party};

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
