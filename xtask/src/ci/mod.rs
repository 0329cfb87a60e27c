//! `cargo xtask ci`: every gate a change has to pass, as the server runs them, all of them even if one fails. Owns the list;
//! each gate is a command that can be run alone.

mod python;

use crate::process;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs every gate.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Leave out `cargo test --workspace`, for who has just run it.
    #[arg(long)]
    without_tests: bool,
}

/// Who runs a gate.
enum Gate {
    /// `cargo …`
    Cargo(&'static [&'static str]),
    /// `cargo test …`, which must have run at least one test.
    Tests(&'static [&'static str]),
    /// `cargo xtask …`
    Xtask(&'static [&'static str]),
    /// `python3 -m …` in the folder of the Python witness
    Python(&'static [&'static str]),
    /// `python3 -m …` in the folder of the adapter of pyhurray
    Adapter(&'static [&'static str]),
}

const GATES: &[Gate] = &[
    Gate::Cargo(&["fmt", "--all", "--check"]),
    Gate::Cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    Gate::Xtask(&["tidy"]),
    Gate::Xtask(&["codegen", "--check"]),
    Gate::Xtask(&["vectors", "check"]),
    // Before the tests: they read what the package writes, once its virtual environment stands.
    Gate::Xtask(&["conformance", "--candidate", "pyhurray"]),
    Gate::Adapter(&["unittest"]),
    Gate::Python(&["unittest"]),
    Gate::Python(&["mypy"]),
    Gate::Python(&["ruff", "check"]),
    Gate::Python(&["ruff", "format", "--check"]),
    Gate::Xtask(&["conformance", "--candidate", "python"]),
    Gate::Tests(&["test", "--workspace"]),
    // Behind the tests: what others have published is built by then.
    Gate::Xtask(&["packages"]),
    Gate::Xtask(&["trace"]),
    Gate::Xtask(&["strength"]),
    Gate::Xtask(&["conformance"]),
    Gate::Xtask(EVERYBODY),
];

/// Who can write and read, each against every other one.
const EVERYBODY: &[&str] = &[
    "conformance",
    "--candidate",
    "reference",
    "--candidate",
    "hurray-io",
    "--candidate",
    "pyhurray",
    "--candidate",
    "python",
    "--profile",
    "writer",
    "--profile",
    "interop",
];

/// Runs the gates; true if all pass.
///
/// # Errors
/// A gate cannot be started.
pub(crate) fn run(root: &Path, options: &Options) -> io::Result<bool> {
    // Asked once: a gate may build this program anew, and then its own path is gone.
    let this = std::env::current_exe()?;
    let mut results = Vec::new();
    for gate in GATES.iter().filter(|gate| !(options.without_tests && matches!(gate, Gate::Tests(_)))) {
        println!("\n== {}", gate.name());
        let started = Instant::now();
        let passed = gate.run(root, &this)?;
        results.push((gate.name(), passed, started.elapsed()));
    }
    println!();
    for (name, passed, took) in &results {
        println!("{}  {:>7.1} s  {name}", if *passed { "pass" } else { "FAIL" }, Duration::as_secs_f64(took));
    }
    Ok(results.iter().all(|(_, passed, _)| *passed))
}

impl Gate {
    fn name(&self) -> String {
        match self {
            Gate::Cargo(arguments) | Gate::Tests(arguments) => format!("cargo {}", arguments.join(" ")),
            Gate::Xtask(arguments) => format!("cargo xtask {}", arguments.join(" ")),
            Gate::Python(arguments) => format!("python3 -m {}", arguments.join(" ")),
            Gate::Adapter(arguments) => format!("python3 -m {} (pyhurray)", arguments.join(" ")),
        }
    }

    fn run(&self, root: &Path, this: &Path) -> io::Result<bool> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        match self {
            Gate::Cargo(arguments) => process::succeeds(Command::new(cargo).args(*arguments).current_dir(root)),
            Gate::Xtask(arguments) => process::succeeds(Command::new(this).args(*arguments).current_dir(root)),
            Gate::Python(arguments) => python::run(root, arguments),
            Gate::Adapter(arguments) => python::run_adapter(root, arguments),
            Gate::Tests(arguments) => {
                let mut child =
                    Command::new(cargo).args(*arguments).current_dir(root).stdout(Stdio::piped()).spawn()?;
                let (mut passed_count, mut left_out) = (0, Vec::new());
                if let Some(output) = child.stdout.take() {
                    for line in BufReader::new(output).split(b'\n') {
                        let line = line?;
                        let mut out = io::stdout().lock();
                        out.write_all(&line)?;
                        out.write_all(b"\n")?;
                        let line = String::from_utf8_lossy(&line);
                        passed_count += tests_passed(&line);
                        left_out.extend(test_left_out(&line).map(str::to_owned));
                    }
                }
                println!("{passed_count} tests passed");
                if !left_out.is_empty() {
                    println!("{} left out, for what they need is not here: {}", left_out.len(), left_out.join(", "));
                }
                Ok(child.wait()?.success() && passed_count > 0)
            }
        }
    }
}

/// The number of a summary line of the test runner; 0 for any other line.
fn tests_passed(line: &str) -> u64 {
    let summary = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")).map(|(_, counts)| counts);
    summary.and_then(|counts| counts.split_once(" passed")).and_then(|(number, _)| number.parse().ok()).unwrap_or(0)
}

/// The name of a test that was left out; none for any other line.
fn test_left_out(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix("... ignored").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_lines_are_counted() {
        let line = "test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(tests_passed(line), 41);
        assert_eq!(tests_passed(&line.replace("ok. 41", "FAILED. 3")), 3);
        assert_eq!(tests_passed("running 41 tests"), 0);
        assert_eq!(tests_passed("41 passed"), 0);
    }

    #[test]
    fn tests_that_were_left_out_are_named() {
        assert_eq!(test_left_out("test the-page-in-a-browser ... ignored"), Some("the-page-in-a-browser"));
        assert_eq!(test_left_out("test templates/c/can-be-judged   ... ignored"), Some("templates/c/can-be-judged"));
        assert_eq!(test_left_out("test the-page-in-a-browser ... ok"), None);
        assert_eq!(test_left_out("test result: ok. 0 passed; 0 failed; 1 ignored"), None);
    }

    #[test]
    fn every_gate_of_the_house_is_listed() {
        let names: Vec<String> = GATES.iter().map(Gate::name).collect();
        for gate in [
            "fmt",
            "clippy",
            "tidy",
            "codegen --check",
            "vectors check",
            "packages",
            "trace",
            "strength",
            "conformance",
            "pyhurray",
            "unittest",
            "mypy",
            "ruff check",
            "--candidate python",
            "unittest (pyhurray)",
            "--candidate reference --candidate hurray-io --candidate pyhurray --candidate python --profile writer --profile interop",
        ] {
            assert!(names.iter().any(|name| name.contains(gate)), "{gate}");
        }
        assert!(GATES.iter().any(|gate| matches!(gate, Gate::Tests(_))));
    }
}
