//! Adapter of the published crate `hurray-io`: its file reader and writer, asked through their public interface.
//!
//! Written from the crate's documentation. It translates and decides nothing: what the library says is passed on, and
//! a panic is not caught, so that the death of the process is seen for what it is.

mod build;
mod failure;
mod given;
mod locate;
mod observe;
mod parts;
mod reader;
mod sink;
mod source;
mod typed;
mod writer;

use std::process::ExitCode;

use crate::reader::HurrayIo;

fn main() -> ExitCode {
    match hurray_adapter::serve(&mut HurrayIo) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
