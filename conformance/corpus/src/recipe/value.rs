//! The values of fields: one type word and what stands behind it.
//!
//! Owns the table of types in `vectors/README.md`. Knows neither labels nor places.

use super::error::Fault;
use super::expression::{Expression, count, number};

/// A parsed value. Its length never depends on expressions, only `align` depends on where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The type word, which stays when an edit gives the value alone.
    pub(crate) keyword: String,
    pub(crate) content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// One or more integers of one type.
    Integers(Integer, Vec<Expression>),
    /// Bytes known at once.
    Bytes(Vec<u8>),
    /// One byte, so many times.
    Fill { count: u64, byte: u8 },
    /// Ascending bytes modulo 256.
    Ramp { count: u64, start: u8 },
    /// Zero bytes up to the next multiple.
    Align(u64),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    pub(crate) len: u8,
    pub(crate) signed: bool,
}

impl Integer {
    fn parse(word: &str) -> Option<Integer> {
        let signed = word.starts_with('i');
        let len = match word.strip_prefix(['i', 'u'])? {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        Some(Integer { len, signed })
    }

    /// The little-endian bytes, or `None` if the value does not fit.
    pub(crate) fn bytes(self, value: i128) -> Option<Vec<u8>> {
        let bits = u32::from(self.len) * 8;
        let range = match self.signed {
            true => -(1_i128 << (bits - 1))..=(1 << (bits - 1)) - 1,
            false => 0..=(1 << bits) - 1,
        };
        let kept = usize::from(self.len);
        range.contains(&value).then(|| value.to_le_bytes()[..kept].to_vec())
    }
}

/// Whether `word` is one of the type words.
pub(crate) fn is_keyword(word: &str) -> bool {
    let single = word.strip_suffix("[]").unwrap_or(word);
    Integer::parse(single).is_some()
        || matches!(single, "f32" | "f64")
        || matches!(word, "text" | "hex" | "fill" | "ramp" | "align" | "pad")
}

impl Value {
    /// Parses `type value`, comments removed.
    pub(crate) fn parse(text: &str) -> Result<Value, Fault> {
        let text = text.trim();
        let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if keyword.is_empty() {
            return Err(Fault::MissingType);
        }
        if !is_keyword(keyword) {
            return Err(Fault::UnknownType(keyword.to_owned()));
        }
        let rest = rest.trim();
        if rest.is_empty() && !matches!(keyword, "hex") && !keyword.ends_with("[]") {
            return Err(Fault::MissingValue);
        }
        Ok(Value { keyword: keyword.to_owned(), content: Content::parse(keyword, rest)? })
    }

    /// Parses an edit's `to`: `type value`, or the value alone, then of the type of `self`.
    pub(crate) fn reparse(&self, text: &str) -> Result<Value, Fault> {
        let first = text.split_whitespace().next().unwrap_or("");
        if is_keyword(first) { Value::parse(text) } else { Value::parse(&format!("{} {text}", self.keyword)) }
    }

    /// Length in bytes of the value when it starts at `offset`.
    pub(crate) fn len_at(&self, offset: u64) -> u64 {
        match &self.content {
            Content::Integers(kind, values) => u64::from(kind.len) * values.len() as u64,
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Fill { count, .. } | Content::Ramp { count, .. } => *count,
            Content::Align(multiple) => offset.checked_next_multiple_of(*multiple).map_or(u64::MAX, |end| end - offset),
        }
    }

