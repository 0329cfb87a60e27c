//! What a writer checks before anything is out: a name, a descriptor and its payloads. Writes nothing.

use hurray_spec::Rule;

use crate::bytes::to_u64;
use crate::check::descriptor::check_descriptor;
use crate::judge::{Judge, Policy};
use crate::model::TensorDescriptor;
use crate::reject::{Error, Misuse, Span};
use crate::wire::descriptor::{put_descriptor, read_descriptor};

/// A name the index can hold.
pub(super) fn check_name(name: &str) -> Result<(), Misuse> {
    if name.is_empty() {
        return Err(Misuse::NameEmpty);
    }
    if name.len() > usize::from(u16::MAX) {
        return Err(Misuse::NameTooLong(to_u64(name.len())));
    }
    Ok(())
}

/// The descriptor's bytes, if they and the payloads break no rule at all.
pub(super) fn encode(descriptor: &TensorDescriptor, buffers: &[&[u8]]) -> Result<Vec<u8>, Misuse> {
    let (declared, given) = (to_u64(descriptor.buffers.len()), to_u64(buffers.len()));
    if declared != given {
        return Err(Misuse::BufferCount { declared, given });
    }
    for (at, (handle, buffer)) in descriptor.buffers.iter().zip(buffers).enumerate() {
        let (declared, given) = (handle.byte_size, to_u64(buffer.len()));
        if declared != given {
            return Err(Misuse::BufferLen { buffer: to_u64(at), declared, given });
        }
    }
    if descriptor.version != [1, 0] {
        return Err(Misuse::Descriptor(Rule::DescriptorHeaderVersionCurrent));
    }
    if descriptor.shape.is_dynamic() {
        // A file has no way to tell the size later (ruling R49).
        return Err(Misuse::Descriptor(Rule::ModelDynamicChannel));
    }
    let encoded = put_descriptor(descriptor)?;
    match broken_rule(&encoded) {
        Some(rule) => Err(Misuse::Descriptor(rule)),
        None => Ok(encoded),
    }
}

/// The first rule an encoded descriptor breaks, tolerated ones included: a writer owes more than a reader demands.
fn broken_rule(encoded: &[u8]) -> Option<Rule> {
    let mut judge = Judge::new(Policy::collecting());
    // No descriptor is written that long; one that were would not have the length it states.
    let length = (u32::try_from(encoded.len()).unwrap_or(u32::MAX), Span::at(0, 0));
    let read = read_descriptor(encoded, 0, length, &mut judge);
    let checked = read.and_then(|decoded| check_descriptor(&decoded, &mut judge).map_err(Error::from));
    match (judge.findings().first(), checked) {
        (Some(finding), _) => Some(finding.rule),
        (None, Err(Error::Reject(reject))) => Some(reject.rule),
        // A private type needs a section that is not written here.
        (None, Err(_)) => Some(Rule::DescriptorFlagsExtensionIff),
        (None, Ok(())) => None,
    }
}
