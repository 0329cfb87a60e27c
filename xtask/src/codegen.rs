//! Generates `spec/src/rules.rs` from `spec/rules/*.toml`. Owns the shape of a rule file; decides nothing about rules.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

/// One rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<RuleEntry>,
}

/// One rule as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    id: String,
    level: String,
    party: String,
    kind: String,
    text: String,
    source: String,
    #[serde(default)]
    ruling: Vec<String>,
    enforced: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    tolerated: bool,
    same_as: Option<String>,
    /// For people only.
    #[serde(default, rename = "note")]
    _note: String,
}

/// Generated text of `spec/src/rules.rs`.
pub(crate) fn rules_rs(root: &Path) -> io::Result<String> {
    let mut rules = Vec::new();
    for entry in fs::read_dir(root.join("spec/rules"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "toml") {
            let file: RuleFile = toml::from_str(&fs::read_to_string(&path)?)
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            rules.extend(file.rule);
        }
    }
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = rules.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(io::Error::other(format!("rule id {} stands twice", pair[0].id)));
    }
    Ok(render(&rules))
}

fn render(rules: &[RuleEntry]) -> String {
    let mut out = String::from(
        "// Generated from spec/rules/*.toml by `cargo xtask codegen`; do not edit.\n\n\
         use crate::{Enforced, Kind, Level, Party, RuleInfo};\n\n\
         /// A rule of the format or of the I/O contract.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[repr(u16)]\npub enum Rule {\n",
    );
    for rule in rules {
        let _ = writeln!(out, "    /// {}\n    {},", doc(&rule.text), variant(&rule.id));
    }
    out.push_str("}\n\nimpl Rule {\n    /// Every rule, by id.\n    pub const ALL: &'static [Rule] = &[\n");
    for rule in rules {
        let _ = writeln!(out, "        Rule::{},", variant(&rule.id));
    }
    out.push_str("    ];\n\n    /// All there is to know about the rule.\n    pub const fn info(self) -> &'static RuleInfo {\n        &INFO[self as usize]\n    }\n}\n\nstatic INFO: [RuleInfo; ");
    let _ = writeln!(out, "{}] = [", rules.len());
    for rule in rules {
        let same_as = match &rule.same_as {
            Some(twin) => format!("Some(Rule::{})", variant(twin)),
            None => "None".to_owned(),
        };
        let _ = writeln!(
            out,
            "    RuleInfo {{\n        id: {:?},\n        level: Level::{},\n        party: Party::{},\n        kind: Kind::{},\n        text: {:?},\n        source: {:?},\n        rulings: &{:?},\n        enforced: Enforced::{},\n        reason: {:?},\n        tolerated: {},\n        same_as: {same_as},\n    }},",
            rule.id,
            camel(&rule.level.to_lowercase()),
            camel(&rule.party),
            camel(&rule.kind),
            rule.text,
            rule.source,
            rule.ruling,
            camel(&rule.enforced),
            rule.reason,
            rule.tolerated,
        );
    }
    out.push_str("];\n");
    out
}

fn doc(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<")
}

/// `container.header.magic-reject` is `ContainerHeaderMagicReject`.
fn variant(id: &str) -> String {
    camel(id)
}

fn camel(words: &str) -> String {
    words
        .split(['.', '-', '_'])
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
        })
        .collect()
}
