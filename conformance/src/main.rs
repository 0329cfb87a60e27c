//! The program `hurray-conformance`: the suite for people without the repository, its vectors built in.

use std::process::ExitCode;

use hurray_conformance::candidates::Home;
use hurray_conformance::tool::cli;

fn main() -> ExitCode {
    cli::program(std::env::args_os(), &Home::installed()).into()
}
