//! Files that others wrote, as seen by the reference: the public corpus, and what `pyhurray` writes when it is at hand.
//!
//! What has to be seen is told by whoever wrote the file. Where the corpus or the package is absent, the test says so
//! on standard error and passes. What `hurray-io` writes is read by the tests of its adapter.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use hurray_adapter::{
    BufferObservation, Candidate, KvEntry, KvValue, Observed, Reader, Source, TensorObservation, Text,
};
use hurray_conformance::candidates::Home;
use hurray_conformance::candidates::reference::Reference;
use hurray_conformance::judge::Comparison;
use hurray_spec::tables::{ElementType, Layout};
use serde::Deserialize;
use serde_json::{Value, json};

/// One file as its writer describes it.
#[derive(Deserialize)]
struct Meant {
    tensors: Vec<MeantTensor>,
    kv: Vec<KvEntry>,
}

#[derive(Deserialize)]
struct MeantTensor {
    name: Text,
    tensor: TensorObservation,
    buffers: Vec<BufferObservation>,
}

/// Past the test harness, which shows the output of failures alone.
fn say_skipped(test: &str, why: &str) {
    // Nothing depends on whether it can be said.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn open(file: &Path) -> Box<dyn Reader> {
    let opened = Reference::strict().open(Source::Path(file.to_path_buf()));
    opened.unwrap_or_else(|failure| panic!("{}: {failure:?}", file.display())).1
}

fn read(reader: &mut dyn Reader, name: &Text) -> Observed {
    reader.read(&name.0).unwrap_or_else(|failure| panic!("{name}: {failure:?}"))
}

fn breaks_no_rule(file: &Path) {
    let seen = Reference::strict().validate(Source::Path(file.to_path_buf())).expect("it can be walked through");
    assert_eq!(seen.findings, Some(Vec::new()), "{}", file.display());
}

fn is_seen_as_meant(file: &Path, meant: &Meant) {
    let hello = Reference::strict().hello();
    let mut comparison = Comparison::new(&hello);
    let mut reader = open(file);
    let names: Vec<Text> = meant.tensors.iter().map(|tensor| tensor.name.clone()).collect();
    comparison.names(&names, reader.list().expect("list").names.as_ref()).expect("names");
    // The other way round: what the writer does not tell of a value, such as the sign of an integer, is not compared.
    comparison.kv(reader.kv().expect("kv").kv.as_ref(), Some(&meant.kv)).expect("key-values");
    for MeantTensor { name, tensor, buffers } in &meant.tensors {
        let seen = read(reader.as_mut(), name);
        comparison.tensor(name, tensor, seen.tensor.as_ref()).expect("a descriptor");
        let handles = seen.tensor.as_ref().and_then(|tensor| tensor.handles.as_ref());
        comparison.buffers(name, Some(buffers), handles, seen.buffers.as_ref()).expect("its bytes");
    }
}

#[test]
fn what_pyhurray_writes_is_read_as_meant_and_breaks_no_rule() {
    let test = "what_pyhurray_writes_is_read_as_meant_and_breaks_no_rule";
    let python = match std::env::var_os("HURRAY_PYHURRAY_PYTHON") {
        Some(python) => PathBuf::from(python),
        None => Home::repository(&repository()).state.join("pyhurray/venv/bin/python"),
    };
    if !python.exists() {
        return say_skipped(test, "no pyhurray; run `cargo xtask conformance --candidate pyhurray` once");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = repository().join("conformance/candidates/pyhurray/write_files.py");
    let wrote = Command::new(&python).arg(script).arg(folder.path()).status().expect("the Python of the package");
    assert!(wrote.success(), "{}: {wrote}", python.display());
    let mut count = 0;
    for entry in fs::read_dir(folder.path()).expect("a folder").flatten() {
        let file = entry.path();
        if file.extension().is_some_and(|extension| extension == "hrry") {
            let meant = fs::read(file.with_extension("json")).expect("a description beside each file");
            is_seen_as_meant(&file, &serde_json::from_slice(&meant).expect("a description"));
            breaks_no_rule(&file);
            count += 1;
        }
    }
    assert_eq!(count, 4);
}

#[test]
fn the_public_corpus_is_read_as_described_and_breaks_no_rule() {
    let corpus = std::env::var_os("HURRAY_UPSTREAM").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| repository().join("../shared/upstream"));
    let Ok(manifest) = fs::read(corpus.join("manifest.json")) else {
        let why = "no public corpus; HURRAY_UPSTREAM names the folder of its manifest.json";
        return say_skipped("the_public_corpus_is_read_as_described_and_breaks_no_rule", why);
    };
    let manifest: Value = serde_json::from_slice(&manifest).expect("a manifest");
    let files = manifest["files"].as_array().expect("a list of files");
    assert_eq!(files.len(), files_in(&corpus, "hrry"), "every file of the corpus is described");
    for described in files {
        let file = corpus.join(described["file"].as_str().expect("a path"));
        is_seen_as_described(&file, described);
        breaks_no_rule(&file);
    }
}

