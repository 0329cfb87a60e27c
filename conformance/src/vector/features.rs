//! The names a vector may use for element types, layouts and quantization schemes.
//!
//! Owns the vocabulary of `needs` and of observed types and layouts, as the specification spells it; it says nothing of
//! their encoding.

/// Element types.
pub(crate) const TYPES: &[&str] = &[
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "bool",
    "float8_e4m3",
    "float8_e5m2",
    "float8_e8m0",
    "float4_e2m1",
    "float6_e2m3",
    "float6_e3m2",
    "float128",
    "int4",
    "uint4",
    "int2",
    "uint2",
    "complex64",
    "complex128",
];

/// Layouts.
pub(crate) const LAYOUTS: &[&str] = &[
    "row_major",
    "column_major",
    "strided",
    "tiled",
    "morton",
    "coo",
    "csr",
    "csc",
    "csf",
    "block_paged",
    "composite_head",
    "hilbert",
];

/// Quantization schemes.
pub(crate) const SCHEMES: &[&str] = &["per_tensor", "per_channel", "per_block", "nf4", "mxfp"];

/// Whether `feature` is `type:`, `layout:` or `quantization:` and a known name.
pub(crate) fn is_known(feature: &str) -> bool {
    let names = match feature.split_once(':') {
        Some(("type", name)) => (TYPES, name),
        Some(("layout", name)) => (LAYOUTS, name),
        Some(("quantization", name)) => (SCHEMES, name),
        _ => return false,
    };
    names.0.contains(&names.1)
}
