//! The assembled files and the manifest on disk: written, compared, exported.
//!
//! Owns `vectors/files/` and `vectors/manifest.json`. What stands there never feeds back into the suite: it is compared
//! with the recipes, not read as a source.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::manifest::{self, file_path, is_committed};
use crate::{Vector, VectorSet};

/// A file that is not what the recipes say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// It is not there.
    Missing(String),
    /// Its bytes differ.
    Stale(String),
    /// No recipe makes it.
    Stray(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing(path) => write!(f, "{path} is missing"),
            Difference::Stale(path) => write!(f, "{path} differs from its recipe"),
            Difference::Stray(path) => write!(f, "{path} belongs to no vector"),
        }
    }
}

/// Compares `dir`, the folder `vectors/`, with what the recipes assemble to.
///
/// # Errors
/// A folder or file that exists and cannot be read.
pub fn differences(set: &VectorSet, dir: &Path) -> io::Result<Vec<Difference>> {
    let mut found = Vec::new();
    let mut compare = |path: String, bytes: &[u8]| {
        match fs::read(dir.join(&path)) {
            Ok(there) if there == bytes => {}
            Ok(_) => found.push(Difference::Stale(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => found.push(Difference::Missing(path)),
            Err(error) => return Err(at(&dir.join(path), error)),
        }
        Ok(())
    };
    compare("manifest.json".to_owned(), manifest_text(set).as_bytes())?;
    for vector in committed(set) {
        compare(file_path(vector), &vector.bytes)?;
    }
    let expected: BTreeSet<String> = committed(set).map(file_path).collect();
    found.extend(present(dir)?.into_iter().filter(|path| !expected.contains(path)).map(Difference::Stray));
    Ok(found)
}

/// Makes `dir`, the folder `vectors/`, what the recipes say, and returns what was changed.
///
/// # Errors
/// A folder or file that cannot be read, written or removed.
pub fn write(set: &VectorSet, dir: &Path) -> io::Result<Vec<Difference>> {
    let changed = differences(set, dir)?;
    for difference in &changed {
        match difference {
            Difference::Stray(path) => fs::remove_file(dir.join(path)).map_err(|error| at(&dir.join(path), error))?,
            Difference::Missing(path) | Difference::Stale(path) => {
                let vector = committed(set).find(|vector| file_path(vector) == *path);
                match vector {
                    Some(vector) => put(&dir.join(path), &vector.bytes)?,
                    None => put(&dir.join(path), manifest_text(set).as_bytes())?,
                }
            }
        }
    }
    Ok(changed)
}

/// Writes every assembled file, whatever its length, the manifest, the licenses and an explanation to `dir`, for use without Rust.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn export(set: &VectorSet, dir: &Path) -> io::Result<()> {
    for vector in &set.vectors {
        put(&dir.join(file_path(vector)), &vector.bytes)?;
    }
    put(&dir.join("manifest.json"), manifest_text(set).as_bytes())?;
    for (name, text) in hurray_vectors::LICENSES {
        put(&dir.join(name), text.as_bytes())?;
    }
    put(&dir.join("README.md"), hurray_vectors::README.as_bytes())
}

fn manifest_text(set: &VectorSet) -> String {
    manifest::text(&set.vectors, &set.writes, &set.digest)
}

fn committed(set: &VectorSet) -> impl Iterator<Item = &Vector> {
    set.vectors.iter().filter(|vector| vector.of.is_none() && is_committed(vector))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
    }
    fs::write(path, bytes).map_err(|error| at(path, error))
}

/// Every file below `files/`, by its path relative to `dir`, with `/` between its parts.
fn present(dir: &Path) -> io::Result<BTreeSet<String>> {
    let mut paths = BTreeSet::new();
    let mut folders: Vec<(PathBuf, String)> = vec![(dir.join("files"), "files".to_owned())];
    while let Some((folder, prefix)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(at(&folder, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| at(&folder, error))?;
            let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
            match entry.file_type().map_err(|error| at(&entry.path(), error))?.is_dir() {
                true => folders.push((entry.path(), path)),
                false => drop(paths.insert(path)),
            }
        }
    }
    Ok(paths)
}

fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
