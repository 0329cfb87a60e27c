//! Where candidates, their folders and their known failures are found: in the repository, or built into the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::{CandidateFile, Places, dir_of};
use super::reference::Reference;
use super::{Prepared, Start, setup};
use crate::judge::known::KnownFailures;

/// The name of the candidate inside this process.
const REFERENCE: &str = "reference";

/// Where this program lives.
#[derive(Clone, Debug)]
pub struct Home {
    /// The repository, where there is one.
    pub root: Option<PathBuf>,
    /// Folders of candidates that set themselves up.
    pub state: PathBuf,
}

/// A candidate that was asked for and cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing(
    /// One sentence: what is missing, and what to do.
    pub String,
);

impl Home {
    /// In a repository.
    pub fn repository(root: &Path) -> Home {
        Home { root: Some(root.to_path_buf()), state: target(root).join("candidates") }
    }

    /// Of an installed program.
    pub fn installed() -> Home {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
        Home { root: None, state: cache.unwrap_or_else(std::env::temp_dir).join("hurray-conformance") }
    }

    /// What is judged when nobody is named: every candidate that needs nothing installed.
    ///
    /// # Errors
    /// As [`Home::prepare`].
    pub fn usual(&self, say: &dyn Fn(&str)) -> Result<Vec<Prepared>, Missing> {
        let mut usual = vec![self.prepare(REFERENCE, say)?];
        for (path, file) in self.files()? {
            if file.needs_nothing() {
                usual.push(self.prepare_file(&path, &file, say)?);
            }
        }
        Ok(usual)
    }

    /// The candidate of that name, or of that candidate file.
    ///
    /// # Errors
    /// There is none, or its file cannot be used. A candidate that is there but cannot be built comes back as
    /// [`Start::Broken`].
    pub fn prepare(&self, name: &str, say: &dyn Fn(&str)) -> Result<Prepared, Missing> {
        if name == REFERENCE {
            let known_path = self.root.as_ref().map(|root| root.join("vectors/known/reference.toml"));
            return Ok(Prepared {
                name: name.to_owned(),
                start: Start::InProcess(|| Box::new(Reference::strict())),
                source: None,
                known: known_path.as_deref().map_or_else(|| known_built_in(name), known_on_disk)?,
                known_path,
            });
        }
        if name.ends_with(".toml") || name.contains('/') {
            let path = Path::new(name);
            return self.prepare_file(path, &read_file(path)?, say);
        }
        let files = self.files()?;
        match files.iter().find(|(_, file)| file.name == name) {
            Some((path, file)) => self.prepare_file(path, file, say),
            None => {
                let names: Vec<&str> = files.iter().map(|(_, file)| file.name.as_str()).collect();
                let there = [&[REFERENCE], names.as_slice()].concat().join(", ");
                let others = if self.root.is_some() {
                    ""
                } else {
                    "; published implementations are judged by `cargo xtask conformance` in the repository"
                };
                Err(Missing(format!(
                    "there is no candidate `{name}`; there are {there}, or name a candidate file FILE.toml{others}"
                )))
            }
        }
    }

    /// The candidate files of the repository.
    fn files(&self) -> Result<Vec<(PathBuf, CandidateFile)>, Missing> {
        let Some(dir) = self.root.as_ref().map(|root| root.join("conformance/candidates")) else {
            return Ok(Vec::new());
        };
        let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut paths: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|ext| ext == "toml")).collect();
        paths.sort();
        paths.into_iter().map(|path| read_file(&path).map(|file| (path, file))).collect()
    }

    fn prepare_file(&self, path: &Path, file: &CandidateFile, say: &dyn Fn(&str)) -> Result<Prepared, Missing> {
        let in_file = |error: String| Missing(format!("{}: {error}", path.display()));
        // A worker may have another working directory, so no path given to it may depend on ours.
        let absolute = std::path::absolute(path).map_err(|error| in_file(error.to_string()))?;
        let places = Places {
            dir: dir_of(&absolute),
            root: self.root.clone(),
            target: self.root.as_deref().map(target),
            state: self.state.join(&file.name),
        };
        let start = match setup::prepare(file, &places, say) {
            Ok(()) => Start::Worker(Arc::new(file.launch(&places).map_err(in_file)?)),
            Err(broken) => Start::Broken(broken),
        };
        let known_path = file.known.as_ref().map(|known| places.dir.join(known));
        let known = known_path.as_deref().map_or_else(|| Ok(KnownFailures::default()), known_on_disk)?;
        Ok(Prepared { name: file.name.clone(), start, source: file.source, known, known_path })
    }
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

