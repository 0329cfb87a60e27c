//! Renders `spec/src/tables/data.rs` from `spec/tables/*.toml`. Owns how a table
//! looks in Rust; decides nothing about the format.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::shapes::{
    Bit, Block, Constant, Constants, Device, ElementType, Examples, Field, Flags, Layout, Range, Scheme, Space,
    Structure, Structures, Tables, Tags, Value,
};
use super::text::read_toml;

impl Tables {
    /// Reads every table file; values of enumerations come in the order of their tags.
    pub(super) fn load(root: &Path) -> io::Result<Tables> {
        let dir = root.join("spec/tables");
        let constants: Constants = read_toml(&dir.join("constants.toml"))?;
        let mut tags: Tags = read_toml(&dir.join("tags.toml"))?;
        tags.element_type.sort_by_key(|entry| entry.tag);
        tags.layout.sort_by_key(|entry| entry.tag);
        tags.device.sort_by_key(|entry| entry.tag);
        tags.scheme.sort_by_key(|entry| entry.tag);
        for space in &mut tags.space {
            let named: Vec<(u8, String)> = match space.id.as_str() {
                "type_tag" => tags.element_type.iter().map(|entry| (entry.tag, entry.name.clone())).collect(),
                "layout_tag" => tags.layout.iter().map(|entry| (entry.tag, entry.name.clone())).collect(),
                "device_tag" => tags.device.iter().map(|entry| (entry.tag, entry.name.clone())).collect(),
                "scheme_tag" => tags.scheme.iter().map(|entry| (entry.tag, entry.name.clone())).collect(),
                _ => continue,
            };
            let value = |(tag, name)| Value { tag, name, means: String::new(), min_bytes: None };
            space.values = named.into_iter().map(value).collect();
        }
        let examples: Examples = read_toml(&dir.join("examples.toml"))?;
        let mut structures: Structures = read_toml(&dir.join("structures.toml"))?;
        for more in ["layouts.toml", "sections.toml"] {
            let Structures { structure, flags, size } = read_toml(&dir.join(more))?;
            structures.structure.extend(structure);
            structures.flags.extend(flags);
            structures.size.extend(size);
        }
        Ok(Tables { constants: constants.constant, tags, structures, examples: examples.structure })
    }

    /// The tag byte of that id.
    pub(super) fn space(&self, id: &str) -> Option<&Space> {
        self.tags.space.iter().find(|space| space.id == id)
    }

    /// The text of `spec/src/tables/data.rs`, before formatting.
    pub(super) fn render(&self) -> io::Result<String> {
        let mut out = String::from(
            "// Generated from spec/tables/*.toml by `cargo xtask codegen`; do not edit.\n\
             //! The values of the specification's tables. Owns no lookup.\n\n\
             use super::{Blocks, Device, ElementKind, ElementType, Field, FlagBit, Layout, LayoutClass, Scheme};\n\
             use super::{Structure, TagClass, TagName, TagRange, TagSpace, VariableField, VariableStructure};\n\n",
        );
        self.constants(&mut out);
        self.spaces(&mut out);
        self.enumerations(&mut out)?;
        self.schemes(&mut out)?;
        self.fixed_structures(&mut out)?;
        self.variable_structures(&mut out);
        self.flags(&mut out);
        Ok(out)
    }

    fn constants(&self, out: &mut String) {
        for Constant { name, text, rust_type, value, means, source } in &self.constants {
            let _ = writeln!(out, "/// {} ({source}).", capital(means));
            let _ = match text {
                Some(text) => writeln!(out, "pub const {name}: [u8; {}] = *b{text:?};\n", text.len()),
                None => writeln!(out, "pub const {name}: {rust_type} = {value};\n"),
            };
        }
    }

