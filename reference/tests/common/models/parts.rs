//! Valid optional parts of a tensor: schemes with their parameters, shard, statistics, private types, roles.

use hurray_reference::{
    ElementType, ExtensionType, LayoutDescriptor, MemberRole, Scheme, Shard, Statistics, TensorDescriptor,
};

use super::layouts::{Form, Placed};
use super::{Dice, Kind};

/// A scheme with the type and the dimensions it asks for.
pub(super) struct Quantized {
    pub(super) scheme: Scheme,
    pub(super) kind: Kind,
    pub(super) dims: Vec<u64>,
}

const INTEGERS: [ElementType; 10] = [
    ElementType::Int8,
    ElementType::Uint8,
    ElementType::Int16,
    ElementType::Uint16,
    ElementType::Int32,
    ElementType::Uint32,
    ElementType::Int4,
    ElementType::Uint4,
    ElementType::Int2,
    ElementType::Uint2,
];
const SMALL: [ElementType; 6] = [
    ElementType::Int8,
    ElementType::Uint8,
    ElementType::Int4,
    ElementType::Uint4,
    ElementType::Int2,
    ElementType::Uint2,
];
const MX: [ElementType; 7] = [
    ElementType::Float8E4m3,
    ElementType::Float8E5m2,
    ElementType::Float6E2m3,
    ElementType::Float6E3m2,
    ElementType::Float4E2m1,
    ElementType::Int8,
    ElementType::Int4,
];

/// Some scheme that a layout of that form can have. What depends on where the elements stand is [settled](settle) later.
pub(super) fn scheme(form: Form, dims: &[u64], dice: &mut Dice) -> Option<Quantized> {
    let pick = |types: &[ElementType], dice: &mut Dice| Kind::plain(types[dice.below(types.len())]);
    let most = match form {
        Form::Rows | Form::Columns if !dims.is_empty() => 5,
        // Blocks of these end where the tensor does.
        Form::Strided | Form::Tiled | Form::Morton | Form::Hilbert | Form::Paged => 3,
        Form::Coo | Form::Csr | Form::Csc | Form::Csf => 2,
        Form::Rows | Form::Columns => 1,
    };
    let axis = dice.below(dims.len()) as u32;
    let is_symmetric = dice.below(2) == 0;
    let (scale_buffer_index, zero_point_buffer_index) = (1, if is_symmetric { u32::MAX } else { 2 });
    let mut dims = if dims.is_empty() && form != Form::Rows { vec![3] } else { dims.to_vec() };
    let along = axis as usize;
    let (scheme, kind) = match dice.below(most) {
        0 => (Scheme::PerTensor { scale: (0.5_f32).to_bits(), zero_point: 1 }, pick(&INTEGERS, dice)),
        1 => {
            let scale_type_tag = 3;
            let scheme =
                Scheme::PerChannel { axis, scale_buffer_index, zero_point_buffer_index, is_symmetric, scale_type_tag };
            (scheme, pick(&INTEGERS, dice))
        }
        2 => {
            let is_contiguous = matches!(form, Form::Rows | Form::Columns);
            dims[along] = if is_contiguous { dims[along] + 2 } else { 2 * (1 + dims[along] / 2) };
            let scheme = Scheme::PerBlock {
                axis,
                block_size: 2,
                scale_buffer_index,
                zero_point_buffer_index,
                is_symmetric,
                scale_type_tag: 1 + dice.below(3) as u8,
            };
            (scheme, pick(&SMALL, dice))
        }
        3 => {
            dims[along] += 8;
            (Scheme::Nf4 { axis, block_size: 8, scale_buffer_index }, Kind::plain(ElementType::Uint4))
        }
        _ => {
            dims[along] = 16 * (1 + dice.below(3) as u64);
            (Scheme::Mxfp { axis, block_size: 16, scale_buffer_index }, pick(&MX, dice))
        }
    };
    Some(Quantized { scheme, kind, dims })
}

/// A scheme that leaves the dimensions alone, with its type.
pub(super) fn scheme_of_whole(dims: &[u64], dice: &mut Dice) -> (Scheme, Kind) {
    let kind = Kind::plain(INTEGERS[dice.below(INTEGERS.len())]);
    if dice.below(2) == 0 {
        return (Scheme::PerTensor { scale: (2.0_f32).to_bits(), zero_point: 1 }, kind);
    }
    let scheme = Scheme::PerChannel {
        axis: dice.below(dims.len()) as u32,
        scale_buffer_index: 1,
        zero_point_buffer_index: u32::MAX,
        is_symmetric: true,
        scale_type_tag: 3,
    };
    (scheme, kind)
}

/// The scheme over these dimensions: an axis of theirs, parameters behind the buffers of the layout, pages for blocks.
pub(super) fn settle(scheme: Scheme, placed: &Placed) -> Scheme {
    let first = 1 + placed.extra.len() as u32;
    let zero_points = |is_symmetric: bool| if is_symmetric { u32::MAX } else { first + 1 };
    let paged = if let LayoutDescriptor::BlockPaged(paged) = &placed.layout { Some(*paged) } else { None };
    let rank = placed.dims.len() as u32;
    match scheme {
        Scheme::PerChannel { axis, is_symmetric, scale_type_tag, .. } => Scheme::PerChannel {
            axis: if paged.is_some() { 1 + axis % 2 } else { axis % rank },
            scale_buffer_index: first,
            zero_point_buffer_index: zero_points(is_symmetric),
            is_symmetric,
            scale_type_tag,
        },
        // A page that is no block cannot be one.
        Scheme::PerBlock { .. } if paged.is_some_and(|paged| paged.page_size != 2 || placed.dims[0] == 1) => {
            Scheme::PerTensor { scale: (0.5_f32).to_bits(), zero_point: 0 }
        }
        Scheme::PerBlock { axis, block_size, is_symmetric, scale_type_tag, .. } => Scheme::PerBlock {
            axis: if paged.is_some() { 0 } else { axis % rank },
            block_size,
            scale_buffer_index: first,
            zero_point_buffer_index: zero_points(is_symmetric),
            is_symmetric,
            scale_type_tag,
        },
        scheme => scheme,
    }
}

