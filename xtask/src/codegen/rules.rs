//! Renders `spec/src/rules.rs` from `spec/rules/*.toml`. Owns the shape of a rule file; decides nothing about rules.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::{camel, read_toml};

/// One rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<RuleEntry>,
}

/// One rule as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleEntry {
    pub(super) id: String,
    pub(super) level: String,
    pub(super) party: String,
    pub(super) kind: String,
    pub(super) text: String,
    pub(super) source: String,
    /// Absent for the format itself.
    #[serde(default = "format_text")]
    pub(super) origin: String,
    #[serde(default)]
    pub(super) ruling: Vec<String>,
    pub(super) enforced: String,
    #[serde(default)]
    pub(super) reason: String,
    #[serde(default)]
    pub(super) tolerated: bool,
    pub(super) same_as: Option<String>,
    /// For people only.
    #[serde(default)]
    pub(super) note: String,
}

fn format_text() -> String {
    "format".to_owned()
}

/// Every rule, by id; an id that stands twice is an error.
pub(super) fn load(root: &Path) -> io::Result<Vec<RuleEntry>> {
    let mut rules = Vec::new();
    for entry in fs::read_dir(root.join("spec/rules"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "toml") {
            let file: RuleFile = read_toml(&path)?;
            rules.extend(file.rule);
        }
    }
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = rules.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(io::Error::other(format!("rule id {} stands twice", pair[0].id)));
    }
    Ok(rules)
}

/// The text of `spec/src/rules.rs`, before formatting.
pub(super) fn render(rules: &[RuleEntry]) -> String {
    let mut out = String::from(
        "// Generated from spec/rules/*.toml by `cargo xtask codegen`; do not edit.\n\
         //! Every rule of the format and of the I/O contract. Owns no decision.\n\n\
         use crate::{Enforced, Kind, Level, Origin, Party, RuleInfo};\n\n\
         /// A rule of the format or of the I/O contract.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[repr(u16)]\npub enum Rule {\n",
    );
    for rule in rules {
        let _ = writeln!(out, "    /// {}\n    {},", doc(&rule.text), camel(&rule.id));
    }
    out.push_str("}\n\nimpl Rule {\n    /// Every rule, by id.\n    pub const ALL: &'static [Rule] = &[\n");
    for rule in rules {
        let _ = writeln!(out, "        Rule::{},", camel(&rule.id));
    }
    out.push_str(
        "    ];\n\n    /// All there is to know about the rule.\n    \
         pub const fn info(self) -> &'static RuleInfo {\n        &INFO[self as usize]\n    }\n}\n\nstatic INFO: [RuleInfo; ",
    );
    let _ = writeln!(out, "{}] = [", rules.len());
    for rule in rules {
        out.push_str(&info(rule));
    }
    out.push_str("];\n");
    out
}

fn info(rule: &RuleEntry) -> String {
    let same_as = match &rule.same_as {
        Some(twin) => format!("Some(Rule::{})", camel(twin)),
        None => "None".to_owned(),
    };
    let RuleEntry { id, text, source, ruling, reason, tolerated, .. } = rule;
    let level = camel(&rule.level.to_lowercase());
    let (party, kind, origin) = (camel(&rule.party), camel(&rule.kind), camel(&rule.origin));
    let enforced = camel(&rule.enforced);
    format!(
        "RuleInfo {{ id: {id:?}, level: Level::{level}, party: Party::{party}, kind: Kind::{kind}, text: {text:?}, \
         source: {source:?}, origin: Origin::{origin}, rulings: &{ruling:?}, enforced: Enforced::{enforced}, \
         reason: {reason:?}, tolerated: {tolerated}, same_as: {same_as} }},\n"
    )
}

fn doc(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<")
}

/// The rules of one file's text.
#[cfg(test)]
pub(super) fn parse(text: &str) -> Result<Vec<RuleEntry>, toml::de::Error> {
    toml::from_str::<RuleFile>(text).map(|file| file.rule)
}
