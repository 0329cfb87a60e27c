//! Every check of `tidy` on a small staged tree: clean as it stands, one finding with one violation in it.

use std::fs;
use std::process::Command;

use super::tree::Tree;
use super::{check, code};

/// A tree without a fault.
const CLEAN: &[(&str, &str)] = &[
    ("Cargo.toml", "[workspace]\n"),
    ("README.md", "# Title\n"),
    ("spec/Cargo.toml", "[package]\nname = \"hurray-spec\"\n"),
    ("spec/src/lib.rs", "//! Rules.\n\npub struct Rule;\n"),
    (
        "reference/Cargo.toml",
        "[package]\nname = \"hurray-reference\"\n\n[dependencies]\nhurray-spec.workspace = true\nlibc = \"0.2\"\n",
    ),
    ("reference/src/lib.rs", "//! Reference.\n\nmod drive;\nmod reader;\nmod wire;\nmod writer;\n"),
    ("reference/src/drive/mod.rs", "//! I/O.\n\nuse std::io;\n\nuse crate::reader::Reader;\n"),
    ("reference/src/reader/mod.rs", "//! Reader.\n\nuse crate::wire::Header;\n\npub(crate) struct Reader;\n"),
    ("reference/src/wire/mod.rs", "//! Wire.\n\npub(crate) struct Header;\n"),
    ("reference/src/writer/mod.rs", "//! Writer.\n\nuse crate::wire::Header;\n"),
    (
        "conformance/Cargo.toml",
        "[package]\nname = \"hurray-conformance\"\n\n[dependencies]\nhurray-spec.workspace = true\n\n\
         [dev-dependencies]\nhurray-mutants.workspace = true\n",
    ),
    ("conformance/src/lib.rs", "//! Suite.\n\npub mod judge;\npub mod run;\n#[cfg(test)]\nmod testing;\n"),
    ("conformance/src/testing.rs", "//! For tests.\n\nuse crate::run::Files;\n"),
    ("conformance/src/judge/mod.rs", "//! Judge.\n\npub struct Verdict;\n\n#[cfg(test)]\nuse crate::run::Files;\n"),
    ("conformance/src/run/mod.rs", "//! Run.\n\nmod files;\nmod session;\n\npub use files::Files;\n"),
    ("conformance/src/run/files.rs", "//! Files.\n\nuse crate::judge::Verdict;\n\npub struct Files(Verdict);\n"),
    ("conformance/src/run/session.rs", "//! Session.\n\nuse super::Files;\n\npub struct Session(Files);\n"),
    ("conformance/tests/all.rs", "//! All.\n\nuse hurray_mutants::Mutant;\n"),
    ("conformance/candidates/python/hurray_witness/__init__.py", "\"\"\"Witness.\"\"\"\n"),
    (
        "conformance/candidates/python/hurray_witness/reader.py",
        "\"\"\"Reads\nfrom .writer import nothing\n\"\"\"\n\nfrom typing import TYPE_CHECKING\n\nfrom .cursor import (\n    \
         Cursor,\n    Packer,\n)\n\nif TYPE_CHECKING:\n    from .writer import Writer\n",
    ),
    ("conformance/candidates/python/hurray_witness/writer.py", "from . import cursor, reader\n"),
    ("conformance/candidates/python/hurray_witness/cursor.py", "import struct\n"),
    ("conformance/kit/python/adapter.py", "import library\n"),
    ("conformance/kit/python/library.py", "import struct\n"),
    ("fuzz/corpus/open/one", "bytes \n"),
];

/// Findings in the clean tree with `files` put in or in place of its own, as `path:line: words`.
fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let kept = CLEAN.iter().filter(|(path, _)| files.iter().all(|(other, _)| other != path));
    let tree: Vec<(&str, &str)> = kept.chain(files).copied().collect();
    let found = check(&Tree::of(&tree)).expect("the tree is looked at");
    found.iter().map(ToString::to_string).collect()
}

/// Asserts that the clean tree with `files` has one finding, which begins and goes on as told.
#[track_caller]
fn assert_one(files: &[(&str, &str)], place: &str, words: &str) {
    let found = findings(files);
    assert!(found.len() == 1 && found[0].starts_with(place) && found[0].contains(words), "{place} {words}: {found:#?}");
}

#[test]
fn the_staged_tree_is_clean() {
    assert_eq!(findings(&[]), [""; 0]);
}

#[test]
fn text_is_clean() {
    let mark = ["TO", "DO"].concat();
    let machine = ["see /", "home/x\n"].concat();
    assert_one(&[("README.md", "# Title")], "README.md:1: ", "no line end");
    assert_one(&[("README.md", "# Title \n")], "README.md:1: ", "blanks");
    assert_one(&[("README.md", &machine)], "README.md:1: ", "absolute path");
    assert_one(&[("README.md", &format!("{mark}\n"))], "README.md:1: ", "finish it");
    // What the crate of the vectors is called does not make its sources bytes.
    assert_one(&[("conformance/corpus/README.md", "# Title \n")], "conformance/corpus/README.md:1: ", "blanks");
}

