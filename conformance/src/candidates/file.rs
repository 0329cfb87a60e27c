//! The candidate file: how a person tells the suite to start an implementation. Owns its format and placeholders.
//!
//! ```toml
//! name    = "mine"
//! command = ["python3", "{dir}/adapter.py"]        # program and arguments of the worker
//! env     = { PYTHONUNBUFFERED = "1" }             # optional, in addition to the environment
//! cwd     = "."                                    # optional, relative to this file
//! needs   = "python3"                              # optional, a program that has to be installed
//! build   = [["cargo", "build", "--release"]]      # optional, commands before every run
//! setup   = [["python3", "-m", "venv", "{state}"]] # optional, commands once, and again when they change
//! source  = "served"                               # optional, `path` or `served`, if it offers both
//! known   = "known.toml"                           # optional, its known failures
//! limits  = { seconds = 10, hello_seconds = 20, memory_mib = 1024, restarts = 200 }  # optional, each
//! ```
//!
//! `{dir}` is the folder of this file, `{root}` the repository, `{target}` its build folder, `{state}` a folder kept
//! for this candidate. Optional fields that are left out have the values shown for `limits`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hurray_adapter::SourceKind;
use serde::Deserialize;

use crate::transport::worker::{Launch, Limits};

/// A candidate file as it stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateFile {
    /// What it is called on the command line and in reports.
    pub name: String,
    /// Program and arguments of the worker.
    pub command: Vec<String>,
    /// Environment variables in addition to ours.
    #[serde(default)]
    pub env: std::collections::BTreeMap<String, String>,
    /// Working directory, relative to the file.
    pub cwd: Option<PathBuf>,
    /// A program that has to be installed.
    pub needs: Option<String>,
    /// Commands before every run.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// Commands once, and again when they or the files they name change.
    #[serde(default)]
    pub setup: Vec<Vec<String>>,
    /// How files are handed over, if the candidate offers both ways.
    pub source: Option<SourceWay>,
    /// The list of its known failures, relative to the file.
    pub known: Option<PathBuf>,
    /// Bounds.
    #[serde(default)]
    pub limits: FileLimits,
}

/// How a file is handed to a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceWay {
    /// As a path.
    Path,
    /// Range by range.
    Served,
}

impl SourceWay {
    /// What the protocol calls it.
    pub fn kind(self) -> SourceKind {
        match self {
            SourceWay::Path => SourceKind::Path,
            SourceWay::Served => SourceKind::Served,
        }
    }
}

/// Bounds as they stand in a candidate file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileLimits {
    seconds: Option<f64>,
    hello_seconds: Option<f64>,
    memory_mib: Option<u32>,
    restarts: Option<u32>,
}

impl FileLimits {
    /// The bounds, with the usual ones for what is left out.
    ///
    /// # Errors
    /// One sentence on a time that is none.
    fn resolve(&self) -> Result<Limits, String> {
        let usual = Limits::default();
        let time = |field: &str, seconds: Option<f64>, usual: Duration| match seconds {
            None => Ok(usual),
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero() && *time <= Duration::from_secs(3600))
                .ok_or_else(|| format!("limits.{field} = {seconds} is not a time between 0 and 3600 seconds")),
        };
        Ok(Limits {
            request: time("seconds", self.seconds, usual.request)?,
            hello: time("hello_seconds", self.hello_seconds, usual.hello)?,
            memory_len: self.memory_mib.map_or(usual.memory_len, |mib| u64::from(mib) << 20),
            restart_count: self.restarts.unwrap_or(usual.restart_count),
        })
    }
}

/// What the placeholders stand for.
#[derive(Clone, Debug)]
pub struct Places {
    /// The folder of the candidate file.
    pub dir: PathBuf,
    /// The repository, where there is one.
    pub root: Option<PathBuf>,
    /// Its build folder.
    pub target: Option<PathBuf>,
    /// A folder kept for this candidate.
    pub state: PathBuf,
}

