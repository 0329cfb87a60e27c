//! The templates of the kit: alone they are incomplete, over a small reader they are complete and can be judged, and
//! broken on purpose they get the right diagnosis.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use hurray_conformance::judge::Outcome;
use hurray_conformance::tool::adapter_check::Status;
use libtest_mimic::{Failed, Trial};

use crate::{Diagnosis, Suite};

/// Time for one request; an interpreter may be slow to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Nothing is missing.
const COMPLETE: Diagnosis = Diagnosis { step: "", came: "" };

/// One template.
#[derive(Clone, Copy)]
struct Template {
    /// Its folder in the kit.
    name: &'static str,
    /// What has to be installed, and an argument that it understands.
    needs: [&'static str; 2],
    /// Its files, the adapter first and the library last.
    files: &'static [&'static str],
    /// The command that makes it, if any, and the one that starts it, both in its folder.
    build: &'static [&'static str],
    start: &'static [&'static str],
    /// Text of the adapter, and what makes it stricter about names than Unicode.
    stricter: Option<[&'static str; 2]>,
    /// Mistakes: a name, the text to replace in the adapter, what by, and the diagnosis.
    mistakes: &'static [Mistake],
}

#[derive(Clone, Copy)]
struct Mistake {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    step: &'static str,
    came: &'static str,
    /// Seconds to wait for an answer, where the mistake is to give none.
    patience: u64,
}

const fn mistake(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    step: &'static str,
    came: &'static str,
) -> Mistake {
    Mistake { name, from, to, step, came, patience: 60 }
}

static TEMPLATES: [Template; 3] = [
    Template {
        name: "python",
        needs: ["python3", "--version"],
        files: &["adapter.py", "support.py", "library.py"],
        build: &[],
        start: &["python3", "adapter.py"],
        stricter: Some(["[text(name) for", "[text(name.replace(b'\\xef\\xbf\\xbf', b'?')) for"]),
        mistakes: &[
            mistake(
                "prints",
                "    os.dup2(2, 1)\n",
                "    print('Loading the library', flush=True)\n",
                "hello",
                "no JSON: Loading",
            ),
            mistake(
                "exceptions-as-reject",
                "{\"io\": {\"kind\": \"other\"}}",
                "{\"reject\": {}}",
                "no-file/path",
                "reject",
            ),
            mistake(
                "stops-at-a-failure",
                "[script.run(step) for step in request[\"steps\"]]",
                "[script.run(request[\"steps\"][0])]",
                "results",
                "1 results for 3 steps",
            ),
        ],
    },
    Template {
        name: "node",
        needs: ["node", "--version"],
        files: &["adapter.mjs", "support.mjs", "library.mjs"],
        build: &[],
        start: &["node", "adapter.mjs"],
        stricter: None,
        mistakes: &[
            mistake(
                "id-as-text",
                "send({ id: request.id, results })",
                "send({ id: String(request.id), results })",
                "answer-id",
                "\"4711\" in place of 4711",
            ),
            mistake("takes-short-answers", "got < length; ) {", "got < 1; ) {", "served/short", "has become shorter"),
            mistake("unknown-is-error", "return { unsupported: {} }", "return { error: {} }", "nonsense", "error"),
        ],
    },
    Template {
        name: "c",
        needs: ["cc", "--version"],
        files: &["adapter.c", "source.c", "source.h", "support.c", "support.h", "library.h", "library.c"],
        build: &[
            "cc",
            "-std=c11",
            "-D_POSIX_C_SOURCE=200809L",
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-o",
            "adapter",
            "adapter.c",
            "source.c",
            "support.c",
            "library.c",
        ],
        start: &["./adapter"],
        stricter: None,
        mistakes: &[
            Mistake {
                patience: 2,
                ..mistake("keeps-its-output", "fflush(answers);\n    while", "while", "start", "no answer within")
            },
            mistake("not-found-as-reject", "{\\\"not_found\\\":{}}", "{\\\"reject\\\":{}}", "not-found", "reject"),
            mistake(
                "misspells",
                "[\\\"tensors\\\",\\\"kv\\\",\\\"payload\\\"]",
                "[\\\"tensor\\\",\\\"kv\\\",\\\"payload\\\"]",
                "names",
                "`tensors`?",
            ),
        ],
    },
];

type Tried = Box<dyn FnOnce(&Suite) -> Result<(), Failed> + Send>;

pub(crate) fn trials(suite: &Arc<Suite>) -> Vec<Trial> {
    TEMPLATES.iter().flat_map(|template| trials_of(suite, template)).collect()
}

