//! Writes a tensor in two parts as a composite and reads it back: validated first, then flattened; one job to read the tree.
//!
//! `cargo run -p hurray-reference --example composite`

use std::error::Error;
use std::io::Cursor;

use hurray_reference::drive::{Seeking, drive_reader, drive_writer};
use hurray_reference::{
    BufferHandle, CompositeHead, CompositionRule, DeviceTag, ElementType, FileCompositeNode, FileItem, FileReaderCore,
    FileStep, FileWriterCore, LayoutDescriptor, MIN_BUFFER_ALIGNMENT, Shape, Shard, SyncMode, TensorDescriptor,
    flatten_composite,
};

/// The columns from `column` on of a float32 tensor of shape [8, 8], four of them.
fn half(column: u64) -> TensorDescriptor {
    let handle = BufferHandle::new(128, MIN_BUFFER_ALIGNMENT, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let shape = Shape::new(vec![8, 4]);
    let plain = TensorDescriptor::new(ElementType::Float32, shape, LayoutDescriptor::RowMajor, vec![handle]);
    TensorDescriptor { shard: Some(Shard { parent_shape: vec![8, 8], shard_offset: vec![0, column] }), ..plain }
}

/// Writes the composite and reads it back.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let partition = CompositeHead { composition_rule: CompositionRule::PARTITION, combine_op: 0, member_count: 2 };
    let layout = LayoutDescriptor::Composite(partition);
    let head = TensorDescriptor::new(ElementType::Float32, Shape::new(vec![8, 8]), layout, vec![]);
    let (left, right) = (half(0), half(4));
    let (zeros, ones) = ([0_u8; 128], [1_u8; 128]);
    let (left_data, right_data): ([&[u8]; 1], [&[u8]; 1]) = ([&zeros], [&ones]);
    let members = [
        FileCompositeNode::Tensor { name: "weight.left", descriptor: &left, buffers: &left_data },
        FileCompositeNode::Tensor { name: "weight.right", descriptor: &right, buffers: &right_data },
    ];

    let mut file = Vec::new();
    let mut writer = FileWriterCore::new();
    drive_writer(writer.header()?, &mut file)?;
    // Nothing was written if this refuses: counts, cover, order and names are checked at every level first.
    for node in flatten_composite("weight", &head, &members)? {
        // The head first, then "weight.left", "weight.right".
        drive_writer(writer.tensor(node.name, node.descriptor, node.buffers)?, &mut file)?;
    }
    drive_writer(writer.finish(vec![])?, &mut file)?;

    let mut core = FileReaderCore::new(file.len() as u64);
    let mut source = Seeking(Cursor::new(file));
    drive_reader(&mut core, &mut source)?;
    core.begin_composite("weight")?;
    assert_eq!(drive_reader(&mut core, &mut source)?, FileStep::Composite);
    let composite = core.take_composite().ok_or("no composite is ready")?;
    for member in &composite.members {
        match member {
            FileItem::Tensor(tensor) => println!("{}: {} buffer(s)", tensor.name.escape_ascii(), tensor.buffers.len()),
            FileItem::Composite(inner) => {
                println!("{}: nested, {} member(s)", inner.name.escape_ascii(), inner.members.len());
            }
        }
    }
    assert_eq!(composite.members.len(), 2);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