fn read_file(path: &Path) -> Result<CandidateFile, Missing> {
    let text = fs::read_to_string(path)
        .map_err(|error| Missing(format!("the candidate file {} cannot be read: {error}", path.display())))?;
    CandidateFile::parse(&text).map_err(|error| Missing(format!("{}: {error}", path.display())))
}

/// The list on disk. No file is an empty list: it may be written by `--update-known`.
fn known_on_disk(path: &Path) -> Result<KnownFailures, Missing> {
    if !path.exists() {
        return Ok(KnownFailures::default());
    }
    let text = fs::read_to_string(path).map_err(|error| Missing(format!("{}: {error}", path.display())))?;
    KnownFailures::parse(&text).map_err(|error| Missing(format!("{}: {error}", path.display())))
}

/// The list built into the program.
fn known_built_in(name: &str) -> Result<KnownFailures, Missing> {
    let Some(text) = hurray_vectors::text(&format!("known/{name}.toml")) else { return Ok(KnownFailures::default()) };
    KnownFailures::parse(&text).map_err(|error| Missing(format!("the built-in known/{name}.toml: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(dir: &Path) -> Home {
        Home { root: Some(dir.to_path_buf()), state: dir.join("state") }
    }

    fn refused(home: &Home, name: &str) -> String {
        match home.prepare(name, &|_| {}) {
            Ok(found) => panic!("found {}", found.name),
            Err(Missing(sentence)) => sentence,
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_the_names_there_are() {
        let dir = tempfile::tempdir().expect("a folder");
        let candidates = dir.path().join("conformance/candidates");
        fs::create_dir_all(&candidates).expect("a folder");
        fs::write(candidates.join("x.toml"), "name = \"mine\"\ncommand = [\"true\"]").expect("a file");
        let sentence = refused(&home(dir.path()), "yours");
        assert!(sentence.contains("`yours`") && sentence.contains("mine"), "{sentence}");
        assert_eq!(home(dir.path()).prepare("mine", &|_| {}).expect("found").name, "mine");
    }

    #[test]
    fn an_unreadable_file_is_told_with_its_path() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("odd.toml");
        assert!(refused(&home(dir.path()), &path.to_string_lossy()).contains("cannot be read"));
        fs::write(&path, "odd").expect("a file");
        assert!(refused(&home(dir.path()), &path.to_string_lossy()).contains("odd.toml: "));
    }

    #[test]
    fn a_candidate_that_cannot_be_understood_is_not_left_out_in_silence() {
        let dir = tempfile::tempdir().expect("a folder");
        let candidates = dir.path().join("conformance/candidates");
        fs::create_dir_all(&candidates).expect("a folder");
        fs::write(candidates.join("x.toml"), "odd").expect("a file");
        assert!(home(dir.path()).usual(&|_| {}).is_err());
        assert!(refused(&home(dir.path()), "x").contains("x.toml"));
    }

    #[test]
    fn a_broken_list_of_known_failures_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("c.toml");
        fs::write(&path, "name = \"c\"\ncommand = [\"true\"]\nknown = \"k.toml\"").expect("a file");
        assert!(home(dir.path()).prepare(&path.to_string_lossy(), &|_| {}).is_ok());
        fs::write(dir.path().join("k.toml"), "[[known]]\nid = 1").expect("a file");
        assert!(refused(&home(dir.path()), &path.to_string_lossy()).contains("k.toml"));
    }

    #[test]
    fn only_what_needs_nothing_is_usual() {
        let dir = tempfile::tempdir().expect("a folder");
        let candidates = dir.path().join("conformance/candidates");
        fs::create_dir_all(&candidates).expect("a folder");
        fs::write(candidates.join("a.toml"), "name = \"a\"\ncommand = [\"true\"]").expect("a file");
        fs::write(candidates.join("b.toml"), "name = \"b\"\ncommand = [\"true\"]\nneeds = \"sh\"").expect("a file");
        let usual = home(dir.path()).usual(&|_| {}).expect("candidates");
        let names: Vec<_> = usual.iter().map(|candidate| candidate.name.as_str()).collect();
        assert_eq!(names, ["reference", "a"]);
    }
}
