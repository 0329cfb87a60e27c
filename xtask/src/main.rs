//! The command line of the repository: one file a subcommand, this one only dispatches.

mod ci;
mod codegen;
mod conformance;
mod explain;
mod fuzz;
mod packages;
mod process;
mod strength;
mod tidy;
mod trace;
mod vectors;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hurray_conformance::candidates::Home;
use hurray_conformance::tool::cli::{self, ConformanceArgs, Exit};
use hurray_conformance::tool::explain::{self as explaining, ExplainArgs};
use hurray_conformance::tool::inspect::CheckArgs;
use hurray_conformance::tool::write::{self, WriteArgs};

/// The command line of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judges candidates: by default the reference and every published implementation that needs nothing installed.
    #[command(after_help = conformance::EXAMPLES)]
    Conformance(ConformanceArgs),
    /// Judges files by the reference: one verdict per file, with rule, offset and the bytes around the fault.
    Check(CheckArgs),
    /// Explains a rule, a vector or a file.
    Explain(ExplainArgs),
    /// Checks or exports the assembled vector files.
    #[command(subcommand)]
    Vectors(vectors::Action),
    /// Follows every rule to its chapter, its enforcing site and its vectors.
    Trace(trace::Options),
    /// Proves that the suite would notice: waives rules and mutates the reference.
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
    Write(WriteArgs),
    /// Runs a fuzz target.
    Fuzz(fuzz::Options),
    /// Builds every package outside the repository, and compares its program with this one.
    Packages,
    /// Runs every gate a change has to pass.
    Ci(ci::Options),
}

fn main() -> ExitCode {
    let parsed = in_our_words(Xtask::command()).try_get_matches().and_then(|found| Xtask::from_arg_matches(&found));
    let xtask = match parsed {
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
        Command::Explain(args) => {
            let of_sources = |rule| explain::of_sources(root, rule);
            return cli::told(explaining::run(args, &Home::repository(root), &of_sources)).into();
        }
        Command::Vectors(action) => vectors::run(root, action),
        Command::Trace(options) => trace::run(root, options),
        Command::Strength(options) => strength::run(root, options),
        Command::Tidy => tidy::run(root),
        Command::Codegen { check } => codegen(root, *check),
        Command::Write(args) => write::run(args),
        Command::Fuzz(options) => fuzz::run(root, options),
        Command::Packages => packages::run(root),
        Command::Ci(options) => ci::run(root, options),
    };
    cli::done(done).into()
}

/// The commands that the installed program has, too, with this program's name in their examples.
fn in_our_words(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        let help = command.get_after_help().map(|help| help.to_string().replace("hurray-conformance ", "cargo xtask "));
        let command = if command.has_subcommands() { in_our_words(command) } else { command };
        match help {
            Some(help) => command.after_help(help),
            None => command,
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed_and_names_this_program() {
        let mut command = in_our_words(Xtask::command());
        command.clone().debug_assert();
        let explain = command.find_subcommand_mut("explain").expect("a command");
        let help = explain.render_help().to_string();
        assert!(help.contains("cargo xtask explain model.hrry") && !help.contains("hurray-conformance"), "{help}");
    }
}
