//! Over-strict habits with single tensors: each refuses, for what their descriptors say, tensors that the specification
//! allows. Owns nothing else; looks at observations alone.

use hurray_adapter::{FieldValue, Fields, HandleObservation, TensorObservation};
use hurray_corpus::Feature;
use hurray_spec::tables::ElementType;

const DYNAMIC: u64 = u64::MAX;
const NO_LAYER: u64 = 0xFFFF_FFFF;
/// A limit that is large enough for all tensors but those that are about the limit.
const FEW_DIMENSIONS: usize = 8;

fn dims(tensor: &TensorObservation) -> Vec<u64> {
    tensor.shape.iter().flatten().map(|dim| dim.0).collect()
}

fn handles(tensor: &TensorObservation) -> impl Iterator<Item = &HandleObservation> {
    tensor.handles.iter().flatten()
}

/// Elements, without end where 64 bits do not hold them.
pub(super) fn count(tensor: &TensorObservation) -> u64 {
    let dims = dims(tensor);
    if dims.contains(&0) { 0 } else { dims.iter().fold(1, |count, dim| dim.saturating_mul(count)) }
}

/// An integer field of a part of a descriptor.
pub(super) fn field(part: &Option<Fields>, name: &str) -> Option<u64> {
    match part.as_ref()?.get(name)? {
        FieldValue::One(text) => text.parse().ok(),
        FieldValue::Many(_) | FieldValue::Part(_) => None,
    }
}

/// A field with one integer for each dimension.
pub(super) fn array(part: &Option<Fields>, name: &str) -> Vec<u64> {
    match part.as_ref().and_then(|part| part.get(name)) {
        Some(FieldValue::Many(texts)) => texts.iter().filter_map(|text| text.parse().ok()).collect(),
        _ => Vec::new(),
    }
}

fn float(part: &Option<Fields>, name: &str) -> Option<f64> {
    match part.as_ref()?.get(name)? {
        FieldValue::One(text) => u64::from_str_radix(text, 16).ok().map(f64::from_bits),
        FieldValue::Many(_) | FieldValue::Part(_) => None,
    }
}

pub(super) fn scheme(tensor: &TensorObservation) -> &str {
    match tensor.quantization.as_ref().and_then(|part| part.get("scheme")) {
        Some(FieldValue::One(name)) => name,
        _ => "",
    }
}

/// Length of the axis that a scheme goes along.
fn axis_len(tensor: &TensorObservation) -> Option<u64> {
    let axis = field(&tensor.quantization, "axis")?;
    dims(tensor).get(usize::try_from(axis).ok()?).copied()
}

fn block(tensor: &TensorObservation) -> Option<u64> {
    field(&tensor.quantization, "block_size").filter(|block| *block > 0)
}

/// The element type of a dense tensor, and the bytes of its buffer.
fn stored(tensor: &TensorObservation) -> Option<(&'static ElementType, u64)> {
    let element = ElementType::from_name(tensor.element_type.as_deref()?)?;
    let is_dense = matches!(tensor.layout.as_deref(), Some("row_major" | "column_major" | "morton" | "tiled"));
    let is_plain = is_dense && tensor.quantization.is_none();
    let len = handles(tensor).next()?.byte_size?.0;
    is_plain.then_some((element, len))
}

/// Whether the tensor uses a type, layout or scheme.
pub(super) fn uses(tensor: &TensorObservation, feature: Feature) -> bool {
    match feature {
        Feature::Type(kind) => tensor.element_type.as_deref() == Some(kind.name),
        Feature::Layout(layout) => tensor.layout.as_deref() == Some(layout.name),
        Feature::Quantization(used) => scheme(tensor) == used.name,
        Feature::Write(_) => false,
    }
}

/// Whether a table of pages finds its elements.
pub(super) fn is_paged(tensor: &TensorObservation) -> bool {
    tensor.layout.as_deref() == Some("block_paged")
}

fn is_nameless(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.starts_with("0x"))
}

/// Types without a name, and without a section that tells their width.
pub(super) fn unknown_types(tensor: &TensorObservation) -> bool {
    is_nameless(tensor.element_type.as_deref()) && tensor.extension.is_none()
}

pub(super) fn unknown_layouts(tensor: &TensorObservation) -> bool {
    is_nameless(tensor.layout.as_deref())
}

pub(super) fn unknown_schemes(tensor: &TensorObservation) -> bool {
    is_nameless(Some(scheme(tensor)))
}

