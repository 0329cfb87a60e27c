//! The command line of the repository: one file a subcommand, this one only dispatches.

mod ci;
mod codegen;
mod conformance;
mod explain;
mod fuzz;
mod strength;
mod tidy;
mod trace;
mod vectors;
mod write;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use hurray_conformance::tool::cli::{self, ConformanceArgs, Exit};
use hurray_conformance::tool::inspect::CheckArgs;

/// The command line of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: Command,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  cargo xtask check model.hrry             the rule, the offset, the bytes around it
  cat model.hrry | cargo xtask check -     read once, in order; less can be said";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judges candidates: by default the reference and every published implementation that needs nothing installed.
    #[command(after_help = conformance::EXAMPLES)]
    Conformance(ConformanceArgs),
    /// Judges files by the reference: one verdict per file, with rule, offset and the bytes around the fault.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Explains a rule, a vector or a file.
    Explain(explain::Options),
    /// Checks or exports the assembled vector files.
    #[command(subcommand)]
    Vectors(vectors::Action),
    /// Follows every rule to its chapter, its enforcing site and its vectors.
    Trace(trace::Options),
    /// Proves that the suite would notice: waives rules and sabotages the reference.
    Strength(strength::Options),
    /// Checks the house rules.
    Tidy,
    /// Generates what the specification repeats from its rules and tables.
    Codegen {
        /// Write nothing; fail if anything is stale.
        #[arg(long)]
        check: bool,
    },
    /// Writes a file from a description, through the reference writer.
    #[command(after_help = write::EXAMPLES)]
    Write(write::Options),
    /// Runs a fuzz target.
    Fuzz(fuzz::Options),
    /// Runs every gate a change has to pass.
    Ci(ci::Options),
}

fn main() -> ExitCode {
    let xtask = match Xtask::try_parse() {
        Ok(xtask) => xtask,
        Err(error) => return cli::usage(&error).into(),
    };
    let Some(root) = Path::new(env!("CARGO_MANIFEST_DIR")).parent() else {
        cli::complain("xtask does not stand in the repository; build it there");
        return Exit::SuiteBroken.into();
    };
    let done = match &xtask.command {
        Command::Conformance(args) => return conformance::run(root, args).into(),
        Command::Check(args) => return cli::check_files(args).into(),
        Command::Explain(options) => explain::run(root, options),
        Command::Vectors(action) => vectors::run(root, action),
        Command::Trace(options) => trace::run(root, options),
        Command::Strength(options) => strength::run(root, options),
        Command::Tidy => tidy::run(root),
        Command::Codegen { check } => codegen(root, *check),
        Command::Write(options) => write::run(options),
        Command::Fuzz(options) => fuzz::run(root, options),
        Command::Ci(options) => ci::run(root, options),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            cli::complain(&error.to_string());
            let is_usage = error.kind() == io::ErrorKind::InvalidInput;
            if is_usage { Exit::Usage } else { Exit::SuiteBroken }.into()
        }
    }
}

fn codegen(root: &Path, check: bool) -> io::Result<bool> {
    let changed = codegen::run(root, check)?;
    for path in &changed {
        println!("{} {}", if check { "stale:" } else { "wrote" }, path.display());
    }
    if check && !changed.is_empty() {
        println!("`cargo xtask codegen` writes them anew");
    }
    Ok(!check || changed.is_empty())
}
