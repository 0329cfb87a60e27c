//! The command line: arguments in, report out, exit code. Owns nothing that could change a verdict.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use clap::error::ErrorKind;
use globset::GlobBuilder;

use crate::candidates::{Home, Missing, Prepared, from_command};
use crate::fault::preload::Shim;
use crate::judge::known::KnownFailures;
use crate::judge::profile::Profile;
use crate::run::{self, CandidateRun, Files, Run, Selection};
use crate::support::interrupt;
use crate::tool::{explain, export, inspect, vectors, write};
use hurray_corpus::VectorSet;
use hurray_corpus::schedule::ScheduleList;

mod args;
mod exit;
mod mutate;
mod output;
mod progress;
mod verify;

use args::Command;

pub use args::{ConformanceArgs, Program, ReportTo, Vectors};
pub use exit::Exit;

/// Runs `hurray-conformance`: the conformance run, or one of the program's other commands.
pub fn program(args: impl IntoIterator<Item = OsString>, home: &Home) -> Exit {
    match Program::try_parse_from(args) {
        Ok(program) => match program.command {
            None => conformance(&program.conformance, home),
            Some(Command::Conformance(args)) => conformance(&args, home),
            Some(Command::Check(args)) => check_files(&args),
            Some(Command::Explain(args)) => told(explain::run(&args, home, &explain::without_sources)),
            Some(Command::Write(args)) => done(write::run(&args)),
            Some(Command::Vectors(Vectors::Export(args))) => told(export::run(&args, home)),
        },
        Err(error) => usage(&error),
    }
}

/// Says what clap found; help is no mistake.
pub fn usage(error: &clap::Error) -> Exit {
    // Nothing is left to be done where even this cannot be printed.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Expected,
        _ => Exit::Usage,
    }
}

/// Prints what a command found out, or what is wrong.
pub fn told(found: io::Result<String>) -> Exit {
    // A closed pipe is the reader's wish.
    done(found.map(|text| drop(anstream::stdout().write_all(text.as_bytes()))).map(|()| true))
}

/// The exit code of a command that did what it was asked to do, or did not, or could not.
pub fn done(did: io::Result<bool>) -> Exit {
    match did {
        Ok(true) => Exit::Expected,
        Ok(false) => Exit::Fails,
        Err(error) => {
            complain(&error.to_string());
            if error.kind() == io::ErrorKind::InvalidInput { Exit::Usage } else { Exit::SuiteBroken }
        }
    }
}

/// Judges files by the reference.
pub fn check_files(args: &inspect::CheckArgs) -> Exit {
    match inspect::run(args, &mut anstream::stdout()) {
        Ok(true) => Exit::Expected,
        Ok(false) | Err(_) => Exit::Fails,
    }
}

/// The conformance run.
pub fn conformance(args: &ConformanceArgs, home: &Home) -> Exit {
    if let Err(error) = interrupt::on_interrupt(Exit::Interrupted.code().into()) {
        complain(&format!("an interrupt cannot be caught and may leave workers behind: {error}"));
    }
    let exit = match (prepare(args, home), args.mutate) {
        (Ok(prepared), _) if args.verify_adapter => prepared.verify(args),
        (Ok(prepared), Some(count)) => prepared.mutate(args, count.get()),
        (Ok(prepared), None) => prepared.run(args),
        (Err((exit, sentence)), _) => {
            complain(&sentence);
            exit
        }
    };
    if interrupt::is_requested() {
        complain("the run was interrupted; nothing is said of anybody");
        return Exit::Interrupted;
    }
    exit
}

/// One plain sentence on standard error.
pub fn complain(sentence: &str) {
    let style = anstyle::AnsiColor::Red.on_default();
    anstream::eprintln!("{style}error:{style:#} {sentence}");
}

struct Ready {
    set: VectorSet,
    files: Files,
    candidates: Vec<Prepared>,
    selection: Selection,
}

/// Everything that can be wrong before a candidate is asked anything.
fn prepare(args: &ConformanceArgs, home: &Home) -> Result<Ready, (Exit, String)> {
    let mut selection = selection(args).map_err(|sentence| (Exit::Usage, sentence))?;
    let set = vectors(home).map_err(|errors| (Exit::SuiteBroken, errors.to_string()))?;
    let schedules = match &home.root {
        Some(root) => ScheduleList::from_dir(&root.join("vectors")),
        None => ScheduleList::embedded(),
    };
    selection.schedules = schedules.map_err(|mistake| (Exit::SuiteBroken, mistake))?;
    let candidates = candidates(args, home).map_err(|sentence| (Exit::Usage, sentence))?;
    let files = Files::new(&set)
        .map_err(|error| (Exit::SuiteBroken, format!("there is no room for temporary files: {error}; set TMPDIR")))?;
    Ok(Ready { set, files, candidates, selection })
}

