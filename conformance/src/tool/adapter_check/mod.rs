//! Tells the author of an adapter what is missing in it, step by step, before anything is scored.
//!
//! Owns the order of the steps. A step is one thing asked, what came, and what to do next. Says nothing of the
//! implementation behind the adapter: every file asked for here is one that any reader of it sees rightly.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use crate::candidates::{Prepared, Start};
use crate::run::Files;
use crate::transport::worker::{Launch, RawWorker};
use hurray_corpus::VectorSet;

mod advice;
mod declared;
mod files;
mod first;
mod interview;
mod observing;
mod reading;
mod served;
mod sheet;
mod show;
mod writing;

pub use sheet::{Check, Status, Verification};
pub use show::{adapters_value, print_adapter};

use interview::Interview;
use sheet::Sheet;

/// Time to end in once the input has: the protocol says a second, a busy machine gets more.
const PATIENCE: Duration = Duration::from_secs(5);

/// Takes every step with one adapter. It stops early where nothing more can be learnt.
pub fn verify(set: &VectorSet, files: &Files, candidate: &Prepared, seed: u64) -> Verification {
    let mut sheet = Sheet::default();
    let hello = match &candidate.start {
        Start::Broken(broken) => {
            let came = broken.answered.clone();
            sheet.last_words = broken.stderr.clone();
            sheet.missing("start", &format!("it is to {}", broken.probe), came, advice::PREPARE);
            None
        }
        Start::Worker(launch) => {
            let hello = first::introduce(&mut sheet, launch);
            if let Some(hello) = &hello
                && !first::answer(&mut sheet, set, files, launch, hello)
            {
                sheet.skipped("rest", "everything else", "not asked: nothing more can be learnt before this is right");
                return sheet.close(candidate, Some(hello.clone()));
            }
            hello
        }
        Start::InProcess(make) => Some(make().hello()),
    };
    let Some(hello) = hello else { return sheet.close(candidate, None) };
    declared::check(&mut sheet, &hello);
    let restarts = Arc::new(AtomicU32::new(candidate.start.restart_count()));
    match candidate.start.start(&restarts) {
        Ok(transport) => {
            let mut interview = Interview::new(set, files, transport, hello.clone(), sheet);
            reading::check(&mut interview, seed);
            observing::check(&mut interview);
            served::check(&mut interview);
            writing::check(&mut interview);
            sheet = interview.into_sheet();
        }
        Err(broken) => {
            sheet.last_words = broken.stderr;
            sheet.missing("start", "it starts a second time", broken.answered, advice::SECOND_START);
        }
    }
    if let Start::Worker(launch) = &candidate.start {
        ends(&mut sheet, launch);
    }
    sheet.close(candidate, Some(hello))
}

/// Whether it ends when its input does.
fn ends(sheet: &mut Sheet, launch: &Launch) {
    let asked = "it ends when its standard input ends";
    let Ok(worker) = RawWorker::start(launch) else { return };
    if worker.first_line().is_err() {
        return;
    }
    if worker.ends_by_itself(PATIENCE) {
        sheet.passed("end", asked, "it ended");
    } else {
        let came = format!("it was still there {} s later", PATIENCE.as_secs());
        sheet.missing("end", asked, came, advice::END);
    }
}
