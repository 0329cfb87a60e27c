//! What single folders may not name, beyond the order of crates and modules. Owns the table of these walls; knows not how
//! a path is followed. A wall around a module of the same crate (`crate::`) is checked on resolved uses, so that `super`,
//! aliases and re-exports count. One around another crate is checked on the paths of each file, its own renames followed.

use std::str::FromStr;

use proc_macro2::TokenStream;

use super::dependencies::Renames;
use super::finding::Finding;
use super::modules;
use super::paths::{self, Named};
use super::uses::Use;

/// What no file below `room` may name, but for those below one of `but`; and why.
struct Wall {
    room: &'static str,
    names: &'static [&'static str],
    but: &'static [&'static str],
    why: &'static str,
}

const WALLS: &[Wall] = &[
    Wall {
        room: "conformance/src/",
        names: &["hurray_reference"],
        but: &["conformance/src/candidates/reference/"],
        why: "the harness asks the reference as it asks any candidate",
    },
    Wall {
        room: "conformance/src/",
        // The program names the library by its crate.
        names: &["crate::candidates::reference", "hurray_conformance::candidates::reference"],
        but: &[
            "conformance/src/candidates/",
            "conformance/src/tool/explain/",
            "conformance/src/tool/write.rs",
            "conformance/src/run/mutate/",
            "conformance/src/run/write/",
            "conformance/src/tool/inspect/",
        ],
        why: "the reference never decides a vector",
    },
    Wall {
        room: "conformance/corpus/src/recipe/",
        names: &["hurray_spec", "hurray_adapter", "hurray_vectors"],
        but: &[],
        why: "the assembler knows nothing of the format",
    },
    Wall {
        room: "conformance/",
        names: &["crc32c::crc32c", "crc32c::crc32c_append"],
        but: &[],
        why: "assembler and reference compute checksums by different crates",
    },
    Wall {
        room: "reference/",
        names: &["crc::Crc", "crc::CRC_32_ISCSI"],
        but: &[],
        why: "assembler and reference compute checksums by different crates",
    },
    Wall {
        room: "reference/src/",
        names: &["std::io"],
        but: &["reference/src/drive/"],
        why: "I/O is spoken in `drive` alone",
    },
    Wall {
        room: "reference/src/reader/",
        names: &["crate::writer"],
        but: &[],
        why: "reader and writer share only wire",
    },
    Wall {
        room: "reference/src/writer/",
        names: &["crate::reader"],
        but: &[],
        why: "reader and writer share only wire",
    },
];

/// How often one name may stand for another before it is given up.
const MAX_RENAMES: usize = 8;

/// Findings in one Rust file: what it names of other crates, which its manifest renames as told.
pub(super) fn check(path: &str, source: &str, renames: &Renames) -> Vec<Finding> {
    let Ok(tokens) = TokenStream::from_str(source) else { return Vec::new() };
    let walls: Vec<&Wall> = WALLS.iter().filter(|wall| wall.holds(path)).collect();
    if walls.is_empty() {
        return Vec::new();
    }
    let mut names = Names::read(source);
    names.renames.extend(renames.clone());
    // Such a glob is a finding itself; the names that it may bring are none.
    names.globs.retain(|glob| !walls.iter().any(|wall| wall.forbids(glob)));
    let mut findings = Vec::new();
    for Named { line, path: name, .. } in paths::named(tokens) {
        let meant = names.meant(&name);
        for wall in walls.iter().filter(|wall| meant.iter().any(|name| wall.forbids(name) && !is_own(name))) {
            findings.push(wall.finding(path, line, &name));
        }
    }
    findings
}

/// Findings among the uses inside one crate, tests included.
pub(super) fn check_uses(uses: &[Use]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Tests in a file of their own may look anywhere in their crate.
    for found in uses.iter().filter(|found| !found.from.ends_with("/tests.rs")) {
        for wall in WALLS.iter().filter(|wall| wall.holds(&found.from)) {
            if found.through.iter().any(|module| wall.forbids(module)) {
                findings.push(wall.finding(&found.from, found.line, &found.name));
            }
        }
    }
    findings
}

impl Wall {
    fn holds(&self, path: &str) -> bool {
        path.starts_with(self.room) && !self.but.iter().any(|room| path.starts_with(room))
    }

    fn forbids(&self, name: &str) -> bool {
        self.names.iter().any(|forbidden| begins(name, forbidden))
    }

    fn finding(&self, path: &str, line: usize, name: &str) -> Finding {
        Finding::new(path, line, format!("`{name}` is out of bounds here: {}", self.why))
    }
}

/// What the `use` items of one file rename and import by a glob, wherever they stand in it.
struct Names {
    renames: Vec<(String, String)>,
    globs: Vec<String>,
}

