//! What `tidy` looks at: the text files of the repository, by path. Owns reading them; knows no rule.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// Tracked text files by their path below the repository, with `/`.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads every file that git tracks below `root`; those that are not text count as unseen.
    ///
    /// # Errors
    /// Git cannot list the files, or lists none.
    pub(super) fn tracked(root: &Path) -> io::Result<Tree> {
        let output = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output()?;
        let names: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return Err(io::Error::other("git lists no tracked file: run this inside a clone of the repository"));
        }
        let mut tree = Tree::default();
        for path in names.into_iter().filter_map(|name| String::from_utf8(name.to_vec()).ok()) {
            // A file deleted but not yet committed is nobody's business.
            if let Some(source) = fs::read(root.join(&path)).ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
                tree.files.insert(path, source);
            }
        }
        Ok(tree)
    }

    /// Every file with its text, in the order of paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, source)| (path.as_str(), source.as_str()))
    }

    /// The text of one file.
    pub(super) fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// The folders that hold a `Cargo.toml`, each with a `/` at its end; that of the repository is empty.
    pub(super) fn crates(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(|path| path.strip_suffix("Cargo.toml"))
    }
}

#[cfg(test)]
impl Tree {
    /// A staged tree.
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|(path, source)| ((*path).to_owned(), (*source).to_owned())).collect() }
    }
}
