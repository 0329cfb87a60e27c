//! Makes a candidate ready: looks for the program it needs, builds it, sets it up once.
//!
//! Every command is bounded in time; its output goes to a file in the candidate's folder, whose last line is shown.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::file::{CandidateFile, Places};
use crate::support::text::printable;
use crate::transport::Broken;

/// Time for one command; building a published implementation takes minutes.
const PATIENCE: Duration = Duration::from_secs(1200);

/// Does what has to be done before the first start. `say` tells people about work that takes time.
///
/// # Errors
/// What could not be done, and what to do about it.
pub(super) fn prepare(file: &CandidateFile, places: &Places, say: &dyn Fn(&str)) -> Result<(), Broken> {
    let broken = |probe: &str, answered: String| Broken { probe: probe.to_owned(), answered, stderr: String::new() };
    if let Some(needed) = &file.needs
        && find_program(needed).is_none()
    {
        let answered = format!("`{needed}` was not found; install it or put it on the PATH");
        return Err(broken("find what it needs", answered));
    }
    let cwd = file.cwd.as_ref().map_or_else(|| places.dir.clone(), |cwd| places.dir.join(cwd));
    let log = places.state.join("setup.log");
    let all = |commands: &[Vec<String>]| -> Result<(), String> {
        commands.iter().try_for_each(|command| run(&places.fill_all(command)?, &cwd, &log))
    };
    let in_folder = |error: std::io::Error| broken("make its folder", format!("{}: {error}", places.state.display()));
    if !file.build.is_empty() {
        fs::create_dir_all(&places.state).map_err(in_folder)?;
        all(&file.build).map_err(|error| broken("build", error))?;
    }
    if !file.setup.is_empty() {
        let stamp = places.state.join("ready");
        let wanted = fingerprint(file, places);
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        say(&format!("{}: setting up in {} (once)", file.name, places.state.display()));
        fs::create_dir_all(&places.state).map_err(in_folder)?;
        all(&file.setup).map_err(|error| broken("set up", error))?;
        fs::write(&stamp, wanted).map_err(in_folder)?;
    }
    Ok(())
}

/// The program on the PATH, or at the path it is.
fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// The commands, and the contents of the files they name: the set-up is repeated when any of it changes.
fn fingerprint(file: &CandidateFile, places: &Places) -> String {
    let mut digest = Sha256::new();
    for argument in file.setup.iter().flatten() {
        digest.update(argument);
        digest.update([0]);
        let named = places.fill(argument).unwrap_or_default();
        if argument.contains("{dir}")
            && let Ok(content) = fs::read(named)
        {
            digest.update(content);
        }
    }
    hex::encode(digest.finalize())
}

fn run(command: &[String], cwd: &Path, log: &Path) -> Result<(), String> {
    let shown = command.join(" ");
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let output = File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
    let errors = output.try_clone().map_err(|error| format!("{}: {error}", log.display()))?;
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(|error| format!("`{shown}` cannot be started: {error}"))?;
    let end = Instant::now() + PATIENCE;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) => return Err(format!("`{shown}` failed: {}; see {}", last_line(log), log.display())),
            Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(10)),
            Ok(None) | Err(_) => {
                // It may have ended meanwhile; either way it is not waited for any longer.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{shown}` did not end within {} s; see {}", PATIENCE.as_secs(), log.display()));
            }
        }
    }
}

fn last_line(log: &Path) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    printable(text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing"), 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepare_in(dir: &Path, more: &str) -> Result<(), Broken> {
        let text = format!("name = \"m\"\ncommand = [\"x\"]\n{more}");
        let file = CandidateFile::parse(&text).expect("a candidate");
        let places = Places { dir: dir.to_path_buf(), root: None, target: None, state: dir.join("state") };
        prepare(&file, &places, &|_| {})
    }

    #[test]
    fn what_is_set_up_once_is_not_set_up_again_until_it_changes() {
        let dir = tempfile::tempdir().expect("a folder");
        let setup = "setup = [[\"sh\", \"-c\", \"echo x >> {dir}/count\"]]";
        let count = || fs::read_to_string(dir.path().join("count")).unwrap_or_default().len();
        prepare_in(dir.path(), setup).expect("set up");
        prepare_in(dir.path(), setup).expect("nothing to do");
        assert_eq!(count(), 2);
        prepare_in(dir.path(), "setup = [[\"sh\", \"-c\", \"echo y >> {dir}/count\"]]").expect("set up anew");
        assert_eq!(count(), 4);
    }

    #[test]
    fn a_failing_command_is_quoted_with_its_last_line() {
        let dir = tempfile::tempdir().expect("a folder");
        let broken = prepare_in(dir.path(), "build = [[\"sh\", \"-c\", \"echo no compiler >&2; exit 3\"]]");
        let broken = broken.expect_err("a failure");
        assert_eq!(broken.probe, "build");
        assert!(broken.answered.contains("no compiler"), "{}", broken.answered);
    }

    #[test]
    fn a_missing_program_is_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let broken = prepare_in(dir.path(), "needs = \"no-such-program-anywhere\"").expect_err("it is missing");
        assert!(broken.answered.contains("no-such-program-anywhere"));
        assert!(prepare_in(dir.path(), "needs = \"sh\"").is_ok());
    }
}
