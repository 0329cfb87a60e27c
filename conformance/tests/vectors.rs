//! Every vector is a test of the reference: it meets what is required and what is preferred, for the right rule.
//!
//! `cargo test --test vectors kv/` runs those of one area.

use std::process::ExitCode;
use std::sync::Arc;

use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::profile::Profile;
use hurray_conformance::judge::step_and_answer;
use hurray_conformance::run::judge_on;
use hurray_conformance::transport::{InProcess, JobSource, Transport};
use hurray_corpus::{Vector, VectorSet};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let set = match VectorSet::embedded() {
        Ok(set) => Arc::new(set),
        Err(errors) => {
            eprintln!("{errors}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = vec![Trial::test("there-are-vectors", {
        let count = set.vectors.len();
        move || if count > 0 { Ok(()) } else { Err("no vector was found".into()) }
    })];
    for at in 0..set.vectors.len() {
        let profiles = [Profile::Reader, Profile::Validate, Profile::Io, Profile::Sequential].into_iter();
        for profile in profiles.filter(|profile| profile.asks(&set.vectors[at])) {
            let set = Arc::clone(&set);
            let name = format!("{profile}/{}", set.vectors[at].id);
            trials.push(Trial::test(name, move || meets(&set.vectors[at], profile)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn meets(vector: &Vector, profile: Profile) -> Result<(), Failed> {
    let mut reference = InProcess::new(Box::new(Reference::strict()));
    let hello = reference.hello().clone();
    let verdict = judge_on(&mut reference, vector, &hello, JobSource::Served(&vector.bytes), profile);
    if let Some(fault) = verdict.fault {
        let named = verdict.rule.as_deref().map(|rule| format!(" (it named {rule})")).unwrap_or_default();
        return Err(format!("{fault}: {}{named}\n{}", step_and_answer(&verdict), vector.why).into());
    }
    match verdict.strict {
        Some(false) => Err(format!("allowed, but not preferred: {}\n{}", step_and_answer(&verdict), vector.why).into()),
        _ => Ok(()),
    }
}
