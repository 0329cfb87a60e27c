//! Writes a case with the published library, through its public interface.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use hurray_adapter::KvValue as Meant;
use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::{LayoutDescriptor, StridedLayout};
use hurray_core::{BufferHandle, DeviceTag, ElementType, MemoryClass, Shape, SyncMode};
use hurray_io::file::{FileWriter, FileWriterOptions, KvValue};

use crate::cases::{File, Layout, Tensor};

/// The bytes of the file.
pub(crate) fn write(file: &File) -> Vec<u8> {
    block_on(written(file)).expect("the library writes what it documents to write")
}

/// Runs a call over a sink in memory.
pub(crate) fn block_on<T>(call: impl Future<Output = T>) -> T {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("a sink in memory is always ready"),
    }
}

async fn written(file: &File) -> hurray_io::Result<Vec<u8>> {
    let options = FileWriterOptions { data_buffer_alignment: file.alignment, sorted_index: file.sorted };
    let mut writer = FileWriter::with_options(Vec::new(), options).await?;
    for tensor in &file.tensors {
        writer.write_tensor(tensor.name, &descriptor(tensor)?, &[&tensor.data]).await?;
    }
    writer.finish(file.kv.iter().map(|(key, kv)| ((*key).to_owned(), value(kv))).collect()).await
}

fn descriptor(tensor: &Tensor) -> Result<TensorDescriptor, hurray_core::Error> {
    let handle = BufferHandle::with_memory_class(
        tensor.data.len() as u64,
        tensor.alignment,
        DeviceTag::from_byte(tensor.device_tag)?,
        SyncMode::ProducerSynced,
        MemoryClass::from_byte(tensor.memory_class)?,
    )?;
    let layout = match &tensor.layout {
        Layout::RowMajor => LayoutDescriptor::RowMajor,
        Layout::ColumnMajor => LayoutDescriptor::ColMajor,
        Layout::Strided(strides) => LayoutDescriptor::Strided(StridedLayout::new(strides.clone())),
    };
    let (element_type, shape) = (ElementType::from_tag(tensor.tag)?, Shape::new(tensor.shape.clone())?);
    TensorDescriptor::new(1, 0, element_type, shape, tensor.byte_offset, layout, vec![handle], None, None, None, None)
}

fn value(meant: &Meant) -> KvValue {
    match meant {
        Meant::String(text) => KvValue::String(String::from_utf8(text.0.clone()).expect("the cases hold text")),
        Meant::Int64(number) => KvValue::Int64(number.0),
        Meant::Uint64(number) => KvValue::Uint64(number.0),
        Meant::Float64(number) => KvValue::Float64(f64::from_bits(number.0)),
        Meant::Bool(truth) => KvValue::Bool(*truth),
        Meant::Bytes(digits) => KvValue::Bytes(hex::decode(digits).expect("the cases hold hex")),
        Meant::Array { items, .. } => KvValue::Array(items.iter().map(value).collect()),
        Meant::Integer(_) => panic!("the cases say whether an integer is signed"),
    }
}
