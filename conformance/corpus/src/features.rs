//! The names a vector may use for element types, layouts and quantization schemes.
//!
//! Owns the vocabulary of `needs` and of observed types and layouts, as the specification spells it; it says nothing of
//! their encoding.

use hurray_spec::tables::{ElementType, Layout, SCHEMES};

/// Whether `feature` is `type:`, `layout:` or `quantization:` and a known name.
pub(crate) fn is_known(feature: &str) -> bool {
    match feature.split_once(':') {
        Some(("type", name)) => ElementType::from_name(name).is_some(),
        Some(("layout", name)) => Layout::from_name(name).is_some(),
        Some(("quantization", name)) => SCHEMES.iter().any(|scheme| scheme.name == name),
        _ => false,
    }
}
