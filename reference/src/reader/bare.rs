//! A descriptor by itself, without a file around it: it tells its own length (metadata.md § Fixed Header), so that it can
//! stand in any stream. Owns nothing but that entrance; what a descriptor may say is judged as in a file.

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::descriptor::check_descriptor;
use crate::judge::{Judge, Policy, bound};
use crate::model::TensorDescriptor;
use crate::reject::{Error, Span};
use crate::wire::descriptor::read_descriptor;

/// Where `descriptor_length` stands.
const LENGTH: std::ops::Range<usize> = 6..10;

/// Decodes the descriptor that `bytes` begin with, and says how many of them belong to it (`descriptor_length`). Offsets
/// in a rejection count from the start of `bytes`.
///
/// # Errors
/// Any broken rule of one descriptor by itself, bytes that end before it does among them; a limit if its content is longer
/// than any descriptor's.
pub fn decode_descriptor(bytes: &[u8], policy: Policy) -> Result<(TensorDescriptor, u32), Error> {
    let mut judge = Judge::new(policy);
    let field = bytes.get(LENGTH).and_then(|field| field.try_into().ok());
    let length = field.map_or(0, u32::from_le_bytes);
    let span = Span::value(to_u64(LENGTH.start), 4, u64::from(length));
    // There is no index, so nothing that its own length could differ from.
    let decoded = read_descriptor(bytes, 0, (length, span), &mut judge)?;
    bound(to_u64(bytes.len()) >= u64::from(length), Rule::DescriptorHeaderLengthOverread, span)?;
    check_descriptor(&decoded, &mut judge)?;
    Ok((decoded.descriptor, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BufferHandle, DeviceTag, ElementType, LayoutDescriptor, Shape, SyncMode};
    use crate::wire::descriptor::put_descriptor;

    fn descriptor() -> TensorDescriptor {
        let handle = BufferHandle::new(3, 64, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
        TensorDescriptor::new(ElementType::Uint8, Shape::new(vec![3]), LayoutDescriptor::RowMajor, vec![handle])
    }

    fn bytes() -> Vec<u8> {
        put_descriptor(&descriptor()).unwrap()
    }

    fn rule(bytes: &[u8]) -> Option<Rule> {
        match decode_descriptor(bytes, Policy::strict()) {
            Err(Error::Reject(reject)) => Some(reject.rule),
            _ => None,
        }
    }

    #[test]
    fn what_follows_a_descriptor_is_not_its_own() {
        let mut stream = bytes();
        let len = stream.len() as u32;
        assert_eq!(decode_descriptor(&stream, Policy::strict()), Ok((descriptor(), len)));
        stream.extend(bytes());
        assert_eq!(decode_descriptor(&stream, Policy::strict()), Ok((descriptor(), len)));
    }

    #[test]
    fn a_descriptor_that_ends_early_is_rejected_wherever_it_ends() {
        let mut bytes = bytes();
        for len in 0..bytes.len() {
            assert!(rule(&bytes[..len]).is_some(), "{len}");
        }
        // A later minor may have more than is known, but not more than is there.
        bytes[5] = 1;
        bytes[6] += 1;
        assert_eq!(rule(&bytes), Some(Rule::DescriptorHeaderLengthOverread));
        bytes.push(0);
        assert_eq!(rule(&bytes), None);
    }
}
