//! The arguments, and what is said of them by `--help`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use crate::judge::profile::Profile;
use crate::tool::explain::ExplainArgs;
use crate::tool::export::ExportArgs;
use crate::tool::inspect::CheckArgs;
use crate::tool::write::WriteArgs;
use hurray_corpus::schedule::Schedule;

const EXAMPLES: &str = "\
Examples:
  hurray-conformance                                       the reference
  hurray-conformance --command \"python3 my_adapter.py\"     your implementation
  hurray-conformance --command \"python3 my_adapter.py\" --verify-adapter
  hurray-conformance --candidate mine.toml --profile reader --filter 'kv/*'
  hurray-conformance --candidate mine.toml --report terminal --report json=report.json
  hurray-conformance check model.hrry                      one file
  cat model.hrry | hurray-conformance check -              what comes from a pipe
  hurray-conformance explain container.trailer.magic-reject
  hurray-conformance write model.toml out.hrry             a file from a description
  hurray-conformance vectors export vectors                every file, for use without this program

Without a command it is `conformance`, such as `hurray-conformance conformance --candidate mine.toml`.

Exit codes:
  0 as expected   1 a candidate fails   2 an adapter is broken
  3 the suite is broken, or could not run a case   4 nothing ran   64 wrong usage; the highest wins";

/// Tells any implementation of the Hurray file format which requirement it breaks, and at which byte.
#[derive(Debug, Parser)]
#[command(name = "hurray-conformance", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Program {
    /// Another command than the conformance run.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The conformance run.
    #[command(flatten)]
    pub conformance: ConformanceArgs,
}

/// The commands, in the words of `cargo xtask`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judges candidates; what the program does without a command.
    #[command(after_help = EXAMPLES)]
    Conformance(Box<ConformanceArgs>),
    /// Judges files by the reference: one verdict per file, with rule, offset and the bytes around the fault.
    Check(CheckArgs),
    /// Explains a rule, a vector or a file.
    Explain(ExplainArgs),
    /// Writes a file from a description, through the reference writer.
    Write(WriteArgs),
    /// Exports the assembled vector files.
    #[command(subcommand)]
    Vectors(Vectors),
}

/// What is done with the vector files.
#[derive(Debug, Subcommand)]
pub enum Vectors {
    /// Writes every assembled file, the manifest and an explanation to a folder, for use without Rust.
    Export(ExportArgs),
}

/// Arguments of the conformance run.
#[derive(Clone, Debug, Args)]
pub struct ConformanceArgs {
    /// Candidate to judge: a name such as `reference`, or a candidate file. Without any, every candidate that needs
    /// nothing installed.
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub candidate: Vec<String>,
    /// Command line of an adapter to judge.
    #[arg(long, value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Tell what is missing in the adapter, step by step, and score nothing.
    #[arg(long, conflicts_with_all = ["mutate", "update_known", "filter", "profile", "shard"])]
    pub verify_adapter: bool,
    /// Profile to score. Without any, all that the candidate claims.
    #[arg(long, value_enum)]
    pub profile: Vec<Profile>,
    /// Vectors to run: a glob over their ids and tags, `*` also crosses `/`.
    #[arg(long, value_name = "GLOB")]
    pub filter: Option<String>,
    /// Where to report: `terminal`, `json=FILE`, `junit=FILE`, `html=FILE` (`-` is standard output).
    #[arg(long, value_name = "KIND[=FILE]")]
    pub report: Vec<ReportTo>,
    /// Workers per candidate. Without it, one for each core of the machine, at most 4.
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Run part I of N.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Rewrite the lists of known failures; reasons are kept, new entries wait for one.
    #[arg(long)]
    pub update_known: bool,
    /// Run N mutations of the good files in place of the vectors: a candidate may answer what it likes, and must not
    /// crash, hang or take too much memory.
    #[arg(long, value_name = "N")]
    pub mutate: Option<NonZeroUsize>,
    /// Try one I/O schedule on the selected good vectors in place of everything else, such as `limit 1; fail 3 once`; a
    /// report prints those that failed.
    #[arg(long, value_name = "TEXT", conflicts_with = "mutate")]
    pub schedule: Option<Schedule>,
    /// Seed of everything random; the clock if absent. A report tells it.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
}

impl ConformanceArgs {
    /// The profiles, each once, in the order of reports; files are read by others only where they are written.
    pub fn profiles(&self) -> Vec<Profile> {
        let is_interop = self.profile.contains(&Profile::Interop);
        let is_asked =
            |profile: &Profile| self.profile.contains(profile) || (is_interop && *profile == Profile::Writer);
        Profile::ALL.iter().copied().filter(is_asked).collect()
    }

    /// Where to report: to the terminal if nothing else was asked for.
    pub fn reports(&self) -> &[ReportTo] {
        if self.report.is_empty() { &[ReportTo::Terminal] } else { &self.report }
    }
}

/// Where a report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportTo {
    /// Standard output, for people.
    Terminal,
    /// A file, for programs.
    Json(PathBuf),
    /// A file, for build servers.
    Junit(PathBuf),
    /// A page, for browsers.
    Html(PathBuf),
}

impl FromStr for ReportTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "terminal" => Ok(ReportTo::Terminal),
            Some(("json", file)) if !file.is_empty() => Ok(ReportTo::Json(file.into())),
            Some(("junit", file)) if !file.is_empty() => Ok(ReportTo::Junit(file.into())),
            Some(("html", file)) if !file.is_empty() => Ok(ReportTo::Html(file.into())),
            _ => Err("there are `terminal`, `json=FILE`, `junit=FILE` and `html=FILE`".to_owned()),
        }
    }
}

/// One part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// This part, from 1.
    pub this: usize,
    /// Number of parts.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |(this, of): (&str, &str)| Some(Shard { this: this.parse().ok()?, of: of.parse().ok()? });
        let shard = text.split_once('/').and_then(parse);
        shard.filter(|shard| (1..=shard.of).contains(&shard.this)).ok_or_else(|| "write it as 1/4 to 4/4".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Program::command().debug_assert();
    }

    #[test]
    fn reports_that_do_not_exist_are_refused_by_naming_those_that_do() {
        assert_eq!("terminal".parse(), Ok(ReportTo::Terminal));
        assert_eq!("json=a".parse(), Ok(ReportTo::Json("a".into())));
        assert_eq!("junit=a".parse(), Ok(ReportTo::Junit("a".into())));
        assert_eq!("html=a".parse(), Ok(ReportTo::Html("a".into())));
        for text in ["json", "json=", "junit", "html=", "xml=x", "terminal=x"] {
            assert!(text.parse::<ReportTo>().expect_err(text).contains("json=FILE"));
        }
    }

    #[test]
    fn a_shard_lies_within_its_number() {
        assert_eq!("2/3".parse(), Ok(Shard { this: 2, of: 3 }));
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
