//! A description as the library's descriptor, through its constructors.
//!
//! Nothing is checked here but what the constructors check, and what their documentation leaves by name to the program that
//! uses them: a layout and a shard against the shape, and the typed layer for schemes.

use hurray_adapter::{Failure, Fields, HandleObservation, TensorObservation};
use hurray_core::descriptor::{
    CompositeMemberDescriptor, ExtensionTypeDescriptor, MemberRole, ShardDescriptor, Statistics, StatisticsMask,
    TensorDescriptor,
};
use hurray_core::layout::coo::CooLayout;
use hurray_core::layout::csc::CscLayout;
use hurray_core::layout::csr::CsrLayout;
use hurray_core::layout::hilbert::HilbertLayout;
use hurray_core::layout::morton::MortonLayout;
use hurray_core::layout::private_extension::PrivateExtensionLayout;
use hurray_core::layout::strided::StridedLayout;
use hurray_core::layout::tiled::{InnerStrides, OuterStrides, TiledLayout};
use hurray_core::layout::{CompositeLayout, CompositionRule, LayoutDescriptor};
use hurray_core::{
    BlockPagedLayout, BlockTableIndexType, BufferHandle, CsfLayout, DeviceTag, ElementType, KvRole, MemoryClass, Mxfp,
    Nf4, PerBlockAffine, PerChannelAffine, PerTensorAffine, QuantizationDescriptor, Shape, SyncMode,
};

use crate::given::{bytes, float32, float64, maybe, number, numbers, part, refused, truth, unsaid};
use crate::typed;

/// What stands on the wire for a cache that belongs to no layer; the library takes `None`.
const NO_LAYER: u32 = u32::MAX;
/// The flag of a scheme without zero points.
const SYMMETRIC: u32 = 1;

/// The descriptor of a description.
///
/// # Errors
/// What the library refuses or cannot say.
pub(crate) fn descriptor(given: &TensorObservation) -> Result<TensorDescriptor, Failure> {
    let [major, minor] = given.version.ok_or_else(|| unsaid("version"))?;
    let dims: Vec<u64> = given.shape.iter().flatten().map(|size| size.0).collect();
    let handles = given.handles.iter().flatten().map(handle).collect::<Result<_, _>>()?;
    let descriptor = TensorDescriptor::new(
        major,
        minor,
        element_type(given.element_type.as_deref().unwrap_or_default())?,
        Shape::new(dims).map_err(refused)?,
        given.byte_offset.map_or(0, |offset| offset.0),
        layout(given)?,
        handles,
        given.quantization.as_ref().map(quantization).transpose()?,
        given.shard.as_ref().map(shard).transpose()?,
        given.statistics.as_ref().map(statistics).transpose()?,
        given.extension.as_ref().map(extension).transpose()?,
    )
    .map_err(refused)?;
    descriptor.layout.validate_against_shape(&descriptor.shape).map_err(refused)?;
    if let Some(shard) = &descriptor.shard {
        shard.validate_against_shape(&descriptor.shape).map_err(refused)?;
    }
    typed::quantization(&descriptor).map_err(refused)?;
    let Some(member) = &given.member else { return Ok(descriptor) };
    let role = MemberRole::from_wire(number(member, "member_role")?).map_err(refused)?;
    Ok(descriptor.with_composite_member(CompositeMemberDescriptor::new(role)))
}

fn element_type(name: &str) -> Result<ElementType, Failure> {
    let named =
        || (1..=u8::MAX).filter_map(|tag| ElementType::from_tag(tag).ok()).find(|kind| kind.to_string() == name);
    match tag(name) {
        Some(tag) => ElementType::from_tag(tag).map_err(refused),
        None => named().ok_or(Failure::Unsupported),
    }
}

/// The tag of a name like `0xf0`.
fn tag(name: &str) -> Option<u8> {
    name.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok())
}

fn handle(given: &HandleObservation) -> Result<BufferHandle, Failure> {
    BufferHandle::with_memory_class(
        given.byte_size.map_or(0, |size| size.0),
        given.alignment.unwrap_or(0),
        DeviceTag::from_byte(given.device_tag.unwrap_or(0)).map_err(refused)?,
        SyncMode::from_byte(given.sync_mode.unwrap_or(0)).map_err(refused)?,
        MemoryClass::from_byte(given.memory_class.unwrap_or(0)).map_err(refused)?,
    )
    .map_err(refused)
}

