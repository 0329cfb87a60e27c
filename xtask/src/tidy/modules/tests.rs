//! Where the paths of a small crate lead.

use super::*;

const LIB: &str = "pub mod a;\npub mod b;\npub fn root() {}\n";
const B: &str = "mod c;\nmod d;\npub use c::{C, c as renamed};\npub use d::*;\npub struct B;\npub mod inner {\n    pub \
                 struct I;\n}\nmacro_rules! make { () => {} }\nmake!();\n";
const C: &str = "pub struct C;\npub fn c() {}\n";
const D: &str = "pub struct D;\npub use super::c::C as Other;\n";

/// Where the file `x/src/a.rs` with `source` in it leads, by the lines of its uses.
fn leads(source: &str) -> Vec<(usize, String)> {
    let files = [("src/lib.rs", LIB), ("src/b/mod.rs", B), ("src/b/c.rs", C), ("src/b/d/mod.rs", D)];
    let tree = Tree::of(&[files.as_slice(), &[("src/a.rs", source)]].concat());
    let uses = Crate::read(&tree, "src/lib.rs").uses();
    let mut found: Vec<(usize, String)> = uses
        .into_iter()
        .filter(|found| found.from == "src/a.rs" && found.is_item)
        .map(|found| (found.line, found.to))
        .collect();
    found.dedup();
    found
}

#[test]
fn a_path_leads_to_the_file_that_defines_what_it_names() {
    for (source, to) in [
        ("use crate::b::B;", "src/b/mod.rs"),
        ("use super::b::B as _;", "src/b/mod.rs"),
        ("use crate::b::inner::I;", "src/b/mod.rs"),
        ("use crate::root;", "src/lib.rs"),
        // Re-exported, under another name, by a glob, and twice.
        ("use crate::b::C;", "src/b/c.rs"),
        ("use crate::b::renamed;", "src/b/c.rs"),
        ("use crate::b::D;", "src/b/d/mod.rs"),
        ("use crate::b::Other;", "src/b/c.rs"),
        // What a macro makes stands where the macro is called.
        ("use crate::b::Made;", "src/b/mod.rs"),
        ("use crate::b::*;", "src/b/mod.rs"),
        ("fn f() { crate::b::C::new() }", "src/b/c.rs"),
        ("fn f() { g!(crate::b::C, 1) }", "src/b/c.rs"),
        ("fn f() { use crate::b::D; }", "src/b/d/mod.rs"),
        ("mod inline { use super::super::b::B; }", "src/b/mod.rs"),
        ("pub use crate::b::C;", "src/b/c.rs"),
    ] {
        assert_eq!(leads(source), [(1, to.to_owned())], "{source}");
    }
}

#[test]
fn a_module_imported_as_such_is_used_where_its_items_are_named() {
    assert_eq!(leads("use crate::b;\n\nfn f(c: b::C) {}"), [(3, "src/b/c.rs".to_owned())]);
    assert_eq!(leads("use crate::b as other;\nfn f(c: other::B) {}"), [(2, "src/b/mod.rs".to_owned())]);
}

#[test]
fn what_is_no_use_leads_nowhere() {
    for source in [
        "use std::fmt;\nfn f() { fmt::g() }",
        "use crate::b;\nuse ::b::B;",
        "#[cfg(test)]\nuse crate::b::B;",
        "#[cfg(all(test, unix))]\nmod tests { use crate::b::B; }",
        "/// See [`crate::b::B`].\nfn f() {}",
        "fn f(b: u8) { b.b::<u8>() }",
        "struct A;\nimpl A { fn f() -> self::A { A::g() } }",
        "use crate::b;",
    ] {
        assert_eq!(leads(source), [], "{source}");
    }
}