impl Names {
    fn read(source: &str) -> Names {
        let mut names = Names { renames: Vec::new(), globs: Vec::new() };
        for item in syn::parse_file(source).map(|file| file.items).unwrap_or_default() {
            for import in modules::imports(&item, true) {
                let path = import.path.join("::");
                match import.alias {
                    _ if import.is_glob => names.globs.push(path),
                    Some(alias) if import.path.last() != Some(&alias) => names.renames.push((alias, path)),
                    _ => {}
                }
            }
            if let syn::Item::ExternCrate(item) = &item
                && let Some((_, alias)) = &item.rename
            {
                names.renames.push((alias.to_string(), item.ident.to_string()));
            }
        }
        names
    }

    /// Every path that `name` may stand for, `name` first.
    fn meant(&self, name: &str) -> Vec<String> {
        let mut meant = vec![name.to_owned()];
        meant.extend(self.globs.iter().map(|glob| format!("{glob}::{name}")));
        let mut at = 0;
        while at < meant.len() && at < MAX_RENAMES {
            let (first, rest) = meant[at].split_once("::").unwrap_or((&meant[at], ""));
            let longer: Vec<String> = self
                .renames
                .iter()
                .filter(|(alias, _)| alias == first)
                .map(|(_, path)| if rest.is_empty() { path.clone() } else { format!("{path}::{rest}") })
                .collect();
            meant.extend(longer);
            at += 1;
        }
        meant
    }
}

/// Whether a path stays in its own crate.
fn is_own(name: &str) -> bool {
    begins(name, "crate")
}

