//! The library itself: its bytes are part of this program, and become a file when a run first needs one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustix::fs::{StatVfsMountFlags, statvfs};
use tempfile::TempDir;

/// What the file is called.
const FILE: &str = "libhurray_shim.so";

/// The library as a file.
#[derive(Clone, Debug)]
pub struct Library {
    pub(super) path: PathBuf,
    /// Its folder, which goes with the last of those who use it.
    _dir: Arc<TempDir>,
}

/// The shim of a run: put into a file when it is first needed, so that a run that does not need it costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Shim {
    ready: Arc<OnceLock<Result<Library, Unavailable>>>,
}

/// Why there is no shim here; the cases that need it are not run.
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
    /// One that is not there, and why.
    pub fn none(why: &str) -> Shim {
        Shim { ready: Arc::new(OnceLock::from(Err(Unavailable(why.to_owned())))) }
    }

    /// The library.
    ///
    /// # Errors
    /// As [`Library::in_folder`], or there is no room for it.
    pub fn library(&self) -> Result<Library, Unavailable> {
        let ready = self.ready.get_or_init(|| {
            let dir = tempfile::Builder::new().prefix("hurray-shim-").tempdir();
            let dir =
                dir.map_err(|error| Unavailable(format!("there is no room for the shim: {error}; set TMPDIR")))?;
            Library::in_folder(dir)
        });
        ready.clone()
    }
}

impl Library {
    /// Puts the library into that folder.
    ///
    /// # Errors
    /// There is none for this system, the file cannot be written, or no program could load it from there.
    fn in_folder(dir: TempDir) -> Result<Library, Unavailable> {
        let bytes = hurray_shim::library().map_err(|why| Unavailable(why.to_owned()))?;
        let path = dir.path().join(FILE);
        std::fs::write(&path, bytes).map_err(|error| Unavailable(format!("{}: {error}", path.display())))?;
        is_loadable(&path)?;
        Ok(Library { path, _dir: Arc::new(dir) })
    }
}

/// Requires that the loader of a program takes a library from there; it would leave it out with a line on standard error.
fn is_loadable(path: &Path) -> Result<(), Unavailable> {
    // The loader splits its list at colons and blanks.
    if path.to_string_lossy().contains([':', ' ']) {
        return Err(Unavailable(format!("{} has a colon or a blank in its path; set TMPDIR", path.display())));
    }
    let mounted = statvfs(path).map_err(|error| Unavailable(format!("{}: {error}", path.display())))?;
    match mounted.f_flag.contains(StatVfsMountFlags::NOEXEC) {
        true => Err(Unavailable(format!("{} lies where no program may be run from; set TMPDIR", path.display()))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(prefix: &str) -> TempDir {
        tempfile::Builder::new().prefix(prefix).tempdir().expect("a folder")
    }

    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn the_library_is_a_file_as_long_as_somebody_uses_it() {
        let shim = Shim::default();
        let library = shim.library().expect("the shim");
        let path = library.path.clone();
        assert_eq!(shim.library().expect("the shim").path, path, "it is made once");
        assert_eq!(std::fs::read(&path).expect("its bytes"), hurray_shim::library().expect("its bytes"));
        drop(shim);
        assert!(path.is_file());
        drop(library);
        assert!(!path.exists());
    }

    #[test]
    fn a_library_that_cannot_be_loaded_is_none() {
        assert!(is_loadable(folder("a b").path()).is_err_and(|why| why.0.contains("blank")));
        assert!(is_loadable(Path::new("no/such/file")).is_err_and(|why| why.0.contains("no/such/file")));
    }

    #[test]
    fn one_that_is_not_there_says_why() {
        assert!(Shim::none("it is gone").library().is_err_and(|why| why.0 == "it is gone"));
    }
}
