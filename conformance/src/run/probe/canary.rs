//! The canaries: one good file, a few bad ones made from it, and files nobody has seen before.
//!
//! Owns how they are made. Knows no candidate.

use hurray_adapter::BufferObservation;

use hurray_corpus::Vector;

/// The good canary.
pub(crate) const CANARY: &str = "bases/one-f32";
/// The field of it that holds the tensor's bytes.
const PAYLOAD: &str = "a.data";
/// The field every file starts with, and the one it ends with.
pub(crate) const MAGICS: [&str; 2] = ["header.magic", "trailer.trailer_magic"];

/// The bad ones that are always the same, with what is asked of a reader.
pub(crate) fn bad_canaries(canary: &Vector) -> Vec<(&'static str, Vec<u8>)> {
    let without_magic = |label| with(canary, label, |byte| *byte = 0);
    let half = canary.bytes[..canary.bytes.len() / 2].to_vec();
    [
        ("reject a file without its first magic", without_magic(MAGICS[0])),
        ("reject a file without its last magic", without_magic(MAGICS[1])),
        ("reject half a file", Some(half)),
    ]
    .into_iter()
    .filter_map(|(what, bytes)| Some((what, bytes?)))
    .collect()
}

/// The canary with other bytes in a field.
fn with(canary: &Vector, label: &str, change: impl FnMut(&mut u8)) -> Option<Vec<u8>> {
    let (_, range) = canary.labels.iter().find(|(name, _)| name == label)?;
    let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
    let mut bytes = canary.bytes.to_vec();
    bytes.get_mut(range)?.iter_mut().for_each(change);
    Some(bytes)
}

/// The canary with random bytes in a field.
pub(crate) fn with_random(canary: &Vector, label: &str, random: &mut Random) -> Option<Vec<u8>> {
    // Setting the top bit makes it another word, whatever the random bits are.
    with(canary, label, |byte| *byte = random.next() as u8 | 0x80)
}

/// The good canary with random bytes in its tensor, and the expectation that follows.
pub(crate) fn unseen_good(canary: &Vector, random: &mut Random) -> Option<Vector> {
    let bytes = with(canary, PAYLOAD, |byte| *byte = random.next() as u8)?;
    let (_, range) = canary.labels.iter().find(|(name, _)| name == PAYLOAD)?;
    let payload = bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)?;
    let mut unseen = canary.clone();
    let [tensor] = unseen.observe.tensors.as_mut_slice() else { return None };
    tensor.buffers = Some(vec![BufferObservation::of(payload)]);
    // What single elements are worth was typed for the bytes of the canary.
    unseen.meaning.clear();
    unseen.bytes = bytes.into();
    Some(unseen)
}

/// SplitMix64: small, seeded, good enough to be unforeseen.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