    /// Whether part of the value is a checksum.
    pub(crate) fn has_crc(&self) -> bool {
        matches!(&self.content, Content::Integers(_, values) if values.iter().any(Expression::has_crc))
    }
}

impl Content {
    fn parse(keyword: &str, rest: &str) -> Result<Content, Fault> {
        let single = keyword.strip_suffix("[]");
        if let Some(kind) = Integer::parse(single.unwrap_or(keyword)) {
            let values = Expression::parse_all(rest)?;
            return match values.len() {
                1 => Ok(Content::Integers(kind, values)),
                _ if single.is_some() => Ok(Content::Integers(kind, values)),
                _ => Err(Fault::ExtraText(rest.to_owned())),
            };
        }
        match keyword {
            "f32" | "f64" => one_word(rest).and_then(|word| float(keyword, word)).map(Content::Bytes),
            "f32[]" | "f64[]" => {
                let parts: Result<Vec<_>, _> = rest.split_whitespace().map(|word| float(&keyword[..3], word)).collect();
                Ok(Content::Bytes(parts?.concat()))
            }
            "text" => quoted(rest).map(Content::Bytes),
            "hex" => hex_bytes(rest).map(Content::Bytes),
            "align" => match count(one_word(rest)?)? {
                0 => Err(Fault::BadNumber("0".to_owned())),
                multiple => Ok(Content::Align(multiple)),
            },
            "pad" => Ok(Content::Fill { count: count(one_word(rest)?)?, byte: 0 }),
            "fill" => counted(rest).map(|(count, byte)| Content::Fill { count, byte }),
            _ => counted(rest).map(|(count, start)| Content::Ramp { count, start }),
        }
    }
}

fn one_word(text: &str) -> Result<&str, Fault> {
    match text.split_once(char::is_whitespace) {
        None => Ok(text),
        Some((_, rest)) => Err(Fault::ExtraText(rest.trim().to_owned())),
    }
}

fn counted(text: &str) -> Result<(u64, u8), Fault> {
    let mut words = text.split_whitespace();
    let count = count(words.next().ok_or(Fault::MissingValue)?)?;
    let byte = words.next().map_or(Ok(0), |word| {
        u8::try_from(number(word)?)
            .map_err(|_| Fault::DoesNotFit { value: number(word).unwrap_or_default(), keyword: "a byte".to_owned() })
    })?;
    match words.next() {
        None => Ok((count, byte)),
        Some(extra) => Err(Fault::ExtraText(extra.to_owned())),
    }
}

fn float(keyword: &str, word: &str) -> Result<Vec<u8>, Fault> {
    let bad = || Fault::BadFloat(word.to_owned());
    if word.starts_with("0x") {
        let bits = number(word)?;
        let kind = Integer { len: if keyword == "f32" { 4 } else { 8 }, signed: false };
        return kind.bytes(bits).ok_or_else(|| Fault::DoesNotFit { value: bits, keyword: keyword.to_owned() });
    }
    match keyword {
        "f32" => word.parse().ok().filter(|value: &f32| value.is_finite()).map(|value| value.to_le_bytes().to_vec()),
        _ => word.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| value.to_le_bytes().to_vec()),
    }
    .ok_or_else(bad)
}

/// Pairs of hex digits, with or without blanks between the pairs.
pub(crate) fn hex_bytes(text: &str) -> Result<Vec<u8>, Fault> {
    let words = text.split_whitespace();
    let parts: Result<Vec<_>, _> =
        words.map(|word| hex::decode(word).map_err(|_| Fault::BadHex(word.to_owned()))).collect();
    Ok(parts?.concat())
}

fn quoted(text: &str) -> Result<Vec<u8>, Fault> {
    let inner = text.strip_prefix('"').ok_or_else(|| Fault::BadText(format!("`{text}` is not quoted")))?;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        match letter {
            '"' if !escaped => {
                return match inner[at + 1..].trim() {
                    "" => unescape(&inner[..at]),
                    extra => Err(Fault::ExtraText(extra.to_owned())),
                };
            }
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Err(Fault::BadText(format!("`{text}` has no closing quote")))
}

/// Resolves the escapes of a text.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let after = &rest[at + 1..];
        let bad = || Fault::BadText(format!("`\\{after}` starts with no escape"));
        let kind = after.chars().next().ok_or_else(bad)?;
        let tail = &after[kind.len_utf8()..];
        rest = match kind {
            '\\' | '"' => push(&mut bytes, &[kind as u8], tail),
            'n' => push(&mut bytes, b"\n", tail),
            '0' => push(&mut bytes, &[0], tail),
            'x' => {
                let digits = tail.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).ok_or_else(bad)?;
                push(&mut bytes, &[byte], &tail[2..])
            }
            'u' => {
                let (digits, tail) = tail.strip_prefix('{').and_then(|tail| tail.split_once('}')).ok_or_else(bad)?;
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(bad)?;
                push(&mut bytes, code.encode_utf8(&mut [0; 4]).as_bytes(), tail)
            }
            _ => return Err(bad()),
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

fn push<'a>(bytes: &mut Vec<u8>, more: &[u8], tail: &'a str) -> &'a str {
    bytes.extend_from_slice(more);
    tail
}

#[cfg(test)]
#[path = "value_tests.rs"]
mod tests;
