//! Files on disk against recipes.

use std::fs;

use super::super::{VectorSet, load::tests::sources};
use super::{Difference, differences, export, write};

fn set() -> VectorSet {
    VectorSet::from_sources(&sources("")).expect("sound recipes")
}

#[test]
fn written_files_have_no_differences() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(write(&set(), dir.path()).unwrap().len(), 4, "the manifest and three files");
    assert_eq!(differences(&set(), dir.path()).unwrap(), []);
    assert_eq!(fs::read(dir.path().join("files/bases/b.hrry")).unwrap(), [1, 2, 0]);
}

#[test]
fn every_way_to_differ_is_found_and_mended() {
    let dir = tempfile::tempdir().unwrap();
    write(&set(), dir.path()).unwrap();
    fs::remove_file(dir.path().join("files/bases/b.hrry")).unwrap();
    fs::write(dir.path().join("files/area/noun/bad.hrry"), [1]).unwrap();
    fs::write(dir.path().join("files/area/noun/stray.hrry"), [1]).unwrap();
    fs::write(dir.path().join("manifest.json"), "{}").unwrap();
    let mut found = differences(&set(), dir.path()).unwrap();
    found.sort();
    let expected = [
        Difference::Missing("files/bases/b.hrry".into()),
        Difference::Stale("files/area/noun/bad.hrry".into()),
        Difference::Stale("manifest.json".into()),
        Difference::Stray("files/area/noun/stray.hrry".into()),
    ];
    assert_eq!(found, expected);
    write(&set(), dir.path()).unwrap();
    assert_eq!(differences(&set(), dir.path()).unwrap(), []);
}

#[test]
fn an_export_stands_alone() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("new/folder");
    export(&set(), &out).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let vectors = manifest["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let bytes = fs::read(out.join(vector["file"].as_str().unwrap())).unwrap();
        assert_eq!(vector["len"], bytes.len());
        assert_eq!(vector["sha256"], hurray_adapter::BufferObservation::of(&bytes).sha256);
    }
    assert!(fs::read_to_string(out.join("README.md")).unwrap().contains("manifest.json"));
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(fs::read_to_string(out.join(license)).unwrap().len() > 1000, "{license}");
    }
}
