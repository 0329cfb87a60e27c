//! The reference as a worker on standard input and output, for who wants to ask it something by hand or from a script.

use std::process::ExitCode;

use hurray_conformance::candidates::reference::Reference;

fn main() -> ExitCode {
    match hurray_adapter::serve(&mut Reference::strict()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
