//! The preload shim in programs that know nothing of it: a small C program that makes each call of libc, and the Python
//! package. Where there is no shim, no C compiler or no package, the test is shown as ignored.
//!
//! What a plan makes of a call is tested in the shim's own crate; here, that each call is caught and obeys.

mod c;
mod python;
mod sweep;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hurray_conformance::fault::preload::{Call, Calls, Plan, Session, Shim};
use libtest_mimic::{Arguments, Failed, Trial};

/// Time for one program; each of them is done at once, unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let library = Shim::default().library();
    let mut trials = Vec::new();
    match &library {
        Ok(library) => {
            trials.extend(c::trials(library));
            trials.extend(python::trials(library));
            trials.extend(sweep::trials());
        }
        Err(why) => trials.push(skipped("everything", &why.0)),
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test that cannot be run here, shown with its reason.
fn skipped(name: &str, why: &str) -> Trial {
    Trial::test(format!("{name} (skipped: {why})"), || Ok(())).with_ignored_flag(true)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The build folder this test lies in, and the part of it for its profile.
fn build_folders() -> Option<(PathBuf, PathBuf)> {
    let here = std::env::current_exe().ok()?;
    // TARGET/debug/deps/shim-…
    Some((here.ancestors().nth(3)?.to_path_buf(), here.ancestors().nth(2)?.to_path_buf()))
}

/// What a program said and did under a plan.
struct Ran {
    said: String,
    calls: Calls,
    left: Option<Vec<u8>>,
}

/// Runs a program over the watched file, which holds `before`.
fn run(session: &mut Session, plan: &Plan, before: &[u8], command: &mut Command) -> Result<Ran, Failed> {
    session.put(before)?;
    session.begin(plan)?;
    let mut child = command.envs(session.environment()).stdout(Stdio::piped()).spawn()?;
    let end = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
            None => {
                child.kill()?;
                break child.wait()?;
            }
        }
    };
    let mut said = Vec::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_end(&mut said)?;
    }
    // What a plan makes of the bytes need not be text.
    let said = String::from_utf8_lossy(&said).into_owned();
    if !status.success() {
        return Err(format!("{status}, after it said {said:?}").into());
    }
    Ok(Ran { said: said.trim_end().to_owned(), calls: session.calls()?, left: session.bytes() })
}

/// Fails with everything that is known, unless `is_right`.
fn demand(is_right: bool, what: &str, ran: &Ran) -> Result<(), Failed> {
    let told: Vec<String> = ran.calls.calls.iter().map(Call::to_string).collect();
    if is_right { Ok(()) } else { Err(format!("{what}: it said {:?}, and did {told:#?}", ran.said).into()) }
}
