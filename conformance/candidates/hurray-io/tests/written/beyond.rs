//! A file of the library with more than dense tensors: a sparse matrix and a composite between plain neighbours.

use hurray_adapter::{BufferObservation, Candidate, Reader, Text, U64};
use hurray_conformance::candidates::reference::Reference;
use hurray_core::descriptor::TensorDescriptor;
use hurray_core::layout::{CompositeLayout, CompositionRule, CsrLayout, LayoutDescriptor};
use hurray_core::{BufferHandle, DeviceTag, ElementType, MIN_BUFFER_ALIGNMENT, Shape, SyncMode};
use hurray_io::file::{FileCompositeNode, FileWriter};

use crate::OnDisk;
use crate::theirs::block_on;

/// Two plain tensors around a sparse one, and a group of two.
async fn file() -> hurray_io::Result<Vec<u8>> {
    let dense = descriptor(vec![4], LayoutDescriptor::RowMajor, &[16])?;
    let data = [0x41_u8; 16];
    let payload: [&[u8]; 1] = [&data];
    let sparse = descriptor(vec![2, 2], LayoutDescriptor::Csr(CsrLayout::new(1)), &[4, 8, 24])?;
    let (values, columns, rows) =
        ([0x42_u8; 4], [0_u8; 8], [[0_u8; 8], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]]);
    let head = LayoutDescriptor::Composite(CompositeLayout::new(CompositionRule::Group, 2)?);
    let head = descriptor(vec![4], head, &[])?;
    let member = |name| FileCompositeNode::Tensor { name, descriptor: &dense, buffers: &payload };

    let mut writer = FileWriter::new(Vec::new()).await?;
    writer.write_tensor("before", &dense, &payload).await?;
    writer.write_tensor("sparse", &sparse, &[&values, &columns, rows.as_flattened()]).await?;
    writer.write_composite("group", &head, &[member("first"), member("second")]).await?;
    writer.write_tensor("after", &dense, &payload).await?;
    writer.finish(Vec::new()).await
}

fn descriptor(shape: Vec<u64>, layout: LayoutDescriptor, lens: &[u64]) -> Result<TensorDescriptor, hurray_core::Error> {
    let handle = |len: &u64| BufferHandle::new(*len, MIN_BUFFER_ALIGNMENT, DeviceTag::Cpu, SyncMode::ProducerSynced);
    let handles = lens.iter().map(handle).collect::<Result<_, _>>()?;
    let shape = Shape::new(shape)?;
    TensorDescriptor::new(1, 0, ElementType::Float32, shape, 0, layout, handles, None, None, None, None)
}

fn open() -> (OnDisk, Box<dyn Reader>) {
    let disk = OnDisk::new("beyond", &block_on(file()).expect("the library writes what it documents to write"));
    let (_, reader) = Reference::strict().open(disk.source()).expect("a good file");
    (disk, reader)
}

fn digests(reader: &mut dyn Reader, name: &str) -> Vec<String> {
    let buffers = reader.read(name.as_bytes()).unwrap_or_else(|failure| panic!("{name}: {failure:?}")).buffers;
    buffers.into_iter().flatten().map(|buffer| buffer.sha256).collect()
}

#[test]
fn a_sparse_matrix_and_a_group_are_read_as_meant_and_so_are_their_neighbours() {
    let (disk, mut reader) = open();
    let names = ["before", "sparse", "group", "first", "second", "after"].map(Text::from).to_vec();
    assert_eq!(reader.list().expect("list").names, Some(names));
    for name in ["before", "first", "second", "after"] {
        assert_eq!(digests(reader.as_mut(), name), [BufferObservation::of(&[0x41; 16]).sha256], "{name}");
    }
    let rows = [[0_u8; 8], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]];
    let buffers: [&[u8]; 3] = [&[0x42; 4], &[0; 8], rows.as_flattened()];
    assert_eq!(digests(reader.as_mut(), "sparse"), buffers.map(|bytes| BufferObservation::of(bytes).sha256));
    let sparse = reader.describe(b"sparse").expect("describe").tensor.expect("a descriptor");
    assert_eq!((sparse.layout.as_deref(), sparse.shape), (Some("csr"), Some(vec![U64(2), U64(2)])));
    let group = reader.composite(b"group").expect("composite").composite.expect("a composite");
    assert_eq!(
        (group.rule.as_str(), group.members.unwrap_or_default()),
        ("group", ["first", "second"].map(Text::from).to_vec())
    );
    let found = Reference::strict().validate(disk.source()).expect("it can be walked through");
    // The library aligns the first member like data; readers take that, a writer should not do it (ruling R29).
    let rules: Vec<_> = found.findings.iter().flatten().map(|finding| finding.rule.as_deref()).collect();
    assert_eq!(rules, [Some("container.composite.no-pad-after-head")]);
}
