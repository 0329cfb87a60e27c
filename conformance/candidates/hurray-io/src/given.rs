//! Named values of a description, as the numbers that the library's constructors take.
//!
//! A value that the library has no way to say is refused; nothing is checked against the format.

use std::str::FromStr;

use hurray_adapter::{Failure, FieldValue, Fields};

/// One value of a field.
///
/// # Errors
/// It is not there, or is none that fits.
pub(crate) fn number<T: FromStr>(fields: &Fields, name: &str) -> Result<T, Failure> {
    match fields.get(name) {
        Some(FieldValue::One(value)) => value.parse().map_err(|_| unsaid(name)),
        _ => Err(unsaid(name)),
    }
}

/// As [`number`], `None` for a field that is not there.
pub(crate) fn maybe<T: FromStr>(fields: &Fields, name: &str) -> Result<Option<T>, Failure> {
    fields.contains_key(name).then(|| number(fields, name)).transpose()
}

/// Several values of a field.
///
/// # Errors
/// As [`number`].
pub(crate) fn numbers<T: FromStr>(fields: &Fields, name: &str) -> Result<Vec<T>, Failure> {
    match fields.get(name) {
        Some(FieldValue::Many(values)) => values.iter().map(|value| value.parse().map_err(|_| unsaid(name))).collect(),
        _ => Err(unsaid(name)),
    }
}

/// A field that is 0 or 1.
///
/// # Errors
/// As [`number`]; the library takes a boolean and no other byte.
pub(crate) fn truth(fields: &Fields, name: &str) -> Result<bool, Failure> {
    match fields.get(name) {
        Some(FieldValue::One(value)) if value == "0" || value == "false" => Ok(false),
        Some(FieldValue::One(value)) if value == "1" || value == "true" => Ok(true),
        _ => Err(unsaid(name)),
    }
}

/// A float64 by its 16 hex digits.
///
/// # Errors
/// As [`number`].
pub(crate) fn float64(fields: &Fields, name: &str) -> Result<f64, Failure> {
    match fields.get(name) {
        Some(FieldValue::One(digits)) => u64::from_str_radix(digits, 16).map(f64::from_bits).map_err(|_| unsaid(name)),
        _ => Err(unsaid(name)),
    }
}

/// A float32 by its 8 hex digits.
///
/// # Errors
/// As [`number`].
pub(crate) fn float32(fields: &Fields, name: &str) -> Result<f32, Failure> {
    match fields.get(name) {
        Some(FieldValue::One(digits)) => u32::from_str_radix(digits, 16).map(f32::from_bits).map_err(|_| unsaid(name)),
        _ => Err(unsaid(name)),
    }
}

/// Bytes by their hex digits.
///
/// # Errors
/// As [`number`].
pub(crate) fn bytes(fields: &Fields, name: &str) -> Result<Vec<u8>, Failure> {
    match fields.get(name) {
        Some(FieldValue::One(digits)) => hex::decode(digits).map_err(|_| unsaid(name)),
        _ => Err(unsaid(name)),
    }
}

/// A nested part.
///
/// # Errors
/// It is not there.
pub(crate) fn part<'a>(fields: &'a Fields, name: &str) -> Result<&'a Fields, Failure> {
    match fields.get(name) {
        Some(FieldValue::Part(part)) => Ok(part),
        _ => Err(unsaid(name)),
    }
}

/// What the library has no way to say.
pub(crate) fn unsaid(name: &str) -> Failure {
    Failure::Refused(format!("{name}: missing, or the library has no such value"))
}

/// A description that the library's constructors refuse.
pub(crate) fn refused(error: hurray_core::Error) -> Failure {
    Failure::Refused(error.to_string())
}
