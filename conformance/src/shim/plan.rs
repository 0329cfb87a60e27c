//! Plans of the shim: what becomes of the calls of each class. Owns how a schedule becomes one.

use std::fmt;

/// Rules for the shim, one a line; their words stand in `conformance/shim/README.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    text: String,
}

impl Plan {
    /// The plan that changes nothing.
    pub fn none() -> Plan {
        Plan::default()
    }

    /// The plan with one more rule.
    #[must_use]
    pub fn with(mut self, rule: impl fmt::Display) -> Plan {
        self.text.push_str(&format!("{rule}\n"));
        self
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