#[test]
fn code_keeps_to_the_house_rules() {
    let path = "spec/src/lib.rs";
    let long = |lines: usize| "static A: u8 = 0;\n".repeat(lines - 1);
    let body = "    g();\n".repeat(code::MAX_FUNCTION - 1);
    for (source, place, words) in [
        ("pub struct Rule;\n".to_owned(), "1: ", "open with `//!`"),
        ("//! Rules.\n\nfn f( {\n".to_owned(), "3: ", "not Rust"),
        (format!("//! Rules.\n{}", long(451)), "0: ", "451 lines"),
        (format!("//! Rules.\nfn f() {{\n{body}}}\n"), "2: ", "71 lines"),
        ("//! Rules.\n#[test]\n#[ignore]\nfn f() {}\n".to_owned(), "3: ", "ignored test"),
        ("//! Rules.\nfn f() {\n    todo!()\n}\n".to_owned(), "3: ", "left in"),
    ] {
        assert_one(&[(path, &source)], &format!("{path}:{place}"), words);
    }
    let path = "reference/src/wire/mod.rs";
    let source = format!("//! Wire.\npub(crate) struct Header;\n{}", long(350));
    assert_one(&[(path, &source)], &format!("{path}:0: "), "351 lines without tests");
}

#[test]
fn walls_stand() {
    for (path, source, words) in [
        ("conformance/src/judge/mod.rs", "use hurray_reference::X;", "as it asks any candidate"),
        ("conformance/src/run/mod.rs", "use crate::candidates::reference::X;", "never decides a vector"),
        ("conformance/src/recipe/mod.rs", "use hurray_spec::Rule;", "nothing of the format"),
        ("conformance/src/recipe/mod.rs", "use crc32c::crc32c;", "different crates"),
        ("reference/src/wire/mod.rs", "pub(crate) struct Header; use crc::Crc;", "different crates"),
        ("reference/src/wire/mod.rs", "pub(crate) struct Header; use std::io;", "`drive` alone"),
        ("reference/src/reader/mod.rs", "pub(crate) struct Reader; use crate::writer;", "share only wire"),
        ("reference/src/writer/mod.rs", "use crate::reader;", "share only wire"),
        ("reference/src/wire/mod.rs", "pub(crate) struct Header; use crate::drive;", "stands above this room"),
        ("spec/src/lib.rs", "use hurray_reference::X;", "depends on nobody"),
        ("reference/src/writer/mod.rs", "use hurray_conformance::X;", "never sees the suite"),
        ("conformance/adapter/src/lib.rs", "use hurray_spec::X;", "no rule and no verdict"),
        ("conformance/shim/src/lib.rs", "use hurray_adapter::X;", "knows nothing of the suite"),
    ] {
        // The file replaces a clean one that others name.
        let own = if path.ends_with("judge/mod.rs") { "pub struct Verdict; " } else { "" };
        let files = if path.ends_with("run/mod.rs") { "pub struct Files; " } else { "" };
        assert_one(&[(path, &format!("//! x\n{own}{files}{source}\n"))], &format!("{path}:2: "), words);
    }
}

#[test]
fn rust_files_do_not_use_each_other_in_a_circle() {
    let circle = "//! Files.\n\nuse super::session::Session;\n\npub struct Files(Session);\n";
    assert_one(
        &[("conformance/src/run/files.rs", circle)],
        "conformance/src/run/files.rs:3: 2 files use each other in a circle; the shortest: \
         conformance/src/run/files.rs:3 uses super::session::Session (conformance/src/run/session.rs), \
         conformance/src/run/session.rs:3 uses super::Files (conformance/src/run/files.rs)",
        "move what both need",
    );
    let calls = "//! Run.\n\nmod files;\nmod session;\n\npub use files::Files;\n\npub(crate) const MANY: u8 = 9;\n\n\
                 pub fn run() -> session::Session {\n    session::new()\n}\n";
    let child = "//! Session.\n\npub fn new() {\n    println!(\"{}\", super::MANY);\n}\n";
    assert_one(
        &[("conformance/src/run/mod.rs", calls), ("conformance/src/run/session.rs", child)],
        "conformance/src/run/mod.rs:10: ",
        "session.rs:4 uses super::MANY (conformance/src/run/mod.rs)",
    );
}

#[test]
fn python_files_do_not_import_each_other_in_a_circle() {
    let folder = "conformance/candidates/python/hurray_witness";
    let cursor = format!("{folder}/cursor.py");
    for (source, line, name) in [
        ("from . import (\n    reader,\n)\n", 1, ".reader"),
        ("import struct\nfrom .reader import (\n    Reader,\n)\n", 2, ".reader.Reader"),
        ("import struct\nimport hurray_witness.reader\n", 2, "hurray_witness.reader"),
        ("def f():\n    from hurray_witness import reader\n", 2, "hurray_witness.reader"),
    ] {
        let words = format!("{cursor}:{line} uses {name} ({folder}/reader.py)");
        assert_one(&[(&cursor, source)], &format!("{cursor}:{line}: 2 files"), &words);
    }
    let library = "conformance/kit/python/library.py";
    assert_one(&[(library, "import adapter\n")], "conformance/kit/python/adapter.py:1: ", "2 files");
    assert_one(&[(library, "import (\n")], &format!("{library}:1: "), "not Python");
}

#[test]
fn only_tracked_files_are_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let git = |arguments: &[&str]| {
        let done = Command::new("git").arg("-C").arg(folder.path()).args(arguments).output().expect("git runs");
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "--quiet"]);
    assert!(Tree::tracked(folder.path()).is_err());
    for (name, bytes) in [("seen.md", b"a \n".as_slice()), ("bytes", b"\xff \n"), ("unseen.md", b"b \n")] {
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    git(&["add", "seen.md", "bytes"]);
    let tree = Tree::tracked(folder.path()).expect("a tree");
    assert_eq!(tree.files().collect::<Vec<_>>(), [("seen.md", "a \n")]);
    assert_eq!(check(&tree).expect("looked at").len(), 1);
}
