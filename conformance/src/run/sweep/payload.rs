//! Where the payloads of a good file stand: found by their digests, so that no field of the format has to be read.

use std::ops::Range;

use hurray_adapter::BufferObservation;

use crate::judge::io::ranges::Payloads;
use crate::transport::worker::LONGEST_REPLY;
use hurray_corpus::Vector;

/// Buffers begin at multiples of this, whatever the alignment of the file is.
const GRAIN: usize = 4096;

/// The places at which the bytes of an expected buffer stand.
pub(super) fn payloads(vector: &Vector) -> Payloads {
    let mut places = Vec::new();
    for tensor in &vector.observe.tensors {
        for buffer in tensor.buffers.iter().flatten() {
            places.extend(find(&vector.bytes, buffer).map(|range| (tensor.name.0.clone(), range)));
        }
    }
    let tensor_count = vector.observe.tensors.len();
    Payloads { places, size: vector.bytes.len() as u64, tensor_count, longest_reply: LONGEST_REPLY as u64 }
}

fn find<'a>(bytes: &'a [u8], buffer: &'a BufferObservation) -> impl Iterator<Item = Range<u64>> + 'a {
    let len = usize::try_from(buffer.len.0).unwrap_or(usize::MAX);
    let starts = (0..bytes.len()).step_by(GRAIN).skip(1);
    starts.filter_map(move |start| {
        let there = bytes.get(start..start.checked_add(len)?).filter(|there| !there.is_empty())?;
        let is_it = BufferObservation::of(there).sha256.eq_ignore_ascii_case(&buffer.sha256);
        is_it.then_some(start as u64..(start + len) as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::vector;
    use hurray_corpus::Expect;

    #[test]
    fn payloads_are_found_by_what_they_hold() {
        let mut good = vector(Expect::Accept);
        let mut bytes = vec![0; 2 * GRAIN];
        bytes.extend(b"abcd");
        good.bytes = bytes.into();
        let found = payloads(&good);
        let range = 2 * GRAIN as u64..2 * GRAIN as u64 + 4;
        assert_eq!(found.places, [(b"a".to_vec(), range.clone()), (b"b".to_vec(), range)]);
        assert_eq!((found.size, found.tensor_count), (good.bytes.len() as u64, 2));
    }
}