/// Whether `name` is `prefix` or lies below it.
fn begins(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::super::modules::Crate;
    use super::super::tree::Tree;
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(path: &str, source: &str) -> Vec<usize> {
        check(path, source, &Renames::new()).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn io_is_for_drive_alone() {
        for source in [
            "use std::io;",
            "use std::{fmt, io};",
            "fn f() -> std::io::Result<()> { g() }",
            "use std::io::{self, Read};",
        ] {
            assert_ne!(lines("reference/src/wire/index.rs", source), NONE, "{source}");
            assert_eq!(lines("reference/src/drive/mod.rs", source), NONE, "{source}");
        }
        assert_eq!(lines("reference/src/wire/index.rs", "use std::fmt; // never std::io\nuse crate::io::X;"), NONE);
    }

    #[test]
    fn the_reference_is_named_and_asked_in_few_places() {
        let names = "\nuse hurray_reference::X;";
        assert_eq!(lines("conformance/src/judge/mod.rs", names), [2]);
        assert_eq!(lines("conformance/src/candidates/find.rs", names), [2]);
        for allowed in ["conformance/src/candidates/reference/mod.rs", "conformance/mutants/src/reader/mod.rs"] {
            assert_eq!(lines(allowed, names), NONE, "{allowed}");
        }
    }

    /// The lines of findings in `path` of a staged crate that has `source` there.
    fn crate_lines(root: &str, files: &[(&str, &str)], (path, source): (&str, &str)) -> Vec<usize> {
        let tree = Tree::of(&[files, &[(path, source)]].concat());
        let found = check_uses(&Crate::read_whole(&tree, root).uses());
        found.into_iter().filter(|finding| finding.path == path).map(|finding| finding.line).collect()
    }

    #[test]
    fn the_reference_is_asked_in_few_places() {
        let lines = |path: &str, source: &str| {
            let root = "pub mod candidates;\nmod judge;\nmod run;\nmod tool;\n\npub use candidates::Again;\n";
            let candidates = "pub mod reference;\nmod find;\npub use reference::{Reference as Again, make};\n";
            let files = [
                ("conformance/src/lib.rs", root),
                ("conformance/src/candidates/mod.rs", candidates),
                ("conformance/src/candidates/reference/mod.rs", "mod inner;\npub use inner::*;\npub fn make() {}\n"),
                ("conformance/src/candidates/reference/inner.rs", "pub struct Reference;\n"),
                ("conformance/src/judge/mod.rs", "mod reader;\n#[cfg(test)]\nmod tests;\n"),
                ("conformance/src/run/mod.rs", "mod mutate;\nmod read;\nmod write;\n"),
                ("conformance/src/tool/mod.rs", "mod inspect;\nmod other;\n"),
                ("conformance/src/tool/inspect/mod.rs", "mod command;\n"),
            ];
            let files: Vec<_> =
                files.into_iter().filter(|(other, _)| *other != format!("conformance/src/{path}")).collect();
            crate_lines("conformance/src/lib.rs", &files, (&format!("conformance/src/{path}"), source))
        };
        let forbidden = [
            "use crate::candidates::reference::Reference;",
            "use super::super::candidates::reference::Reference;",
            "use crate::candidates; fn f() { candidates::reference::make() }",
            "use crate::candidates as c; fn f() { c::reference::make() }",
            "use crate::candidates::*; fn f() { reference::make() }",
            "use crate::candidates::{self, make as other};",
            "use crate::candidates::Again;",
            "use crate::Again;",
            "fn f() { use crate::candidates::reference; }",
            "#[cfg(test)] mod tests { use crate::candidates::reference::Reference; }",
        ];
        for source in forbidden {
            for path in ["judge/reader.rs", "run/read.rs", "tool/other.rs"] {
                assert_eq!(lines(path, source), [1], "{path} {source}");
            }
        }
        assert_eq!(lines("lib.rs", "mod candidates;\npub use candidates::Again;"), [2]);
        for path in ["candidates/find.rs", "tool/inspect/command.rs", "run/mutate/mod.rs", "run/write/mod.rs"] {
            assert_eq!(lines(path, forbidden[0]), NONE, "{path}");
        }
        assert_eq!(lines("judge/tests.rs", forbidden[0]), NONE);
        let program = "use hurray_conformance::candidates as c; fn main() { c::reference::make() }";
        assert_eq!(super::tests::lines("conformance/src/main.rs", program), [1]);
        assert_eq!(lines("run/read.rs", "use crate::candidates; use super::super::candidates::find;"), NONE);
    }

    #[test]
    fn the_assembler_knows_nothing_of_the_format() {
        for source in ["use hurray_spec::Rule;", "use hurray_adapter::X;", "use hurray_vectors::X;"] {
            assert_eq!(lines("conformance/corpus/src/recipe/assemble.rs", source), [1], "{source}");
            assert_eq!(lines("conformance/corpus/src/load/mod.rs", source), NONE, "{source}");
        }
    }

    #[test]
    fn checksums_are_computed_twice() {
        for name in ["crc32c::crc32c", "crc32c::crc32c_append"] {
            let source = format!("let sum = {name}(bytes);");
            assert_eq!(lines("conformance/corpus/src/recipe/assemble.rs", &source), [1]);
            assert_eq!(lines("reference/src/wire/trailer/mod.rs", &source), NONE);
        }
        let source = "use crc::{CRC_32_ISCSI, Crc};";
        assert_eq!(lines("reference/src/wire/trailer/mod.rs", source), [1, 1]);
        assert_eq!(lines("conformance/corpus/src/recipe/assemble.rs", source), NONE);
    }

    #[test]
    fn reader_and_writer_share_only_wire() {
        let lines = |path: &str, source: &str| {
            let files = [
                ("reference/src/lib.rs", "mod drive;\nmod reader;\nmod writer;\npub use {reader::X, writer::Y};\n"),
                ("reference/src/reader/mod.rs", "mod open;\npub struct X;\n"),
                ("reference/src/writer/mod.rs", "mod shut;\npub struct Y;\n"),
            ];
            let files: Vec<_> = files.into_iter().filter(|(other, _)| *other != path).collect();
            crate_lines("reference/src/lib.rs", &files, (path, source))
        };
        for source in ["use crate::writer::Y;", "use crate::{drive, writer as w};", "use crate::Y;"] {
            assert_eq!(lines("reference/src/reader/open.rs", source), [1], "{source}");
            assert_eq!(lines("reference/src/writer/shut.rs", source), NONE, "{source}");
        }
        assert_eq!(lines("reference/src/reader/open.rs", "use super::super::writer::Y;"), [1]);
        assert_eq!(lines("reference/src/reader/mod.rs", "use super::writer::Y;"), [1]);
        assert_eq!(lines("reference/src/writer/mod.rs", "use super::reader;"), [1]);
        assert_eq!(lines("reference/src/writer/shut.rs", "use crate::X;"), [1]);
        assert_eq!(lines("reference/src/drive/mod.rs", "use crate::{reader::X, writer::Y};"), NONE);
    }

    #[test]
    fn another_name_for_a_crate_does_not_hide_it() {
        for source in [
            "use std as s; fn f() -> s::io::Result<()> { g() }",
            "use {std as s}; use s::io::Read;",
            "use std::{self as s}; use s as t; fn f() { t::io::stdin() }",
            "use std::*; fn f() { io::stdin() }",
            "extern crate std as s; fn f() { s::io::stdin() }",
            "use ::std::io::Read;",
        ] {
            assert_eq!(lines("reference/src/wire/index.rs", source), [1], "{source}");
        }
        assert_eq!(lines("reference/src/wire/index.rs", "use std as s; use crate::io; fn f() { s::fmt(io::X) }"), NONE);
        let path = "conformance/corpus/src/recipe/assemble.rs";
        assert_eq!(lines(path, "use crc32c as c; fn f() { c::crc32c_append(0, b) }"), [1]);
        assert_eq!(lines("reference/src/wire/trailer/mod.rs", "use crc as c; fn f(c: c::Crc<u32>) {}"), [1]);
    }
}
