//! The report for people: a table per candidate, the first failures, and one closing sentence per profile.
//!
//! Writes colour codes; whoever owns the stream strips them where nobody can see colours.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hurray_spec::Rule;

use super::{Totals, conclude, fault_place, subject, title};
use crate::judge::io::ranges::size_text;
use crate::judge::profile::Profile;
use crate::judge::{Injected, Outcome};
use crate::run::{About, CandidateRun, Cell, Run, Scored, Spent, matrix};
use crate::support::text::{counted, printable};
use crate::transport::worker::MEMORY_IS_WATCHED;
use hurray_corpus::VectorSet;

/// Failures shown per candidate, each for another rule or of another kind; the JSON report has all.
const SHOWN_FAILURES: usize = 12;
/// Characters of a candidate's name in the matrix.
const LONGEST_NAME: usize = 14;
/// Recommendations that are named.
const SHOWN_ADVICE: usize = 6;
/// Rules shown of one vector.
const SHOWN_RULES: usize = 3;
/// Mismatches of the list of known failures that are shown.
const SHOWN_MISMATCHES: usize = 20;

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const SO_SO: Style = AnsiColor::Yellow.on_default();
const FAINT: Style = Style::new().dimmed();

/// Prints the whole report.
///
/// # Errors
/// `out` cannot be written to.
pub fn terminal_report(set: &VectorSet, run: &Run, out: &mut dyn Write) -> io::Result<()> {
    for candidate in &run.candidates {
        candidate_report(set, candidate, run.is_whole, out)?;
    }
    interop(run, out)?;
    let verdicts: usize = run.candidates.iter().map(|candidate| candidate.results.len()).sum();
    let seconds: f64 = run.candidates.iter().map(|candidate| candidate.elapsed.as_secs_f64()).sum();
    let rate = if seconds > 0.0 { verdicts as f64 / seconds } else { 0.0 };
    writeln!(
        out,
        "{} in {seconds:.1} s ({rate:.0} per second), probe seed {}",
        counted(verdicts, "verdict"),
        run.seed
    )?;
    if !MEMORY_IS_WATCHED {
        writeln!(out, "Resident memory is not watched on this system; only the time of a worker is bounded.")?;
    }
    Ok(())
}

