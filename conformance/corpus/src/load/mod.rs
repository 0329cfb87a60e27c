//! From the text of the vector files to vectors: parse, assemble, resolve names, and refuse what contradicts itself.
//!
//! Owns every check of the suite on itself. Reads no file and judges no candidate.

mod check;
mod fragments;
mod parse;
mod sequential;
mod sources;
mod write;

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use self::parse::{AreaFile, Base, MeaningOf, Over};
pub use self::sources::Sources;
pub(crate) use self::sources::{OTHER_FOLDERS, is_other};
use crate::error::{LoadError, LoadFault};
use crate::form::element;
use crate::form::vector::{PermissiveForm, SequentialForm};
use crate::recipe::Place;
use crate::vector::{Expect, Vector};
use crate::write_vector::WriteVector;

/// What could be loaded, and what is wrong with the rest.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The sound vectors, in the order of their ids.
    pub vectors: Vec<Vector>,
    /// The sound vectors for writers, in the order of their ids.
    pub writes: Vec<WriteVector>,
    /// Every mistake, in the order of the files.
    pub errors: Vec<LoadError>,
}

/// Loads all bases and vectors of `sources`; one mistake does not hide the others.
///
/// Files of the other folders are left alone.
pub fn load(sources: &Sources) -> Loaded {
    let mut loaded = Loaded::default();
    let mut bases = BTreeMap::new();
    let fragments = fragments::all(sources, &mut loaded.errors);
    for (path, text) in sources {
        if let Some(name) = path.strip_prefix("bases/").and_then(|path| path.strip_suffix(".toml")) {
            match parse::base(path, name, text, &fragments) {
                Ok(base) => {
                    loaded.vectors.push(base.vector.clone());
                    bases.insert(name.to_owned(), base);
                }
                Err(error) => loaded.errors.push(error),
            }
        }
    }
    let (mut meanings, mut permissive, mut sequential) = (Vec::new(), Vec::new(), Vec::new());
    for (path, text) in sources {
        if path.starts_with("write/") {
            load_writes(path, text, &mut loaded);
        } else if !path.starts_with("bases/") && !fragments::is_one(path) && !is_other(path) {
            let file = load_area(path, text, &bases, &mut loaded);
            for result in file.vectors {
                match result {
                    Ok(vector) => loaded.vectors.push(vector),
                    Err(error) => loaded.errors.push(error),
                }
            }
            meanings.extend(file.meanings);
            permissive.extend(file.permissive);
            sequential.extend(file.sequential);
        }
    }
    add_meanings(meanings, &mut loaded);
    add_over(permissive, Over::<PermissiveForm>::vector, &mut loaded);
    add_over(sequential, Over::<SequentialForm>::vector, &mut loaded);
    refuse_duplicates(&mut loaded);
    resolve_near(&mut loaded);
    loaded.vectors.sort_by(|left, right| left.id.cmp(&right.id));
    loaded.writes.sort_by(|left, right| left.id.cmp(&right.id));
    loaded
}

fn load_writes(path: &str, text: &str, loaded: &mut Loaded) {
    for result in write::file(path, text) {
        match result {
            Ok(vector) => loaded.writes.push(vector),
            Err(error) => loaded.errors.push(error),
        }
    }
}

fn load_area(path: &str, text: &str, bases: &BTreeMap<String, Base>, loaded: &mut Loaded) -> AreaFile {
    let prefix = path.strip_suffix(".toml").filter(|prefix| prefix.split('/').count() == 2);
    let Some(prefix) = prefix else {
        loaded.errors.push(LoadError { place: Place::file(path), id: None, fault: LoadFault::Misplaced });
        return AreaFile::default();
    };
    parse::area(path, prefix, text, bases).unwrap_or_else(|error| {
        loaded.errors.push(error);
        AreaFile::default()
    })
}

