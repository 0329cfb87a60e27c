//! Files made byte by byte, for what the writer refuses or takes too long to write: descriptors without data one behind the
//! other, and an index. Asserts nothing.

/// A file of these tensors, descriptors in this order and without data.
pub(crate) fn file(tensors: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut region = Vec::new();
    let mut index = (tensors.len() as u64).to_le_bytes().to_vec();
    for (name, descriptor) in tensors {
        index.extend((name.len() as u16).to_le_bytes());
        index.extend(name);
        index.extend((64 + region.len() as u64).to_le_bytes());
        index.extend((descriptor.len() as u32).to_le_bytes());
        index.extend([0; 20]);
        region.extend(descriptor);
        region.resize(region.len().next_multiple_of(8), 0);
    }
    wrap(region, index, Vec::new())
}

/// Header, tensor region, key-values, index and trailer; without a checksum.
pub(crate) fn wrap(mut region: Vec<u8>, index: Vec<u8>, kv: Vec<u8>) -> Vec<u8> {
    let mut file = b"HRRYFILE\x01\0\0\0\0\0\0\0\0\x10\0\0\x40\0\0\0\0\0\0\0".to_vec();
    file.extend([0xFF; 8]);
    file.extend([0; 28]);
    file.append(&mut region);
    let kv_offset = file.len() as u64;
    file.extend(&kv);
    file.resize(file.len().next_multiple_of(8), 0);
    let index_offset = file.len() as u64;
    file.extend(&index);
    file.extend(index_offset.to_le_bytes());
    file.extend((index.len() as u64).to_le_bytes());
    file.extend(if kv.is_empty() { 0 } else { kv_offset }.to_le_bytes());
    file.extend((kv.len() as u32).to_le_bytes());
    file.extend([0; 8]);
    file.extend(b"HRRY");
    file
}

/// The descriptor of a uint8 tensor of that layout and shape without buffers; `fields` are those of the layout, `flags` and
/// `sections` go together.
pub(crate) fn descriptor(layout: u8, dims: &[u64], fields: &[u8], flags: u8, sections: &[u8]) -> Vec<u8> {
    let length = 20 + 8 * dims.len() + 8 + fields.len() + 1 + sections.len();
    let mut out = b"HRRY\x01\0".to_vec();
    out.extend((length as u32).to_le_bytes());
    out.extend([flags, 0, 0, 0, 0x11, layout]);
    out.extend((dims.len() as u32).to_le_bytes());
    dims.iter().for_each(|dim| out.extend(dim.to_le_bytes()));
    out.extend([0; 8]);
    out.extend(fields);
    out.push(0);
    out.extend(sections);
    out
}

/// A head over `dims`; `place` makes it a shard, the parent's dimensions first.
pub(crate) fn head(rule: u8, count: u32, dims: &[u64], place: Option<(&[u64], &[u64])>) -> Vec<u8> {
    let fields = [&[rule, 0, 0, 0][..], &count.to_le_bytes()].concat();
    let shard: Vec<u8> =
        place.iter().flat_map(|(parent, low)| parent.iter().chain(*low)).flat_map(|at| at.to_le_bytes()).collect();
    descriptor(0x0B, dims, &fields, if place.is_some() { 2 } else { 0 }, &shard)
}

/// `count` heads, each the only member of the one before; the last is empty.
pub(crate) fn nested(count: usize) -> Vec<u8> {
    let head = |at: usize| (format!("h{at}").into_bytes(), head(3, u32::from(at + 1 < count), &[1], None));
    file(&(0..count).map(head).collect::<Vec<_>>())
}