impl Places {
    /// `text` with its placeholders filled.
    ///
    /// # Errors
    /// One sentence on a placeholder that means nothing here.
    pub fn fill(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            out.push_str(&rest[..start]);
            let Some(len) = rest[start..].find('}') else { break };
            let name = &rest[start + 1..start + len];
            let here = |path: &Option<PathBuf>| {
                path.clone()
                    .ok_or_else(|| format!("`{{{name}}}` needs the repository: run `cargo xtask conformance` in it"))
            };
            let path = match name {
                "dir" => self.dir.clone(),
                "state" => self.state.clone(),
                "root" => here(&self.root)?,
                "target" => here(&self.target)?,
                _ => return Err(format!("`{{{name}}}` is none of {{dir}}, {{root}}, {{target}}, {{state}}")),
            };
            out.push_str(&path.to_string_lossy());
            rest = &rest[start + len + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// A command with its placeholders filled.
    ///
    /// # Errors
    /// As [`Places::fill`].
    pub fn fill_all(&self, command: &[String]) -> Result<Vec<String>, String> {
        command.iter().map(|argument| self.fill(argument)).collect()
    }
}

impl CandidateFile {
    /// Reads the text of a candidate file.
    ///
    /// # Errors
    /// One sentence on what is wrong with it.
    pub fn parse(text: &str) -> Result<CandidateFile, String> {
        let file: CandidateFile = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if file.name.is_empty() || file.name.contains(['/', '\\']) {
            return Err("`name` is empty or contains a slash; it becomes part of a file name".to_owned());
        }
        if file.command.is_empty() {
            return Err("`command` is empty; give the program and its arguments".to_owned());
        }
        if file.build.iter().chain(&file.setup).any(Vec::is_empty) {
            return Err("a command of `build` or `setup` is empty".to_owned());
        }
        file.limits.resolve()?;
        Ok(file)
    }

    /// Whether it can be started without anything being installed first.
    pub fn needs_nothing(&self) -> bool {
        self.needs.is_none() && self.setup.is_empty()
    }

    /// How to start its worker.
    ///
    /// # Errors
    /// As [`Places::fill`].
    pub fn launch(&self, places: &Places) -> Result<Launch, String> {
        let fill_value = |(name, value): (&String, &String)| Ok((name.clone(), places.fill(value)?));
        Ok(Launch {
            command: places.fill_all(&self.command)?,
            env: self.env.iter().map(fill_value).collect::<Result<_, String>>()?,
            cwd: self.cwd.as_ref().map(|cwd| places.dir.join(cwd)),
            limits: self.limits.resolve()?,
        })
    }
}

/// The folder a candidate file stands in.
pub fn dir_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(root: Option<&str>) -> Places {
        let path = |text: &str| PathBuf::from(text);
        Places { dir: path("d"), root: root.map(path), target: root.map(path), state: path("s") }
    }

    #[test]
    fn a_full_file_is_understood() {
        let file = CandidateFile::parse(
            "name = \"m\"\ncommand = [\"p\", \"{dir}/a\"]\nenv = { A = \"{state}\" }\ncwd = \"c\"\nsource = \
             \"served\"\nlimits = { seconds = 0.5, memory_mib = 64, restarts = 3 }\n",
        )
        .expect("a candidate");
        let launch = file.launch(&places(None)).expect("a launch");
        assert_eq!(launch.command, ["p", "d/a"]);
        assert_eq!(launch.env, [("A".to_owned(), "s".to_owned())]);
        assert_eq!(launch.cwd, Some(PathBuf::from("d/c")));
        assert_eq!(launch.limits.request, Duration::from_millis(500));
        assert_eq!((launch.limits.memory_len, launch.limits.restart_count), (64 << 20, 3));
        assert_eq!(launch.limits.hello, Limits::default().hello);
        assert!(file.needs_nothing());
    }

    #[test]
    fn mistakes_are_told() {
        for text in [
            "command = [\"p\"]",
            "name = \"m\"\ncommand = []",
            "name = \"a/b\"\ncommand = [\"p\"]",
            "name = \"m\"\ncommand = [\"p\"]\nodd = 1",
            "name = \"m\"\ncommand = [\"p\"]\nsetup = [[]]",
            "name = \"m\"\ncommand = [\"p\"]\nlimits = { seconds = -1 }",
            "name = \"m\"\ncommand = [\"p\"]\nlimits = { seconds = inf }",
            "name = \"m\"\ncommand = [\"p\"]\nsource = \"mail\"",
        ] {
            assert!(CandidateFile::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn placeholders_that_mean_nothing_are_told() {
        assert_eq!(places(Some("r")).fill("{root}/x/{target}{"), Ok("r/x/r{".to_owned()));
        assert!(places(None).fill("{root}").is_err());
        assert!(places(Some("r")).fill("{odd}").is_err());
    }
}
