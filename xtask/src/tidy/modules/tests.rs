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
