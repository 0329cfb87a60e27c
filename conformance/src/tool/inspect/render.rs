//! A file's verdict for a person: the rule in words, and the bytes around the fault with the names of their fields. Owns the
//! layout of that text; decides nothing.

use std::fmt::Write as _;
use std::ops::Range;

use hurray_adapter::{Finding, ReadAt};
use hurray_spec::Rule;

use super::annotate::{Field, fields_in};
use super::peek::Peek;
use super::stream::remarks;
use super::{FileReport, FileVerdict, StepReport};

/// Bytes shown before and after the fault.
const AROUND: u64 = 24;
/// Bytes shown of one field.
const SHOWN: usize = 16;
/// Findings listed in full.
const MAX_FINDINGS: usize = 20;

/// The text for one file; `source` is asked for the bytes around the fault.
pub fn render(report: &FileReport, source: &mut dyn ReadAt) -> String {
    let mut out = String::new();
    let _ = match report.verdict {
        FileVerdict::Accept => match report.steps.len() {
            1 => writeln!(out, "{}: accept (1 step)", report.file),
            count => writeln!(out, "{}: accept ({count} steps)", report.file),
        },
        FileVerdict::Undecided => writeln!(out, "{}: undecided at {}", report.file, report.by.unwrap_or("open")),
        FileVerdict::Reject => writeln!(out, "{}: reject at {}", report.file, report.by.unwrap_or("open")),
    };
    if report.verdict == FileVerdict::Reject {
        fault(&mut out, report.rule.as_deref(), report.offset, source);
    }
    for step in report.steps.iter().filter(|step| step.result != "ok") {
        step_line(&mut out, step);
    }
    for remark in remarks(report) {
        let _ = writeln!(out, "  {remark}");
    }
    for finding in report.validate.iter().take(MAX_FINDINGS) {
        finding_line(&mut out, finding, finding.rule == report.rule);
    }
    if let Some(more) = report.validate.len().checked_sub(MAX_FINDINGS + 1) {
        let _ = writeln!(out, "  … and {} more findings; --json lists them all", more + 1);
    }
    out
}

fn fault(out: &mut String, rule: Option<&str>, offset: Option<u64>, source: &mut dyn ReadAt) {
    match rule.and_then(Rule::from_id) {
        Some(rule) => {
            let info = rule.info();
            let rulings = info.rulings.iter().map(|ruling| format!("; ruling {ruling}")).collect::<String>();
            let _ = writeln!(out, "  {rule}: {}\n  ({}{rulings})", info.text, info.source);
        }
        None => drop(writeln!(out, "  {}", rule.unwrap_or("no rule named"))),
    }
    if let Some(offset) = offset {
        let window = offset.saturating_sub(AROUND)..offset.saturating_add(AROUND);
        let lines = lines_in(source, window);
        // Of what has gone by there is nothing to show.
        let _ = writeln!(out, "  at offset {offset} ({offset:#x}){}", if lines.is_empty() { "" } else { ":" });
        for line in lines {
            let mark = if line.range.contains(&offset) { '>' } else { ' ' };
            let _ = writeln!(out, "  {mark} {}", hex_line(source, &line));
        }
    }
}

fn step_line(out: &mut String, step: &StepReport) {
    let name = step.name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default();
    let rule = step.rule.as_deref().map(|rule| format!(" {rule}")).unwrap_or_default();
    let offset = step.offset.map(|offset| format!(" at {offset}")).unwrap_or_default();
    // A rejection by a known rule was put into words above.
    let is_said = step.message.is_empty() || step.rule.as_deref().and_then(Rule::from_id).is_some();
    let message = if is_said { String::new() } else { format!(": {}", step.message) };
    let _ = writeln!(out, "  {}{name}: {}{rule}{offset}{message}", step.step, step.result);
}

fn finding_line(out: &mut String, finding: &Finding, is_said: bool) {
    let offset = finding.offset.map(|offset| format!(" at {offset}")).unwrap_or_default();
    let message = finding.message.as_deref().filter(|_| !is_said);
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    let _ = writeln!(out, "  validate: {}{offset}{message}", finding.rule.as_deref().unwrap_or("no rule named"));
}

/// The fields in `window`, and the bytes between them as nameless fields.
fn lines_in(source: &mut dyn ReadAt, window: Range<u64>) -> Vec<Field> {
    let window = window.start..window.end.min(source.size());
    let mut lines = Vec::new();
    let mut at = window.start;
    for field in fields_in(source, window.clone()) {
        if field.range.start > at {
            lines.push(Field { name: String::new(), range: at..field.range.start });
        }
        at = at.max(field.range.end);
        lines.push(field);
    }
    if at < window.end {
        lines.push(Field { name: String::new(), range: at..window.end });
    }
    lines
}

/// Offset, bytes and name of one field, in columns.
pub fn hex_line(source: &mut dyn ReadAt, field: &Field) -> String {
    let len = field.range.end.saturating_sub(field.range.start);
    let shown = usize::try_from(len).unwrap_or(usize::MAX).min(SHOWN);
    let mut peek = Peek::new(source);
    let mut hex = match peek.bytes(field.range.start, shown) {
        Some(bytes) => bytes.iter().map(|byte| format!("{byte:02x} ")).collect::<String>(),
        None => "beyond the end of the file ".to_owned(),
    };
    if len > SHOWN as u64 {
        let _ = write!(hex, "… {len} bytes ");
    }
    let value = match (len, field.name.is_empty()) {
        (2, false) => peek.u16(field.range.start).map(u64::from),
        (4, false) => peek.u32(field.range.start).map(u64::from),
        (8, false) => peek.u64(field.range.start),
        _ => None,
    };
    let is_text = ["magic", ".name", ".key"].iter().any(|end| field.name.ends_with(end));
    let text = peek.text(field.range.start, len.min(4 * SHOWN as u64)).filter(|_| is_text);
    let text = text.map(|text| format!(" = \"{text}\"")).unwrap_or_default();
    let value = value.filter(|_| !is_text).map(|value| format!(" = {value}")).unwrap_or(text);
    let name = if field.name.is_empty() { "(no field)" } else { &field.name };
    format!("{:>10}  {hex:<48}  {name}{value}", field.range.start)
}
