//! What a user does with the program from the packages, beside the same with the program of the repository. Owns the cases;
//! what is right is what the repository says.

use crate::process;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The candidate: the template in C with its plain reader, by its path, so that it needs the preload shim.
const CANDIDATE: &str = r#"name = "plain-c"
command = ["{dir}/adapter"]
build = [["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-o", "{dir}/adapter", "{dir}/adapter.c", "{dir}/source.c", "{dir}/support.c", "{dir}/library.c"]]
source = "path"
known = "known.toml"
"#;
/// Where the template lies in the package.
const TEMPLATE: &str = "hurray-conformance-0.1.0/kit/c";
/// What is asked of it: all that is read, and not the sweeps over served files, which take minutes.
const PROFILE: [&str; 4] = ["--profile", "reader", "--seed", "1"];
const RULE: &str = "container.trailer.magic-reject";
const VECTOR: &str = "container/trailer/magic-last-byte";

/// Both programs.
struct Programs<'a> {
    /// From the packages.
    installed: &'a Path,
    /// This one.
    ours: PathBuf,
    /// Where the first one is started: outside the repository.
    dir: &'a Path,
    root: &'a Path,
}

/// Tries everything and tells what differs.
///
/// # Errors
/// A program cannot be started, or a file cannot be read or written.
pub(super) fn compare(root: &Path, installed: &Path, dir: &Path) -> io::Result<Vec<String>> {
    let programs = Programs { installed, ours: std::env::current_exe()?, dir, root };
    let mut faults = Vec::new();
    faults.extend(programs.judges_alike()?.err());
    faults.extend(programs.explains_alike()?.err());
    faults.extend(programs.writes_alike()?.err());
    faults.extend(programs.exports_alike()?.err());
    Ok(faults)
}

/// What was found, or a sentence on what is wrong.
type Found<T> = io::Result<Result<T, String>>;

impl Programs<'_> {
    fn installed(&self, arguments: &[&str]) -> Found<String> {
        process::said(Command::new(self.installed).args(arguments).current_dir(self.dir), 0)
    }

    fn ours(&self, arguments: &[&str]) -> Found<String> {
        process::said(Command::new(&self.ours).args(arguments).current_dir(self.root), 0)
    }

    /// The same words to both.
    fn both(&self, arguments: &[&str]) -> Found<(String, String)> {
        let installed = self.installed(arguments)?;
        let ours = self.ours(arguments)?;
        Ok(installed.and_then(|installed| Ok((installed, ours?))))
    }

    /// A candidate file with its list of known failures gives the same results.
    fn judges_alike(&self) -> Found<()> {
        let folder = self.dir.join("candidate");
        fs::create_dir(&folder)?;
        for file in ["adapter.c", "source.c", "source.h", "support.c", "support.h", "library.h", "plain/library.c"] {
            let from = self.dir.join(TEMPLATE).join(file);
            fs::copy(&from, folder.join(from.file_name().unwrap_or_default()))?;
        }
        let candidate = folder.join("candidate.toml");
        fs::write(&candidate, CANDIDATE)?;
        let candidate = candidate.to_string_lossy();
        let arguments = |more: &[&'static str]| -> Vec<String> {
            let words =
                ["conformance", "--candidate", &candidate].into_iter().chain(PROFILE).chain(more.iter().copied());
            words.map(str::to_owned).collect()
        };
        // The list waits for its reasons, so that this run fails.
        let first = arguments(&["--update-known"]);
        if let Err(why) = process::said(Command::new(self.installed).args(&first).current_dir(self.dir), 1)? {
            return Ok(Err(why));
        }
        let list = folder.join("known.toml");
        let known = fs::read_to_string(&list)?.replace("reason = \"\"", "reason = \"The plain reader checks little.\"");
        fs::write(&list, known)?;
        let report = arguments(&["--report", "json=-"]);
        let report: Vec<&str> = report.iter().map(String::as_str).collect();
        let (installed, ours) = match self.both(&report)? {
            Ok(both) => both,
            Err(why) => return Ok(Err(why)),
        };
        let (installed, ours): (Value, Value) = (serde_json::from_str(&installed)?, serde_json::from_str(&ours)?);
        Ok(same_results(&installed, &ours))
    }

    fn explains_alike(&self) -> Found<()> {
        let (installed, ours) = match self.both(&["explain", VECTOR])? {
            Ok(both) => both,
            Err(why) => return Ok(Err(why)),
        };
        if installed != ours {
            return Ok(Err(format!("{VECTOR} is explained otherwise by the program from the packages:\n{installed}")));
        }
        // Of a rule the repository knows more.
        Ok(self.both(&["explain", RULE])?.and_then(|(installed, ours)| {
            let head = |text: &str| text.lines().take_while(|line| !line.starts_with("chapter")).count();
            let is_same =
                head(&installed) > 3 && installed.lines().take(head(&ours)).eq(ours.lines().take(head(&ours)));
            let is_listed = installed.contains(VECTOR);
            if is_same && is_listed { Ok(()) } else { Err(format!("{RULE} is explained otherwise:\n{installed}")) }
        }))
    }

    /// A file that is written is the same, and good.
    fn writes_alike(&self) -> Found<()> {
        let model = self.root.join("vectors/models/csr.toml");
        let (model, theirs, ours) = (model.to_string_lossy(), self.dir.join("theirs.hrry"), self.dir.join("ours.hrry"));
        let (theirs_name, ours_name) = (theirs.to_string_lossy(), ours.to_string_lossy());
        let written = self.installed(&["write", &model, &theirs_name])?;
        let written = written.and(self.ours(&["write", &model, &ours_name])?);
        let written = written.and(self.installed(&["check", &ours_name])?);
        if let Err(why) = written.and(self.ours(&["check", &theirs_name])?) {
            return Ok(Err(why));
        }
        let is_same = fs::read(theirs)? == fs::read(ours)?;
        Ok(if is_same { Ok(()) } else { Err(format!("{model} is written otherwise by the program from the packages")) })
    }

    fn exports_alike(&self) -> Found<()> {
        let out = self.dir.join("exported");
        if let Err(why) = self.installed(&["vectors", "export", &out.to_string_lossy()])? {
            return Ok(Err(why));
        }
        let manifest = |dir: &Path| fs::read(dir.join("manifest.json"));
        let is_same = manifest(&out)? == manifest(&self.root.join("vectors"))?;
        Ok(if is_same { Ok(()) } else { Err("the exported manifest is not that of the repository".to_owned()) })
    }
}