    fn spaces(&self, out: &mut String) {
        for Space { id, source, values, ranges } in &self.tags.space {
            let name = id.to_uppercase();
            let _ = writeln!(
                out,
                "/// Every value of `{id}` ({source}).\npub static {name}: TagSpace = TagSpace {{ id: {id:?}, values: &["
            );
            for Value { tag, name, .. } in values {
                let _ = writeln!(out, "TagName {{ tag: {tag:#04x}, name: {name:?} }},");
            }
            out.push_str("], ranges: &[\n");
            for Range { from, to, class, .. } in ranges {
                let _ = writeln!(out, "TagRange {{ from: {from:#04x}, to: {to:#04x}, class: TagClass::{class:?} }},");
            }
            out.push_str("] };\n\n");
        }
        let names: Vec<String> = self.tags.space.iter().map(|space| format!("&{}", space.id.to_uppercase())).collect();
        let _ = writeln!(out, "/// Every tag byte.\npub static TAG_SPACES: &[&TagSpace] = &[{}];\n", names.join(", "));
        for space in &self.tags.space {
            for Value { name, min_bytes, .. } in &space.values {
                if let Some(min_bytes) = min_bytes {
                    let upper = name.to_uppercase();
                    let _ = writeln!(
                        out,
                        "/// Fewest bytes of a `{name}` payload.\npub const KV_{upper}_MIN_LEN: u64 = {min_bytes};\n"
                    );
                }
            }
        }
    }

    fn enumerations(&self, out: &mut String) -> io::Result<()> {
        out.push_str("/// Every element type, by tag.\npub static ELEMENT_TYPES: &[ElementType] = &[\n");
        for ElementType { name, tag, tier, kind, bits, align, pack } in &self.tags.element_type {
            let (elements, bytes) = pack.as_ref().map_or((1, u64::from(*bits) / 8), |pack| (pack.elements, pack.bytes));
            let _ = writeln!(
                out,
                "ElementType {{ name: {name:?}, tag: {tag:#04x}, tier: {tier}, kind: ElementKind::{kind:?}, bits: {bits}, \
                 align: {align}, pack_elements: {elements}, pack_bytes: {bytes} }},"
            );
        }
        out.push_str("];\n\n/// Every layout, by tag.\npub static LAYOUTS: &[Layout] = &[\n");
        for Layout { name, tag, tier, class, min_rank, max_rank, .. } in &self.tags.layout {
            let _ = writeln!(
                out,
                "Layout {{ name: {name:?}, tag: {tag:#04x}, tier: {tier}, class: LayoutClass::{class:?}, \
                 min_rank: {min_rank}, max_rank: {max_rank} }},"
            );
        }
        out.push_str(
            "];\n\npub(super) fn baseline_buffer_count(layout_tag: u8, rank: u32) -> u32 {\n    match layout_tag {\n",
        );
        for Layout { tag, buffers, .. } in &self.tags.layout {
            let count = match buffers.as_str() {
                "2*rank + 1" => "rank.saturating_mul(2).saturating_add(1)",
                count if count.parse::<u32>().is_ok() => count,
                other => return Err(io::Error::other(format!("tags.toml: no such buffer count: {other}"))),
            };
            let _ = writeln!(out, "{tag:#04x} => {count},");
        }
        out.push_str("_ => 1,\n}\n}\n\n/// Every device, by tag.\npub static DEVICES: &[Device] = &[\n");
        let classes = &self.space("memory_class").ok_or_else(|| io::Error::other("tags.toml: no memory_class"))?.values;
        for Device { name, tag, memory_classes } in &self.tags.device {
            let mut tags = Vec::new();
            for class in memory_classes {
                let found = classes.iter().find(|value| value.name == *class);
                tags.push(found.ok_or_else(|| io::Error::other(format!("tags.toml: no memory class {class}")))?.tag);
            }
            let _ = writeln!(out, "Device {{ name: {name:?}, tag: {tag:#04x}, memory_classes: &{tags:?} }},");
        }
        out.push_str("];\n\n");
        Ok(())
    }

