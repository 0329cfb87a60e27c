//! What a sequential reader tells: while the bytes go by, and at the end. Owns no step of reading.

use crate::model::TensorDescriptor;
use crate::reader::Container;
use crate::wire::header::FileHeader;
use crate::wire::index::Index;
use crate::wire::kv::KvSection;

/// What a sequential reader tells while the bytes go by. All of it is provisional until
/// [`SequentialReader::finish`] has seen the end of the file: names, and whether the file is what it looked like, stand there.
pub trait Passing {
    /// A tensor begins; its descriptor stands at that absolute offset.
    fn tensor(&mut self, descriptor_offset: u64, descriptor: TensorDescriptor);

    /// The next bytes of a buffer of that tensor, by its position in the buffer table. A buffer comes in any number of
    /// pieces, none of them empty; an empty one in none.
    fn piece(&mut self, buffer: usize, bytes: &[u8]);
}

/// What the end of the file says.
#[derive(Debug)]
pub struct Scanned {
    /// Bytes of the file.
    pub size: u64,
    /// The header's fields.
    pub container: Container,
    /// The tensors, with their names; in the same number and places as they went by.
    pub index: Index,
    /// The key-value entries.
    pub kv: KvSection,
}

impl Scanned {
    /// The name of the tensor whose descriptor stands at that offset.
    pub fn name_at(&self, descriptor_offset: u64) -> Option<&[u8]> {
        let order = self.index.in_offset_order();
        let offset = |position: &usize| self.index.get(*position).map_or(0, |entry| entry.descriptor_offset);
        let at = order.partition_point(|position| offset(position) < descriptor_offset);
        let entry = self.index.get(*order.get(at)?)?;
        (entry.descriptor_offset == descriptor_offset).then_some(entry.name)
    }
}

pub(super) fn container(header: &FileHeader) -> Container {
    Container {
        version: [header.major.value, header.minor.value],
        flags: header.flags.value,
        data_buffer_alignment: header.data_buffer_alignment.value,
    }
}
