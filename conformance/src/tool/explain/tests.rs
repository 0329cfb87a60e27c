//! Rules, vectors and files in words.

use super::*;

fn set() -> VectorSet {
    VectorSet::embedded().expect("the vectors")
}

#[test]
fn a_rule_is_explained_from_its_text_to_its_vectors() {
    let of_sources = |rule: Rule| Ok(format!("chapter\n  of {rule}\n"));
    let text = explain_rule(Rule::ContainerTrailerMagicReject, &set(), &of_sources).expect("an explanation");
    for part in [
        Rule::ContainerTrailerMagicReject.info().text,
        "chapter\n  of container.trailer.magic-reject\n",
        "container/trailer/magic-last-byte: reject at open at the latest, near miss bases/one-f32",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_vector_is_explained_byte_by_byte() {
    let set = set();
    let vector = set.get("container/trailer/magic-last-byte").expect("a vector");
    let text = explain_vector(vector);
    assert!(text.contains(&vector.why) && text.contains("trailer.magic"), "{text}");
    // Every byte stands in exactly one line.
    let lens = leaves(&vector.labels).map(|(_, range)| range.end - range.start);
    assert_eq!(lens.sum::<u64>(), vector.bytes.len() as u64);
}

#[test]
fn a_description_is_explained_with_what_is_asked_for() {
    let set = set();
    let vector = set.write("write/container/duplicate-name").expect("a vector for writers");
    let text = explain_write(vector);
    for part in
        ["to be refused, at no cost", "io.write.duplicate-name-refused", "vectors/write/container.toml:", "float32"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_file_is_explained_with_its_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.hrry");
    std::fs::write(&path, &set().get("bases/one-f32").expect("a base").bytes).expect("written");
    let text = explain_file(&path).expect("an explanation");
    assert!(text.contains("a.descriptor.type_tag") && text.contains(": accept"), "{text}");
}

#[test]
fn a_name_of_nothing_brings_what_comes_close() {
    assert!(unknown("container.trailer.magic", &set()).contains("container.trailer.magic-reject"));
    assert!(unknown("zzz", &set()).contains("vectors export"));
    let args = ExplainArgs { what: "zzz".to_owned() };
    let error = run(&args, &Home::installed(), &without_sources).expect_err("no explanation");
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "wrong usage, and no fault of the suite");
}
