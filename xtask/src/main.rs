//! The command line of the repository: one file a subcommand, this one only dispatches.

mod codegen;

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the repository");
    fs::write(root.join("spec/src/rules.rs"), codegen::rules_rs(root)?)
}