/// Gives each vector the elements that are stated apart from it.
fn add_meanings(meanings: Vec<Result<MeaningOf, LoadError>>, loaded: &mut Loaded) {
    for stated in meanings {
        let stated = match stated {
            Ok(stated) => stated,
            Err(error) => {
                loaded.errors.push(error);
                continue;
            }
        };
        let vector = loaded.vectors.iter_mut().find(|vector| vector.id == stated.of);
        let fault = match vector {
            None => {
                Some(LoadFault::BadField { field: "of", what: format!("no vector `{}`; write a whole id", stated.of) })
            }
            Some(vector) if matches!(vector.expect, Expect::Reject { .. }) => {
                Some(LoadFault::Needless { field: "meaning", because: "what is rejected has none" })
            }
            Some(vector) => {
                vector
                    .rules
                    .extend(stated.rules.iter().filter(|rule| !vector.rules.contains(rule)).collect::<Vec<_>>());
                vector.meaning.extend(stated.meaning);
                element::fault(&vector.meaning, &vector.observe)
                    .map(|what| LoadFault::BadField { field: "meaning", what })
            }
        };
        if let Some(fault) = fault {
            loaded.errors.push(LoadError { place: stated.place, id: Some(stated.of), fault });
        }
    }
}

/// Adds what files that have a verdict are to another way of reading.
fn add_over<F>(
    entries: Vec<Over<F>>,
    vector: fn(Over<F>, &[Vector]) -> Result<Vector, LoadFault>,
    loaded: &mut Loaded,
) {
    let mut added = Vec::new();
    for entry in entries {
        let (place, id) = (entry.place.clone(), entry.id.clone());
        match vector(entry, &loaded.vectors) {
            Ok(vector) => added.push(vector),
            Err(fault) => loaded.errors.push(LoadError { place, id: Some(id), fault }),
        }
    }
    loaded.vectors.extend(added);
}

fn error_at(vector: &Vector, fault: LoadFault) -> LoadError {
    error_in(&vector.source, &vector.id, fault)
}

fn error_in(source: &str, id: &str, fault: LoadFault) -> LoadError {
    let (file, line) = source.rsplit_once(':').unwrap_or((source, "0"));
    let place = Place { file: file.into(), line: line.parse().unwrap_or(0) };
    LoadError { place, id: Some(id.to_owned()), fault }
}

/// One id is one vector, and one file has one verdict in strict mode.
fn refuse_duplicates(loaded: &mut Loaded) {
    let mut ids: HashMap<&str, &Vector> = HashMap::new();
    let mut described: HashMap<&str, &WriteVector> = HashMap::new();
    for vector in &loaded.writes {
        if let Some(first) = described.insert(&vector.id, vector) {
            let fault = LoadFault::DuplicateId { first: first.source.clone() };
            loaded.errors.push(error_in(&vector.source, &vector.id, fault));
        }
    }
    let mut files: HashMap<(bool, [u8; 32]), &Vector> = HashMap::new();
    for vector in &loaded.vectors {
        if let Some(first) = ids.insert(&vector.id, vector) {
            loaded.errors.push(error_at(vector, LoadFault::DuplicateId { first: first.source.clone() }));
        }
        if vector.of.is_some() {
            continue;
        }
        if let Some(other) = files.insert((vector.mode.is_of_file(), Sha256::digest(&vector.bytes).into()), vector) {
            loaded.errors.push(error_at(vector, LoadFault::SameBytes { other: other.id.clone() }));
        }
    }
}

/// Replaces `base` and ids of the same file by whole ids, and makes sure that a near miss is an accepted vector.
fn resolve_near(loaded: &mut Loaded) {
    let accepted: HashMap<String, bool> =
        loaded.vectors.iter().map(|vector| (vector.id.clone(), vector.expect == Expect::Accept)).collect();
    for vector in &mut loaded.vectors {
        let Some(near) = &vector.near else { continue };
        let whole = match near.as_str() {
            "base" => format!("bases/{}", vector.base),
            id if id.contains('/') => id.to_owned(),
            id => format!("{}/{id}", vector.id.rsplit_once('/').map_or("", |(file, _)| file)),
        };
        let fault = match accepted.get(&whole) {
            Some(true) => None,
            Some(false) => Some(LoadFault::NearNotAccepted(whole.clone())),
            None => Some(LoadFault::UnknownNear(near.clone())),
        };
        if let Some(fault) = fault {
            loaded.errors.push(error_at(vector, fault));
        }
        vector.near = Some(whole);
    }
}

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
mod capability_tests;

#[cfg(test)]
mod default_tests;
