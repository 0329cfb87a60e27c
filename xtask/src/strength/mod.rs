//! `cargo xtask strength`: asks whether the vectors would notice. Each enforced rule is waived in the reference, and a
//! required expectation has to fail (a strong kill; a changed rule id alone is weak and does not count). Each rejected file
//! has to be isolated: with its rule waived it is accepted, or caught only by what it lists under `then`. Each rule whose
//! point is accepting needs a mutant that is noticed. Owns these questions and the table of answers.

mod answers;
mod bench;
mod bounds;
mod isolation;
mod kills;
mod mutants;
mod permissive;
mod transport;
mod writers;

use std::io;
use std::path::Path;

use hurray_conformance::run::Files;
use hurray_corpus::VectorSet;
use hurray_corpus::schedule::ScheduleList;

use bench::Bench;

/// Asks whether the vectors would notice.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Print a line for every rule and vector, not only for gaps.
    #[arg(long)]
    verbose: bool,
}

/// Prints the answers; true if there is no gap.
///
/// # Errors
/// The vectors cannot be loaded.
pub(crate) fn run(root: &Path, options: &Options) -> io::Result<bool> {
    let set = VectorSet::from_dir(&root.join("vectors")).map_err(|errors| io::Error::other(errors.to_string()))?;
    if set.vectors.is_empty() {
        return Err(io::Error::other("vectors/ holds no vector: nothing can be noticed"));
    }
    let list = ScheduleList::from_dir(&root.join("vectors")).map_err(io::Error::other)?;
    let bench = Bench::new(&set.vectors);
    let all = [
        bench.baseline(),
        kills::ask(&bench),
        bounds::ask(&bench),
        isolation::ask(&bench),
        permissive::ask(&bench),
        mutants::ask(&bench),
        transport::ask(&bench, &list),
        writers::ask(&set, &Files::new(&set)?),
    ];
    for answers in &all {
        answers.print(options.verbose);
    }
    let gap_count: usize = all.iter().map(|answers| answers.gaps.len()).sum();
    println!("strength: {} vectors, {gap_count} gaps", set.vectors.len() + set.writes.len());
    Ok(gap_count == 0)
}

#[cfg(test)]
mod tests;
