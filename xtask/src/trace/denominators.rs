//! How many rules there are of each kind, and how each is seen to: the numbers every score is a fraction of. They are
//! committed in `spec/denominators.toml` and may not shrink without a reason. Owns that file.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use hurray_spec::{Rule, RuleInfo};
use serde::{Deserialize, Serialize};

const FILE: &str = "spec/denominators.toml";
const HEAD: &str = "# How many rules each area has of each kind, and how many are seen to in each way. Written by\n\
                    # `cargo xtask trace --write`; it refuses to write a smaller number without `--because`.\n\n";

/// The committed numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Denominators {
    /// Area, then kind, then number of rules.
    pub(crate) kind: BTreeMap<String, BTreeMap<String, usize>>,
    /// Area, then enforcement, then number of rules.
    pub(crate) enforced: BTreeMap<String, BTreeMap<String, usize>>,
    /// Every number that ever shrank, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) shrunk: Vec<Shrunk>,
}

/// One number that shrank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shrunk {
    what: String,
    from: usize,
    to: usize,
    because: String,
}

/// One number that is not the committed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Such as `container: kind file`.
    pub(crate) what: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Change {
    /// Whether less is proved than before. Fewer rules that are enforced nowhere are no loss.
    pub(crate) fn is_loss(&self) -> bool {
        self.to < self.from && !self.what.ends_with(": enforced none")
    }
}

impl Denominators {
    /// The numbers of these rules.
    pub(crate) fn count<'a>(rules: impl IntoIterator<Item = &'a RuleInfo>) -> Self {
        let mut counted = Denominators::default();
        for info in rules {
            let area = info.id.split('.').next().unwrap_or_default();
            let add = |table: &mut BTreeMap<String, BTreeMap<String, usize>>, word: String| {
                *table.entry(area.to_owned()).or_default().entry(word).or_default() += 1;
            };
            add(&mut counted.kind, info.kind.to_string());
            add(&mut counted.enforced, info.enforced.to_string());
        }
        counted
    }

    /// The numbers of all rules there are.
    pub(crate) fn now() -> Self {
        Self::count(Rule::ALL.iter().map(|rule| rule.info()))
    }

    /// The committed numbers; none at all if nothing is committed yet.
    ///
    /// # Errors
    /// The file cannot be read, or is not what [`write`](Self::write) writes.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        match fs::read_to_string(root.join(FILE)) {
            Ok(text) => toml::from_str(&text).map_err(|error| io::Error::other(format!("{FILE}: {error}"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Every number in which `now` differs.
    pub(crate) fn changes(&self, now: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (label, then, now) in [("kind", &self.kind, &now.kind), ("enforced", &self.enforced, &now.enforced)] {
            let keys = |table: &BTreeMap<String, BTreeMap<String, usize>>| -> Vec<(String, String)> {
                let each = table.iter().flat_map(|(area, words)| words.keys().map(|word| (area.clone(), word.clone())));
                each.collect()
            };
            let mut all = [keys(then), keys(now)].concat();
            all.sort();
            all.dedup();
            for (area, word) in all {
                let number = |table: &BTreeMap<String, BTreeMap<String, usize>>| {
                    table.get(&area).and_then(|words| words.get(&word)).copied().unwrap_or(0)
                };
                let (from, to) = (number(then), number(now));
                if from != to {
                    changes.push(Change { what: format!("{area}: {label} {word}"), from, to });
                }
            }
        }
        changes
    }

    /// Writes `now` over the committed numbers. A number that shrinks needs a reason.
    ///
    /// # Errors
    /// A number shrinks and there is no reason, or the file cannot be written.
    pub(crate) fn write(&self, now: &Self, because: Option<&str>, root: &Path) -> io::Result<()> {
        let mut next = now.clone();
        next.shrunk.clone_from(&self.shrunk);
        for change in self.changes(now).into_iter().filter(Change::is_loss) {
            let because = because.map(str::trim).filter(|because| !because.is_empty()).ok_or_else(|| {
                let Change { what, from, to } = &change;
                io::Error::other(format!("{what} would shrink from {from} to {to}: say why with --because"))
            })?;
            let Change { what, from, to } = change;
            next.shrunk.push(Shrunk { what, from, to, because: because.to_owned() });
        }
        let text = toml::to_string(&next).map_err(io::Error::other)?;
        fs::write(root.join(FILE), format!("{HEAD}{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(file: usize, require: usize) -> Denominators {
        let of = |word: &str, number| BTreeMap::from([("kv".to_owned(), BTreeMap::from([(word.to_owned(), number)]))]);
        Denominators { kind: of("file", file), enforced: of("require", require), shrunk: Vec::new() }
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("spec")).expect("a folder");
        folder
    }

    #[test]
    fn every_rule_is_counted_once_in_each_way() {
        let now = Denominators::now();
        let sum = |table: &BTreeMap<String, BTreeMap<String, usize>>| -> usize {
            table.values().flat_map(BTreeMap::values).sum()
        };
        assert_eq!((sum(&now.kind), sum(&now.enforced)), (Rule::ALL.len(), Rule::ALL.len()));
    }

    #[test]
    fn growth_is_written_and_read_back() {
        let folder = folder();
        assert_eq!(Denominators::read(folder.path()).expect("nothing yet"), Denominators::default());
        Denominators::default().write(&numbers(3, 2), None, folder.path()).expect("growth");
        assert_eq!(Denominators::read(folder.path()).expect("written"), numbers(3, 2));
        assert_eq!(numbers(3, 2).changes(&numbers(3, 2)), []);
    }

    #[test]
    fn shrinking_needs_a_reason_and_leaves_a_trace() {
        let folder = folder();
        for because in [None, Some(" ")] {
            let refused = numbers(3, 2).write(&numbers(3, 1), because, folder.path()).expect_err("refused");
            assert!(refused.to_string().contains("kv: enforced require"), "{refused}");
        }
        numbers(3, 2).write(&numbers(3, 1), Some("merged with its twin"), folder.path()).expect("a reason");
        let written = Denominators::read(folder.path()).expect("written");
        assert_eq!((written.shrunk[0].from, written.shrunk[0].to), (2, 1));
        written.write(&numbers(4, 1), None, folder.path()).expect("growth");
        assert_eq!(Denominators::read(folder.path()).expect("written").shrunk, written.shrunk);
    }

    #[test]
    fn fewer_rules_that_are_enforced_nowhere_are_no_loss() {
        let change = |what: &str| Change { what: what.to_owned(), from: 3, to: 2 };
        assert!(!change("kv: enforced none").is_loss());
        assert!(change("kv: enforced require").is_loss() && change("kv: kind file").is_loss());
    }

    #[test]
    fn a_kind_that_vanishes_is_a_change() {
        let mut now = numbers(3, 2);
        now.kind.clear();
        assert_eq!(numbers(3, 2).changes(&now), [Change { what: "kv: kind file".to_owned(), from: 3, to: 0 }]);
    }
}
