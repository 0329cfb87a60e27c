//! Candidates broken on purpose, one kind a run: they test the harness, not a file format.
//!
//! Every animal is the reference behind an output stream that tampers with what it says, or with a careless habit between it
//! and its file. So an animal is right wherever
//! it does not mean to be wrong, and whatever the harness finds is the one fault it was bred for. The table in
//! [`kinds`] says what ending each kind deserves; this program knows nothing of vectors, canaries or verdicts.

mod faults;
mod kinds;
mod lies;
mod tamper;

use std::io;
use std::process::ExitCode;

use hurray_adapter::{Candidate, serve_on};
use hurray_conformance::candidates::reference::Reference;
use hurray_mutants::TRANSFER_MUTANTS;

use crate::kinds::KINDS;
use crate::tamper::{Deed, Tampered};

/// Answers given honestly before a fault that waits; more than a probe needs.
const HONEST_ANSWERS: u64 = 16;

const USAGE: &str = "usage: hurray-candidate-zoo KIND [HONEST-ANSWERS] | --list";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(name) = arguments.first() else { return wrong_usage("no kind was named") };
    if name == "--list" {
        for kind in KINDS {
            println!("{}\t{}\t{}", kind.name, kind.ending, kind.does);
        }
        return ExitCode::SUCCESS;
    }
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        return wrong_usage(&format!("no kind is called {name}; --list prints them"));
    };
    let honest = match arguments.get(1).map(|count| count.parse()) {
        None => HONEST_ANSWERS,
        Some(Ok(count)) => count,
        Some(Err(_)) => return wrong_usage("the number of honest answers is not a number"),
    };
    let output = Tampered::new(io::stdout(), kind, honest);
    let mut candidate: Box<dyn Candidate> = match kind.deed {
        Deed::Habit(habit) => match TRANSFER_MUTANTS.iter().find(|mutant| mutant.name == habit) {
            Some(mutant) => Box::new(mutant.mutate(Reference::strict())),
            None => return wrong_usage(&format!("no mutant of the contract {habit}")),
        },
        _ => Box::new(Reference::strict()),
    };
    match serve_on(candidate.as_mut(), io::stdin().lock(), output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(why: &str) -> ExitCode {
    eprintln!("{why}\n{USAGE}");
    ExitCode::from(64)
}
