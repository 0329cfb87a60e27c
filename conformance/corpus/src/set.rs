//! The whole set of vectors: from a folder or from the program itself, in stable order, with a digest.
//!
//! Owns reading the folder and selecting by glob.

use std::fs;
use std::path::Path;

use globset::GlobBuilder;

use crate::error::{LoadError, LoadErrors, LoadFault};
use crate::load::{OTHER_FOLDERS, Sources, is_other, load};
use crate::manifest;
use crate::recipe::Place;
use crate::vector::Vector;
use crate::write_vector::WriteVector;

/// All vectors, in the order of their ids.
#[derive(Clone, Debug)]
pub struct VectorSet {
    /// The vectors.
    pub vectors: Vec<Vector>,
    /// The vectors for writers, in the order of their ids.
    pub writes: Vec<WriteVector>,
    /// SHA-256 of the manifest's vectors, 64 hex digits: the same digest means the same files and expectations.
    pub digest: String,
}

impl VectorSet {
    /// Loads the folder `vectors/` of the repository, or one exported from it with its recipes.
    ///
    /// # Errors
    /// Every mistake in the files; a broken suite judges nobody.
    pub fn from_dir(dir: &Path) -> Result<VectorSet, LoadErrors> {
        let sources = read_sources(dir).map_err(|error| LoadErrors(vec![error]))?;
        VectorSet::from_sources(&sources)
    }

    /// Loads the vectors built into this program.
    ///
    /// # Errors
    /// As [`VectorSet::from_dir`].
    pub fn embedded() -> Result<VectorSet, LoadErrors> {
        VectorSet::from_sources(&embedded_sources())
    }

    /// Loads vector files given as text.
    ///
    /// # Errors
    /// As [`VectorSet::from_dir`].
    pub fn from_sources(sources: &Sources) -> Result<VectorSet, LoadErrors> {
        let loaded = load(sources);
        if !loaded.errors.is_empty() {
            return Err(LoadErrors(loaded.errors));
        }
        let digest = manifest::digest(&loaded.vectors, &loaded.writes);
        Ok(VectorSet { vectors: loaded.vectors, writes: loaded.writes, digest })
    }

    /// The vector of that id.
    pub fn get(&self, id: &str) -> Option<&Vector> {
        let at = self.vectors.binary_search_by(|vector| vector.id.as_str().cmp(id));
        at.ok().map(|at| &self.vectors[at])
    }

    /// Whether a vector, for readers or for writers, has that id.
    pub fn has(&self, id: &str) -> bool {
        self.get(id).is_some() || self.write(id).is_some()
    }

    /// The vector for writers of that id.
    pub fn write(&self, id: &str) -> Option<&WriteVector> {
        let at = self.writes.binary_search_by(|vector| vector.id.as_str().cmp(id));
        at.ok().map(|at| &self.writes[at])
    }

    /// The vectors whose id, or one of whose tags, matches `glob`; `*` also crosses `/`.
    ///
    /// # Errors
    /// The glob does not parse.
    pub fn select(&self, glob: &str) -> Result<Vec<&Vector>, globset::Error> {
        let matcher = GlobBuilder::new(glob).literal_separator(false).build()?.compile_matcher();
        let matches =
            |vector: &&Vector| matcher.is_match(&vector.id) || vector.tags.iter().any(|tag| matcher.is_match(tag));
        Ok(self.vectors.iter().filter(matches).collect())
    }
}

/// The one file of `vectors/` that describes the folder as a package, not a vector.
const PACKAGE: &str = "Cargo.toml";

/// Every recipe that is built in.
fn embedded_sources() -> Sources {
    hurray_vectors::texts("").into_iter().filter(|(path, _)| !is_other(path)).collect()
}

/// The text of every `.toml` file one or two folders deep in `dir`.
///
/// # Errors
/// A folder or file that cannot be read, or is not UTF-8.
pub fn read_sources(dir: &Path) -> Result<Sources, LoadError> {
    let fail = |path: &Path, error: std::io::Error| LoadError {
        place: Place::file(path.display().to_string()),
        id: None,
        fault: LoadFault::Io(error.to_string()),
    };
    let mut sources = Sources::new();
    let mut folders = vec![(dir.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| fail(&folder, error))? {
            let entry = entry.map_err(|error| fail(&folder, error))?;
            let path = entry.path();
            let Ok(name) = entry.file_name().into_string() else { continue };
            let relative = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            if path.is_dir() {
                if !OTHER_FOLDERS.contains(&relative.as_str()) && prefix.split('/').count() < 3 {
                    folders.push((path, relative));
                }
            } else if name.ends_with(".toml") && relative != PACKAGE {
                sources.insert(relative, fs::read_to_string(&path).map_err(|error| fail(&path, error))?);
            }
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::tests::sources;

    #[test]
    fn vectors_stand_in_the_order_of_their_ids() {
        let set = VectorSet::from_sources(&sources("")).unwrap();
        let ids: Vec<_> = set.vectors.iter().map(|vector| vector.id.as_str()).collect();
        assert_eq!(ids, ["area/noun/bad", "area/noun/good", "bases/b"]);
        assert_eq!(set.get("area/noun/good").map(|vector| vector.bytes.len()), Some(3));
        assert!(set.get("area/noun").is_none());
    }

    #[test]
    fn globs_match_ids_and_tags() {
        let set = VectorSet::from_sources(&sources("")).unwrap();
        let ids =
            |glob: &str| set.select(glob).unwrap().into_iter().map(|vector| vector.id.as_str()).collect::<Vec<_>>();
        assert_eq!(ids("area*"), ["area/noun/bad", "area/noun/good"]);
        assert_eq!(ids("*/b*"), ["area/noun/bad", "bases/b"]);
        assert_eq!(ids("small"), ["area/noun/good"]);
        assert_eq!(ids("bases"), Vec::<&str>::new());
        assert!(set.select("[").is_err());
    }

    #[test]
    fn the_digest_changes_with_bytes_and_with_expectations() {
        let digest = |change| VectorSet::from_sources(&sources(change)).unwrap().digest;
        let plain = digest("");
        assert_eq!(plain, digest(""));
        assert_eq!(plain.len(), 64);
        for change in [
            "to = \"3\"=>to = \"4\"",
            "tags = [\"small\"]=>",
            "absent = [\"x\"=>absent = [\"y\"",
            "why = \"Three=>why = \"3",
        ] {
            assert_ne!(plain, digest(change), "{change}");
        }
    }

    #[test]
    fn a_broken_set_names_every_mistake() {
        let errors = VectorSet::from_sources(&sources("why = \"Still good.\"=>why = \"\"")).unwrap_err();
        assert_eq!(errors.0.len(), 2, "the vector and the near miss that is gone with it");
        assert!(
            errors
                .to_string()
                .starts_with("the suite is broken, 2 mistake(s) in the vector files:\n  area/noun.toml:15")
        );
    }

    #[test]
    fn the_built_in_recipes_are_those_of_the_folder() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let (there, built_in) = (read_sources(&dir).unwrap(), embedded_sources());
        assert_eq!(there.keys().collect::<Vec<_>>(), built_in.keys().collect::<Vec<_>>());
        for (path, text) in &there {
            assert!(built_in[path] == *text, "{path} was built in with another text");
        }
        let missing = read_sources(Path::new("no/such/folder")).unwrap_err();
        assert!(matches!(missing.fault, LoadFault::Io(_)));
    }
}
