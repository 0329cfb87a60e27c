//! The HTML report in a browser: it loads from the file system without an error, its numbers are those of the JSON report,
//! and its filters find what the JSON report has. Shown as ignored where there is no Chromium.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Programs that are Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let browser = BROWSERS.into_iter().find(|name| is_there(name));
    let trial = Trial::test("the-page-in-a-browser", move || in_browser(browser.unwrap_or_default()));
    libtest_mimic::run(&arguments, vec![trial.with_ignored_flag(browser.is_none())]).exit_code()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Both reports of one run over candidates that are right, one that is not, and one that is broken.
fn reports(dir: &Path) -> Result<(PathBuf, Value), Failed> {
    let (page, json) = (dir.join("report.html"), dir.join("report.json"));
    let zoo = format!("{} knows-bad-canary 12", common::build_zoo()?.display());
    let mut run = Command::new(env!("CARGO_BIN_EXE_hurray-conformance"));
    run.args(["--candidate", "reference", "--command", &zoo, "--command", "true"]);
    if is_there("python3") {
        run.arg("--candidate").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("candidates/python.toml"));
    }
    run.args(["--filter", "{bases,container/trailer,kv/section,write/kv}/*"]);
    run.arg("--report").arg(format!("json={}", json.display()));
    run.arg("--report").arg(format!("html={}", page.display()));
    let code = run.status()?.code();
    if code != Some(2) {
        return Err(format!("the run ended with {code:?}, not with 2 for the broken one").into());
    }
    Ok((page, serde_json::from_slice(&fs::read(json)?)?))
}

/// The page as the browser has it once it is filled, and what it had to say.
fn load(browser: &str, dir: &Path, page: &Path, address: &str) -> Result<(String, String), Failed> {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]);
    command.args(["--enable-logging=stderr", "--virtual-time-budget=10000"]);
    command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    let output = command.arg(format!("file://{}{address}", page.display())).output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((text(output.stdout), text(output.stderr)))
}

fn in_browser(browser: &str) -> Result<(), Failed> {
    let dir = tempfile::tempdir()?;
    let (page, report) = reports(dir.path())?;
    let (dom, said) = load(browser, dir.path(), &page, "")?;
    let complaints: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    if !dom.contains("data-ready=\"yes\"") || dom.contains("data-error") || !complaints.is_empty() {
        return Err(format!("the page did not load: {complaints:?} {said}").into());
    }
    numbers(&dom, &report)?;
    let filters: [(&str, Wanted); 5] = [
        ("", |_, result| ["failed", "died", "known"].iter().any(|outcome| result["outcome"] == *outcome)),
        ("#outcomes=passed", |_, result| result["outcome"] == "passed"),
        ("#candidate=1&outcomes=failed", |at, result| at == 1 && result["outcome"] == "failed"),
        ("#q=MAGIC+reject&area=container&outcomes=failed,passed", |_, result| {
            let is_shown = result["outcome"] == "failed" || result["outcome"] == "passed";
            is_shown && is_in(result, "container/") && says(result, "magic") && says(result, "reject")
        }),
        ("#q=there+is+no+such+thing&outcomes=passed,failed", |_, _| false),
    ];
    for (address, is_wanted) in filters {
        let (dom, _) = load(browser, dir.path(), &page, address)?;
        let wanted = results(&report).filter(|(at, result)| is_wanted(*at, result)).count();
        if !dom.contains(&format!("data-found=\"{wanted}\"")) {
            return Err(format!("{address} has to find {wanted}").into());
        }
    }
    let opened = "#q=container/trailer/magic-first-byte&outcomes=failed&open=container/trailer/magic-first-byte";
    let (dom, _) = load(browser, dir.path(), &page, opened)?;
    for part in [
        "container.trailer.magic-reject",
        "class=\"here\"",
        "hurray-conformance explain container/trailer/magic-first-byte",
    ] {
        if !dom.contains(part) {
            return Err(format!("an opened result has no {part}").into());
        }
    }
    Ok(())
}

/// Whether a result of that candidate is to be found.
type Wanted = fn(usize, &Value) -> bool;

/// Every result, with the number of its candidate.
fn results(report: &Value) -> impl Iterator<Item = (usize, &Value)> {
    let candidates = report["candidates"].as_array().into_iter().flatten().enumerate();
    candidates.flat_map(|(at, found)| found["results"].as_array().into_iter().flatten().map(move |result| (at, result)))
}

fn is_in(result: &Value, area: &str) -> bool {
    result["id"].as_str().is_some_and(|id| id.starts_with(area))
}

/// Whether one of the texts that the page searches has the word.
fn says(result: &Value, word: &str) -> bool {
    let fields = ["id", "verdict", "step", "expected", "actual", "known", "field", "why", "rules"];
    fields.iter().any(|field| result[*field].to_string().to_lowercase().contains(word))
}

/// Every number of the page is that of the JSON report: the totals of each candidate and profile, and the cells of the
/// matrix. There are no others.
fn numbers(dom: &str, report: &Value) -> Result<(), Failed> {
    let mut wanted = Vec::new();
    let candidates = report["candidates"].as_array().into_iter().flatten().enumerate();
    for (at, candidate) in candidates {
        let profiles = candidate["profiles"].as_object().into_iter().flatten();
        for (name, profile) in profiles.filter(|(_, profile)| profile["scored"] == true) {
            let totals = &profile["totals"];
            let cell = |word: &str, number: String| format!("data-total=\"{at} {name} {word}\">{number}<");
            let words = ["passed", "failed", "contested", "unsupported", "not_run", "died", "known"];
            wanted.extend(words.map(|word| cell(word, totals[word].to_string())));
            let strict = &totals["strict"];
            wanted.push(cell("preferred", format!("{}/{}", strict["preferred"], strict["contested"])));
        }
    }
    all_there(dom, "data-total=", &wanted, 8 * 3)?;
    let mut cells: BTreeMap<(usize, String), (usize, usize)> = BTreeMap::new();
    for (at, result) in results(report) {
        let area = result["id"].as_str().and_then(|id| id.split('/').next()).unwrap_or_default().to_owned();
        let (good, all) = cells.entry((at, area)).or_default();
        *good += usize::from(result["outcome"] == "passed" || result["outcome"] == "contested");
        *all += 1;
    }
    let cell = |((at, area), (good, all)): (&(usize, String), &(usize, usize))| {
        format!("data-cell=\"{area} {at} {good} {all}\"")
    };
    all_there(dom, "data-cell=", &cells.iter().map(cell).collect::<Vec<_>>(), 6)
}

/// The page shows these numbers, at least so many, and no others of their kind.
fn all_there(dom: &str, kind: &str, wanted: &[String], least: usize) -> Result<(), Failed> {
    let lost: Vec<_> = wanted.iter().filter(|number| !dom.contains(number.as_str())).collect();
    let shown = dom.matches(kind).count();
    if lost.is_empty() && wanted.len() >= least && shown == wanted.len() {
        Ok(())
    } else {
        Err(format!("{} of {kind} wanted, {shown} shown; not in the page: {lost:?}", wanted.len()).into())
    }
}
