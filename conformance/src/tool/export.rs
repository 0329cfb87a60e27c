//! `vectors export`: every assembled file in a folder, for use without Rust. Owns the command; how files are assembled is the
//! corpus's business.

use std::io;
use std::path::PathBuf;

use hurray_corpus::export;

use super::vectors;
use crate::candidates::Home;

const EXAMPLES: &str = "\
Examples:
  hurray-conformance vectors export vectors      manifest.json says what a reader owes each file";

/// Where to.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// The folder; it is made if it does not exist.
    pub dir: PathBuf,
}

/// Writes the files, the manifest and an explanation, and returns a sentence on them.
///
/// # Errors
/// The vectors are broken, or a file cannot be written.
pub fn run(args: &ExportArgs, home: &Home) -> io::Result<String> {
    let set = vectors(home).map_err(|errors| io::Error::other(errors.to_string()))?;
    export::export(&set, &args.dir)?;
    Ok(format!("{} vectors and their manifest are in {}\n", set.vectors.len(), args.dir.display()))
}
