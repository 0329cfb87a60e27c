//! What the reference says, in the words of the worker protocol.
//!
//! Owns the mapping of failures, tensors and values. It must not call the reader or the writer.

use hurray_adapter::{Failure, Float64, HandleObservation, I64, KvValue, TensorObservation, Text, U64};
use hurray_reference::drive;
use hurray_reference::{Error, KvValueRef, LayoutDescriptor, TensorDescriptor};

use super::parts;

/// The layouts it decodes and encodes.
pub(super) const LAYOUTS: [&str; 12] = [
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

/// The schemes it knows.
pub(super) const SCHEMES: [&str; 5] = ["per_tensor", "per_channel", "per_block", "nf4", "mxfp"];

pub(super) fn failure(error: drive::Error) -> Failure {
    match error {
        drive::Error::Io(error) => error.into(),
        drive::Error::Core(error) => {
            let message = error.to_string();
            match error {
                Error::Reject(reject) => Failure::Reject {
                    rule: Some(reject.rule.id().to_owned()),
                    offset: Some(reject.span.start),
                    message,
                },
                Error::NotFound => Failure::NotFound,
                Error::Unsupported(_) => Failure::Unsupported,
                Error::SinkClosed { .. } => Failure::Io("closed".to_owned()),
                Error::Misuse(_) => Failure::Refused(message),
                Error::Limit(_) => Failure::Limit(message),
            }
        }
    }
}

pub(super) fn tensor(descriptor: &TensorDescriptor) -> TensorObservation {
    let tag = |tag: u8| format!("{tag:#04x}");
    let strides = match &descriptor.layout {
        LayoutDescriptor::Strided { strides } => Some(strides.iter().map(|stride| I64(*stride)).collect()),
        _ => None,
    };
    let handles = descriptor.buffers.iter().map(|handle| HandleObservation {
        byte_size: Some(U64(handle.byte_size)),
        alignment: Some(handle.alignment),
        device_tag: Some(handle.device_tag.0),
        sync_mode: Some(handle.sync_mode.0),
        memory_class: Some(handle.memory_class.0),
    });
    let element_type = descriptor.element_type;
    TensorObservation {
        version: Some(descriptor.version),
        element_type: Some(element_type.name().map_or_else(|| tag(element_type.tag()), str::to_owned)),
        layout: Some(descriptor.layout.name().map_or_else(|| tag(descriptor.layout.tag()), str::to_owned)),
        shape: Some(descriptor.shape.dims().iter().map(|dim| U64(*dim)).collect()),
        byte_offset: Some(U64(descriptor.byte_offset)),
        strides,
        handles: Some(handles.collect()),
        layout_fields: Some(parts::layout(&descriptor.layout)),
        quantization: descriptor.quantization.as_ref().map(parts::quantization),
        shard: descriptor.shard.as_ref().map(parts::shard),
        statistics: descriptor.statistics.as_ref().map(parts::statistics),
        extension: descriptor.extension.as_ref().map(parts::extension),
        member: parts::member(descriptor),
    }
}

pub(super) fn kv_value(value: KvValueRef<'_>) -> Option<KvValue> {
    Some(match value {
        KvValueRef::String(text) => KvValue::String(Text::new(text)),
        KvValueRef::Int64(value) => KvValue::Int64(I64(value)),
        KvValueRef::Uint64(value) => KvValue::Uint64(U64(value)),
        KvValueRef::Float64(value) => KvValue::Float64(Float64(value.to_bits())),
        KvValueRef::Bool(value) => KvValue::Bool(value),
        KvValueRef::Bytes(bytes) => KvValue::Bytes(hex::encode(bytes)),
        KvValueRef::Array(array) => KvValue::Array {
            element: Some(array.element().name().to_owned()),
            items: array.iter().map(kv_value).collect::<Option<_>>()?,
        },
        KvValueRef::Opaque(_) => return None,
    })
}
