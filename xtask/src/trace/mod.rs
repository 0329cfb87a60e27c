//! `cargo xtask trace`: follows every rule from its chapter through the code to the vectors, and fails where the thread
//! breaks. Owns what counts as a gap. A gap may be explained in the rule's own entry, by `reason`; nowhere else.

mod denominators;
pub(crate) mod sites;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use hurray_corpus::{Expect, ExpectValidate, Vector, VectorSet};
use hurray_mutants::READER_MUTANTS;
use hurray_mutants::writer::WRITER_MUTANTS;
use hurray_spec::{Enforced, Rule};

use denominators::Denominators;
use sites::Sites;

/// Follows every rule from its chapter to the vectors.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Print a line for every rule, not only for gaps.
    #[arg(long)]
    verbose: bool,
    /// Write the denominators.
    #[arg(long)]
    write: bool,
    /// Why a denominator shrinks.
    #[arg(long, value_name = "TEXT", requires = "write")]
    because: Option<String>,
}

/// What is known of one rule.
#[derive(Debug)]
struct Thread {
    rule: Rule,
    chapter: Option<String>,
    site_count: usize,
    vector_count: usize,
    near_count: usize,
    mutant_count: usize,
    /// Vectors for writers.
    write_count: usize,
}

/// Prints gaps and denominators; true if there is no gap and the denominators are the committed ones.
///
/// # Errors
/// A file of the repository cannot be read, or a denominator would shrink without a reason.
pub(crate) fn run(root: &Path, options: &Options) -> io::Result<bool> {
    let set = VectorSet::from_dir(&root.join("vectors")).map_err(|errors| io::Error::other(errors.to_string()))?;
    let (sites, chapters) = (sites::scan(root)?, chapters(root)?);
    let mut gap_count = 0;
    let mut explained_count = 0;
    for rule in Rule::ALL.iter().copied() {
        let thread = thread(rule, &sites, &chapters, &set);
        if options.verbose {
            println!("{}", line(&thread));
        }
        for gap in gaps(&thread) {
            if rule.info().reason.is_empty() {
                println!("gap: {rule}: {gap}");
                gap_count += 1;
            } else {
                explained_count += 1;
            }
        }
    }
    let is_counted = count(root, options)?;
    println!("trace: {gap_count} gaps, {explained_count} explained by the rule's reason");
    Ok(gap_count == 0 && is_counted)
}

/// Prints the denominators and compares them with the committed ones.
fn count(root: &Path, options: &Options) -> io::Result<bool> {
    let (committed, now) = (Denominators::read(root)?, Denominators::now());
    for ((area, kinds), (_, enforced)) in now.kind.iter().zip(&now.enforced) {
        println!("{area:<12} {}", numbers(kinds));
        println!("{:<12} {}", "", numbers(enforced));
    }
    if options.write {
        committed.write(&now, options.because.as_deref(), root)?;
        return Ok(true);
    }
    let changes = committed.changes(&now);
    for change in &changes {
        let advice = if change.is_loss() { " with --because" } else { "" };
        println!("{}: {}, committed {}: run `cargo xtask trace --write`{advice}", change.what, change.to, change.from);
    }
    Ok(changes.is_empty())
}

fn numbers(table: &BTreeMap<String, usize>) -> String {
    let words: Vec<String> = table.iter().map(|(word, number)| format!("{word} {number}")).collect();
    words.join(", ")
}

/// The chapter in which each rule stands: the one that has its marker.
pub(crate) fn chapters(root: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut chapters = BTreeMap::new();
    for entry in fs::read_dir(root.join("spec"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for line in fs::read_to_string(&path)?.lines() {
                let marker = line.trim().strip_prefix("<!-- rule ").and_then(|rest| rest.strip_suffix(" -->"));
                if let Some(id) = marker {
                    chapters.insert(id.trim().to_owned(), name.clone());
                }
            }
        }
    }
    Ok(chapters)
}

fn thread(rule: Rule, sites: &Sites, chapters: &BTreeMap<String, String>, set: &VectorSet) -> Thread {
    let lists = |vector: &&Vector| vector.rules.iter().any(|listed| listed.site() == rule.site());
    let listing: Vec<&Vector> = set.vectors.iter().filter(lists).collect();
    // What breaks a tolerated rule is accepted; beside it stands a file that is accepted and clean.
    let has_near = |vector: &&&Vector| match vector.expect {
        Expect::Accept => rule.info().tolerated && vector.validate == ExpectValidate::Clean,
        Expect::Reject { .. } | Expect::Either { .. } => vector.near.is_some(),
    };
    Thread {
        rule,
        chapter: chapters.get(rule.id()).cloned(),
        site_count: cited(rule, sites).len(),
        vector_count: listing.len(),
        near_count: listing.iter().filter(has_near).count(),
        mutant_count: READER_MUTANTS.iter().filter(|mutant| mutant.rule == rule).count()
            + WRITER_MUTANTS.iter().filter(|mutant| mutant.rule == rule).count(),
        write_count: set.writes.iter().filter(|vector| vector.rules.contains(&rule)).count(),
    }
}

