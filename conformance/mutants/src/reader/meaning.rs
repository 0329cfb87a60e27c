//! Careless habits with single elements: a wrong place or a wrong value, in tensors of one layout, type or scheme. Owns
//! nothing else; the fields it looks at stand at fixed distances from the start of a descriptor.

use hurray_adapter::{Observed, Place, PlaceWord, U64};

use super::Sight;

/// Distances within a descriptor (metadata.md § Fixed Header, § Core Fields).
const FLAGS: u64 = 10;
const TYPE_TAG: u64 = 14;
const LAYOUT_TAG: u64 = 15;

fn field(sight: &Sight<'_>, distance: u64) -> Option<u64> {
    let entry = sight.view.entry(sight.name)?;
    Some(sight.view.number(entry.descriptor_offset.checked_add(distance)?, 1))
}

/// Places every stored element of a layout one byte too far, and finds what is not stored.
pub(super) fn misplace<const TAG: u64>(sight: &Sight<'_>, observed: &mut Observed) {
    if field(sight, LAYOUT_TAG) == Some(TAG) {
        one_byte_on(sight, observed);
    }
}

/// Places every element one byte too far.
pub(super) fn one_byte_on(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(Place::Stored { byte, .. }) = &mut observed.place {
        *byte = U64(byte.0.wrapping_add(1));
    }
}

/// Counts bits from the most significant.
pub(super) fn bits_from_the_top(_: &Sight<'_>, observed: &mut Observed) {
    if let Some(Place::Stored { bit: bit @ 1.., .. }) = &mut observed.place {
        *bit = 8 - *bit;
    }
}

/// Finds a zero that is not stored at the start of buffer 0.
pub(super) fn first_for_unstored(_: &Sight<'_>, observed: &mut Observed) {
    if observed.place == Some(Place::Word(PlaceWord::Unstored)) {
        observed.place = Some(Place::Stored { buffer: 0, byte: U64(0), bit: 0 });
    }
}

/// Stops a search at the first coordinate that is too large: what stands behind it is not found.
pub(super) fn half_a_search(sight: &Sight<'_>, observed: &mut Observed) {
    if field(sight, LAYOUT_TAG) == Some(0x06) && observed.place.is_some_and(|place| place != FIRST) {
        observed.place = Some(Place::Word(PlaceWord::Unstored));
    }
}

const FIRST: Place = Place::Stored { buffer: 0, byte: U64(0), bit: 0 };

/// Reads the elements of a type, where they are not quantized, one too large or with another last bit.
pub(super) fn misread<const TAG: u64>(sight: &Sight<'_>, observed: &mut Observed) {
    if field(sight, TYPE_TAG) == Some(TAG) && field(sight, FLAGS).is_some_and(|flags| flags & 1 == 0) {
        another(observed);
    }
}

/// Gives quantized elements of a type another value.
pub(super) fn misscale<const TAG: u64>(sight: &Sight<'_>, observed: &mut Observed) {
    if field(sight, TYPE_TAG) == Some(TAG) && field(sight, FLAGS).is_some_and(|flags| flags & 1 == 1) {
        another(observed);
    }
}

/// Turns the last digit into another.
fn another(observed: &mut Observed) {
    if let Some(value) = &mut observed.value {
        let last = value.pop();
        value.push(if last == Some('1') { '2' } else { '1' });
    }
}

/// Finds the elements of a 6-bit type one by one, each within the byte that its number of bits leads to.
pub(super) fn six_bits_one_by_one(sight: &Sight<'_>, observed: &mut Observed) {
    if matches!(field(sight, TYPE_TAG), Some(0x44 | 0x45))
        && let Some(Place::Stored { byte, bit, .. }) = &mut observed.place
    {
        // As if one element took one byte.
        let at = (byte.0 * 8 + u64::from(*bit)) / 6;
        (*byte, *bit) = (U64(at), 0);
    }
}
