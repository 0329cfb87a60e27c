//! The gates of the Python witness: its own tests, which need nothing, and its type checker and linter, which get a
//! virtual environment of their own below the build folder. Owns that environment. Beside them the tests of the adapter of
//! pyhurray, most of which need the package.

use crate::process;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use hurray_conformance::candidates::Home;

/// The folder of the witness, from the root.
const FOLDER: &str = "conformance/candidates/python";
/// The folder of the adapter, from the root.
const ADAPTER: &str = "conformance/candidates/pyhurray";

/// Runs `python3 -m ARGUMENTS` in the folder of the witness; true if it succeeds.
///
/// # Errors
/// Python cannot be started.
pub(super) fn run(root: &Path, arguments: &[&str]) -> io::Result<bool> {
    let needs_tools = arguments.first() != Some(&"unittest");
    let python = if needs_tools { tools(root)? } else { Some(PathBuf::from("python3")) };
    let Some(python) = python else { return Ok(false) };
    let mut command = Command::new(python);
    command.arg("-m").args(arguments).current_dir(root.join(FOLDER));
    // Nothing is left behind between the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("MYPY_CACHE_DIR", "/dev/null").env("RUFF_NO_CACHE", "true");
    process::succeeds(&mut command)
}

/// Runs `python3 -m ARGUMENTS` in the folder of the adapter of pyhurray; true if it succeeds.
///
/// The interpreter is that of the candidate, once it has set itself up; any other one has no package, and skips what needs it.
///
/// # Errors
/// Python cannot be started.
pub(super) fn run_adapter(root: &Path, arguments: &[&str]) -> io::Result<bool> {
    let of_candidate = Home::repository(root).state.join("pyhurray/venv/bin/python");
    let python = if of_candidate.exists() { of_candidate } else { PathBuf::from("python3") };
    let mut command = Command::new(python);
    command.arg("-m").args(arguments).current_dir(root.join(ADAPTER)).env("PYTHONDONTWRITEBYTECODE", "1");
    process::succeeds(&mut command)
}

/// The interpreter of an environment with the tools, made if it is not there; `None` if that fails.
fn tools(root: &Path) -> io::Result<Option<PathBuf>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let folder = target.join("python-tools");
    let python = folder.join("bin/python");
    if !python.exists() && !process::succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))? {
        return Ok(None);
    }
    // Quick when all of it is there already.
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    install.arg(root.join(FOLDER).join("tools.txt"));
    Ok(process::succeeds(&mut install)?.then_some(python))
}
