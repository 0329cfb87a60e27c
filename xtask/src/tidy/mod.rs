//! `cargo xtask tidy`: the house rules that a program can check. Owns the list of rules and of tracked files; knows
//! nothing of the format. What a rule looks at stands in [`text`], [`code`] and [`imports`].

mod code;
mod imports;
mod text;

use std::path::Path;
use std::process::Command;
use std::{fmt, fs, io};

/// One broken house rule.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    /// Path below the repository, with `/`.
    path: String,
    /// Line, from 1; 0 for the file as a whole.
    line: usize,
    /// What is wrong and what to do.
    what: String,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Finding { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Checks every tracked file; true if all is well.
///
/// # Errors
/// Git cannot list the files, or one of them cannot be read.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let paths = tracked(root)?;
    if paths.is_empty() {
        return Err(io::Error::other("git lists no tracked file here: run this inside a clone of the repository"));
    }
    let mut findings = Vec::new();
    let mut seen = 0_usize;
    for path in &paths {
        // A file deleted but not yet committed is nobody's business.
        let Ok(bytes) = fs::read(root.join(path)) else { continue };
        seen += 1;
        if let Ok(source) = String::from_utf8(bytes) {
            findings.extend(check(path, &source));
        }
    }
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {seen} files, {} findings", findings.len());
    Ok(findings.is_empty())
}

/// All findings in one text file.
fn check(path: &str, source: &str) -> Vec<Finding> {
    // Assembled files and fuzz inputs are bytes that may happen to be text.
    if path.ends_with(".hrry") || path.ends_with(".bin") || path.contains("/corpus/") || path.starts_with("LICENSE") {
        return Vec::new();
    }
    let mut findings = text::check(path, source);
    if path.ends_with(".rs") {
        findings.extend(code::check(path, source));
        findings.extend(imports::check(path, source));
    }
    findings
}

fn tracked(root: &Path) -> io::Result<Vec<String>> {
    let output = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output()?;
    if !output.status.success() {
        return Err(io::Error::other("git ls-files failed: run this inside a clone of the repository"));
    }
    Ok(output
        .stdout
        .split(|byte| *byte == 0)
        .filter_map(|name| String::from_utf8(name.to_vec()).ok())
        .filter(|name| !name.is_empty())
        .collect())
}