    fn schemes(&self, out: &mut String) -> io::Result<()> {
        out.push_str("/// Every quantization scheme, by tag.\npub static SCHEMES: &[Scheme] = &[\n");
        for Scheme { name, tag, tier, len, storage, buffers, block } in &self.tags.scheme {
            let mut tags = Vec::new();
            for name in storage {
                let found = self.tags.element_type.iter().find(|entry| entry.name == *name);
                tags.push(found.ok_or_else(|| io::Error::other(format!("tags.toml: no element type {name}")))?.tag);
            }
            tags.sort_unstable();
            let blocks = block.as_ref().map_or("None".to_owned(), |Block { min, max, partial }| {
                format!("Some(Blocks {{ min: {min}, max: {max}, partial: {partial} }})")
            });
            let _ = writeln!(
                out,
                "Scheme {{ name: {name:?}, tag: {tag:#04x}, tier: {tier}, len: {len}, storage: &{tags:?}, \
                 buffers: {buffers}, blocks: {blocks} }},"
            );
        }
        out.push_str("];\n\n");
        Ok(())
    }

    fn fixed_structures(&self, out: &mut String) -> io::Result<()> {
        out.push_str("/// Every structure of fixed length.\npub static STRUCTURES: &[Structure] = &[\n");
        for Structure { id, len, fields, .. } in &self.structures.structure {
            if len.parse::<u64>().is_err() {
                continue;
            }
            let _ = writeln!(out, "Structure {{ id: {id:?}, len: {len}, fields: &[");
            for Field { name, offset, wire, count, .. } in fields {
                let one = wire_len(wire)
                    .ok_or_else(|| io::Error::other(format!("structures.toml: {id}.{name} has no fixed type")))?;
                let count = count.as_ref().map_or(Ok(1), |count| count.parse::<u64>()).map_err(io::Error::other)?;
                let offset =
                    offset.ok_or_else(|| io::Error::other(format!("structures.toml: {id}.{name} has no offset")))?;
                let _ = writeln!(out, "Field {{ name: {name:?}, offset: {offset}, len: {} }},", one * count);
            }
            out.push_str("] },\n");
        }
        out.push_str("];\n\n");
        Ok(())
    }

    fn variable_structures(&self, out: &mut String) {
        out.push_str("/// Every structure whose length depends on what it holds.\n");
        out.push_str("pub static VARIABLE_STRUCTURES: &[VariableStructure] = &[\n");
        for Structure { id, len, fields, .. } in &self.structures.structure {
            if len.parse::<u64>().is_ok() {
                continue;
            }
            let _ = writeln!(out, "VariableStructure {{ id: {id:?}, fields: &[");
            for Field { name, wire, count, .. } in fields {
                let count = count.as_ref().map_or(Some(1), |count| count.parse::<u64>().ok());
                let len = wire_len(wire).zip(count).map(|(one, count)| one * count);
                let _ = writeln!(out, "VariableField {{ name: {name:?}, len: {len:?} }},");
            }
            out.push_str("] },\n");
        }
        out.push_str("];\n\n");
    }

    fn flags(&self, out: &mut String) {
        for Flags { id, source, bits } in &self.structures.flags {
            let _ = writeln!(
                out,
                "/// Named bits of `{id}` ({source}).\npub static {}: &[FlagBit] = &[",
                id.to_uppercase()
            );
            for Bit { bit, name, .. } in bits {
                let _ = writeln!(out, "FlagBit {{ name: {name:?}, bit: {bit} }},");
            }
            out.push_str("];\n\n");
            for Bit { bit, name, means, .. } in bits {
                let prefix = id.trim_end_matches("_flags").to_uppercase();
                let _ = writeln!(out, "/// {}.\npub const {prefix}_{name}: u32 = 1 << {bit};\n", capital(means));
            }
        }
    }
}

/// Bytes of one item of a type; `None` for a structure.
fn wire_len(wire: &str) -> Option<u64> {
    match wire {
        "u8" | "bytes" => Some(1),
        "u16" => Some(2),
        "u32" | "i32" | "f32" => Some(4),
        "u64" | "i64" | "f64" => Some(8),
        _ => None,
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
}
