//! What an adapter declares, compared with the words that mean something. Owns what has to be declared together.

use hurray_adapter::{Hello, Op, Part, SinkKind, SourceKind, WriteFeature};
use hurray_spec::tables::{ELEMENT_TYPES, LAYOUTS, SCHEMES};
use strum::VariantArray;

use super::advice;
use super::sheet::Sheet;
use crate::support::text::printable;
use hurray_corpus::similar::closest;

/// What an operation is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A file that is read by ranges, or a descriptor without one.
    Reading,
    /// A file that goes by once.
    Streaming,
    /// A file that is written.
    Writing,
}

/// What an operation is about.
pub(super) fn about(operation: Op) -> About {
    match operation {
        Op::Open
        | Op::List
        | Op::Kv
        | Op::Describe
        | Op::Read
        | Op::Composite
        | Op::Locate
        | Op::Decode
        | Op::All
        | Op::Descriptor
        | Op::Validate => About::Reading,
        Op::Scan => About::Streaming,
        Op::Write | Op::Create | Op::Header | Op::Put | Op::Finish => About::Writing,
    }
}

/// Whether it offers an operation of that kind.
fn offers_any(hello: &Hello, kind: About) -> bool {
    Op::VARIANTS.iter().any(|operation| about(*operation) == kind && hello.offers(*operation))
}

/// Looks at every list of a hello.
pub(super) fn check(sheet: &mut Sheet, hello: &Hello) {
    names(sheet, hello);
    let asked = "it declares what it can be asked, how it takes a file, and what it sees";
    let writes = is_writer(hello);
    let reads = offers_any(hello, About::Reading) || !writes;
    let has_source = hello.reads_from(SourceKind::Path) || hello.reads_from(SourceKind::Served);
    let has_sink = hello.writes_to(SinkKind::Path) || hello.writes_to(SinkKind::Served);
    let does_more = hello.operations.iter().any(|name| name != Op::Open.name());
    let all = [
        (reads && !hello.offers(Op::Open), "`open` in \"operations\""),
        (reads && !does_more, "an operation beside `open`"),
        (reads && !has_source, "`path` or `served` in \"source\""),
        (reads && hello.observes.is_empty(), "anything in \"observes\", so nothing it sees is compared"),
        (writes && !has_sink, "`path` or `served` in \"sink\", though it writes"),
        (writes && hello.writes.is_none(), "\"writes\": what it can write"),
        (
            hello.offers(Op::Scan) && !hello.reads_from(SourceKind::Stream),
            "`stream` in \"source\", though it offers `scan`",
        ),
        (
            hello.io_contract && !hello.reads_from(SourceKind::Served) && !hello.writes_to(SinkKind::Served),
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
    offers_any(hello, About::Writing)
}

fn names(sheet: &mut Sheet, hello: &Hello) {
    let asked = "the names in its hello mean something";
    let types: Vec<&str> = ELEMENT_TYPES.iter().map(|entry| entry.name).collect();
    let layouts: Vec<&str> = LAYOUTS.iter().map(|entry| entry.name).collect();
    let schemes: Vec<&str> = SCHEMES.iter().map(|entry| entry.name).collect();
    let nothing = hurray_adapter::Writes::default();
    let writes = hello.writes.as_ref().unwrap_or(&nothing);
    let lists: [(&str, &[String], &[&str]); 11] = [
        ("operations", &hello.operations, &spelt(Op::VARIANTS)),
        ("types", &hello.types, &types),
        ("layouts", &hello.layouts, &layouts),
        ("quantization", &hello.quantization, &schemes),
        ("source", &hello.source, &spelt(SourceKind::VARIANTS)),
        ("sink", &hello.sink, &spelt(SinkKind::VARIANTS)),
        ("observes", &hello.observes, &spelt(Part::VARIANTS)),
        ("writes.types", &writes.types, &types),
        ("writes.layouts", &writes.layouts, &layouts),
        ("writes.quantization", &writes.quantization, &schemes),
        ("writes.features", &writes.features, &spelt(WriteFeature::VARIANTS)),
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

fn spelt<W: Copy + Into<&'static str>>(words: &[W]) -> Vec<&'static str> {
    words.iter().map(|word| (*word).into()).collect()
}

fn unknown_name(list: &str, name: &str, known: &[&str]) -> Option<String> {
    if known.contains(&name) {
        return None;
    }
    let guess = closest(name, known.iter().copied());
    let guess = guess.map(|guess| format!(" (`{guess}`?)")).unwrap_or_default();
    Some(format!("\"{list}\" names `{}`{guess}", printable(name, 60)))
}
