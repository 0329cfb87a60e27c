//! What a question about the suite found. Owns how it is counted and printed; asks nothing.

use std::collections::BTreeMap;

/// Answers to one question: how many there are of each sort, what is missing, and a line for each.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) title: &'static str,
    pub(super) counts: BTreeMap<String, usize>,
    pub(super) gaps: Vec<String>,
    pub(super) lines: Vec<String>,
}

impl Answers {
    pub(super) fn new(title: &'static str) -> Self {
        Answers { title, ..Answers::default() }
    }

    pub(super) fn count(&mut self, sort: impl Into<String>) {
        *self.counts.entry(sort.into()).or_default() += 1;
    }

    pub(super) fn gap(&mut self, sort: &str, what: String) {
        self.count(sort);
        self.gaps.push(what);
    }

    pub(super) fn print(&self, verbose: bool) {
        for line in self.lines.iter().filter(|_| verbose) {
            println!("  {line}");
        }
        for gap in &self.gaps {
            println!("gap: {gap}");
        }
        let counts: Vec<String> = self.counts.iter().map(|(sort, count)| format!("{count} {sort}")).collect();
        println!("{}: {}", self.title, if counts.is_empty() { "nothing to ask".to_owned() } else { counts.join(", ") });
    }
}
