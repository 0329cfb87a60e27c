//! What the library shows of a file, in the vocabulary of observations. Nothing is checked or computed here.

use hurray_adapter::{Float64, HandleObservation, I64, KvEntry, KvValue as Seen, TensorObservation, Text, U64};
use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::LayoutDescriptor;
use hurray_core::{BufferHandle, ElementType, QuantizationDescriptor};
use hurray_io::file::KvValue;

use crate::parts;

/// Element types the crate documents, by their names in the specification.
pub(crate) const TYPES: [&str; 26] = [
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

/// Layouts the crate documents.
pub(crate) const LAYOUTS: [&str; 12] = [
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

/// The schemes the crate documents.
pub(crate) const SCHEMES: [&str; 5] = ["per_tensor", "per_channel", "per_block", "nf4", "mxfp"];

/// The fields of a descriptor, and its quantization section as the typed layer shows it.
pub(crate) fn tensor(descriptor: &TensorDescriptor, scheme: Option<&QuantizationDescriptor>) -> TensorObservation {
    TensorObservation {
        version: Some([descriptor.version_major, descriptor.version_minor]),
        element_type: Some(type_name(descriptor.element_type)),
        layout: Some(layout_name(&descriptor.layout)),
        shape: Some(descriptor.shape.dims().iter().copied().map(U64).collect()),
        byte_offset: Some(U64(descriptor.byte_offset)),
        strides: match &descriptor.layout {
            LayoutDescriptor::Strided(strided) => Some(strided.strides.iter().copied().map(I64).collect()),
            _ => None,
        },
        handles: Some(descriptor.buffers.iter().map(handle).collect()),
        layout_fields: Some(parts::layout(&descriptor.layout)),
        quantization: scheme.map(parts::quantization),
        shard: descriptor.shard.as_ref().map(parts::shard),
        statistics: descriptor.statistics.as_ref().map(parts::statistics),
        extension: descriptor.extension_type.as_ref().map(parts::extension),
        member: parts::member(descriptor),
    }
}

fn handle(handle: &BufferHandle) -> HandleObservation {
    HandleObservation {
        byte_size: Some(U64(handle.byte_size())),
        alignment: Some(handle.alignment()),
        device_tag: Some(handle.device_tag().to_byte()),
        sync_mode: Some(handle.sync_mode().to_byte()),
        memory_class: Some(handle.memory_class().to_byte()),
    }
}

fn type_name(element_type: ElementType) -> String {
    match element_type {
        ElementType::Extension(tag) => format!("0x{tag:02x}"),
        // Documented to print the names of the specification.
        named => named.to_string(),
    }
}

fn layout_name(layout: &LayoutDescriptor) -> String {
    let name = match layout {
        LayoutDescriptor::RowMajor => "row_major",
        LayoutDescriptor::ColMajor => "column_major",
        LayoutDescriptor::Strided(_) => "strided",
        LayoutDescriptor::Tiled(_) => "tiled",
        LayoutDescriptor::Morton(_) => "morton",
        LayoutDescriptor::Coo(_) => "coo",
        LayoutDescriptor::Csr(_) => "csr",
        LayoutDescriptor::Csc(_) => "csc",
        LayoutDescriptor::Csf(_) => "csf",
        LayoutDescriptor::BlockPaged(_) => "block_paged",
        LayoutDescriptor::Composite(_) => "composite_head",
        LayoutDescriptor::Hilbert(_) => "hilbert",
        other => return format!("0x{:02x}", other.tag()),
    };
    name.to_owned()
}

/// One key-value entry.
///
/// # Errors
/// A kind of value that came after this release; nothing the adapter can show.
pub(crate) fn entry(key: &str, value: &KvValue) -> Result<KvEntry, String> {
    Ok(KvEntry { key: Text::from(key), value: seen(value)? })
}

fn seen(value: &KvValue) -> Result<Seen, String> {
    Ok(match value {
        KvValue::String(text) => Seen::String(Text::from(text.as_str())),
        KvValue::Int64(number) => Seen::Int64(I64(*number)),
        KvValue::Uint64(number) => Seen::Uint64(U64(*number)),
        KvValue::Float64(number) => Seen::Float64(Float64(number.to_bits())),
        KvValue::Bool(truth) => Seen::Bool(*truth),
        KvValue::Bytes(bytes) => Seen::Bytes(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        KvValue::Array(items) => Seen::Array {
            // The library keeps no element type beside the elements.
            element: items.first().and_then(value_type).map(str::to_owned),
            items: items.iter().map(seen).collect::<Result<_, _>>()?,
        },
        other => return Err(format!("a kind of value the adapter does not know: {other:?}")),
    })
}

fn value_type(value: &KvValue) -> Option<&'static str> {
    Some(match value {
        KvValue::String(_) => "string",
        KvValue::Int64(_) => "int64",
        KvValue::Uint64(_) => "uint64",
        KvValue::Float64(_) => "float64",
        KvValue::Bool(_) => "bool",
        KvValue::Bytes(_) => "bytes",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_type_is_one_the_library_prints() {
        let printed: Vec<String> =
            (0x01..=0x7f).filter_map(|tag| ElementType::from_tag(tag).ok()).map(type_name).collect();
        assert_eq!(printed, TYPES);
    }

    #[test]
    fn values_keep_their_bits_and_types() {
        let nan = f64::from_bits(0x7ff0_0000_0000_0001);
        assert_eq!(seen(&KvValue::Float64(nan)), Ok(Seen::Float64(Float64(0x7ff0_0000_0000_0001))));
        assert_eq!(seen(&KvValue::Bytes(vec![0, 0xff])), Ok(Seen::Bytes("00ff".to_owned())));
        let array = Seen::Array { element: Some("bool".to_owned()), items: vec![Seen::Bool(true)] };
        assert_eq!(seen(&KvValue::Array(vec![KvValue::Bool(true)])), Ok(array));
        assert_eq!(seen(&KvValue::Array(vec![])), Ok(Seen::Array { element: None, items: vec![] }));
    }
}
