//! Writes a case with the reference.

use hurray_adapter::KvValue as Meant;
use hurray_reference::drive::drive_writer;
use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, FileWriterCore, FileWriterOptions, KvType, KvValue, LayoutDescriptor,
    MemoryClass, Shape, SyncMode, TensorDescriptor,
};

use crate::cases::{File, Layout, Tensor};

/// The bytes of the file.
pub(crate) fn write(file: &File) -> Vec<u8> {
    let options = FileWriterOptions { data_buffer_alignment: file.alignment, sorted_index: file.sorted };
    let mut writer = FileWriterCore::with_options(options).expect("the cases hold legal options");
    let mut bytes = Vec::new();
    drive_writer(writer.header().expect("a new writer"), &mut bytes).expect("a sink in memory");
    for tensor in &file.tensors {
        let buffers = [tensor.data.as_slice()];
        let item = writer.tensor(tensor.name, &descriptor(tensor), &buffers);
        drive_writer(item.unwrap_or_else(|error| panic!("{}: {error}", tensor.name)), &mut bytes).expect("in memory");
    }
    let kv = file.kv.iter().map(|(key, kv)| ((*key).to_owned(), value(kv))).collect();
    drive_writer(writer.finish(kv).expect("the cases hold legal values"), &mut bytes).expect("in memory");
    bytes
}

fn descriptor(tensor: &Tensor) -> TensorDescriptor {
    let handle = BufferHandle {
        memory_class: MemoryClass(tensor.memory_class),
        ..BufferHandle::new(
            tensor.data.len() as u64,
            tensor.alignment,
            DeviceTag(tensor.device_tag),
            SyncMode::PRODUCER_SYNCED,
        )
    };
    let layout = match &tensor.layout {
        Layout::RowMajor => LayoutDescriptor::RowMajor,
        Layout::ColumnMajor => LayoutDescriptor::ColumnMajor,
        Layout::Strided(strides) => LayoutDescriptor::Strided { strides: strides.clone() },
    };
    let shape = Shape::new(tensor.shape.clone());
    TensorDescriptor {
        byte_offset: tensor.byte_offset,
        ..TensorDescriptor::new(ElementType::from_tag(tensor.tag), shape, layout, vec![handle])
    }
}

fn value(meant: &Meant) -> KvValue {
    match meant {
        Meant::String(text) => KvValue::String(String::from_utf8(text.0.clone()).expect("the cases hold text")),
        Meant::Int64(number) => KvValue::Int64(number.0),
        Meant::Uint64(number) => KvValue::Uint64(number.0),
        Meant::Float64(number) => KvValue::Float64(f64::from_bits(number.0)),
        Meant::Bool(truth) => KvValue::Bool(*truth),
        Meant::Bytes(digits) => KvValue::Bytes(hex::decode(digits).expect("the cases hold hex")),
        Meant::Array { element, items } => KvValue::Array {
            element: kind(element.as_deref().unwrap_or_default()),
            items: items.iter().map(value).collect(),
        },
        Meant::Integer(_) => panic!("the cases say whether an integer is signed"),
    }
}

fn kind(name: &str) -> KvType {
    let kinds = [KvType::String, KvType::Int64, KvType::Uint64, KvType::Float64, KvType::Bool, KvType::Bytes];
    kinds.into_iter().find(|kind| kind.name() == name).expect("the cases name a type")
}
