//! The command line of the repository: one file a subcommand, this one only dispatches.

mod codegen;

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the repository");
    codegen::run(root, false).map(|_| ())
}
