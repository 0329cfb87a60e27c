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
    ("fuzz/corpus/open/one", "bytes \n"),
];

/// Its Python files, which cost a start of Python: only the checks that look at them stage them.
const PYTHON: &[(&str, &str)] = &[
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
    if has_python() {
        assert_eq!(findings(PYTHON), [""; 0]);
    }
}

/// The tests need Rust alone; where there is no Python, its part is left out. The server has it.
fn has_python() -> bool {
    let is_there = Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        assert!(std::env::var_os("CI").is_none(), "python3 is missing: install it");
        eprintln!("python3 is missing: the imports of Python files are not tested");
    }
    is_there
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
        ("conformance/corpus/src/recipe/mod.rs", "use hurray_spec::Rule;", "nothing of the format"),
        ("conformance/corpus/src/recipe/mod.rs", "use crc32c::crc32c;", "different crates"),
        ("reference/src/wire/mod.rs", "pub(crate) struct Header; use crc::Crc;", "different crates"),
        ("reference/src/wire/mod.rs", "pub(crate) struct Header; use std::io;", "`drive` alone"),
        (
            "reference/src/wire/mod.rs",
            "pub(crate) struct Header; use std as s; type R = s::io::Error;",
            "`drive` alone",
        ),
        ("conformance/corpus/src/recipe/mod.rs", "use crc32c as c; const F: u8 = c::crc32c(&[]);", "different crates"),
        ("reference/src/reader/mod.rs", "pub(crate) struct Reader; use crate::writer;", "share only wire"),
        ("reference/src/reader/mod.rs", "pub(crate) struct Reader; use super::writer;", "share only wire"),
        ("reference/src/writer/mod.rs", "use crate::reader;", "share only wire"),
    ] {
        // The file replaces a clean one that others name.
        let own = if path.ends_with("judge/mod.rs") { "pub struct Verdict; " } else { "" };
        let files = if path.ends_with("run/mod.rs") { "pub struct Files; " } else { "" };
        assert_one(&[(path, &format!("//! x\n{own}{files}{source}\n"))], &format!("{path}:2: "), words);
    }
    let root = "//! Suite.\n\npub mod candidates;\npub mod run;\npub mod judge;\n";
    let staged = [
        ("conformance/src/lib.rs", root),
        ("conformance/src/candidates/mod.rs", "//! C.\n\npub mod reference;\n"),
        ("conformance/src/candidates/reference.rs", "//! R.\n\npub struct Reference;\n"),
        ("conformance/src/run/mod.rs", "//! Run.\n\nmod files;\nmod read;\n\npub use files::Files;\n"),
    ];
    for source in [
        "use super::super::candidates::reference::Reference",
        "use crate::candidates; type R = candidates::reference::Reference",
    ] {
        let read = format!("//! Read.\n\n{source};\n");
        let files = [staged.as_slice(), &[("conformance/src/run/read.rs", &read)]].concat();
        assert_one(&files, "conformance/src/run/read.rs:3: ", "never decides a vector");
    }
}

#[test]
fn crates_stand_on_lower_ones() {
    let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n\n{rest}");
    let path = "spec/Cargo.toml";
    for rest in [
        "[dependencies]\nhurray-adapter.workspace = true\n",
        "[build-dependencies]\nhurray-adapter = { path = \"x\" }\n",
        "[dev-dependencies]\nhurray-adapter = \"0.1\"\n",
        "[target.'cfg(unix)'.dependencies]\nhurray-adapter.workspace = true\n",
        "[dependencies]\nother = { package = \"hurray-adapter\", path = \"x\" }\n",
    ] {
        assert_one(&[(path, &manifest("hurray-spec", rest))], "spec/Cargo.toml:5: ", "must not know `hurray-adapter`");
    }
    for (name, on) in [
        ("hurray-spec", "hurray-blob"),
        ("hurray-adapter", "hurray-spec"),
        ("hurray-blob", "hurray-spec"),
        ("hurray-shim", "hurray-adapter"),
        ("hurray-reference", "hurray-adapter"),
        ("hurray-reference", "hurray-conformance"),
        ("hurray-vectors", "hurray-corpus"),
        ("hurray-corpus", "hurray-reference"),
        ("hurray-corpus", "hurray-conformance"),
        ("hurray-conformance", "hurray-mutants"),
        ("hurray-conformance", "xtask"),
        ("hurray-mutants", "xtask"),
        ("hurray-candidate-hurray-io", "hurray-conformance"),
        ("hurray-candidate-zoo", "hurray-reference"),
        ("hurray-fuzz", "hurray-conformance"),
    ] {
        let rest = format!("[dependencies]\n{on}.workspace = true\n");
        let words = format!("`{name}` stands on ");
        assert_one(&[("other/Cargo.toml", &manifest(name, &rest))], "other/Cargo.toml:5: ", &words);
    }
    assert_one(&[("other/Cargo.toml", &manifest("hurray-other", ""))], "other/Cargo.toml:0: ", "add it to the order");
    assert_one(&[("other/Cargo.toml", "[package\n")], "other/Cargo.toml:0: ", "not TOML");
}

