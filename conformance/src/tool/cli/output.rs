//! Where reports go: each kind to its place. Owns the writing; what stands in a report is decided in `report`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;

use super::args::ReportTo;
use crate::judge::known::Known;
use crate::report::{html_report, json_report, junit_report, terminal_report};
use crate::run::{Run, Scored};
use hurray_corpus::VectorSet;

/// Writes one report of a run.
///
/// # Errors
/// One sentence on a file that cannot be written.
pub(super) fn write_run<'a>(
    to: &ReportTo,
    set: &VectorSet,
    run: &Run,
    known: impl Fn(usize, &Scored) -> Option<&'a Known>,
) -> Result<(), String> {
    match to {
        ReportTo::Terminal => {
            // A closed pipe is the reader's wish.
            let _ = terminal_report(set, run, &mut anstream::stdout());
            Ok(())
        }
        ReportTo::Json(path) => write_value(path, &json_report(set, run, known)),
        ReportTo::Junit(path) => write_text(path, &junit_report(set, run, known)?),
        ReportTo::Html(path) => write_text(path, &html_report(set, &json_report(set, run, known))),
    }
}

/// Writes JSON.
///
/// # Errors
/// As [`write_run`].
pub(super) fn write_value(path: &Path, value: &Value) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| format!("{}: {error}", path.display()))?;
    text.push('\n');
    write_text(path, &text)
}

/// Writes text; `-` is standard output.
fn write_text(path: &Path, text: &str) -> Result<(), String> {
    let written = match path.as_os_str().to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => fs::write(path, text),
    };
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