/// How many files of that kind the corpus holds.
fn files_in(corpus: &Path, extension: &str) -> usize {
    let folders = ["files", "descriptors"].map(|folder| fs::read_dir(corpus.join(folder)).expect("a folder"));
    let files = folders.into_iter().flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|found| found == extension)).count()
}

/// Requires that `stated` has these properties, all of which are looked at, and no others.
fn has_only(stated: &Value, known: &[&str]) {
    let mut names: Vec<&str> = stated.as_object().expect("properties").keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, known, "{stated}");
}

fn is_seen_as_described(file: &Path, described: &Value) {
    has_only(described, &["description", "file", "kv", "tensors"]);
    let mut reader = open(file);
    let tensors = described["tensors"].as_array().expect("tensors");
    let text = |value: &Value| Text::from(value.as_str().expect("text"));
    let names: Vec<Text> = tensors.iter().map(|tensor| text(&tensor["name"])).collect();
    assert_eq!(reader.list().expect("list").names, Some(names));
    for tensor in tensors {
        has_only(tensor, &["data_bytes", "element_type", "element_type_tag", "name", "shape"]);
        let seen = read(reader.as_mut(), &text(&tensor["name"]));
        let lens: Vec<u64> = seen.buffers.iter().flatten().map(|buffer| buffer.len.0).collect();
        assert_eq!(lens, [tensor["data_bytes"].as_u64().expect("a length")]);
        let seen = seen.tensor.expect("a descriptor");
        assert_eq!(seen.element_type.as_deref(), tensor["element_type"].as_str());
        let tag = seen.element_type.as_deref().and_then(ElementType::from_name).map(|element| u64::from(element.tag));
        assert_eq!(tag, tensor["element_type_tag"].as_u64());
        let shape: Vec<Value> = seen.shape.into_iter().flatten().map(|size| size.0.into()).collect();
        assert_eq!(Some(&shape), tensor["shape"].as_array());
    }
    let entries = described["kv"].as_array().expect("key-values").iter().map(|entry| {
        has_only(entry, &["key", "kind", "value_int", "value_string"]);
        let value = match entry["kind"].as_str() {
            Some("string") => KvValue::String(text(&entry["value_string"])),
            Some("int64") => KvValue::Int64(entry["value_int"].as_i64().expect("an integer").into()),
            kind => panic!("a kind of value this test does not know: {kind:?}"),
        };
        KvEntry { key: text(&entry["key"]), value }
    });
    assert_eq!(reader.kv().expect("kv").kv, Some(entries.collect()));
}

#[test]
fn the_public_descriptors_are_decoded_as_described() {
    let corpus = std::env::var_os("HURRAY_UPSTREAM").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| repository().join("../shared/upstream"));
    let Ok(manifest) = fs::read(corpus.join("manifest.json")) else {
        let why = "no public corpus; HURRAY_UPSTREAM names the folder of its manifest.json";
        return say_skipped("the_public_descriptors_are_decoded_as_described", why);
    };
    let manifest: Value = serde_json::from_slice(&manifest).expect("a manifest");
    let descriptors = manifest["descriptors"].as_array().expect("a list of descriptors");
    assert_eq!(descriptors.len(), files_in(&corpus, "bin"), "every descriptor of the corpus is described");
    for described in descriptors {
        let file = corpus.join(described["file"].as_str().expect("a path"));
        is_decoded_as_described(&file, &described["expect"]);
    }
}

fn is_decoded_as_described(file: &Path, described: &Value) {
    let bytes = fs::read(file).expect("the bytes of a descriptor");
    let seen = Reference::strict().descriptor(&bytes);
    let seen = seen.unwrap_or_else(|failure| panic!("{}: {failure:?}", file.display()));
    assert_eq!(seen.descriptor_length.map(|len| len.0), Some(bytes.len() as u64), "{}", file.display());
    let seen = seen.tensor.expect("a descriptor");
    let layout = seen.layout.as_deref().and_then(Layout::from_name).map(|layout| layout.tag);
    let tag = seen.element_type.as_deref().and_then(ElementType::from_name).map(|element| element.tag);
    let sizes: Vec<u64> =
        seen.handles.iter().flatten().filter_map(|handle| handle.byte_size).map(|size| size.0).collect();
    let shape: Vec<u64> = seen.shape.iter().flatten().map(|dim| dim.0).collect();
    let found = json!({
        "version_major": seen.version.map(|[major, _]| major),
        "version_minor": seen.version.map(|[_, minor]| minor),
        "element_type_tag": tag,
        "element_type": seen.element_type,
        "shape": shape,
        "byte_offset": seen.byte_offset.map(|offset| offset.0),
        "layout_tag": layout,
        "buffer_byte_sizes": sizes,
        "has_quantization": seen.quantization.is_some(),
        "has_shard": seen.shard.is_some(),
    });
    // Every property that the manifest states, and no less than it states today.
    let stated = described.as_object().expect("properties");
    assert!(stated.len() >= 10);
    for (property, value) in stated {
        assert_eq!(found.get(property), Some(value), "{}: {property}", file.display());
    }
}