pub(super) fn devices(tensor: &TensorObservation) -> bool {
    handles(tensor).any(|handle| handle.device_tag.is_some_and(|tag| tag != 0))
}

pub(super) fn memory_classes(tensor: &TensorObservation) -> bool {
    handles(tensor).any(|handle| handle.memory_class.is_some_and(|class| class != 0))
}

/// Statistics that say what cannot be.
pub(super) fn impossible_statistics(tensor: &TensorObservation) -> bool {
    let of = |name| float(&tensor.statistics, name);
    let is_fraction = of("sparsity_ratio").is_none_or(|ratio| (0.0..=1.0).contains(&ratio));
    let is_range = of("value_abs_max").zip(of("value_max")).is_none_or(|(abs, max)| abs >= max);
    let is_count = field(&tensor.statistics, "nnz").is_none_or(|nnz| nnz <= count(tensor));
    !(is_fraction && is_range && is_count)
}

pub(super) fn permuted_modes(tensor: &TensorObservation) -> bool {
    !array(&tensor.layout_fields, "mode_order").is_sorted()
}

pub(super) fn no_sequences(tensor: &TensorObservation) -> bool {
    field(&tensor.layout_fields, "num_seqs") == Some(0)
}

pub(super) fn no_layer(tensor: &TensorObservation) -> bool {
    field(&tensor.layout_fields, "layer_index") == Some(NO_LAYER)
}

pub(super) fn backward_strides(tensor: &TensorObservation) -> bool {
    tensor.strides.iter().flatten().any(|stride| stride.0 < 0)
}

pub(super) fn zero_strides(tensor: &TensorObservation) -> bool {
    tensor.strides.iter().flatten().any(|stride| stride.0 == 0)
}

pub(super) fn no_elements(tensor: &TensorObservation) -> bool {
    dims(tensor).contains(&0)
}

pub(super) fn scalars(tensor: &TensorObservation) -> bool {
    tensor.shape.as_ref().is_some_and(Vec::is_empty)
}

pub(super) fn many_dimensions(tensor: &TensorObservation) -> bool {
    dims(tensor).len() > FEW_DIMENSIONS
}

pub(super) fn many_strides(tensor: &TensorObservation) -> bool {
    tensor.strides.as_ref().is_some_and(|strides| strides.len() > FEW_DIMENSIONS)
}

pub(super) fn many_modes(tensor: &TensorObservation) -> bool {
    array(&tensor.layout_fields, "mode_order").len() > FEW_DIMENSIONS
}

/// Multiplies dimension by dimension and stops where the product does not fit, though a zero follows.
pub(super) fn overflow_before_zero(tensor: &TensorObservation) -> bool {
    no_elements(tensor) && dims(tensor).iter().filter(|dim| **dim != 0).try_fold(8, fits).is_none()
}

fn fits(count: u64, dim: &u64) -> Option<u64> {
    count.checked_mul(*dim)
}

pub(super) fn nothing_stored(tensor: &TensorObservation) -> bool {
    field(&tensor.layout_fields, "nnz") == Some(0) && count(tensor) > 0
}

pub(super) fn empty_axis(tensor: &TensorObservation) -> bool {
    axis_len(tensor) == Some(0)
}

pub(super) fn empty_axis_of<const NF4: bool>(tensor: &TensorObservation) -> bool {
    scheme(tensor) == if NF4 { "nf4" } else { "per_block" } && empty_axis(tensor)
}

/// Asks of every scheme what MXFP alone asks: whole blocks.
pub(super) fn partial_blocks(tensor: &TensorObservation) -> bool {
    axis_len(tensor).zip(block(tensor)).is_some_and(|(len, block)| len % block != 0)
}

pub(super) fn one_block_an_axis(tensor: &TensorObservation) -> bool {
    scheme(tensor) == "per_block" && axis_len(tensor).is_some_and(|len| block(tensor) == Some(len))
}

pub(super) fn dynamic(tensor: &TensorObservation) -> bool {
    dims(tensor).contains(&DYNAMIC)
}

/// Elements of less than a byte in less than a byte each.
pub(super) fn packed_elements(tensor: &TensorObservation) -> bool {
    stored(tensor).is_some_and(|(element, len)| element.bits < 8 && len < count(tensor))
}

/// Buffers that end within the last eight bytes.
pub(super) fn odd_sizes(tensor: &TensorObservation) -> bool {
    stored(tensor).is_some_and(|(element, len)| element.bits >= 8 && len % 8 != 0)
}
