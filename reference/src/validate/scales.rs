//! What stands in the parameter buffers of a quantization scheme: scales that are numbers, zero-points of the storage
//! type.

use std::ops::Range;

use hurray_spec::Rule;

use crate::bytes::to_usize;
use crate::model::{ElementType, Scheme, TensorDescriptor};

use super::{Stop, Walk};

impl<E, F: FnMut(u64, &mut [u8]) -> Result<usize, E>> Walk<F> {
    /// Looks at the parameters of a tensor whose buffers stand at `places`, all of them in the file.
    pub(super) fn check_scales(&mut self, tensor: &TensorDescriptor, places: &[Range<u64>]) -> Result<(), Stop<E>> {
        let Some(scheme) = tensor.quantization.map(|quantization| quantization.scheme) else { return Ok(()) };
        let place = |index: Option<u32>| index.and_then(|index| places.get(to_usize(index)));
        let (Some(scales), zero_points) = (place(scheme.scale_buffer()), place(scheme.zero_point_buffer())) else {
            return Ok(());
        };
        let is_scale = |value: f32| value.is_finite() && value != 0.0;
        match scheme {
            Scheme::PerChannel { .. } => {
                self.check_words(scales, 4, Rule::QuantPerchannelScaleValues, |bits| is_scale(f32::from_bits(bits)))?;
                let (Some(zero_points), Some((min, max))) = (zero_points, tensor.element_type.integer_range()) else {
                    return Ok(());
                };
                let fits = |bits: u32| (min..=max).contains(&i64::from(bits.cast_signed()));
                self.check_words(zero_points, 4, Rule::QuantPerchannelZeroPointValues, fits)
            }
            Scheme::PerBlock { scale_type_tag, .. } => {
                let rule = Rule::QuantPerblockScaleValues;
                match ElementType::from_tag(scale_type_tag) {
                    ElementType::Float16 => {
                        self.check_words(scales, 2, rule, |bits| bits & 0x7C00 != 0x7C00 && bits & 0x7FFF != 0)
                    }
                    ElementType::Bfloat16 => {
                        self.check_words(scales, 2, rule, |bits| is_scale(f32::from_bits(bits << 16)))
                    }
                    _ => self.check_words(scales, 4, rule, |bits| is_scale(f32::from_bits(bits))),
                }
            }
            Scheme::Nf4 { .. } => self.check_words(scales, 4, Rule::QuantNf4ScaleValues, |bits| {
                f32::from_bits(bits).is_finite() && f32::from_bits(bits) >= 0.0
            }),
            Scheme::Mxfp { .. } => {
                self.check_words(scales, 1, Rule::QuantMxfpScaleReserved, |bits| !matches!(bits, 0x00 | 0xFF))
            }
            Scheme::PerTensor { .. } | Scheme::Unknown(_) => Ok(()),
        }
    }

    /// Looks at all words of `len` bytes at `place`, at most four each.
    fn check_words(
        &mut self,
        place: &Range<u64>,
        len: u64,
        rule: Rule,
        is_right: impl Fn(u32) -> bool,
    ) -> Result<(), Stop<E>> {
        let count = place.end.saturating_sub(place.start).checked_div(len).unwrap_or(0);
        let Some(mut words) = self.integers(Some(place), len, count) else { return Ok(()) };
        while let Some((bits, span)) = words.next(&mut self.source)? {
            self.core.judge().require(u32::try_from(bits).is_ok_and(&is_right), rule, span)?;
        }
        Ok(())
    }
}