/// Where the reference cites the rule, or the one whose site it shares.
pub(crate) fn cited(rule: Rule, sites: &Sites) -> Vec<sites::Site> {
    let of = |rule: Rule| sites.get(&format!("{rule:?}")).cloned().unwrap_or_default();
    let mut cited = of(rule);
    if rule.site() != rule {
        cited.extend(of(rule.site()));
    }
    cited
}

/// What is missing between the rule's text and its proof.
fn gaps(thread: &Thread) -> Vec<&'static str> {
    let mut gaps = Vec::new();
    let mut need = |there: bool, gap: &'static str| {
        if !there {
            gaps.push(gap);
        }
    };
    need(thread.chapter.is_some(), "it stands in no chapter: add its marker");
    match thread.rule.info().enforced {
        Enforced::Require | Enforced::Bound => {
            need(thread.site_count > 0, "the reference does not cite it");
            need(thread.vector_count > 0, "no vector lists it");
            need(thread.near_count > 0, "no vector that lists it has a near miss");
        }
        Enforced::Accept => {
            need(thread.vector_count > 0, "no vector lists it");
            need(thread.mutant_count > 0, "no mutant breaks it");
        }
        Enforced::Writer => {
            need(thread.write_count > 0, "no vector for writers lists it");
            need(thread.mutant_count > 0, "no mutant of a writer neglects it");
        }
        Enforced::None => need(!thread.rule.info().reason.is_empty(), "enforced nowhere, and no reason is given"),
        Enforced::Type | Enforced::Schedule => {}
    }
    gaps
}

fn line(thread: &Thread) -> String {
    let Thread { rule, chapter, site_count, vector_count, near_count, mutant_count, write_count } = thread;
    let enforced = rule.info().enforced;
    let chapter = chapter.as_deref().unwrap_or("-");
    format!(
        "{rule:<52} {enforced:<8} {chapter:<20} sites {site_count}, vectors {vector_count}, near {near_count}, \
         mutants {mutant_count}, for writers {write_count}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(rule: Rule) -> Thread {
        let chapter = Some("10-container.md".to_owned());
        Thread { rule, chapter, site_count: 1, vector_count: 1, near_count: 1, mutant_count: 1, write_count: 1 }
    }

    fn of(enforced: Enforced) -> Rule {
        *Rule::ALL.iter().find(|rule| rule.info().enforced == enforced).expect("a rule")
    }

    #[test]
    fn a_whole_thread_has_no_gap() {
        for enforced in [Enforced::Require, Enforced::Bound, Enforced::Accept, Enforced::Type, Enforced::Writer] {
            assert_eq!(gaps(&full(of(enforced))), [""; 0], "{enforced:?}");
        }
    }

    #[test]
    fn every_missing_piece_is_a_gap() {
        let (require, accept) = (full(of(Enforced::Require)), full(of(Enforced::Accept)));
        let writer = full(of(Enforced::Writer));
        let missing = [
            Thread { chapter: None, ..full(require.rule) },
            Thread { site_count: 0, ..full(require.rule) },
            Thread { vector_count: 0, ..full(require.rule) },
            Thread { near_count: 0, ..full(require.rule) },
            Thread { vector_count: 0, ..full(accept.rule) },
            Thread { mutant_count: 0, ..full(accept.rule) },
            Thread { write_count: 0, ..full(writer.rule) },
            Thread { mutant_count: 0, ..full(writer.rule) },
        ];
        for thread in missing {
            assert_eq!(gaps(&thread).len(), 1, "{thread:?}");
        }
    }

    #[test]
    fn a_twin_is_cited_where_its_site_is() {
        let twin = *Rule::ALL.iter().find(|rule| rule.site() != **rule).expect("a twin");
        let site = sites::Site { path: "reference/src/a.rs".to_owned(), line: 3, is_require: true };
        let sites = Sites::from([(format!("{:?}", twin.site()), vec![site.clone()])]);
        assert_eq!(cited(twin, &sites), [site]);
        assert_eq!(cited(twin, &Sites::new()), []);
    }
}
