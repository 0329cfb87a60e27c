//! The steps for people and for programs. Owns their form; decides nothing.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{Status, Verification};
use crate::judge::profile::Profile;
use crate::report::{SPEC, SUITE};
use crate::support::text::{counted, printable};
use hurray_corpus::VectorSet;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// Lines of standard error that are shown.
const LAST_LINES: usize = 6;

/// Prints the steps of one adapter, what is to be done, and one closing sentence.
///
/// # Errors
/// `out` cannot be written to.
pub fn print_adapter(found: &Verification, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}, the adapter", title(found))?;
    for check in &found.checks {
        let style = style(check.status);
        writeln!(out, "  {style}{:<8}{style:#} {}", check.status.name(), check.asked)?;
        if check.status == Status::Passed {
            continue;
        }
        writeln!(out, "           came: {}", check.came)?;
        if let Some(next) = &check.next {
            writeln!(out, "           next: {next}")?;
        }
    }
    let last: Vec<&str> = found.last_words.lines().filter(|line| !line.trim().is_empty()).collect();
    if !last.is_empty() {
        writeln!(out, "  the last of its standard error:")?;
        for line in last.iter().skip(last.len().saturating_sub(LAST_LINES)) {
            writeln!(out, "    {FAINT}{}{FAINT:#}", printable(line, 200))?;
        }
    }
    writeln!(out, "  {}\n", conclusion(found))
}

fn conclusion(found: &Verification) -> String {
    let missing = found.checks.iter().filter(|check| check.status == Status::Missing).count();
    let undeclared = undeclared(found);
    match (missing, undeclared.len()) {
        (0, 0) => "Nothing is missing. Run it without --verify-adapter for the score.".to_owned(),
        (0, count) => format!(
            "Nothing is missing in the adapter. What it does not declare and a reader has to offer will fail: {} ({}).",
            counted(count, "part"),
            undeclared.join(", ")
        ),
        _ => format!("The adapter is not complete: {} missing. Nothing is scored before.", counted(missing, "thing")),
    }
}

/// The mandatory parts of the reader profile that are not declared.
fn undeclared(found: &Verification) -> Vec<String> {
    let Some(hello) = &found.hello else { return Vec::new() };
    let missing = Profile::Reader.floor(hello).into_iter().filter(|(_, declared)| !declared);
    missing.map(|(part, _)| part).collect()
}

fn title(found: &Verification) -> String {
    match &found.hello {
        Some(hello) => format!("{} {}", printable(&hello.name, 60), printable(&hello.version, 40)),
        None => found.asked_for.clone(),
    }
}

fn style(status: Status) -> Style {
    match status {
        Status::Passed => AnsiColor::Green.on_default(),
        Status::Missing => AnsiColor::Red.on_default(),
        Status::Note => AnsiColor::Yellow.on_default(),
        Status::Skipped => FAINT,
    }
}

/// The steps of every adapter for programs; the order is that in which they were taken.
pub fn adapters_value(set: &VectorSet, found: &[Verification]) -> Value {
    let adapters: Vec<Value> = found
        .iter()
        .map(|found| {
            let checks = found.checks.iter().map(|check| {
                json!({
                    "id": check.id,
                    "status": check.status.name(),
                    "asked": check.asked,
                    "came": check.came,
                    "next": check.next,
                })
            });
            json!({
                "name": found.hello.as_ref().map_or_else(|| found.asked_for.clone(), |hello| printable(&hello.name, 200)),
                "version": found.hello.as_ref().map(|hello| printable(&hello.version, 200)),
                "complete": found.is_complete(),
                "undeclared": undeclared(found),
                "checks": checks.collect::<Vec<_>>(),
                "last_words": printable(&found.last_words, 2000),
            })
        })
        .collect();
    json!({ "suite": { "version": SUITE, "spec": SPEC, "digest": set.digest }, "adapters": adapters })
}
