//! Two tensors, a composite and key-values in a file on disk, read back by position and through a map.
//!
//! `cargo run -p hurray-reference --example sans_io_file`

use std::error::Error;
use std::fs::File;

use hurray_blob::Blob;
use hurray_reference::drive::{self, Positional, Source, drive_reader, drive_writer};
use hurray_reference::{
    BufferHandle, CompositeHead, CompositionRule, DeviceTag, ElementType, FileCompositeNode, FileWriterCore, KvValue,
    LayoutDescriptor, MIN_BUFFER_ALIGNMENT, Policy, Shape, SyncMode, TensorDescriptor,
};

fn tensor(dims: &[u64]) -> TensorDescriptor {
    let len = 4 * dims.iter().product::<u64>();
    let handle = BufferHandle::new(len, MIN_BUFFER_ALIGNMENT, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    TensorDescriptor::new(ElementType::Float32, Shape::new(dims.to_vec()), LayoutDescriptor::RowMajor, vec![handle])
}

fn write(file: &mut File) -> Result<(), Box<dyn Error>> {
    let (embeddings, bias) = (tensor(&[8, 8]), tensor(&[16]));
    let (many, few) = ([7_u8; 256], [9_u8; 64]);
    let (many, few): ([&[u8]; 1], [&[u8]; 1]) = ([&many], [&few]);
    let fields = CompositeHead { composition_rule: CompositionRule::GROUP, combine_op: 0, member_count: 2 };
    let layout = LayoutDescriptor::Composite(fields);
    let head = TensorDescriptor::new(ElementType::Float32, Shape::new(vec![1]), layout, vec![]);
    let members = [
        FileCompositeNode::Tensor { name: "layer.weight", descriptor: &embeddings, buffers: &many },
        FileCompositeNode::Tensor { name: "layer.bias", descriptor: &bias, buffers: &few },
    ];
    let mut writer = FileWriterCore::new();
    drive_writer(writer.header()?, file)?;
    drive_writer(writer.tensor("embeddings", &embeddings, &many)?, file)?;
    drive_writer(writer.tensor("bias", &bias, &few)?, file)?;
    drive_writer(writer.composite("layer", &head, &members)?, file)?;
    drive_writer(writer.finish(vec![("layers".into(), KvValue::Int64(32))])?, file)?;
    Ok(())
}

fn read(mut source: impl Source) -> Result<(), Box<dyn Error>> {
    let mut core = drive::open(&mut source, Policy::strict())?;
    println!("{} tensor(s), {} key-value(s)", core.index().len(), core.kv().len());
    core.begin_tensor("bias")?;
    drive_reader(&mut core, &mut source)?;
    let bias = core.take_tensor().ok_or("no tensor is ready")?;
    assert_eq!(bias.buffers[0].as_ref(), [9; 64]);
    core.begin_composite("layer")?;
    drive_reader(&mut core, &mut source)?;
    let layer = core.take_composite().ok_or("no composite is ready")?;
    assert_eq!(layer.members.len(), 2);
    Ok(())
}

/// Writes a file and reads it back in two ways.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let mut file = tempfile::NamedTempFile::new()?;
    write(file.as_file_mut())?;
    read(Positional(File::open(file.path())?))?;
    let blob = Blob::open(file.path())?;
    assert!(blob.is_mapped());
    read(blob)
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