/// Who reads what whom wrote: one row for each writer, one column for each reader.
fn interop(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let cells = matrix(&run.candidates);
    if cells.is_empty() {
        return Ok(());
    }
    let name = |candidate: &CandidateRun| printable(&candidate.asked_for, LONGEST_NAME);
    writeln!(out, "{BOLD}interop{BOLD:#}: files read as they were described, of those written by")?;
    write!(out, "  {:<LONGEST_NAME$}", "")?;
    for reader in &run.candidates {
        write!(out, "  {:>LONGEST_NAME$}", name(reader))?;
    }
    writeln!(out)?;
    for writer in &run.candidates {
        let of_writer = |cell: &&Cell| cell.writer == writer.asked_for;
        if !cells.iter().any(|cell| of_writer(&cell)) {
            continue;
        }
        write!(out, "  {:<LONGEST_NAME$}", name(writer))?;
        for reader in &run.candidates {
            let cell = cells.iter().filter(of_writer).find(|cell| cell.reader == reader.asked_for);
            let text =
                cell.map_or_else(|| "-".to_owned(), |cell| format!("{}/{}", cell.passed, cell.passed + cell.failed));
            let style = if cell.is_some_and(|cell| cell.failed > 0) { BAD } else { Style::new() };
            write!(out, "  {style}{text:>LONGEST_NAME$}{style:#}")?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn candidate_report(set: &VectorSet, run: &CandidateRun, is_whole: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", title(run))?;
    if let Some(broken) = &run.broken {
        writeln!(
            out,
            "  {BAD}adapter broken{BAD:#}: it was to {}; {}",
            broken.probe,
            printable(&broken.answered, 400)
        )?;
        let last = broken.stderr.lines().rev().find(|line| !line.trim().is_empty());
        if let Some(line) = last {
            writeln!(out, "  its last line on standard error: {}", printable(line, 200))?;
        }
        writeln!(out, "  What an adapter has to answer stands in conformance/PROTOCOL.md of the repository.")?;
    }
    table(run, out)?;
    swept(run, out)?;
    spent(run, out)?;
    for (profile, why) in &run.not_scored {
        writeln!(out, "  {FAINT}{profile:<9} not scored: {why}{FAINT:#}")?;
    }
    for (reason, count) in &run.not_judged {
        writeln!(out, "  {FAINT}{} not judged: {reason}{FAINT:#}", counted(*count, "vector"))?;
    }
    failures(set, run, out)?;
    mismatches(run, out)?;
    advice(run, out)?;
    let unobserved = Totals::of(run.results.iter()).unobserved;
    if unobserved > 0 {
        writeln!(out, "  {unobserved} expected values were not compared: this candidate does not observe them.")?;
    }
    for &profile in Profile::ALL {
        if run.results.iter().any(|scored| scored.profile == profile) {
            let conclusion = conclude(run, profile, is_whole);
            let style = match conclusion.conforms {
                Some(true) => GOOD,
                Some(false) => BAD,
                None => SO_SO,
            };
            writeln!(out, "  {style}{}{style:#}", conclusion.sentence)?;
        }
    }
    writeln!(out)
}

fn table(run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    if run.results.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "  {FAINT}profile   passed  failed  contested  unsupported  not run  died  known  preferred{FAINT:#}"
    )?;
    for &profile in Profile::ALL {
        let results = || run.results.iter().filter(move |scored| scored.profile == profile);
        if results().next().is_none() {
            continue;
        }
        let t = Totals::of(results());
        let red = |count: usize| if count > 0 { BAD } else { Style::new() };
        let (failed, not_run, died) = (red(t.failed), red(t.not_run), red(t.died));
        writeln!(
            out,
            "  {:<10} {:>5}  {failed}{:>6}{failed:#}  {:>9}  {:>11}  {not_run}{:>7}{not_run:#}  {died}{:>4}{died:#}  {:>5}  {:>9}",
            profile.name(),
            t.passed,
            t.failed,
            t.contested,
            t.unsupported,
            t.not_run,
            t.died,
            t.known,
            format!("{}/{}", t.preferred, t.preferable),
        )?;
    }
    Ok(())
}

/// How many families of schedules were tried on served files, and how long that took.
fn swept(run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    let Some(time) = run.swept else { return Ok(()) };
    let count = run
        .results
        .iter()
        .filter(|scored| scored.profile == Profile::Io && matches!(scored.about, About::Sweep))
        .count();
    let sweeps = counted(count, "sweep");
    writeln!(out, "  {FAINT}{sweeps} over served sources and sinks in {:.1} s{FAINT:#}", time.as_secs_f64())
}

/// The most that one request took.
fn spent(run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    let Some(most) = run.results.iter().filter_map(|scored| scored.spent).reduce(Spent::and) else { return Ok(()) };
    let seen = match (most.call_count, most.asked_len) {
        (Some(calls), Some(len)) => format!("{calls} reads or writes, {} asked for or offered", size_text(len)),
        _ => "reads and writes not seen".to_owned(),
    };
    let memory = match most.peak_memory_len {
        Some(len) => format!("{} more memory than before", size_text(len)),
        None => "memory not measured".to_owned(),
    };
    writeln!(out, "  {FAINT}at most in one of {} requests: {seen}; {memory}{FAINT:#}", most.request_count)
}

/// Recommendations that written files do not follow; they fail nobody.
fn advice(run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
    for rule in run.results.iter().flat_map(|scored| &scored.verdict.advice) {
        *counts.entry(*rule).or_default() += 1;
    }
    if counts.is_empty() {
        return Ok(());
    }
    let shown = counts.iter().take(SHOWN_ADVICE).map(|(rule, count)| format!("{rule} ({})", counted(*count, "file")));
    writeln!(out, "  advice not followed: {}", shown.collect::<Vec<_>>().join(", "))
}

/// The first failures: deaths, then the rest, and of those that fail alike only the first.
fn failures(set: &VectorSet, run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    let is_bad = |scored: &&Scored| matches!(scored.verdict.outcome, Outcome::Failed | Outcome::Died);
    let groups = groups(set, run.results.iter().filter(is_bad));
    for (first, count) in groups.iter().take(SHOWN_FAILURES) {
        failure(set, &run.asked_for, first, *count, out)?;
    }
    let rest: usize = groups.iter().skip(SHOWN_FAILURES).map(|(_, count)| count).sum();
    if rest > 0 {
        writeln!(out, "  and {}; --report json=FILE has them all", counted(rest, "more failure"))?;
    }
    known_failures(set, run, out)
}

/// What is known to fail, one line for those that fail alike.
fn known_failures(set: &VectorSet, run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    let known: Vec<&Scored> = run.results.iter().filter(|scored| scored.verdict.outcome == Outcome::Known).collect();
    if known.is_empty() {
        return Ok(());
    }
    let deaths = known.iter().filter(|scored| is_death(scored)).count();
    let of_them = if deaths > 0 { format!(", {} among them", counted(deaths, "death")) } else { String::new() };
    writeln!(out, "  {SO_SO}{}{SO_SO:#}{of_them}:", counted(known.len(), "known failure"))?;
    let groups = groups(set, known.into_iter());
    for (first, count) in groups.iter().take(SHOWN_FAILURES) {
        let alike = if *count > 1 { format!(" and {} alike", count - 1) } else { String::new() };
        let place = place(set, first, 1).map(|place| format!(": {place}")).unwrap_or_default();
        let word = first.verdict.fault.map_or("", |fault| fault.name());
        writeln!(out, "    {word:<13} {}{alike}{FAINT}{place}{FAINT:#}", first.id)?;
    }
    let rest: usize = groups.iter().skip(SHOWN_FAILURES).map(|(_, count)| count).sum();
    if rest > 0 {
        writeln!(out, "    and {rest} more")?;
    }
    Ok(())
}

fn is_death(scored: &Scored) -> bool {
    scored.verdict.fault.is_some_and(|fault| fault.outcome() == Outcome::Died)
}

/// Failures by what they have in common, deaths first, each group by its first.
fn groups<'a>(set: &VectorSet, failures: impl Iterator<Item = &'a Scored>) -> Vec<(&'a Scored, usize)> {
    let mut groups: Vec<(&Scored, usize)> = Vec::new();
    for scored in failures {
        match groups.iter_mut().find(|(first, _)| fails_alike(set, first, scored)) {
            Some((_, count)) => *count += 1,
            None => groups.push((scored, 1)),
        }
    }
    groups.sort_by_key(|(first, _)| !is_death(first));
    groups
}

/// The rules of a vector, and where it differs from its base.
fn place(set: &VectorSet, scored: &Scored, rule_count: usize) -> Option<String> {
    // A mutation breaks no rule in particular.
    let subject = subject(set, scored).filter(|subject| !subject.rules.is_empty())?;
    // Of a written file the rules are known that it breaks.
    let rules = if scored.verdict.breaks.is_empty() { subject.rules } else { &scored.verdict.breaks };
    let rules = rules.iter().map(|rule| rule.id()).take(rule_count).collect::<Vec<_>>().join(", ");
    let vector = scored.vector(set);
    Some(match vector.and_then(|vector| fault_place(set, vector)) {
        Some((offset, Some(field))) => format!("{rules}, byte {offset} ({field})"),
        Some((offset, None)) => format!("{rules}, byte {offset}"),
        None => rules,
    })
}

/// The same kind of failure in the same profile, for the same rule, or by a mutation of the same base; undeclared parts
/// are all alike.
fn fails_alike(set: &VectorSet, a: &Scored, b: &Scored) -> bool {
    let cause = |scored: &Scored| {
        if let Some(rule) = scored.verdict.breaks.first() {
            return Some((Some(*rule), None));
        }
        let vector = scored.vector(set)?;
        let rule = vector.rules.first().copied();
        Some((rule, rule.is_none().then_some(vector.base.as_str())))
    };
    a.verdict.fault == b.verdict.fault && a.profile == b.profile && cause(a) == cause(b)
}

/// The rule that the judgement names, what the transport did, and how to see it again.
fn injected(scored: &Scored, candidate: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(injected) = &scored.verdict.injected else { return Ok(()) };
    for rule in &scored.verdict.breaks {
        writeln!(out, "      {}: {}", rule.id(), rule.info().text)?;
    }
    let operation =
        injected.operation.map(|(number, offset, len)| format!(", operation {number}: {len} bytes at {offset}"));
    let operation = operation.unwrap_or_default();
    writeln!(out, "      schedule `{}` over {}{operation}", injected.schedule, injected.over)?;
    writeln!(out, "      {}", replay(injected, candidate))
}

/// The command that runs one schedule again.
pub(super) fn replay(injected: &Injected, candidate: &str) -> String {
    let words = ["--candidate", candidate, "--schedule", &injected.schedule, "--filter", &injected.over];
    let words = shlex::try_join(words).unwrap_or_default();
    format!("hurray-conformance {words}")
}

fn failure(set: &VectorSet, candidate: &str, scored: &Scored, count: usize, out: &mut dyn Write) -> io::Result<()> {
    let verdict = &scored.verdict;
    let word = verdict.fault.map_or("", |fault| fault.name());
    let alike = if count > 1 { format!(", and {} alike", count - 1) } else { String::new() };
    writeln!(out, "  {BAD}{word}{BAD:#} {BOLD}{}{BOLD:#} ({}{alike})", scored.id, scored.profile)?;
    let step = verdict.step.as_deref().map(|step| format!("{step}: ")).unwrap_or_default();
    writeln!(out, "      {step}expected {}, got {}", verdict.expected, verdict.actual)?;
    injected(scored, candidate, out)?;
    let Some(subject) = subject(set, scored) else { return Ok(()) };
    if let Some(place) = place(set, scored, SHOWN_RULES) {
        writeln!(out, "      {place}")?;
    }
    if verdict.rule.is_some() || verdict.offset.is_some() {
        let rule = verdict.rule.as_deref().map_or_else(|| "no rule".to_owned(), |rule| printable(rule, 80));
        let offset = verdict.offset.map(|offset| format!(" at byte {offset}")).unwrap_or_default();
        writeln!(out, "      it named {rule}{offset}")?;
    }
    writeln!(out, "      {FAINT}{}{FAINT:#}", subject.why)
}

fn mismatches(run: &CandidateRun, out: &mut dyn Write) -> io::Result<()> {
    if run.mismatches.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {BAD}The list of known failures is not true any more:{BAD:#}")?;
    for mismatch in run.mismatches.iter().take(SHOWN_MISMATCHES) {
        writeln!(out, "    {} {}", mismatch.id, mismatch.problem)?;
    }
    if run.mismatches.len() > SHOWN_MISMATCHES {
        writeln!(out, "    and {} more", run.mismatches.len() - SHOWN_MISMATCHES)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