fn selection(args: &ConformanceArgs) -> Result<Selection, String> {
    let compile = |glob: &String| {
        let glob = GlobBuilder::new(glob).literal_separator(false).build();
        glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("--filter: {error}"))
    };
    let clock =
        || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64 % 1_000_000_000);
    Ok(Selection {
        profiles: if args.schedule.is_some() && args.profile.is_empty() {
            vec![Profile::Io]
        } else if args.profile.is_empty() {
            Profile::ALL.to_vec()
        } else {
            args.profiles()
        },
        filter: args.filter.as_ref().map(compile).transpose()?,
        shard: args.shard.map_or((1, 1), |shard| (shard.this, shard.of)),
        jobs: args.jobs.map_or_else(jobs_of_the_machine, NonZeroUsize::get),
        seed: args.seed.unwrap_or_else(clock),
        schedules: ScheduleList::default(),
        schedule: args.schedule.clone(),
        shim: Shim::default(),
    })
}

/// Each lane is a worker process that may take the memory of its cap, so that they stay few on large machines.
fn jobs_of_the_machine() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get).min(4)
}

fn candidates(args: &ConformanceArgs, home: &Home) -> Result<Vec<Prepared>, String> {
    let say = |sentence: &str| anstream::eprintln!("{sentence}");
    let told = |Missing(sentence)| sentence;
    let mut candidates = Vec::new();
    for name in &args.candidate {
        candidates.push(home.prepare(name, &say).map_err(told)?);
    }
    for command in &args.command {
        candidates.push(from_command(command)?);
    }
    if candidates.is_empty() { home.usual(&say).map_err(told) } else { Ok(candidates) }
}

impl Ready {
    fn run(mut self, args: &ConformanceArgs) -> Exit {
        let progress = progress::Bar::new();
        let mut exit = Exit::Expected;
        let mut runs = Vec::new();
        for at in 0..self.candidates.len() {
            let candidate = &self.candidates[at];
            runs.push(run::run_candidate(&self.set, &self.files, candidate, &self.selection, &progress));
            if interrupt::is_requested() {
                return Exit::Interrupted;
            }
        }
        run::run_interop(&self.set, &self.files, &self.candidates, &mut runs, &self.selection, &progress);
        if interrupt::is_requested() {
            return Exit::Interrupted;
        }
        for (at, run) in runs.iter_mut().enumerate() {
            if args.update_known {
                match self.update_known(at, run) {
                    Ok(known) => self.candidates[at].known = known,
                    Err(sentence) => {
                        complain(&sentence);
                        exit = exit.max(Exit::Usage);
                    }
                }
            }
            run::apply_known(&self.set, &self.candidates[at].known, &self.selection, run);
        }
        let run = Run { candidates: runs, is_whole: self.selection.is_whole(), seed: self.selection.seed };
        exit = exit.max(Exit::of(&run.candidates));
        if exit == Exit::NothingRan {
            complain("nothing ran: no vector of the selection is scored; widen --filter, --profile or --shard");
        }
        match self.report(args, &run) {
            Ok(()) => exit,
            Err(sentence) => {
                complain(&sentence);
                exit.max(Exit::Usage)
            }
        }
    }

    /// Rewrites the list of one candidate and reads it again.
    fn update_known(&self, at: usize, run: &CandidateRun) -> Result<KnownFailures, String> {
        let candidate = &self.candidates[at];
        let name = &candidate.name;
        let path = candidate.known_path.as_ref().ok_or_else(|| {
            format!("{name} has no list of known failures; name one by `known = \"…\"` in its candidate file")
        })?;
        if run.broken.is_some() {
            return Err(format!("the known failures of {name} stay as they are: its adapter is broken"));
        }
        let before = fs::read_to_string(path).unwrap_or_default();
        let text = run::updated_known(&self.set, &candidate.known, &before, &self.selection, run);
        fs::write(path, &text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        anstream::eprintln!("{name}: wrote {}; give every new entry a reason", path.display());
        KnownFailures::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn report(&self, args: &ConformanceArgs, run: &Run) -> Result<(), String> {
        args.reports().iter().try_for_each(|to| {
            output::write_run(to, &self.set, run, |at, scored| {
                self.candidates.get(at).and_then(|candidate| candidate.known.find(&scored.id, scored.profile))
            })
        })
    }
}