#[test]
fn a_rename_hides_no_crate() {
    let shared = "[workspace]\n\n[workspace.dependencies]\nh = { package = \"hurray-adapter\", path = \"x\" }\n\
                  c = { package = \"crc\", version = \"3\" }\n";
    let manifest = "[package]\nname = \"hurray-spec\"\n\n[dependencies]\nh.workspace = true\n";
    let files = [("Cargo.toml", shared), ("spec/Cargo.toml", manifest)];
    assert_one(&files, "spec/Cargo.toml:5: ", "must not know `hurray-adapter`");
    let source = ("spec/src/lib.rs", "//! Rules.\n\npub fn f() {\n    h::g();\n}\n");
    let found = findings(&[files[0], files[1], source]);
    assert!(found.len() == 2 && found.iter().any(|found| found.starts_with("spec/src/lib.rs:4: ")), "{found:#?}");
    let manifest = "[package]\nname = \"hurray-reference\"\n\n[dependencies]\nc.workspace = true\n";
    let wire = ("reference/src/wire/mod.rs", "//! Wire.\n\npub(crate) struct Header(c::Crc<u32>);\n");
    assert_one(&[files[0], ("reference/Cargo.toml", manifest), wire], &format!("{}:3: ", wire.0), "different crates");
}

#[test]
fn crates_name_lower_ones() {
    let source = "//! Rules.\n\npub fn f() {\n    hurray_adapter::g();\n}\n";
    assert_one(&[("spec/src/lib.rs", source)], "spec/src/lib.rs:4: ", "must not know `hurray-adapter`");
    // Mutants are for tests.
    let path = "conformance/src/judge/mod.rs";
    let source = "//! Judge.\npub struct Verdict;\nuse hurray_mutants::Mutant;\n";
    assert_one(&[(path, source)], &format!("{path}:3: "), "must not know `hurray-mutants`");
    let source = "//! Judge.\npub struct Verdict;\n#[cfg(test)]\nuse hurray_mutants::Mutant;\n";
    assert_eq!(findings(&[(path, source)]), [""; 0]);
}

#[test]
fn modules_name_lower_ones() {
    let path = "conformance/src/judge/mod.rs";
    for (source, name) in [
        ("use crate::run;", "`crate::run`"),
        ("use crate::run::Unknown;", "`crate::run::Unknown`"),
        ("use super::run;", "`super::run`"),
    ] {
        let source = format!("//! Judge.\n\npub struct Verdict;\n{source}\n");
        assert_one(
            &[(path, &source)],
            &format!("{path}:4: "),
            &format!("{name} names `run`, which is higher than `judge`: a layer uses only what is lower"),
        );
    }
    assert_one(
        &[("reference/src/wire/mod.rs", "//! Wire.\npub(crate) struct Header;\nuse crate::drive;\n")],
        "reference/src/wire/mod.rs:3: ",
        "names `drive`, which is higher than `wire`",
    );
}

#[test]
fn the_modules_of_the_suite_stand_in_one_order() {
    let order = ["support", "transport", "fault", "judge", "candidates", "run", "report", "tool"];
    for pair in order.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let files = [low, high].map(|name| format!("conformance/src/{name}/mod.rs"));
        let root = format!("//! Suite.\n\npub mod {low};\npub mod {high};\n");
        let root = ("conformance/src/lib.rs", root.as_str());
        let words = format!("names `{high}`, which is higher than `{low}`");
        let (alone, climbs) = ("//! x\npub struct X;\n", format!("//! x\nuse crate::{high}::X;\npub struct X;\n"));
        let falls = format!("//! x\nuse crate::{low}::X;\n");
        assert_one(&[root, (&files[0], &climbs), (&files[1], alone)], &format!("{}:2: ", files[0]), &words);
        assert_eq!(findings(&[root, (&files[0], alone), (&files[1], &falls)]), [""; 0]);
    }
}

