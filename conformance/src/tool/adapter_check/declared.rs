//! What an adapter declares, compared with the words that mean something. Owns those words.

use hurray_adapter::Hello;
use hurray_spec::tables::{ELEMENT_TYPES, LAYOUTS, SCHEMES};

use super::advice;
use super::sheet::Sheet;
use crate::support::text::printable;
use hurray_corpus::similar::closest;

pub(super) const READING: [&str; 11] =
    ["open", "list", "kv", "describe", "read", "composite", "locate", "decode", "all", "descriptor", "validate"];
pub(super) const WRITING: [&str; 5] = ["write", "create", "header", "put", "finish"];
/// The parts of an observation.
pub(super) const OBSERVES: [&str; 10] = [
    "container",
    "tensors",
    "kv",
    "handles",
    "payload",
    "memory_alignment",
    "descriptor_version",
    "layout_fields",
    "sections",
    "rules",
];
const WAYS: [&str; 2] = ["path", "served"];
const SOURCES: [&str; 3] = ["path", "served", "stream"];
/// Asked over a stream, as nothing else is.
pub(super) const STREAMING: [&str; 1] = ["scan"];
const FEATURES: [&str; 17] = [
    "alignment",
    "sorted_index",
    "kv",
    "kv_integers",
    "kv_array_type",
    "byte_offset",
    "handle_alignment",
    "handle_size",
    "device",
    "sync",
    "version",
    "composite",
    "member_names",
    "shard",
    "statistics",
    "extension",
    "member",
];

/// Looks at every list of a hello.
pub(super) fn check(sheet: &mut Sheet, hello: &Hello) {
    names(sheet, hello);
    let asked = "it declares what it can be asked, how it takes a file, and what it sees";
    let writes = is_writer(hello);
    let reads = hello.operations.iter().any(|name| READING.contains(&name.as_str())) || !writes;
    let has = |list: &[String], word: &str| list.iter().any(|name| name == word);
    let has_way = |list: &[String]| WAYS.iter().any(|way| has(list, way));
    let does_more = hello.operations.iter().any(|name| name != "open");
    let all = [
        (reads && !has(&hello.operations, "open"), "`open` in \"operations\""),
        (reads && !does_more, "an operation beside `open`"),
        (reads && !has_way(&hello.source), "`path` or `served` in \"source\""),
        (reads && hello.observes.is_empty(), "anything in \"observes\", so nothing it sees is compared"),
        (writes && !has_way(&hello.sink), "`path` or `served` in \"sink\", though it writes"),
        (writes && hello.writes.is_none(), "\"writes\": what it can write"),
        (
            has(&hello.operations, "scan") && !has(&hello.source, "stream"),
            "`stream` in \"source\", though it offers `scan`",
        ),
        (
            hello.io_contract && !has(&hello.source, "served") && !has(&hello.sink, "served"),
            "`served` in \"source\" or \"sink\", though it claims the I/O contract",
        ),
    ];
    let lacks: Vec<&str> = all.into_iter().filter(|(lacks, _)| *lacks).map(|(_, what)| what).collect();
    if lacks.is_empty() {
        sheet.passed("declares", asked, "it does");
    } else {
        let came = format!("it does not declare {}", lacks.join("; "));
        sheet.missing(
            "declares",
            asked,
            came,
            "declare it in hello; what is not declared is not asked and never passes",
        );
    }
}

/// Whether it offers to write.
pub(super) fn is_writer(hello: &Hello) -> bool {
    hello.operations.iter().any(|name| WRITING.contains(&name.as_str()))
}

fn names(sheet: &mut Sheet, hello: &Hello) {
    let asked = "the names in its hello mean something";
    let types: Vec<&str> = ELEMENT_TYPES.iter().map(|entry| entry.name).collect();
    let layouts: Vec<&str> = LAYOUTS.iter().map(|entry| entry.name).collect();
    let schemes: Vec<&str> = SCHEMES.iter().map(|entry| entry.name).collect();
    let operations = [READING.as_slice(), &STREAMING, &WRITING].concat();
    let nothing = hurray_adapter::Writes::default();
    let writes = hello.writes.as_ref().unwrap_or(&nothing);
    let lists: [(&str, &[String], &[&str]); 11] = [
        ("operations", &hello.operations, &operations),
        ("types", &hello.types, &types),
        ("layouts", &hello.layouts, &layouts),
        ("quantization", &hello.quantization, &schemes),
        ("source", &hello.source, &SOURCES),
        ("sink", &hello.sink, &WAYS),
        ("observes", &hello.observes, &OBSERVES),
        ("writes.types", &writes.types, &types),
        ("writes.layouts", &writes.layouts, &layouts),
        ("writes.quantization", &writes.quantization, &schemes),
        ("writes.features", &writes.features, &FEATURES),
    ];
    let unknown: Vec<String> = lists
        .iter()
        .flat_map(|(list, said, known)| said.iter().filter_map(move |name| unknown_name(list, name, known)))
        .collect();
    if unknown.is_empty() {
        sheet.passed("names", asked, "they do");
    } else {
        sheet.missing("names", asked, unknown.join("; "), advice::NAMES);
    }
}

fn unknown_name(list: &str, name: &str, known: &[&str]) -> Option<String> {
    if known.contains(&name) {
        return None;
    }
    let guess = closest(name, known.iter().copied());
    let guess = guess.map(|guess| format!(" (`{guess}`?)")).unwrap_or_default();
    Some(format!("\"{list}\" names `{}`{guess}", printable(name, 60)))
}