/// Requires that two reports say the same, and that both have judged the calls of a program on a path.
fn same_results(installed: &Value, ours: &Value) -> Result<(), String> {
    let results = |report: &Value| report["candidates"][0]["results"].as_array().cloned().unwrap_or_default();
    let judged = |result: &&Value| {
        let is_path = result["id"].as_str().is_some_and(|id| id.starts_with("path/"));
        is_path && ["passed", "contested", "known"].iter().any(|outcome| result["outcome"] == *outcome)
    };
    let path_count = results(ours).iter().filter(judged).count();
    if path_count == 0 && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("no call of the candidate on a path was judged".to_owned());
    }
    if told(installed) == told(ours) {
        println!("{} verdicts of the C template are the same, {path_count} of calls on a path", results(ours).len());
        return Ok(());
    }
    let (theirs, ours) = (told(installed), told(ours));
    let pairs = results(&theirs).into_iter().zip(results(&ours)).find(|(theirs, ours)| theirs != ours);
    Err(match pairs {
        Some((theirs, ours)) => format!("the packages say {theirs}\nwhere the repository says {ours}"),
        None => "the reports differ outside their results".to_owned(),
    })
}

/// A report without what differs from run to run: what a request took.
fn told(report: &Value) -> Value {
    let mut report = report.clone();
    let results = report["candidates"][0]["results"].as_array_mut();
    for result in results.into_iter().flatten().filter_map(Value::as_object_mut) {
        result.remove("spent");
    }
    report
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(outcome: &str, memory: u64) -> Value {
        let result = json!({ "id": "path/source/x", "outcome": outcome, "spent": { "peak_memory_len": memory } });
        json!({ "candidates": [{ "results": [result] }] })
    }

    #[test]
    fn only_what_a_request_took_may_differ() {
        assert_eq!(same_results(&report("passed", 1), &report("passed", 2)), Ok(()));
        let why = same_results(&report("not-run", 1), &report("passed", 1)).expect_err("another outcome");
        assert!(why.contains("not-run") && why.contains("passed"), "{why}");
    }

    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn reports_alike_without_any_call_on_a_path_prove_nothing() {
        assert!(same_results(&report("not-run", 1), &report("not-run", 1)).is_err());
    }
}
