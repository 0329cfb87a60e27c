//! Rebuilds the crate when a recipe is added: the recipes are built into the library.
//!
//! The assembled files are not, so that writing them anew costs no build. A new folder of recipes is noticed with the
//! next change of an old one; a test of `hurray-corpus` compares what is built in with what is there.

use std::fs;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folders = fs::read_dir(".").into_iter().flatten().flatten().map(|entry| entry.path());
    for folder in folders.filter(|path| path.is_dir() && !path.ends_with("files")) {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
}
