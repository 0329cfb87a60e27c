//! Writes the key-value section, and refuses what it cannot say before a byte of it is out.

use std::collections::BTreeSet;

use crate::bytes::to_u64;
use crate::model::{KvType, KvValue};
use crate::reject::Misuse;

use super::length;

/// The section of these entries, in their order.
///
/// # Errors
/// An empty, over-long or repeated key; an array of arrays or of mixed types; anything too long for its length field.
pub(crate) fn put_kv(entries: &[(String, KvValue)]) -> Result<Vec<u8>, Misuse> {
    let mut out = length(entries.len())?.to_le_bytes().to_vec();
    let mut keys = BTreeSet::new();
    for (key, value) in entries {
        if key.is_empty() {
            return Err(Misuse::KeyEmpty);
        }
        let key_length = u16::try_from(key.len()).map_err(|_| Misuse::KeyTooLong(to_u64(key.len())))?;
        if !keys.insert(key.as_str()) {
            return Err(Misuse::KeyTwice);
        }
        out.extend_from_slice(&key_length.to_le_bytes());
        out.extend_from_slice(key.as_bytes());
        out.push(value.kind().tag());
        put_payload(&mut out, value)?;
    }
    length(out.len())?;
    Ok(out)
}

fn put_payload(out: &mut Vec<u8>, value: &KvValue) -> Result<(), Misuse> {
    match value {
        KvValue::String(text) => put_sized(out, text.as_bytes())?,
        KvValue::Int64(value) => out.extend_from_slice(&value.to_le_bytes()),
        KvValue::Uint64(value) => out.extend_from_slice(&value.to_le_bytes()),
        KvValue::Float64(value) => out.extend_from_slice(&value.to_bits().to_le_bytes()),
        KvValue::Bool(value) => out.push(u8::from(*value)),
        KvValue::Bytes(bytes) => put_sized(out, bytes)?,
        KvValue::Array { element, items } => {
            if *element == KvType::Array || items.iter().any(|item| item.kind() != *element) {
                return Err(Misuse::Array);
            }
            out.push(element.tag());
            out.extend_from_slice(&length(items.len())?.to_le_bytes());
            for item in items {
                put_payload(out, item)?;
            }
        }
    }
    Ok(())
}

fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Misuse> {
    out.extend_from_slice(&length(bytes.len())?.to_le_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}
