//! `check FILE…`: arguments, output and exit code. Owns the command's contract; the verdict is made elsewhere.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hurray_adapter::{Failure, Op, ReadAt, Source};

use super::source::{FileAt, Gone};
use super::stream::{STANDARD_INPUT, judge_stream};
use super::{FileReport, FileVerdict, StepReport, judge, render};
use crate::candidates::reference::Reference;

const EXAMPLES: &str = "\
Examples:
  hurray-conformance check model.hrry            the rule, the offset, the bytes around it
  cat model.hrry | hurray-conformance check -    read once, in order; less can be said";

/// Judges files by the reference: one verdict per file, with rule, offset and the bytes around the fault.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Files to judge; `-` is standard input, which is read without seeking.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON array instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Judges all files and writes to `out`; true if every one is accepted.
///
/// # Errors
/// `out` cannot be written to.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> io::Result<bool> {
    let mut reports = Vec::new();
    for path in &args.files {
        let is_stream = path.as_os_str() == STANDARD_INPUT;
        let report = match is_stream {
            true => judge_stream(&mut Reference::strict(), Box::new(io::stdin())),
            false => check_file(path),
        };
        if !args.json {
            let text = match FileAt::open(path) {
                Ok(mut file) if !is_stream => render(&report, &mut file),
                _ => render(&report, &mut Gone),
            };
            out.write_all(text.as_bytes())?;
        }
        reports.push(report);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &reports)?;
        out.write_all(b"\n")?;
    }
    Ok(reports.iter().all(|report| report.verdict == FileVerdict::Accept))
}

fn check_file(path: &Path) -> FileReport {
    let file = path.display().to_string();
    if let Err(error) = FileAt::open(path) {
        let step = StepReport::new(Op::Open, None, &Err(Failure::Io(format!("cannot be read: {error}"))));
        let (verdict, by) = (FileVerdict::Undecided, Some(Op::Open.name()));
        return FileReport { file, verdict, by, rule: None, offset: None, steps: vec![step], validate: Vec::new() };
    }
    let open = || -> Box<dyn ReadAt> {
        match FileAt::open(path) {
            Ok(file) => Box::new(file),
            Err(_) => Box::new(Gone),
        }
    };
    judge(&file, &mut Reference::strict(), || Source::Served(open()))
}
