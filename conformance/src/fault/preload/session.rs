//! One file that is watched, in a folder of its own, and the worker that is started for it. One worker serves many
//! plans: it is told another one between two requests.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Calls, Library, Plan};
use crate::transport::worker::Launch;

/// The loader's list of libraries.
const PRELOAD: &str = "LD_PRELOAD";

/// The watched file, the plan in force, and the log.
#[derive(Debug)]
pub struct Session {
    dir: TempDir,
    library: Library,
    /// Plans so far: each is another text, so that the shim counts anew.
    plan_count: u64,
}

impl Session {
    /// A folder with nothing in it yet.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn new(library: &Library) -> io::Result<Session> {
        let dir = tempfile::Builder::new().prefix("hurray-shim-").tempdir()?;
        let mut session = Session { dir, library: library.clone(), plan_count: 0 };
        session.begin(&Plan::none())?;
        Ok(session)
    }

    /// The watched file.
    pub fn target(&self) -> PathBuf {
        self.dir.path().join("file.hrry")
    }

    fn log(&self) -> PathBuf {
        self.dir.path().join("log")
    }

    fn control(&self) -> PathBuf {
        self.dir.path().join("plan")
    }

    /// What has to stand in the environment of a program whose calls are to be caught.
    pub fn environment(&self) -> Vec<(String, String)> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let preload = match std::env::var(PRELOAD) {
            Ok(others) if !others.is_empty() => format!("{}:{others}", text(&self.library.path)),
            _ => text(&self.library.path),
        };
        vec![
            (PRELOAD.to_owned(), preload),
            ("HURRAY_SHIM_TARGET".to_owned(), text(&self.target())),
            ("HURRAY_SHIM_CONTROL".to_owned(), text(&self.control())),
            ("HURRAY_SHIM_LOG".to_owned(), text(&self.log())),
        ]
    }

    /// `launch` with the shim.
    pub fn launch(&self, launch: &Launch) -> Launch {
        let mut launch = launch.clone();
        launch.env.extend(self.environment());
        launch
    }

    /// Another plan from now on, with an empty log. Nothing may be running meanwhile.
    ///
    /// # Errors
    /// Its files cannot be written.
    pub fn begin(&mut self, plan: &Plan) -> io::Result<()> {
        self.plan_count += 1;
        fs::write(self.control(), format!("# plan {}\n{plan}", self.plan_count))?;
        fs::write(self.log(), "")
    }

    /// The calls since [`Session::begin`].
    ///
    /// # Errors
    /// The log cannot be read, or is none.
    pub fn calls(&self) -> Result<Calls, String> {
        let log = fs::read_to_string(self.log()).map_err(|error| format!("{}: {error}", self.log().display()))?;
        Calls::parse(&log)
    }

    /// Puts a file in place of the watched one, under another inode: a handle that is still open on the old one is none
    /// on this one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, bytes: &[u8]) -> io::Result<()> {
        self.remove()?;
        fs::write(self.target(), bytes)
    }

    /// Takes the watched file away.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        let target = self.target();
        // A candidate may leave a folder there.
        let removed = match fs::symlink_metadata(&target) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&target),
            _ => fs::remove_file(&target),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The bytes of the watched file; `None` if there is none.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        fs::read(self.target()).ok()
    }
}
