//! What single folders may not name, beyond the order of crates and modules. Owns the table of these walls; knows not what
//! a path leads to.

use std::str::FromStr;

use proc_macro2::TokenStream;

use super::finding::Finding;
use super::paths::{self, Named};

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
        names: &["crate::candidates::reference"],
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

/// Findings in one Rust file.
pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    let Ok(tokens) = TokenStream::from_str(source) else { return Vec::new() };
    let mut findings = Vec::new();
    // Tests in a file of their own may look anywhere in their crate.
    let is_free = |name: &str| path.ends_with("/tests.rs") && name.starts_with("crate::");
    for Named { line, path: name, .. } in paths::named(tokens).into_iter().filter(|named| !is_free(&named.path)) {
        for wall in WALLS {
            let is_inside = path.starts_with(wall.room) && !wall.but.iter().any(|room| path.starts_with(room));
            if is_inside && wall.names.iter().any(|forbidden| begins(&name, forbidden)) {
                findings.push(Finding::new(path, line, format!("`{name}` is out of bounds here: {}", wall.why)));
            }
        }
    }
    findings
}

/// Whether `name` is `prefix` or lies below it.
fn begins(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(path: &str, source: &str) -> Vec<usize> {
        check(path, source).into_iter().map(|finding| finding.line).collect()
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
        let asks = "use crate::candidates::reference::Reference;";
        for forbidden in ["judge/reader/mod.rs", "run/session.rs", "tool/mod.rs", "tool/cli/mod.rs", "report/mod.rs"] {
            assert_eq!(lines(&format!("conformance/src/{forbidden}"), asks), [1], "{forbidden}");
        }
        for allowed in
            ["candidates/find.rs", "tool/inspect/command.rs", "run/mutate/mod.rs", "run/write/mod.rs", "judge/tests.rs"]
        {
            assert_eq!(lines(&format!("conformance/src/{allowed}"), asks), NONE, "{allowed}");
        }
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
        assert_eq!(lines("reference/src/reader/open.rs", "use crate::writer::X;"), [1]);
        assert_eq!(lines("reference/src/writer/mod.rs", "use crate::{judge::Judge, reader::X};"), [1]);
        assert_eq!(lines("reference/src/drive/mod.rs", "use crate::{reader::X, writer::Y};"), NONE);
    }
}
