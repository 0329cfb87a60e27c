//! Single values as people write them in vector files: names, fills, hex digits and wide integers.
//!
//! Owns these forms. It must not know where a value stands.

use hurray_adapter::{I64, Text, U64};
use serde::Deserialize;

/// A name: a plain string, `{ hex = "…" }` or `{ byte = 110, len = 65535 }`.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum NameForm {
    Plain(String),
    Hex(HexForm),
    Fill(FillForm),
}

/// `{ hex = "…" }`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HexForm {
    pub(crate) hex: String,
}

/// `{ byte = 110, len = 65535 }`.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FillForm {
    pub(crate) byte: u8,
    pub(crate) len: u32,
}

/// Hex with free blanks.
pub(crate) fn hex_bytes(text: &str) -> Result<Vec<u8>, String> {
    let digits: String = text.split_whitespace().collect();
    hex::decode(digits).map_err(|_| format!("`{text}` is not pairs of hex digits"))
}

impl NameForm {
    /// The bytes of the name.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            NameForm::Plain(text) => Ok(text.clone().into_bytes()),
            NameForm::Hex(form) => hex_bytes(&form.hex),
            NameForm::Fill(form) => Ok(form.bytes()),
        }
    }
}

impl FillForm {
    /// The bytes; at most 64 MiB of them.
    pub(crate) fn bytes(self) -> Vec<u8> {
        vec![self.byte; self.len.min(64 << 20) as usize]
    }
}

/// A 64-bit integer: TOML has no more than signed ones, so larger values are strings.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Wide {
    Plain(i64),
    Text(String),
}

impl Wide {
    pub(crate) fn unsigned(&self) -> Result<U64, String> {
        match self {
            Wide::Plain(value) => u64::try_from(*value).map(U64).map_err(|_| format!("{value} is negative")),
            Wide::Text(text) => unsigned(text).map(U64),
        }
    }

    pub(crate) fn signed(&self) -> Result<I64, String> {
        match self {
            Wide::Plain(value) => Ok(I64(*value)),
            Wide::Text(text) => text.parse().map(I64).map_err(|_| format!("`{text}` is not a signed 64-bit integer")),
        }
    }
}

pub(crate) fn unsigned(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not an unsigned 64-bit integer; write decimal or 0x…"))
}

/// The bytes of a name or key, given in exactly one of three ways.
pub(crate) fn text(
    field: &str,
    plain: &Option<String>,
    digits: &Option<String>,
    fill: Option<FillForm>,
) -> Result<Text, String> {
    match (plain, digits, fill) {
        (Some(text), None, None) => Ok(Text::from(text.as_str())),
        (None, Some(digits), None) => hex_bytes(digits).map(Text::new),
        (None, None, Some(form)) => Ok(Text::new(form.bytes())),
        _ => Err(format!("give exactly one of `{field}`, `{field}_hex` and `{field}_fill`")),
    }
}
