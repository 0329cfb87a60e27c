//! What a stored number of a quantized tensor stands for (quantization/*.md; arithmetic of ruling R65: float32, products
//! rounded to nearest, ties to even).

use hurray_spec::tables::NF4_LEVELS;

use super::words::{NoMeaning, Words};
use super::{Value, element, paged};
use crate::model::{ElementType, LayoutDescriptor, Scheme, TensorDescriptor};

/// The value of the element at `index` whose stored value is `stored`.
pub(super) fn value<B: AsRef<[u8]>>(
    descriptor: &TensorDescriptor,
    scheme: &Scheme,
    words: &Words<'_, B>,
    index: &[u64],
    stored: Value,
) -> Result<Value, NoMeaning> {
    let parameter = || parameter(descriptor, scheme, words, index);
    let bits = match (scheme, stored) {
        (Scheme::PerTensor { scale, zero_point }, Value::Integer(q)) => affine(f32::from_bits(*scale), q, *zero_point),
        (Scheme::PerChannel { scale_type_tag, .. } | Scheme::PerBlock { scale_type_tag, .. }, Value::Integer(q)) => {
            let at = parameter()?;
            let scale = scale(words, buffer(scheme.scale_buffer())?, *scale_type_tag, at)?;
            require(scale.is_finite() && scale != 0.0)?;
            let zero_point = match scheme.zero_point_buffer() {
                None => 0,
                buffer_index => i32::from_le_bytes(words.item(buffer(buffer_index)?, at)?),
            };
            if matches!(scheme, Scheme::PerChannel { .. }) {
                let range = descriptor.element_type.integer_range();
                require(range.is_some_and(|(min, max)| (min..=max).contains(&i64::from(zero_point))))?;
            }
            affine(scale, q, zero_point)
        }
        (Scheme::Nf4 { .. }, Value::Integer(q)) => {
            let level = usize::try_from(q).ok().and_then(|q| NF4_LEVELS.get(q)).ok_or(NoMeaning::Unknown)?;
            let scale = f32::from_le_bytes(words.item(buffer(scheme.scale_buffer())?, parameter()?)?);
            require(scale.is_finite() && scale >= 0.0)?;
            (scale * f32::from_bits(*level)).to_bits()
        }
        (Scheme::Mxfp { .. }, stored) => {
            let [byte] = words.item(buffer(scheme.scale_buffer())?, parameter()?)?;
            let scale = f64::from(f32::from_bits(element::power(byte)?));
            let number = match stored {
                // The scheme stores int8 and int4, and no wider integers.
                Value::Integer(q) => i8::try_from(q).map(f64::from).map_err(|_| NoMeaning::Unknown)?,
                Value::Float32(bits) => f64::from(f32::from_bits(bits)),
                _ => return Err(NoMeaning::Unknown),
            };
            // A product with a power of two is exact in float64: it is rounded once.
            narrowed(scale * number).to_bits()
        }
        _ => return Err(NoMeaning::Unknown),
    };
    Ok(Value::Float32(bits))
}

/// Parameters may be looked at as late as the first dequantization (per-channel-affine.md § Validity Constraints), and then
/// have to be what the scheme allows.
fn require(is_allowed: bool) -> Result<(), NoMeaning> {
    if is_allowed { Ok(()) } else { Err(NoMeaning::Reserved) }
}

fn affine(scale: f32, q: i128, zero_point: i32) -> u32 {
    (scale * rounded(q.saturating_sub(i128::from(zero_point)))).to_bits()
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "rounds to nearest, ties to even, by ruling R65"
)]
fn rounded(number: i128) -> f32 {
    number as f32
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounds as `rounded` does, by ruling R65")]
fn narrowed(number: f64) -> f32 {
    number as f32
}

fn buffer(index: Option<u32>) -> Result<usize, NoMeaning> {
    index.and_then(|index| usize::try_from(index).ok()).ok_or(NoMeaning::Unknown)
}

/// Scale `at` as a float32; the narrower types widen without loss.
fn scale<B: AsRef<[u8]>>(words: &Words<'_, B>, buffer: usize, tag: u8, at: u64) -> Result<f32, NoMeaning> {
    let kind = ElementType::from_tag(tag);
    let code = match kind {
        ElementType::Float32 => u128::from(u32::from_le_bytes(words.item(buffer, at)?)),
        ElementType::Float16 | ElementType::Bfloat16 => u128::from(u16::from_le_bytes(words.item(buffer, at)?)),
        _ => return Err(NoMeaning::Unknown),
    };
    match element::value(kind, code)? {
        Value::Float32(bits) => Ok(f32::from_bits(bits)),
        _ => Err(NoMeaning::Unknown),
    }
}

/// The position of the element's parameters in their buffers.
fn parameter<B: AsRef<[u8]>>(
    descriptor: &TensorDescriptor,
    scheme: &Scheme,
    words: &Words<'_, B>,
    index: &[u64],
) -> Result<u64, NoMeaning> {
    let axis = scheme.axis().and_then(|axis| usize::try_from(axis).ok()).ok_or(NoMeaning::Unknown)?;
    match (&descriptor.layout, scheme.block_size()) {
        // Sequence and token stand in place of dimension 0.
        (LayoutDescriptor::BlockPaged(_), None) if axis > 0 => {
            axis.checked_add(1).and_then(|at| index.get(at)).copied().ok_or(NoMeaning::Unknown)
        }
        (LayoutDescriptor::BlockPaged(pages), Some(size)) if axis == 0 && size == pages.page_size => {
            paged::slot(pages, words, index)
        }
        (LayoutDescriptor::BlockPaged(_), _) => Err(NoMeaning::Unknown),
        (_, None) => index.get(axis).copied().ok_or(NoMeaning::Unknown),
        (_, Some(size)) => block(descriptor.shape.dims(), axis, u64::from(size), index),
    }
}

/// The block of an element (per-block-affine.md § Block Layout): blocks along the axis vary fastest, the other dimensions
/// in row-major order, whatever the layout.
pub(super) fn block(dims: &[u64], axis: usize, size: u64, index: &[u64]) -> Result<u64, NoMeaning> {
    let (dim, at) = (dims.get(axis).ok_or(NoMeaning::Unknown)?, index.get(axis).ok_or(NoMeaning::Index)?);
    let number = at.checked_div(size).ok_or(NoMeaning::Unknown)?;
    let per_axis = dim.div_ceil(size);
    let others = dims.iter().zip(index).enumerate().filter(|(d, _)| *d != axis);
    let mut outer = 0_u64;
    for (_, (dim, at)) in others {
        outer = outer.checked_mul(*dim).and_then(|outer| outer.checked_add(*at)).ok_or(NoMeaning::Data)?;
    }
    outer.checked_mul(per_axis).and_then(|first| first.checked_add(number)).ok_or(NoMeaning::Data)
}
