//! `--mutate N`: the conformance run on mutations in place of vectors. Owns what is printed of them.

use crate::run::{Files, Run, Tally, mutations, run_mutations};

use super::args::{ConformanceArgs, ReportTo};
use super::{Exit, Ready, complain, output, progress};

impl Ready {
    /// Runs every candidate over `count` mutations. Known failures do not apply: they name vectors.
    pub(super) fn mutate(&self, args: &ConformanceArgs, count: usize) -> Exit {
        let seed = self.selection.seed;
        let mutated = mutations(&self.set, count, seed);
        let files = match Files::new(&mutated) {
            Ok(files) => files,
            Err(error) => {
                complain(&format!("there is no room for temporary files: {error}; set TMPDIR"));
                return Exit::SuiteBroken;
            }
        };
        let bar = progress::Bar::new();
        let mut run = Run { candidates: Vec::new(), is_whole: false, seed };
        let mut tallies = Vec::new();
        for candidate in &self.candidates {
            let (found, tally) = run_mutations((&self.set, &self.files), (&mutated, &files), candidate, seed, &bar);
            run.candidates.push(found);
            tallies.push((candidate.name.as_str(), tally));
        }
        let mut exit = run.candidates.iter().map(exit_of).max().unwrap_or(Exit::NothingRan);
        for report in args.reports() {
            if let Err(sentence) = output::write_run(report, &mutated, &run, |_, _| None) {
                complain(&sentence);
                exit = exit.max(Exit::Usage);
            }
            if *report == ReportTo::Terminal {
                tallies.iter().for_each(|(name, tally)| print_tally(name, tally));
            }
        }
        exit
    }
}

fn exit_of(run: &crate::run::CandidateRun) -> Exit {
    match (&run.broken, run.results.is_empty()) {
        _ if run.is_incomplete() => Exit::SuiteBroken,
        (Some(_), _) => Exit::AdapterBroken,
        (None, true) => Exit::NothingRan,
        (None, false) if run.fails() => Exit::Fails,
        (None, false) => Exit::Expected,
    }
}

fn print_tally(name: &str, tally: &Tally) {
    for ((answer, beside), count) in tally {
        anstream::println!("{count:>8}  {name}: {answer:<12} reference: {beside}");
    }
}
