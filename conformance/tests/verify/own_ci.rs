//! What a project keeps beside its code: the candidate file and the workflow of the kit, used as the guide says. The list of
//! known failures is written by the suite, gets its reasons, and then the commands of the workflow succeed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::templates::kit;

/// The step of the workflow that judges the adapter, and the one that judges the implementation.
const STEPS: [&str; 2] = ["The adapter", "The implementation"];

pub(crate) fn trials() -> Vec<Trial> {
    let is_missing = !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    vec![Trial::test("own-ci/by-the-workflow", by_the_workflow).with_ignored_flag(is_missing)]
}

/// A repository with the plain reader in Python, where the workflow expects its candidate file.
fn repository() -> Result<tempfile::TempDir, Failed> {
    let dir = tempfile::tempdir()?;
    let folder = dir.path().join("conformance");
    fs::create_dir(&folder)?;
    for file in ["python/adapter.py", "python/support.py", "python/plain/library.py"] {
        let from = kit().join(file);
        fs::copy(&from, folder.join(from.file_name().unwrap_or_default()))?;
    }
    let candidate = fs::read_to_string(kit().join("candidate.toml"))?;
    let ours = candidate.replace("\"node\"", "\"python3\"").replace("adapter.mjs", "adapter.py");
    if ours == candidate {
        return Err("the candidate file has changed".into());
    }
    fs::write(folder.join("candidate.toml"), ours)?;
    Ok(dir)
}

/// The command of a step of the workflow: one line, or the folded lines under it.
fn command(workflow: &str, step: &str) -> Result<String, Failed> {
    let (_, rest) = workflow.split_once(&format!("- name: {step}\n")).ok_or("the step has another name")?;
    let (_, rest) = rest.split_once("run: ").ok_or("the step runs nothing")?;
    let folded = rest.lines().enumerate().take_while(|(at, line)| *at == 0 || !line.trim_start().starts_with("- "));
    Ok(folded.map(|(_, line)| line.trim().trim_start_matches('>')).collect::<Vec<_>>().join(" "))
}

/// Runs a line as the workflow does: in the repository, with the program to be found and the name of the candidate file.
fn shell(dir: &Path, line: &str) -> Result<(Option<i32>, String), Failed> {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_hurray-conformance"));
    let mut places: Vec<PathBuf> = program.parent().map(Path::to_path_buf).into_iter().collect();
    places.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut shell = Command::new("sh");
    shell.args(["-ec", line]).current_dir(dir).env("PATH", env::join_paths(places)?);
    let output = shell.env("CANDIDATE", "conformance/candidate.toml").output()?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok((output.status.code(), said))
}

fn by_the_workflow() -> Result<(), Failed> {
    let dir = repository()?;
    let workflow = fs::read_to_string(kit().join("workflow.yml"))?;
    let [adapter, implementation] = STEPS.map(|step| command(&workflow, step));
    // Thousands of sweeps over failing transfers prove nothing here.
    let (adapter, implementation) = (adapter?, format!("{} --profile reader", implementation?));
    let ends = |line: &str, code: i32, says: &str| match shell(dir.path(), line)? {
        (Some(ended), said) if ended == code && said.contains(says) => Ok(()),
        (ended, said) => {
            Err(Failed::from(format!("`{line}` ended with {ended:?}, not {code}, or without {says}: {said}")))
        }
    };
    ends(&adapter, 0, "Nothing is missing in the adapter")?;
    ends(&implementation, 1, "failures")?;
    ends("hurray-conformance --candidate \"$CANDIDATE\" --profile reader --update-known", 1, "has no reason")?;
    let list = dir.path().join("conformance/known-failures.toml");
    let listed = fs::read_to_string(&list)?;
    fs::write(&list, listed.replace("reason = \"\"", "reason = \"The plain reader does not look at it.\""))?;
    ends(&implementation, 0, "known")?;
    for report in ["hurray.json", "hurray.xml", "hurray.html"] {
        if fs::metadata(dir.path().join(report))?.len() < 1000 {
            return Err(format!("{report} has nothing in it").into());
        }
    }
    Ok(())
}