#[test]
fn modules_at_the_top_have_a_place_and_are_few() {
    let root = "conformance/src/lib.rs";
    let with = |more: &str| format!("//! Suite.\n\npub mod judge;\npub mod run;\n{more}");
    let other = ("conformance/src/other.rs", "//! Other.\n");
    assert_one(&[(root, &with("mod other;\n")), other], &format!("{root}:5: "), "`other` has no place");
    let many: String = (0..11).map(|nth| format!("mod m{nth} {{}}\n")).collect();
    let found = findings(&[(root, &with(&many))]);
    assert!(found.iter().any(|found| found.contains("13 modules at the top, 12 at most")), "{found:#?}");
    let found = findings(&[(root, &with(&many.replace("mod m10 {}\n", "")))]);
    assert!(!found.iter().any(|found| found.contains("at the top")), "{found:#?}");
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
fn only_tests_are_exempt() {
    let path = "conformance/src/judge/mod.rs";
    for cfg in ["all(not(test), unix)", "all(feature = \"latest\")", "any(test, unix)"] {
        let source = format!("//! Judge.\npub struct Verdict;\n#[cfg({cfg})]\nuse crate::run;\n");
        assert_one(&[(path, &source)], &format!("{path}:4: "), "names `run`");
    }
    let source = "//! Judge.\npub struct Verdict;\n#[cfg(all(unix, test))]\nuse crate::run;\n";
    assert_eq!(findings(&[(path, source)]), [""; 0]);
}

#[test]
fn no_module_hides() {
    assert_one(&[("spec/src/lib.rs", "//! Rules.\n\nmod gone;\n")], "spec/src/lib.rs:3: ", "no tracked file");
    let hidden = ("conformance/src/judge/hidden.rs", "//! Hidden.\n\nuse crate::run::Files;\n");
    let judge = "//! Judge.\n\npub struct Verdict;\n#[path = \"hidden.rs\"]\nmod other;\n";
    assert_one(&[("conformance/src/judge/mod.rs", judge), hidden], "conformance/src/judge/hidden.rs:3: ", "`run`");
    // The layer is that of the module, wherever its file is.
    let hidden = ("conformance/src/hidden.rs", hidden.1);
    let judge = judge.replace("hidden.rs", "../hidden.rs");
    assert_one(&[("conformance/src/judge/mod.rs", &judge), hidden], "conformance/src/hidden.rs:3: ", "`run`");
    let circle = |folder: &str| {
        let [a, b] = ["a", "b"].map(|name| format!("{folder}{name}.rs"));
        let found = findings(&[
            ("conformance/shim/Cargo.toml", "[package]\nname = \"hurray-shim\"\n"),
            ("conformance/shim/preload/lib.rs", "//! Shim.\n\nmod a;\nmod b;\n"),
            ("spec/src/bin/tool.rs", "//! Tool.\n\nmod inner;\n"),
            ("spec/src/bin/inner/mod.rs", "//! Inner.\n\nmod a;\nmod b;\n"),
            (&a, "//! A.\n\nuse super::b::B;\n\npub struct A;\n"),
            (&b, "//! B.\n\nuse super::a::A;\n\npub struct B;\n"),
        ]);
        found.into_iter().filter(|found| found.contains("circle") && found.starts_with(folder)).count()
    };
    for folder in ["conformance/shim/preload/", "spec/src/bin/inner/"] {
        assert_eq!(circle(folder), 1, "{folder}");
    }
}

#[test]
fn python_files_do_not_import_each_other_in_a_circle() {
    if !has_python() {
        return;
    }
    let folder = "conformance/candidates/python/hurray_witness";
    let cursor = format!("{folder}/cursor.py");
    let with = |path, source| {
        let kept = PYTHON.iter().copied().filter(|(other, _)| *other != path);
        kept.chain([(path, source)]).collect::<Vec<(&str, &str)>>()
    };
    for (source, line, name) in [
        ("from . import (\n    reader,\n)\n", 1, ".reader"),
        ("import struct\nfrom .reader import (\n    Reader,\n)\n", 2, ".reader.Reader"),
        ("import struct\nimport hurray_witness.reader\n", 2, "hurray_witness.reader"),
        ("def f():\n    from hurray_witness import reader\n", 2, "hurray_witness.reader"),
    ] {
        let words = format!("{cursor}:{line} uses {name} ({folder}/reader.py)");
        assert_one(&with(cursor.as_str(), source), &format!("{cursor}:{line}: 2 files"), &words);
    }
    let library = "conformance/kit/python/library.py";
    assert_one(&with(library, "import adapter\n"), "conformance/kit/python/adapter.py:1: ", "2 files");
    assert_one(&with(library, "import (\n"), &format!("{library}:1: "), "not Python");
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