/// Blocks along the axis, times everything else.
fn runs(dims: &[u64], scheme: &Scheme, per: impl Fn(u64, u64) -> u64) -> u64 {
    let (axis, block) = (scheme.axis().unwrap_or(0) as usize, scheme.block_size().map_or(1, u64::from));
    dims.iter().enumerate().map(|(at, dim)| if at == axis { per(*dim, block) } else { *dim }).product()
}

/// Elements that are allocated: the last block of every run in full. Nothing is allocated of an empty tensor.
pub(super) fn whole_blocks(placed: &Placed, scheme: &Scheme) -> u64 {
    let is_paged = matches!(placed.layout, LayoutDescriptor::BlockPaged(_));
    match scheme.block_size() {
        Some(_) if placed.cells > 0 && !is_paged => {
            runs(&placed.dims, scheme, |dim, block| dim.div_ceil(block) * block).max(placed.cells)
        }
        _ => placed.cells,
    }
}

/// Appends the scales and zero-points of the scheme.
pub(super) fn parameters(
    buffers: &mut Vec<Vec<u8>>,
    layout: &LayoutDescriptor,
    dims: &[u64],
    scheme: &Scheme,
    kind: ElementType,
    dice: &mut Dice,
) {
    let entries = match (scheme, layout) {
        (Scheme::PerTensor { .. } | Scheme::Unknown(_), _) => return,
        (Scheme::PerChannel { axis, .. }, _) => dims[*axis as usize],
        (_, LayoutDescriptor::BlockPaged(paged)) => paged.num_pages * u64::from(paged.page_size),
        _ => runs(dims, scheme, u64::div_ceil),
    };
    let scale: &[u8] = match scheme {
        Scheme::Mxfp { .. } => &[127],
        Scheme::PerBlock { scale_type_tag: 1, .. } => &[0x00, 0x3C],
        Scheme::PerBlock { scale_type_tag: 2, .. } => &[0x80, 0x3F],
        _ => &[0, 0, 0, 0x3F],
    };
    buffers.push(scale.repeat(entries as usize));
    if scheme.zero_point_buffer().is_some() {
        let most = if matches!(kind, ElementType::Int2 | ElementType::Uint2) { 2 } else { 8 };
        let zero_point = dice.below(most) as u32;
        buffers.push(zero_point.to_le_bytes().repeat(entries as usize));
    }
}

/// The shape of a private type.
pub(super) fn extension(dice: &mut Dice) -> ExtensionType {
    let (bit_width, packing_factor) = [(1, 8), (2, 4), (4, 2), (8, 1), (24, 1), (40, 1)][dice.below(6)];
    let own = ExtensionType { bit_width, packing_factor, ..ExtensionType::default() };
    match dice.below(2) {
        0 => ExtensionType { is_signed: dice.below(2) as u8, ..own },
        _ => ExtensionType {
            is_float: 1,
            sign_bits: 1,
            exponent_bits: 5,
            mantissa_bits: dice.below(9) as u8,
            exponent_bias: dice.below(64) as u32,
            has_nan: dice.below(2) as u8,
            has_inf: dice.below(2) as u8,
            ..own
        },
    }
}

/// With a shard section and statistics where the layout allows them, now and then.
pub(super) fn with_sections(descriptor: TensorDescriptor, dice: &mut Dice) -> TensorDescriptor {
    let has_shard = !matches!(descriptor.layout, LayoutDescriptor::Csf { .. } | LayoutDescriptor::BlockPaged(_));
    let shard = (has_shard && dice.below(3) == 0).then(|| {
        let shard_offset: Vec<u64> = descriptor.shape.dims().iter().map(|_| dice.below(5) as u64).collect();
        let ends = descriptor.shape.dims().iter().zip(&shard_offset).map(|(dim, offset)| dim + offset);
        Shard { parent_shape: ends.map(|end| end + dice.below(3) as u64).collect(), shard_offset }
    });
    let statistics = (dice.below(3) == 0).then(|| statistics(descriptor.layout.nnz(), dice));
    TensorDescriptor { shard, statistics, ..descriptor }
}

pub(super) fn statistics(nnz: Option<u64>, dice: &mut Dice) -> Statistics {
    let mut some = || dice.below(2) == 0;
    let bits = |values: [f64; 3]| values.map(f64::to_bits);
    Statistics {
        nnz: some().then_some(nnz.unwrap_or(7)),
        sparsity_ratio: some().then_some(0.25_f64.to_bits()),
        value_range: some().then_some(bits([-3.5, 2.0, 3.5])),
        value_stats: some().then_some([f64::NAN.to_bits(), 0.5_f64.to_bits()]),
        nm_sparsity: some().then_some([2, 4]),
        nan_inf: some().then_some([0, 1]),
    }
}

/// A member of an overlay.
pub(super) fn with_role(descriptor: TensorDescriptor, role: MemberRole) -> TensorDescriptor {
    TensorDescriptor { member_role: Some(role), ..descriptor }
}
