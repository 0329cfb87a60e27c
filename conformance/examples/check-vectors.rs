//! Loads the vector files and shows what they assemble to; for those who write them.
//!
//! `check-vectors [GLOB] [--labels] [--hex]`: every mistake, then each matching vector with its length; exit code 3 if
//! the suite is broken. Without a glob all mistakes count, with one only those of matching files or ids.

use std::path::Path;
use std::process::ExitCode;

use globset::GlobBuilder;
use hurray_corpus::{Loaded, Vector, load, read_sources};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let glob = arguments.iter().find(|argument| !argument.starts_with("--")).map_or("*", String::as_str);
    let matcher = match GlobBuilder::new(glob).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(64);
        }
    };
    let flag = |name: &str| arguments.iter().any(|argument| argument == name);
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let sources = match read_sources(&dir) {
        Ok(sources) => sources,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    let Loaded { vectors, errors, .. } = load(&sources);
    for vector in vectors.iter().filter(|vector| matcher.is_match(&vector.id)) {
        show(vector, flag("--labels"), flag("--hex"));
    }
    let mut mistakes = 0;
    for error in &errors {
        if matcher.is_match(&*error.place.file) || error.id.as_ref().is_some_and(|id| matcher.is_match(id)) {
            mistakes += 1;
            eprintln!("{error}");
        }
    }
    eprintln!("{} vectors loaded, {mistakes} mistake(s) here, {} in all", vectors.len(), errors.len());
    if mistakes == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) }
}

fn show(vector: &Vector, labels: bool, hex: bool) {
    println!("{:<60} {:>8} bytes  {:?}", vector.id, vector.bytes.len(), vector.expect);
    for (label, range) in vector.labels.iter().filter(|_| labels || hex) {
        let bytes = &vector.bytes[range.start as usize..range.end as usize];
        let shown = if hex && bytes.len() <= 32 { hex::encode(bytes) } else { String::new() };
        println!("    {:>8}..{:<8} {label:<36} {shown}", range.start, range.end);
    }
}