fn layout(given: &TensorObservation) -> Result<LayoutDescriptor, Failure> {
    let empty = Fields::new();
    let fields = given.layout_fields.as_ref().unwrap_or(&empty);
    let name = given.layout.as_deref().unwrap_or_default();
    Ok(match name {
        "row_major" => LayoutDescriptor::RowMajor,
        "column_major" => LayoutDescriptor::ColMajor,
        "strided" => {
            let strides = given.strides.iter().flatten().map(|stride| stride.0).collect();
            LayoutDescriptor::Strided(StridedLayout::new(strides))
        }
        "tiled" => LayoutDescriptor::Tiled(Box::new(tiled(fields)?)),
        "morton" => LayoutDescriptor::Morton(MortonLayout::new(numbers(fields, "morton_bits")?).map_err(refused)?),
        "coo" => LayoutDescriptor::Coo(CooLayout::new(number(fields, "nnz")?, truth(fields, "is_sorted")?)),
        "csr" => LayoutDescriptor::Csr(CsrLayout::new(number(fields, "nnz")?)),
        "csc" => LayoutDescriptor::Csc(CscLayout::new(number(fields, "nnz")?)),
        "csf" => LayoutDescriptor::Csf(CsfLayout::new(number(fields, "nnz")?, numbers(fields, "mode_order")?)),
        "block_paged" => LayoutDescriptor::BlockPaged(block_paged(fields)?),
        "composite_head" => {
            let rule = CompositionRule::from_wire(number(fields, "composition_rule")?, number(fields, "combine_op")?);
            let head = CompositeLayout::new(rule.map_err(refused)?, number(fields, "member_count")?);
            LayoutDescriptor::Composite(head.map_err(refused)?)
        }
        "hilbert" => {
            let curve = HilbertLayout::new(number(fields, "hilbert_order")?, number(fields, "hilbert_rank")?);
            LayoutDescriptor::Hilbert(curve.map_err(refused)?)
        }
        other => {
            let tag = tag(other).ok_or(Failure::Unsupported)?;
            let (id, data) = (number(fields, "extension_layout_id")?, bytes(fields, "extension_data")?);
            LayoutDescriptor::PrivateExtension(PrivateExtensionLayout::new(tag, id, data).map_err(refused)?)
        }
    })
}

/// From the innermost level outwards, so that a description of many levels costs no stack here.
fn tiled(fields: &Fields) -> Result<TiledLayout, Failure> {
    let mut levels = vec![fields];
    while let Some(inner) = levels.last().filter(|level| level.contains_key("nested")) {
        levels.push(part(inner, "nested")?);
    }
    let mut built: Option<Box<TiledLayout>> = None;
    for level in levels.into_iter().rev() {
        let strides = |name: &str| level.contains_key(name).then(|| numbers(level, name)).transpose();
        let tiles = TiledLayout::new(
            numbers(level, "tile_shape")?,
            number(level, "outer_layout")?,
            number(level, "inner_layout")?,
            strides("outer_strides")?.map(OuterStrides::new),
            strides("inner_strides")?.map(InnerStrides::new),
            built.take(),
        );
        built = Some(Box::new(tiles.map_err(refused)?));
    }
    built.map(|tiles| *tiles).ok_or_else(|| unsaid("tile_shape"))
}

fn block_paged(fields: &Fields) -> Result<BlockPagedLayout, Failure> {
    let layer: u32 = number(fields, "layer_index")?;
    Ok(BlockPagedLayout::new(
        number(fields, "page_size")?,
        number(fields, "num_pages")?,
        number(fields, "paged_axis")?,
        number(fields, "num_seqs")?,
        KvRole::from_wire(number(fields, "kv_role")?).ok_or_else(|| unsaid("kv_role"))?,
        (layer != NO_LAYER).then_some(layer),
        BlockTableIndexType::from_wire(number(fields, "block_table_index_type")?)
            .ok_or_else(|| unsaid("block_table_index_type"))?,
    ))
}

