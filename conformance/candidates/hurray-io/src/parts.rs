//! The fields of layouts and optional sections as the library shows them, by the names of the specification's tables.
//!
//! Nothing is checked or computed here. What the library does not show, such as the version of a quantization scheme or
//! the index of a zero-point buffer that a symmetric scheme ignores, is left out.

use hurray_adapter::{FieldValue, Fields};
use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::{LayoutDescriptor, TiledLayout};
use hurray_core::{
    BlockPagedLayout, CompositionRule, ExtensionTypeDescriptor, QuantizationDescriptor, ShardDescriptor, Statistics,
};

/// What stands on the wire for a cache that belongs to no layer; the library shows `None`.
const NO_LAYER: u32 = u32::MAX;

fn one(value: impl ToString) -> FieldValue {
    FieldValue::One(value.to_string())
}

fn many<T: ToString>(values: &[T]) -> FieldValue {
    FieldValue::Many(values.iter().map(T::to_string).collect())
}

fn float64(value: f64) -> FieldValue {
    FieldValue::One(format!("{:016x}", value.to_bits()))
}

fn truth(value: bool) -> FieldValue {
    one(value)
}

fn hex(bytes: &[u8]) -> FieldValue {
    FieldValue::One(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn fields<const N: usize>(fields: [(&str, FieldValue); N]) -> Fields {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The fields of the layout, strides apart.
pub(crate) fn layout(layout: &LayoutDescriptor) -> Fields {
    match layout {
        LayoutDescriptor::Tiled(tiles) => tiled(tiles),
        LayoutDescriptor::Morton(morton) => fields([("morton_bits", many(&morton.morton_bits))]),
        LayoutDescriptor::Coo(coo) => fields([("nnz", one(coo.nnz)), ("is_sorted", truth(coo.is_sorted))]),
        LayoutDescriptor::Csr(csr) => fields([("nnz", one(csr.nnz))]),
        LayoutDescriptor::Csc(csc) => fields([("nnz", one(csc.nnz))]),
        LayoutDescriptor::Csf(csf) => fields([("nnz", one(csf.nnz)), ("mode_order", many(&csf.mode_order))]),
        LayoutDescriptor::BlockPaged(paged) => block_paged(paged),
        LayoutDescriptor::Composite(head) => fields([
            ("composition_rule", one(head.rule.rule_byte())),
            ("combine_op", one(head.rule.combine_op_byte())),
            ("member_count", one(head.member_count)),
        ]),
        LayoutDescriptor::Hilbert(hilbert) => {
            fields([("hilbert_order", one(hilbert.hilbert_order)), ("hilbert_rank", one(hilbert.hilbert_rank))])
        }
        LayoutDescriptor::PrivateExtension(private) => fields([
            ("extension_layout_id", one(private.extension_layout_id)),
            ("extension_data", hex(&private.extension_data)),
        ]),
        _ => Fields::new(),
    }
}

/// One level and those inside it; the library itself allows eight.
fn tiled(tiles: &TiledLayout) -> Fields {
    let mut part = fields([
        ("tile_shape", many(&tiles.tile_shape)),
        ("outer_layout", one(tiles.outer_layout)),
        ("inner_layout", one(tiles.inner_layout)),
    ]);
    let strides = tiles.outer_strides.as_ref().map(|outer| ("outer_strides", &outer.strides));
    let strides =
        strides.into_iter().chain(tiles.inner_strides.as_ref().map(|inner| ("inner_strides", &inner.strides)));
    part.extend(strides.map(|(name, strides)| (name.to_owned(), many(strides))));
    part.extend(tiles.inner_tiled.iter().map(|inner| ("nested".to_owned(), FieldValue::Part(tiled(inner)))));
    part
}

fn block_paged(paged: &BlockPagedLayout) -> Fields {
    fields([
        ("page_size", one(paged.page_size)),
        ("num_pages", one(paged.num_pages)),
        ("paged_axis", one(paged.paged_axis)),
        ("num_seqs", one(paged.num_seqs)),
        ("kv_role", one(paged.kv_role.wire_byte())),
        ("layer_index", one(paged.layer_index.unwrap_or(NO_LAYER))),
        ("block_table_index_type", one(paged.block_table_index_type.wire_byte())),
    ])
}

/// The name of a head's composition rule; empty for what is no head.
pub(crate) fn composition_rule(descriptor: &TensorDescriptor) -> &'static str {
    match &descriptor.layout {
        LayoutDescriptor::Composite(head) => match head.rule {
            CompositionRule::Partition => "partition",
            CompositionRule::Overlay(_) => "overlay",
            CompositionRule::Group => "group",
            // Whatever a later release adds has no name here yet.
            _ => "",
        },
        _ => "",
    }
}

/// The quantization section.
pub(crate) fn quantization(scheme: &QuantizationDescriptor) -> Fields {
    let mut part = Fields::new();
    let mut add = |more: Fields| part.extend(more);
    match scheme {
        QuantizationDescriptor::PerTensorAffine(scheme) => add(fields([
            ("scheme", one("per_tensor")),
            ("scale", FieldValue::One(format!("{:08x}", scheme.scale().to_bits()))),
            ("zero_point", one(scheme.zero_point())),
        ])),
        QuantizationDescriptor::PerChannelAffine(scheme) => {
            add(fields([("scheme", one("per_channel")), ("axis", one(scheme.axis()))]));
            add(affine(
                scheme.scale_buffer_index(),
                scheme.zero_point_buffer_index(),
                scheme.scale_type().tag(),
                scheme.is_symmetric(),
            ));
        }
        QuantizationDescriptor::PerBlockAffine(scheme) => {
            add(blocks("per_block", scheme.axis(), scheme.block_size(), scheme.scale_buffer_index()));
            add(affine(
                scheme.scale_buffer_index(),
                scheme.zero_point_buffer_index(),
                scheme.scale_type().tag(),
                scheme.is_symmetric(),
            ));
        }
        QuantizationDescriptor::Nf4(scheme) => {
            add(blocks("nf4", scheme.axis(), scheme.block_size(), scheme.scale_buffer_index()));
        }
        QuantizationDescriptor::Mxfp(scheme) => {
            add(blocks("mxfp", scheme.axis(), scheme.block_size(), scheme.scale_buffer_index()));
        }
    }
    part
}

fn blocks(name: &str, axis: u32, block_size: u32, scale_buffer_index: u32) -> Fields {
    fields([
        ("scheme", one(name)),
        ("axis", one(axis)),
        ("block_size", one(block_size)),
        ("scale_buffer_index", one(scale_buffer_index)),
    ])
}

fn affine(scale_buffer_index: u32, zero_points: Option<u32>, scale_type_tag: u8, is_symmetric: bool) -> Fields {
    let mut part = fields([
        ("scale_buffer_index", one(scale_buffer_index)),
        ("scale_type_tag", one(scale_type_tag)),
        ("flags", one(u8::from(is_symmetric))),
    ]);
    part.extend(zero_points.map(|index| ("zero_point_buffer_index".to_owned(), one(index))));
    part
}

/// The shard section.
pub(crate) fn shard(shard: &ShardDescriptor) -> Fields {
    fields([("parent_shape", many(&shard.parent_shape)), ("shard_offset", many(&shard.shard_offset))])
}

/// The statistics section, as far as its mask goes.
pub(crate) fn statistics(statistics: &Statistics) -> Fields {
    let mask = statistics.computed_mask;
    let groups = [
        (mask.nnz_valid(), fields([("nnz", one(statistics.nnz))])),
        (mask.sparsity_valid(), fields([("sparsity_ratio", float64(statistics.sparsity_ratio))])),
        (
            mask.value_range_valid(),
            fields([
                ("value_min", float64(statistics.value_min)),
                ("value_max", float64(statistics.value_max)),
                ("value_abs_max", float64(statistics.value_abs_max)),
            ]),
        ),
        (
            mask.value_stats_valid(),
            fields([
                ("value_mean", float64(statistics.value_mean)),
                ("value_stddev", float64(statistics.value_stddev)),
            ]),
        ),
        (mask.nm_sparsity_valid(), fields([("nm_n", one(statistics.nm_n)), ("nm_m", one(statistics.nm_m))])),
        (
            mask.nan_inf_valid(),
            fields([("has_nan", truth(statistics.has_nan)), ("has_inf", truth(statistics.has_inf))]),
        ),
    ];
    groups.into_iter().filter(|(is_valid, _)| *is_valid).flat_map(|(_, fields)| fields).collect()
}

/// The extension type section.
pub(crate) fn extension(extension: &ExtensionTypeDescriptor) -> Fields {
    fields([
        ("bit_width", one(extension.bit_width)),
        ("packing_factor", one(extension.packing_factor)),
        ("is_float", truth(extension.is_float)),
        ("is_signed", truth(extension.is_signed)),
        ("sign_bits", one(extension.sign_bits)),
        ("exponent_bits", one(extension.exponent_bits)),
        ("mantissa_bits", one(extension.mantissa_bits)),
        ("exponent_bias", one(extension.exponent_bias)),
        ("has_nan", truth(extension.has_nan)),
        ("has_inf", truth(extension.has_inf)),
    ])
}

/// The composite member section.
pub(crate) fn member(descriptor: &TensorDescriptor) -> Option<Fields> {
    descriptor.composite_member.as_ref().map(|member| fields([("member_role", one(member.member_role.wire_byte()))]))
}

#[cfg(test)]
mod tests {
    use hurray_core::descriptor::StatisticsMask;
    use hurray_core::layout::{InnerStrides, OuterStrides};
    use hurray_core::{BlockTableIndexType, ElementType, KvRole, PerBlockAffine};

    use super::*;

    #[test]
    fn statistics_end_where_their_mask_ends() {
        let mut all = Statistics {
            computed_mask: StatisticsMask(StatisticsMask::VALUE_STATS_VALID),
            nnz: 1,
            sparsity_ratio: 2.0,
            value_min: 3.0,
            value_max: 4.0,
            value_abs_max: 5.0,
            value_mean: -0.0,
            value_stddev: 1.0,
            nm_n: 6,
            nm_m: 7,
            has_nan: true,
            has_inf: false,
        };
        let valid = fields([
            ("value_mean", FieldValue::One("8000000000000000".to_owned())),
            ("value_stddev", FieldValue::One("3ff0000000000000".to_owned())),
        ]);
        assert_eq!(statistics(&all), valid);
        all.computed_mask = StatisticsMask(0x3f);
        assert_eq!(statistics(&all).len(), 11);
    }

    #[test]
    fn nested_tiles_are_nested_parts() {
        let strided =
            TiledLayout::new(vec![2], 3, 3, Some(OuterStrides::new(vec![-1])), Some(InnerStrides::new(vec![4])), None);
        let outer = TiledLayout::new(vec![8], 1, 4, None, None, Some(Box::new(strided.expect("a tile")))).expect("two");
        let inner = fields([
            ("tile_shape", many(&[2])),
            ("outer_layout", one(3)),
            ("inner_layout", one(3)),
            ("outer_strides", many(&[-1])),
            ("inner_strides", many(&[4])),
        ]);
        let whole = fields([
            ("tile_shape", many(&[8])),
            ("outer_layout", one(1)),
            ("inner_layout", one(4)),
            ("nested", FieldValue::Part(inner)),
        ]);
        assert_eq!(tiled(&outer), whole);
    }

    #[test]
    fn what_a_symmetric_scheme_ignores_is_left_out() {
        let scheme = PerBlockAffine::new_symmetric(1, 32, 2, ElementType::Float16).expect("a scheme");
        let part = quantization(&QuantizationDescriptor::PerBlockAffine(scheme));
        let shown = [("axis", "1"), ("block_size", "32"), ("scale_buffer_index", "2"), ("scale_type_tag", "1")];
        for (name, value) in shown {
            assert_eq!(part.get(name), Some(&one(value)), "{name}");
        }
        assert_eq!(part.get("flags"), Some(&one(1)));
        assert_eq!(part.get("zero_point_buffer_index"), None);
    }

    #[test]
    fn a_cache_of_no_layer_has_the_number_of_none() {
        let paged = BlockPagedLayout::new(4, 2, 0, 1, KvRole::Fused, None, BlockTableIndexType::U64);
        let part = block_paged(&paged);
        assert_eq!(part.get("layer_index"), Some(&one(u32::MAX)));
        assert_eq!((part.get("kv_role"), part.get("block_table_index_type")), (Some(&one(2)), Some(&one(1))));
    }
}
