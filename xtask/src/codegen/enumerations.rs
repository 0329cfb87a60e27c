//! Tables of the enumerations for the chapters: element types, layouts, devices, quantization schemes. Owns their columns;
//! knows nothing of rules.

use std::fmt::Write as _;

use super::shapes::{Block, Device, ElementType, Layout, Scheme, Tables};

/// The table of that name.
pub(super) fn table(tables: &Tables, name: &str) -> Option<String> {
    match name {
        "types" => Some(types(&tables.tags.element_type)),
        "layouts" => Some(layouts(&tables.tags.layout)),
        "devices" => Some(devices(&tables.tags.device)),
        "schemes" => Some(schemes(&tables.tags.scheme)),
        _ => None,
    }
}

fn types(types: &[ElementType]) -> String {
    let mut out =
        "| value | name | tier | kind | bits | alignment | group |\n|---|---|---|---|---|---|---|\n".to_owned();
    for ElementType { name, tag, tier, kind, bits, align, pack } in types {
        let group = pack.as_ref().map_or(String::new(), |pack| match (pack.elements, pack.bytes) {
            (elements, 1) => format!("{elements} in a byte"),
            (elements, bytes) => format!("{elements} in {bytes} bytes"),
        });
        let _ = writeln!(out, "| `{tag:#04x}` | `{name}` | {tier} | {kind} | {bits} | {align} | {group} |");
    }
    out
}

fn layouts(layouts: &[Layout]) -> String {
    let mut out = "| value | name | tier | class | rank | buffers |\n|---|---|---|---|---|---|\n".to_owned();
    for Layout { name, tag, tier, class, min_rank, max_rank, buffers } in layouts {
        let rank = if min_rank == max_rank { min_rank.to_string() } else { format!("{min_rank} to {max_rank}") };
        let _ = writeln!(out, "| `{tag:#04x}` | `{name}` | {tier} | {class} | {rank} | {buffers} |");
    }
    out
}

fn devices(devices: &[Device]) -> String {
    let mut out = "| value | name | memory classes |\n|---|---|---|\n".to_owned();
    for Device { name, tag, memory_classes } in devices {
        let _ = writeln!(out, "| `{tag:#04x}` | `{name}` | {} |", memory_classes.join(", "));
    }
    out
}

fn schemes(schemes: &[Scheme]) -> String {
    let mut out =
        "| value | name | tier | bytes | stands on | parameter buffers | block size |\n|---|---|---|---|---|---|---|\n"
            .to_owned();
    for Scheme { name, tag, tier, len, storage, buffers, block } in schemes {
        let block = block.as_ref().map_or(String::new(), |Block { min, max, partial }| {
            let most = if *max == 0 { "the axis".to_owned() } else { max.to_string() };
            let last = if *partial { "a partial last one allowed" } else { "all full" };
            format!("{min} to {most}, {last}")
        });
        let storage = storage.join(", ");
        let _ = writeln!(out, "| `{tag:#04x}` | `{name}` | {tier} | {len} | {storage} | {buffers} | {block} |");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_table_has_a_line_for_every_entry() {
        let tables = Tables::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
        let lines = |name| table(&tables, name).map(|text| text.lines().count() - 2);
        let counts = ["types", "layouts", "devices", "schemes", "tensors"].map(lines);
        assert_eq!(counts, [Some(26), Some(12), Some(9), Some(5), None]);
        let types = table(&tables, "types").unwrap();
        assert!(types.contains("| `0x44` | `float6_e2m3` | 2 | float | 6 | 1 | 4 in 3 bytes |"), "{types}");
        let schemes = table(&tables, "schemes").unwrap();
        assert!(schemes.contains("| `0x05` | `mxfp` | 2 | 16 |") && schemes.contains("| 16 to 2048, all full |"));
    }
}
