//! What a tensor means: where an element stands and what it is worth, as pure functions of a descriptor and its buffers.
//!
//! Knows no rules and judges nothing: a file that passed `check` has a meaning, and for any other one the answer is
//! [`NoMeaning`]. Takes nothing from a buffer that is not there, whatever the descriptor says.

mod curve;
mod dense;
mod element;
mod paged;
mod quantized;
mod sparse;
mod words;

#[cfg(test)]
mod tests;

pub use element::Value;
pub use words::NoMeaning;
use words::Words;

use crate::model::{LayoutDescriptor, TensorDescriptor};

/// Where an element stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a buffer.
    Stored {
        /// Position in the buffer table.
        buffer: usize,
        /// Byte within the buffer that holds the element's least significant bit.
        byte: u64,
        /// Position of that bit; 0 for types of whole bytes.
        bit: u8,
    },
    /// In none: zero, and not stored (sparse layouts).
    Unstored,
}

/// Where the element at `index` stands, dimension 0 first. A block-paged tensor takes `[sequence, token, head,
/// component]`, since it does not say how many tokens a sequence has (ruling R60).
///
/// # Errors
/// See [`NoMeaning`].
pub fn locate<B: AsRef<[u8]>>(descriptor: &TensorDescriptor, buffers: &[B], index: &[u64]) -> Result<Place, NoMeaning> {
    let dims = descriptor.shape.dims();
    let offset = if let LayoutDescriptor::BlockPaged(pages) = &descriptor.layout {
        Some(paged::offset(pages, dims, &Words { buffers }, index)?)
    } else {
        if index.len() != dims.len() || index.iter().zip(dims).any(|(at, dim)| at >= dim) {
            return Err(NoMeaning::Index);
        }
        match descriptor.layout.nnz() {
            Some(_) => sparse::position(&descriptor.layout, &Words { buffers }, index)?.map(i128::from),
            None => Some(dense::offset(&descriptor.layout, dims, index)?),
        }
    };
    let Some(offset) = offset else { return Ok(Place::Unstored) };
    let bits = descriptor.element_type.bits().ok_or(NoMeaning::Unknown)?;
    place(descriptor.byte_offset, offset, bits)
}

/// What the element at `index` is worth, dequantized if the tensor is quantized; index as in [`locate`].
///
/// # Errors
/// See [`NoMeaning`].
pub fn decode<B: AsRef<[u8]>>(descriptor: &TensorDescriptor, buffers: &[B], index: &[u64]) -> Result<Value, NoMeaning> {
    let kind = descriptor.element_type;
    let stored = match locate(descriptor, buffers, index)? {
        Place::Unstored if descriptor.quantization.is_some() => return Ok(Value::Float32(0)),
        Place::Unstored => return element::value(kind, 0),
        Place::Stored { buffer, byte, bit } => {
            let bytes = buffers.get(buffer).ok_or(NoMeaning::Data)?.as_ref();
            element::code(bytes, byte, bit, kind.bits().ok_or(NoMeaning::Unknown)?)?
        }
    };
    match &descriptor.quantization {
        None => element::value(kind, stored),
        Some(quantization) => {
            quantized::value(descriptor, &quantization.scheme, &Words { buffers }, index, element::value(kind, stored)?)
        }
    }
}

/// The byte and bit of the element `offset` elements behind `byte_offset` (memory-layout.md § Element Address
/// Computation). Four elements of 6 bits share three bytes (ruling R52).
fn place(byte_offset: u64, offset: i128, bits: u8) -> Result<Place, NoMeaning> {
    let bit_offset = offset.checked_mul(i128::from(bits)).ok_or(NoMeaning::Data)?;
    let byte = i128::from(byte_offset).checked_add(bit_offset.div_euclid(8)).ok_or(NoMeaning::Data)?;
    Ok(Place::Stored {
        buffer: 0,
        byte: u64::try_from(byte).map_err(|_| NoMeaning::Data)?,
        bit: u8::try_from(bit_offset.rem_euclid(8)).map_err(|_| NoMeaning::Data)?,
    })
}

impl<B: AsRef<[u8]>> Words<'_, B> {
    /// Item `at` of an array of `N` bytes each.
    fn item<const N: usize>(&self, buffer: usize, at: u64) -> Result<[u8; N], NoMeaning> {
        let bytes = self.buffers.get(buffer).ok_or(NoMeaning::Data)?.as_ref();
        let start = usize::try_from(at).ok().and_then(|at| at.checked_mul(N)).ok_or(NoMeaning::Data)?;
        let item = bytes.get(start..).and_then(|rest| rest.first_chunk());
        item.copied().ok_or(NoMeaning::Data)
    }

    fn u64(&self, buffer: usize, at: u64) -> Result<u64, NoMeaning> {
        self.item(buffer, at).map(u64::from_le_bytes)
    }

    /// The slice from pointer `at` to the next one.
    fn slice(&self, buffer: usize, at: u64) -> Result<std::ops::Range<u64>, NoMeaning> {
        let next = at.checked_add(1).ok_or(NoMeaning::Data)?;
        Ok(self.u64(buffer, at)?..self.u64(buffer, next)?)
    }

    /// The position of the first number in `range` that is `wanted`.
    fn find(&self, buffer: usize, range: std::ops::Range<u64>, wanted: u64) -> Result<Option<u64>, NoMeaning> {
        for at in range {
            if self.u64(buffer, at)? == wanted {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