fn trials_of(suite: &Arc<Suite>, template: &'static Template) -> Vec<Trial> {
    let [program, argument] = template.needs;
    let is_missing = !Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success());
    let trial = |name: &str, run: Tried| {
        let suite = Arc::clone(suite);
        let name = format!("templates/{}/{name}", template.name);
        Trial::test(name, move || run(&suite)).with_ignored_flag(is_missing)
    };
    let mut trials = vec![
        trial("alone-is-incomplete", Box::new(|suite| alone(suite, template))),
        trial("over-a-plain-reader-is-complete", Box::new(|suite| over_plain(suite, template))),
        trial("can-be-judged", Box::new(|suite| judged(suite, template))),
    ];
    if let Some(stricter) = template.stricter {
        trials.push(trial("noted/unusual-names", Box::new(move |suite| noted(suite, template, stricter))));
    }
    for mistake in template.mistakes {
        trials.push(trial(&format!("broken/{}", mistake.name), Box::new(|suite| broken(suite, template, mistake))));
    }
    trials
}

pub(crate) fn kit() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kit")
}

/// A copy of the template, with the plain reader in place of the stub or without, made and ready to start.
fn copy(template: &Template, is_plain: bool, change: impl Fn(String) -> String) -> Result<tempfile::TempDir, Failed> {
    let dir = tempfile::tempdir()?;
    let from = kit().join(template.name);
    for (at, file) in template.files.iter().enumerate() {
        let is_library = at + 1 == template.files.len();
        let from = if is_library && is_plain { from.join("plain").join(file) } else { from.join(file) };
        let text = fs::read_to_string(from)?;
        fs::write(dir.path().join(file), if at == 0 { change(text) } else { text })?;
    }
    if let Some((program, arguments)) = template.build.split_first() {
        let made = Command::new(program).args(arguments).current_dir(dir.path()).output()?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned().into());
        }
    }
    Ok(dir)
}

/// The command that starts a copy; a program in its folder by its whole path.
fn start(template: &Template, dir: &Path) -> Vec<String> {
    let word = |word: &&str| match word.strip_prefix("./") {
        Some(program) => dir.join(program).to_string_lossy().into_owned(),
        None => (*word).to_owned(),
    };
    template.start.iter().map(word).collect()
}

fn alone(suite: &Suite, template: &Template) -> Result<(), Failed> {
    let dir = copy(template, false, |text| text)?;
    let found = suite.verify(&start(template, dir.path()), Some(dir.path()), PATIENCE);
    let says = |id: &str| found.checks.iter().any(|check| check.id == id && check.came.contains("ask your library"));
    if !["operation/list", "operation/describe", "operation/read"].iter().all(|id| says(id)) {
        return Err(format!("what is to be filled in is not told: {:#?}", found.checks).into());
    }
    Diagnosis { step: "operation/list", came: "ask your library for the names" }.check(&found)
}

fn over_plain(suite: &Suite, template: &Template) -> Result<(), Failed> {
    let dir = copy(template, true, |text| text)?;
    let found = suite.verify(&start(template, dir.path()), Some(dir.path()), PATIENCE);
    let notes = found.checks.iter().filter(|check| check.status.name() == "note" && check.id != "observes/tensors");
    let notes: Vec<_> = notes.collect();
    COMPLETE.check(&found)?;
    if notes.is_empty() { Ok(()) } else { Err(format!("{notes:#?}").into()) }
}

/// The suite accepts the adapter, sees the plain reader read, and finds what it does not check.
fn judged(suite: &Suite, template: &Template) -> Result<(), Failed> {
    let dir = copy(template, true, |text| text)?;
    let run = suite.run(&start(template, dir.path()), dir.path(), "{bases/one-f32,kv/*,container/trailer/*}");
    let count = |outcome| run.results.iter().filter(|scored| scored.verdict.outcome == outcome).count();
    let (passed, failed, died) = (count(Outcome::Passed), count(Outcome::Failed), count(Outcome::Died));
    if run.broken.is_none() && passed > 40 && failed > 10 && died == 0 {
        Ok(())
    } else {
        Err(format!("{passed} passed, {failed} failed, {died} died, broken: {:?}", run.broken).into())
    }
}

/// What may be the library's fault is noted, and nothing is missing.
fn noted(suite: &Suite, template: &Template, [from, to]: [&str; 2]) -> Result<(), Failed> {
    let dir = copy(template, true, |text| {
        assert!(text.contains(from), "the template has changed: {from}");
        text.replacen(from, to, 1)
    })?;
    let found = suite.verify(&start(template, dir.path()), Some(dir.path()), PATIENCE);
    COMPLETE.check(&found)?;
    let note = found.checks.iter().find(|check| check.id == "unusual-names" && check.status == Status::Note);
    match note {
        Some(note) if note.came.contains("list") => Ok(()),
        note => Err(format!("the name is not noted: {note:?}").into()),
    }
}

fn broken(suite: &Suite, template: &Template, mistake: &Mistake) -> Result<(), Failed> {
    let dir = copy(template, true, |text| {
        assert!(text.contains(mistake.from), "the template has changed: {}", mistake.from);
        text.replacen(mistake.from, mistake.to, 1)
    })?;
    let patience = Duration::from_secs(mistake.patience);
    let found = suite.verify(&start(template, dir.path()), Some(dir.path()), patience);
    Diagnosis { step: mistake.step, came: mistake.came }.check(&found)
}