#[test]
fn to_reexport_a_child_is_no_use_but_to_use_it_is() {
    let uses = |parent: &str| {
        let tree = Tree::of(&[("src/main.rs", parent), ("src/b.rs", "pub struct B;\npub fn call() {}\n")]);
        Crate::read(&tree, "src/main.rs").uses().len()
    };
    assert_eq!(uses("mod b;\npub use b::{B, call};\nfn f(call: u8) { x.call() }"), 0);
    assert_eq!(uses("mod b;\npub use b::{B, call};\nfn f() { call() }"), 1);
    assert_eq!(uses("mod b;\npub use b::{B, call};\n"), 0);
    assert_eq!(uses("mod b;\npub use b::{B, call};\nfn f(b: B) {}"), 1);
    assert_eq!(uses("mod b;\nuse b::B;\n"), 1);
}

#[test]
fn files_are_found_as_the_compiler_finds_them() {
    let files = [
        ("src/lib.rs", "pub struct Root;\n#[path = \"odd/far.rs\"]\nmod near;\nmod a;\nmod m;\n"),
        ("src/odd/far.rs", "mod sub;\n"),
        ("src/odd/sub.rs", "use crate::Root;\n"),
        ("src/a.rs", "mod sub;\n#[path = \"beside.rs\"]\nmod b;\nmod inner {\n#[path = \"c.rs\"]\nmod c;\nmod d;\n}\n"),
        ("src/a/sub.rs", "use crate::Root;\n"),
        ("src/beside.rs", "use crate::Root;\n"),
        ("src/a/inner/c.rs", "use crate::Root;\n"),
        ("src/a/inner/d.rs", "use crate::Root;\n"),
        ("src/m/mod.rs", "#[path = \"../up.rs\"]\nmod up;\n#[path = \"other\"]\nmod inner { mod e; }\n"),
        ("src/up.rs", "use crate::Root;\n"),
        ("src/m/other/e.rs", "use crate::Root;\n"),
    ];
    let read = Crate::read(&Tree::of(&files), "src/lib.rs");
    assert_eq!(read.unread(), []);
    let mut found: Vec<String> = read.uses().into_iter().map(|found| found.from).collect();
    found.dedup();
    let expected = ["src/a/inner/c.rs", "src/a/inner/d.rs", "src/a/sub.rs", "src/beside.rs", "src/m/other/e.rs"];
    assert_eq!(found, [expected.as_slice(), &["src/odd/sub.rs", "src/up.rs"]].concat());
}

#[test]
fn a_module_without_a_file_is_told() {
    let source = "mod gone;\n#[path = \"a.rs\"]\nmod b;\nmod c { mod d; }\n#[cfg(test)]\nmod e;\n";
    let tree = Tree::of(&[("src/lib.rs", source), ("src/b.rs", "")]);
    let lines = |read: Crate| read.unread().iter().map(|finding| finding.line).collect::<Vec<_>>();
    assert_eq!(lines(Crate::read(&tree, "src/lib.rs")), [1, 3, 4]);
    assert_eq!(lines(Crate::read_whole(&tree, "src/lib.rs")), [1, 3, 4, 6]);
    assert_eq!(lines(Crate::read(&tree, "src/main.rs")), [0]);
}

#[test]
fn globs_are_followed_through_globs() {
    let tree = Tree::of(&[
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\n"),
        ("src/a.rs", "use crate::b::Deep;\n"),
        ("src/b.rs", "pub use crate::c::*;\n"),
        ("src/c.rs", "pub use crate::d::*;\npub use crate::b::*;\n"),
        ("src/d.rs", "pub use crate::e::*;\n"),
        ("src/e.rs", "pub struct Deep;\n"),
    ]);
    let uses = Crate::read(&tree, "src/lib.rs").uses();
    let found = uses.iter().find(|found| found.from == "src/a.rs").expect("a use");
    assert_eq!(found.to, "src/e.rs");
    for name in ["crate::b", "crate::c", "crate::d", "crate::e"] {
        assert!(found.through.iter().any(|module| module == name), "{name} in {found:?}");
    }
}
