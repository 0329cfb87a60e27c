//! What a file uses of the format, and what a description takes of a writer: element types, layouts, quantization schemes,
//! and what goes beyond plain tensors.
//!
//! Owns the vocabulary of `needs`, as the specification and the protocol spell it; it says nothing of their encoding.

use std::fmt;
use std::str::FromStr;

use hurray_adapter::{Hello, WriteFeature, Writes};
use hurray_spec::tables::{ElementType, Layout, Scheme};
use serde::{Serialize, Serializer};

/// A feature. Its text is the group and the name: `type:float32`, `layout:strided`, `quantization:nf4`, `feature:kv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// An element type.
    Type(&'static ElementType),
    /// A layout.
    Layout(&'static Layout),
    /// A quantization scheme.
    Quantization(&'static Scheme),
    /// Something that only writers declare.
    Write(WriteFeature),
}

/// A text that names no feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFeature;

impl Feature {
    /// Whether a candidate declares to read it. What only writers declare costs a reader nothing.
    pub fn is_read_by(self, hello: &Hello) -> bool {
        match self {
            Feature::Type(kind) => names(&hello.types, kind.name),
            Feature::Layout(layout) => names(&hello.layouts, layout.name),
            Feature::Quantization(scheme) => names(&hello.quantization, scheme.name),
            Feature::Write(_) => true,
        }
    }

    /// Whether a candidate declares to write it.
    pub fn is_written_by(self, writes: &Writes) -> bool {
        match self {
            Feature::Type(kind) => names(&writes.types, kind.name),
            Feature::Layout(layout) => names(&writes.layouts, layout.name),
            Feature::Quantization(scheme) => names(&writes.quantization, scheme.name),
            Feature::Write(feature) => writes.has(feature),
        }
    }

    /// Whether a file uses it, and not only who writes one.
    pub fn is_for_readers(self) -> bool {
        match self {
            Feature::Type(_) | Feature::Layout(_) | Feature::Quantization(_) => true,
            Feature::Write(_) => false,
        }
    }
}

fn names(declared: &[String], name: &str) -> bool {
    declared.iter().any(|declared| declared == name)
}

impl FromStr for Feature {
    type Err = NoFeature;

    fn from_str(text: &str) -> Result<Self, NoFeature> {
        let feature = match text.split_once(':') {
            Some(("type", name)) => ElementType::from_name(name).map(Feature::Type),
            Some(("layout", name)) => Layout::from_name(name).map(Feature::Layout),
            Some(("quantization", name)) => Scheme::from_name(name).map(Feature::Quantization),
            Some(("feature", name)) => name.parse().ok().map(Feature::Write),
            _ => None,
        };
        feature.ok_or(NoFeature)
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Type(kind) => write!(f, "type:{}", kind.name),
            Feature::Layout(layout) => write!(f, "layout:{}", layout.name),
            Feature::Quantization(scheme) => write!(f, "quantization:{}", scheme.name),
            Feature::Write(feature) => write!(f, "feature:{feature}"),
        }
    }
}

impl Serialize for Feature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_what_its_text_says() {
        for text in ["type:float32", "layout:block_paged", "quantization:nf4", "feature:kv_integers"] {
            let feature: Feature = text.parse().expect(text);
            assert_eq!(feature.to_string(), text);
            assert_eq!(feature.is_for_readers(), !text.starts_with("feature:"));
        }
        for text in ["float32", "type:f32", "layout:float32", "type:0x03", "feature:tensor", "kind:float32", ""] {
            assert_eq!(text.parse::<Feature>(), Err(NoFeature), "{text}");
        }
    }

    #[test]
    fn a_name_counts_in_its_own_list_only() {
        let writes = Writes { types: vec!["bool".to_owned()], features: vec!["kv".to_owned()], ..Writes::default() };
        let is_written = |text: &str| text.parse::<Feature>().expect(text).is_written_by(&writes);
        assert!(is_written("type:bool") && is_written("feature:kv"));
        assert!(!is_written("type:int8") && !is_written("layout:csr") && !is_written("feature:shard"));
    }
}
