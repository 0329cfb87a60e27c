//! `cargo xtask tidy`: the house rules that a program can check. Owns the list of rules and of tracked files; knows
//! nothing of the format. What a rule looks at stands in [`text`], [`code`], [`imports`],
//! [`cycles`] and [`layers`].

mod code;
mod cycles;
mod dependencies;
mod finding;
mod imports;
mod layers;
mod modules;
mod paths;
mod python;
mod roots;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod uses;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use dependencies::Renames;
use finding::Finding;
use modules::Crate;
use tree::Tree;

/// Checks every tracked file; true if all is well.
///
/// # Errors
/// Git cannot list the files, or `python3` cannot read the imports of the Python files.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let tree = Tree::tracked(root)?;
    let findings = check(&tree)?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", tree.files().count(), findings.len());
    Ok(findings.is_empty())
}

/// All findings in `tree`: those of one file first, then those of crates and packages.
fn check(tree: &Tree) -> io::Result<Vec<Finding>> {
    let renames: BTreeMap<&str, Renames> =
        tree.crates().map(|folder| (folder, dependencies::renames(tree, folder))).collect();
    let none = Renames::new();
    let mut findings = Vec::new();
    for (path, source) in tree.files() {
        let renames = dependencies::owner(tree, path).and_then(|folder| renames.get(folder)).unwrap_or(&none);
        findings.extend(check_file(path, source, renames));
    }
    for folder in tree.crates() {
        for root in roots::of(tree, folder) {
            let read = Crate::read(tree, &root);
            let uses = read.uses();
            findings.extend(cycles::check(&uses));
            let whole = Crate::read_whole(tree, &root);
            findings.extend_from_slice(whole.unread());
            findings.extend(imports::check_uses(&whole.uses()));
            findings.extend(layers::check_modules(tree, &root, &read, &uses));
        }
        findings.extend(layers::check_crate(tree, folder));
    }
    let (uses, unread) = python::uses(tree)?;
    findings.extend(unread);
    findings.extend(cycles::check(&uses));
    Ok(findings)
}

/// All findings in one text file.
fn check_file(path: &str, source: &str, renames: &Renames) -> Vec<Finding> {
    // Assembled files and fuzz inputs are bytes that may happen to be text.
    if path.ends_with(".hrry")
        || path.ends_with(".bin")
        || path.starts_with("fuzz/corpus/")
        || path.contains("LICENSE-")
    {
        return Vec::new();
    }
    let mut findings = text::check(path, source);
    if path.ends_with(".rs") {
        findings.extend(code::check(path, source));
        findings.extend(imports::check(path, source, renames));
    }
    findings
}
