//! Import directions: which room may name which. Owns the table of rooms; knows not what a path leads to.

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
        room: "spec/",
        names: &["hurray_reference", "hurray_adapter", "hurray_conformance"],
        but: &[],
        why: "the specification depends on nobody",
    },
    Wall {
        room: "reference/",
        names: &["hurray_adapter", "hurray_conformance"],
        but: &[],
        why: "the reference never sees the suite",
    },
    Wall {
        room: "conformance/adapter/",
        names: &["hurray_spec", "hurray_reference", "hurray_conformance"],
        but: &[],
        why: "an adapter carries no rule and no verdict",
    },
    Wall {
        room: "conformance/shim/",
        names: &["hurray_spec", "hurray_adapter", "hurray_reference", "hurray_conformance"],
        but: &[],
        why: "the shim is loaded into foreign programs and knows nothing of the suite",
    },
    Wall {
        room: "conformance/",
        names: &["hurray_reference"],
        but: &["conformance/src/candidates/reference", "conformance/candidates/hurray-io/tests/"],
        why: "the harness asks the reference as it asks any candidate",
    },
    Wall {
        room: "conformance/src/",
        names: &["crate::candidates::reference"],
        but: &[
            "conformance/src/candidates/",
            "conformance/src/tool/inspect/",
            "conformance/src/run/mutate/",
            "conformance/src/run/write",
        ],
        why: "the reference never decides a vector",
    },
    Wall {
        room: "conformance/corpus/src/recipe/",
        names: &["hurray_spec", "hurray_adapter", "crate::vector", "crate::verdict", "crate::candidates"],
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
        but: &["reference/src/drive"],
        why: "I/O is spoken in `drive` alone",
    },
    Wall {
        room: "reference/src/reader",
        names: &["crate::writer"],
        but: &[],
        why: "reader and writer share only wire",
    },
    Wall {
        room: "reference/src/writer",
        names: &["crate::reader"],
        but: &[],
        why: "reader and writer share only wire",
    },
];

/// Rooms of the reference, lowest first; a room names only lower ones, its own, or those of its own rank where said so.
const RANKS: &[(&[&str], usize)] = &[
    (&["reject", "judge", "bytes", "memory", "model"], 0),
    (&["wire", "meaning"], 1),
    (&["check"], 2),
    (&["reader", "sequential", "writer", "validate"], 3),
    (&["drive"], 4),
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
        if let Some(what) = climbs(path, &name) {
            findings.push(Finding::new(path, line, what));
        }
    }
    findings
}

/// A room of the reference that names a higher one.
fn climbs(path: &str, name: &str) -> Option<String> {
    let own = rank(path.strip_prefix("reference/src/")?.split(['/', '.']).next()?)?;
    let room = name.strip_prefix("crate::")?.split("::").next()?;
    (rank(room)? > own).then(|| format!("`{name}` stands above this room: imports run one way"))
}

fn rank(room: &str) -> Option<usize> {
    RANKS.iter().find(|(rooms, _)| rooms.contains(&room)).map(|(_, rank)| *rank)
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
            assert_eq!(lines("reference/src/drive.rs", source), NONE, "{source}");
        }
        assert_eq!(lines("reference/src/wire/index.rs", "use std::fmt; // never std::io\nuse crate::io::X;"), NONE);
    }

    #[test]
    fn rooms_keep_to_their_side() {
        assert_eq!(lines("spec/src/lib.rs", "use hurray_reference::X;"), [1]);
        assert_eq!(lines("reference/tests/a.rs", "\nuse hurray_conformance::X;"), [2]);
        assert_eq!(lines("conformance/adapter/src/lib.rs", "use hurray_spec::Rule;"), [1]);
        assert_eq!(lines("conformance/src/verdict.rs", "use hurray_reference::X;"), [1]);
        assert_eq!(lines("conformance/shim/src/log.rs", "use hurray_adapter::X;"), [1]);
        for allowed in ["conformance/src/candidates/reference.rs", "xtask/src/strength.rs"] {
            assert_eq!(lines(allowed, "use hurray_reference::X;"), NONE, "{allowed}");
        }
        assert_eq!(lines("conformance/src/verdict.rs", "use hurray_spec::Rule; use hurray_referenced::X;"), NONE);
        let asks = "use crate::candidates::reference::Reference;";
        assert_eq!(lines("conformance/src/verdict/reader.rs", asks), [1]);
        assert_eq!(lines("conformance/src/tool/inspect/command.rs", asks), NONE);
        assert_eq!(lines("conformance/src/verdict/tests.rs", asks), NONE);
        assert_eq!(lines("conformance/corpus/src/recipe/assemble.rs", "use crate::vector::Vector;"), [1]);
        assert_eq!(lines("conformance/corpus/src/recipe/assemble.rs", "let crc32c = crc32c::crc32c(b);"), [1]);
        assert_eq!(lines("reference/src/wire/trailer.rs", "use crc::{CRC_32_ISCSI, Crc};"), [1, 1]);
    }

    #[test]
    fn the_reference_has_one_direction() {
        assert_eq!(lines("reference/src/reader/open.rs", "use crate::writer::X;"), [1]);
        assert_eq!(lines("reference/src/writer.rs", "use crate::{judge::Judge, reader::X};"), [1]);
        assert_eq!(lines("reference/src/wire/index.rs", "use crate::check::X;"), [1]);
        assert_eq!(lines("reference/src/judge.rs", "use crate::wire::X;"), [1]);
        assert_eq!(lines("reference/src/wire/index/tests.rs", "use crate::check::X;"), NONE);
        assert_eq!(lines("reference/src/drive.rs", "use crate::{reader::X, writer::Y};"), NONE);
        assert_eq!(lines("reference/src/reader/mod.rs", "use crate::{wire::X, check::Y, judge::Z};"), NONE);
    }
}
