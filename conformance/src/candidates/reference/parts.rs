//! The fields of layouts and optional sections of a descriptor, by the names of the specification's tables.
//!
//! Owns the mapping of these parts and nothing else.

use hurray_adapter::{FieldValue, Fields};
use hurray_reference::{
    CompositionRule, ExtensionType, LayoutDescriptor, Quantization, Scheme, Shard, Statistics, TensorDescriptor,
    TileLevel, TileOrder,
};

/// Levels of tiles that are shown. A reader follows no more, unless that rule is waived.
const MAX_LEVELS: usize = 64;

fn one(value: impl ToString) -> FieldValue {
    FieldValue::One(value.to_string())
}

fn many<T: ToString>(values: &[T]) -> FieldValue {
    FieldValue::Many(values.iter().map(T::to_string).collect())
}

fn float64(bits: u64) -> FieldValue {
    FieldValue::One(format!("{bits:016x}"))
}

fn fields<const N: usize>(fields: [(&str, FieldValue); N]) -> Fields {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The fields of the layout, strides apart.
pub(super) fn layout(layout: &LayoutDescriptor) -> Fields {
    match layout {
        LayoutDescriptor::Tiled { levels, inner } => tiled(levels, inner),
        LayoutDescriptor::Morton { morton_bits } => fields([("morton_bits", many(morton_bits))]),
        LayoutDescriptor::Coo { nnz, is_sorted } => {
            fields([("nnz", one(nnz)), ("is_sorted", one(u8::from(*is_sorted)))])
        }
        LayoutDescriptor::Csr { nnz } | LayoutDescriptor::Csc { nnz } => fields([("nnz", one(nnz))]),
        LayoutDescriptor::Csf { nnz, mode_order } => fields([("nnz", one(nnz)), ("mode_order", many(mode_order))]),
        LayoutDescriptor::BlockPaged(paged) => fields([
            ("page_size", one(paged.page_size)),
            ("num_pages", one(paged.num_pages)),
            ("paged_axis", one(paged.paged_axis)),
            ("num_seqs", one(paged.num_seqs)),
            ("kv_role", one(paged.kv_role)),
            ("layer_index", one(paged.layer_index)),
            ("block_table_index_type", one(paged.block_table_index_type)),
        ]),
        LayoutDescriptor::Composite(head) => fields([
            ("composition_rule", one(head.composition_rule.0)),
            ("combine_op", one(head.combine_op)),
            ("member_count", one(head.member_count)),
        ]),
        LayoutDescriptor::Hilbert { hilbert_order, hilbert_rank } => {
            fields([("hilbert_order", one(hilbert_order)), ("hilbert_rank", one(hilbert_rank))])
        }
        LayoutDescriptor::Extension { id, data, .. } => {
            fields([("extension_layout_id", one(id)), ("extension_data", one(hex::encode(data)))])
        }
        LayoutDescriptor::RowMajor
        | LayoutDescriptor::ColumnMajor
        | LayoutDescriptor::Strided { .. }
        | LayoutDescriptor::Unknown(_) => Fields::new(),
    }
}

/// From the innermost level outwards, so that depth costs no stack here.
fn tiled(levels: &[TileLevel], inner: &TileOrder) -> Fields {
    let shown = levels.get(..MAX_LEVELS).unwrap_or(levels);
    let mut nested = None;
    for (at, level) in shown.iter().enumerate().rev() {
        let is_last = at + 1 == levels.len();
        let inner_layout = if is_last { inner.tag() } else { 0x04 };
        let mut part = fields([
            ("tile_shape", many(&level.tile_shape)),
            ("outer_layout", one(level.outer.tag())),
            ("inner_layout", one(inner_layout)),
        ]);
        if let TileOrder::Strided(strides) = &level.outer {
            part.insert("outer_strides".to_owned(), many(strides));
        }
        if let (true, TileOrder::Strided(strides)) = (is_last, inner) {
            part.insert("inner_strides".to_owned(), many(strides));
        }
        if let Some(nested) = nested.take() {
            part.insert("nested".to_owned(), FieldValue::Part(nested));
        }
        nested = Some(part);
    }
    nested.unwrap_or_default()
}

/// The name of a head's composition rule.
pub(super) fn composition_rule(layout: &LayoutDescriptor) -> String {
    let LayoutDescriptor::Composite(head) = layout else { return String::new() };
    match head.composition_rule {
        CompositionRule::PARTITION => "partition".to_owned(),
        CompositionRule::OVERLAY => "overlay".to_owned(),
        CompositionRule::GROUP => "group".to_owned(),
        other => format!("{:#04x}", other.0),
    }
}

/// The quantization section.
pub(super) fn quantization(quantization: &Quantization) -> Fields {
    let scheme = &quantization.scheme;
    let name = scheme.name().map_or_else(|| format!("{:#04x}", scheme.tag()), str::to_owned);
    let mut part = fields([("scheme", one(name)), ("scheme_version", one(quantization.version))]);
    let numbers =
        [("axis", scheme.axis()), ("block_size", scheme.block_size()), ("scale_buffer_index", scheme.scale_buffer())];
    for (name, number) in numbers {
        part.extend(number.map(|number| (name.to_owned(), one(number))));
    }
    match scheme {
        Scheme::PerTensor { scale, zero_point } => {
            let scale = FieldValue::One(format!("{scale:08x}"));
            part.extend(fields([("scale", scale), ("zero_point", one(zero_point)), ("flags", one(0))]));
        }
        Scheme::PerChannel { zero_point_buffer_index, is_symmetric, scale_type_tag, .. }
        | Scheme::PerBlock { zero_point_buffer_index, is_symmetric, scale_type_tag, .. } => {
            part.extend(fields([
                ("zero_point_buffer_index", one(zero_point_buffer_index)),
                ("scale_type_tag", one(scale_type_tag)),
                ("flags", one(u8::from(*is_symmetric))),
            ]));
        }
        Scheme::Nf4 { .. } | Scheme::Mxfp { .. } => part.extend(fields([("flags", one(0))])),
        Scheme::Unknown(_) => {}
    }
    part
}

/// The shard section.
pub(super) fn shard(shard: &Shard) -> Fields {
    fields([("parent_shape", many(&shard.parent_shape)), ("shard_offset", many(&shard.shard_offset))])
}

/// The statistics section, as far as its mask goes.
pub(super) fn statistics(statistics: &Statistics) -> Fields {
    let mut part = Fields::new();
    part.extend(statistics.nnz.map(|nnz| ("nnz".to_owned(), one(nnz))));
    part.extend(statistics.sparsity_ratio.map(|ratio| ("sparsity_ratio".to_owned(), float64(ratio))));
    if let Some(range) = statistics.value_range.map(|range| range.map(float64)) {
        let names = ["value_min", "value_max", "value_abs_max"].map(str::to_owned);
        part.extend(names.into_iter().zip(range));
    }
    if let Some(values) = statistics.value_stats.map(|values| values.map(float64)) {
        part.extend(["value_mean", "value_stddev"].map(str::to_owned).into_iter().zip(values));
    }
    if let Some(numbers) = statistics.nm_sparsity.map(|numbers| numbers.map(one)) {
        part.extend(["nm_n", "nm_m"].map(str::to_owned).into_iter().zip(numbers));
    }
    if let Some(flags) = statistics.nan_inf.map(|flags| flags.map(one)) {
        part.extend(["has_nan", "has_inf"].map(str::to_owned).into_iter().zip(flags));
    }
    part
}

/// The extension type section.
pub(super) fn extension(extension: &ExtensionType) -> Fields {
    fields([
        ("bit_width", one(extension.bit_width)),
        ("packing_factor", one(extension.packing_factor)),
        ("is_float", one(extension.is_float)),
        ("is_signed", one(extension.is_signed)),
        ("sign_bits", one(extension.sign_bits)),
        ("exponent_bits", one(extension.exponent_bits)),
        ("mantissa_bits", one(extension.mantissa_bits)),
        ("exponent_bias", one(extension.exponent_bias)),
        ("has_nan", one(extension.has_nan)),
        ("has_inf", one(extension.has_inf)),
    ])
}

/// The composite member section.
pub(super) fn member(descriptor: &TensorDescriptor) -> Option<Fields> {
    descriptor.member_role.map(|role| fields([("member_role", one(role.0))]))
}
