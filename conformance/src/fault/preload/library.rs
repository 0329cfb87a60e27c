//! The library itself: built on demand, beside the other programs of the repository.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use crate::support::text::printable;

/// The package of the shim.
const PACKAGE: &str = "hurray-shim";
/// What cargo makes of it.
const FILE: &str = "libhurray_shim.so";

/// The built library.
#[derive(Clone, Debug)]
pub struct Library {
    pub(super) path: PathBuf,
}

/// The shim of a run: built when it is first needed, so that a run that does not need it costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Shim {
    /// The repository and its build folder.
    home: Option<(PathBuf, PathBuf)>,
    built: Arc<OnceLock<Result<Library, Unavailable>>>,
}

/// Why there is no shim here; the cases that need it are unsupported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(
    /// One sentence: what is missing.
    pub String,
);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Shim {
    /// That of the repository at `root`, built into `target`. The default one is of no repository.
    pub fn of(root: &Path, target: &Path) -> Shim {
        Shim { home: Some((root.to_path_buf(), target.to_path_buf())), ..Shim::default() }
    }

    /// The library.
    ///
    /// # Errors
    /// As [`Library::build`], or there is no repository.
    pub fn library(&self) -> Result<Library, Unavailable> {
        let built = self.built.get_or_init(|| match &self.home {
            Some((root, target)) => Library::build(root, target),
            None => Err(Unavailable("the shim is built by `cargo xtask conformance` in the repository".to_owned())),
        });
        built.clone()
    }
}

impl Library {
    /// Builds it from the repository at `root` into its build folder `target`.
    ///
    /// # Errors
    /// This system has no such library, or it cannot be built.
    pub fn build(root: &Path, target: &Path) -> Result<Library, Unavailable> {
        if !cfg!(all(target_os = "linux", target_pointer_width = "64")) {
            return Err(Unavailable("calls on a path are caught on 64-bit Linux alone".to_owned()));
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--release", "--package", PACKAGE, "--target-dir"]).arg(target);
        let built = build.current_dir(root).output();
        let built = built.map_err(|error| Unavailable(format!("cargo cannot be started: {error}")))?;
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr);
            let first = said.lines().find(|line| line.starts_with("error")).unwrap_or("it said nothing");
            return Err(Unavailable(format!("the package {PACKAGE} does not build: {}", printable(first, 200))));
        }
        Library::at(&target.join("release").join(FILE))
    }

    /// The library in that file.
    ///
    /// # Errors
    /// There is none.
    pub fn at(path: &Path) -> Result<Library, Unavailable> {
        let path = std::path::absolute(path).map_err(|error| Unavailable(error.to_string()))?;
        let is_there = path.is_file();
        // The loader splits its list at colons and blanks.
        let is_loadable = !path.to_string_lossy().contains([':', ' ']);
        match (is_there, is_loadable) {
            (true, true) => Ok(Library { path }),
            (false, _) => Err(Unavailable(format!("{} is not there", path.display()))),
            (true, false) => Err(Unavailable(format!("{} has a colon or a blank in its path", path.display()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_cannot_be_loaded_is_none() {
        let dir = tempfile::tempdir().expect("a folder");
        let plain = dir.path().join("a.so");
        assert!(Library::at(&plain).is_err_and(|why| why.0.contains("not there")));
        let odd = dir.path().join("a b.so");
        for path in [&plain, &odd] {
            std::fs::write(path, b"").expect("a file");
        }
        assert!(Library::at(&plain).is_ok());
        assert!(Library::at(&odd).is_err_and(|why| why.0.contains("blank")));
    }

    #[test]
    fn without_a_repository_there_is_none() {
        assert!(Shim::default().library().is_err_and(|why| why.0.contains("repository")));
    }

    #[test]
    fn what_does_not_build_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let why = Library::build(dir.path(), dir.path()).expect_err("no repository");
        assert!(why.0.contains("does not build") || why.0.contains("Linux"), "{why}");
    }
}