fn quantization(fields: &Fields) -> Result<Vec<u8>, Failure> {
    let index = |name: &str| number::<u32>(fields, name);
    let is_symmetric = maybe::<u32>(fields, "flags")?.unwrap_or(0) & SYMMETRIC != 0;
    let scheme = match number::<String>(fields, "scheme")?.as_str() {
        "per_tensor" => PerTensorAffine::new(float32(fields, "scale")?, number(fields, "zero_point")?)
            .map(QuantizationDescriptor::PerTensorAffine),
        "per_channel" if is_symmetric => PerChannelAffine::new_symmetric(index("axis")?, index("scale_buffer_index")?)
            .map(QuantizationDescriptor::PerChannelAffine),
        "per_channel" => {
            let zero_points = index("zero_point_buffer_index")?;
            PerChannelAffine::new_asymmetric(index("axis")?, index("scale_buffer_index")?, zero_points)
                .map(QuantizationDescriptor::PerChannelAffine)
        }
        "per_block" => per_block(fields, is_symmetric)?,
        "nf4" => Nf4::new(index("axis")?, index("block_size")?, index("scale_buffer_index")?)
            .map(QuantizationDescriptor::Nf4),
        "mxfp" => Mxfp::new(index("axis")?, index("block_size")?, index("scale_buffer_index")?)
            .map(QuantizationDescriptor::Mxfp),
        other => {
            // No constructor makes a scheme without a name; the typed layer says what it makes of the head of one.
            let tag = tag(other).ok_or(Failure::Unsupported)?;
            QuantizationDescriptor::decode(&[tag, maybe(fields, "scheme_version")?.unwrap_or(1), 0, 0])
                .map(|(scheme, _)| scheme)
        }
    };
    Ok(scheme.map_err(refused)?.encode_to_vec())
}

fn per_block(fields: &Fields, is_symmetric: bool) -> Result<hurray_core::Result<QuantizationDescriptor>, Failure> {
    let index = |name: &str| number::<u32>(fields, name);
    let (axis, block_size, scales) = (index("axis")?, index("block_size")?, index("scale_buffer_index")?);
    let scale_type = ElementType::from_tag(number(fields, "scale_type_tag")?).map_err(refused)?;
    let scheme = if is_symmetric {
        PerBlockAffine::new_symmetric(axis, block_size, scales, scale_type)
    } else {
        PerBlockAffine::new_asymmetric(axis, block_size, scales, index("zero_point_buffer_index")?, scale_type)
    };
    Ok(scheme.map(QuantizationDescriptor::PerBlockAffine))
}

fn shard(fields: &Fields) -> Result<ShardDescriptor, Failure> {
    ShardDescriptor::new(numbers(fields, "parent_shape")?, numbers(fields, "shard_offset")?).map_err(refused)
}

/// The mask declares the groups that are given.
fn statistics(fields: &Fields) -> Result<Statistics, Failure> {
    let groups = [
        ("nnz", StatisticsMask::NNZ_VALID),
        ("sparsity_ratio", StatisticsMask::SPARSITY_VALID),
        ("value_min", StatisticsMask::VALUE_RANGE_VALID),
        ("value_mean", StatisticsMask::VALUE_STATS_VALID),
        ("nm_n", StatisticsMask::NM_SPARSITY_VALID),
        ("has_nan", StatisticsMask::NAN_INF_VALID),
    ];
    let mask = groups.iter().filter(|(name, _)| fields.contains_key(*name)).fold(0, |mask, (_, bit)| mask | bit);
    let float = |name: &str, bit: u32| if mask & bit == 0 { Ok(0.0) } else { float64(fields, name) };
    let flag = |name: &str| if mask & StatisticsMask::NAN_INF_VALID == 0 { Ok(false) } else { truth(fields, name) };
    Ok(Statistics {
        computed_mask: StatisticsMask(mask),
        nnz: maybe(fields, "nnz")?.unwrap_or(0),
        sparsity_ratio: float("sparsity_ratio", StatisticsMask::SPARSITY_VALID)?,
        value_min: float("value_min", StatisticsMask::VALUE_RANGE_VALID)?,
        value_max: float("value_max", StatisticsMask::VALUE_RANGE_VALID)?,
        value_abs_max: float("value_abs_max", StatisticsMask::VALUE_RANGE_VALID)?,
        value_mean: float("value_mean", StatisticsMask::VALUE_STATS_VALID)?,
        value_stddev: float("value_stddev", StatisticsMask::VALUE_STATS_VALID)?,
        nm_n: maybe(fields, "nm_n")?.unwrap_or(0),
        nm_m: maybe(fields, "nm_m")?.unwrap_or(0),
        has_nan: flag("has_nan")?,
        has_inf: flag("has_inf")?,
    })
}

fn extension(fields: &Fields) -> Result<ExtensionTypeDescriptor, Failure> {
    ExtensionTypeDescriptor::new(
        number(fields, "bit_width")?,
        number(fields, "packing_factor")?,
        truth(fields, "is_float")?,
        truth(fields, "is_signed")?,
        number(fields, "sign_bits")?,
        number(fields, "exponent_bits")?,
        number(fields, "mantissa_bits")?,
        number(fields, "exponent_bias")?,
        truth(fields, "has_nan")?,
        truth(fields, "has_inf")?,
    )
    .map_err(refused)
}
