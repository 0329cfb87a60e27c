//! What a description takes: types, layouts, schemes, and what goes beyond plain tensors. Owns that derivation, whose words
//! are those of `writes` in the protocol.

use std::collections::BTreeMap;

use hurray_adapter::{
    FieldValue, HandleObservation, KvEntry, KvValue, NewFile, NewItem, NewTensor, Payload, TensorObservation, Text,
    WriteFeature,
};

use super::name_of;
use crate::feature::{Feature, NoFeature};

/// The memory alignment that asks for nothing, of a buffer with bytes.
const USUAL_ALIGNMENT: u32 = 64;
/// The descriptor version that asks for nothing.
const USUAL_VERSION: [u8; 2] = [1, 0];

/// Everything a writer has to declare before it can be asked for all of these files, in the order of its text, each once.
///
/// # Errors
/// A name that is none of the specification, as the text of a feature.
pub fn needs_of<'a>(files: impl IntoIterator<Item = &'a NewFile>) -> Result<Vec<Feature>, String> {
    let mut needs = Needs::default();
    files.into_iter().for_each(|file| needs.file(file));
    needs.unknown.map_or_else(|| Ok(needs.known.into_values().collect()), Err)
}

#[derive(Default)]
struct Needs {
    /// Features by their text.
    known: BTreeMap<String, Feature>,
    unknown: Option<String>,
}

impl Needs {
    fn feature(&mut self, feature: WriteFeature, is_needed: bool) {
        if is_needed {
            self.known.insert(Feature::Write(feature).to_string(), Feature::Write(feature));
        }
    }

    /// A name of the specification; a bare tag is nobody's feature.
    fn named(&mut self, group: &str, name: Option<&str>) {
        let Some(name) = name.filter(|name| !name.starts_with("0x")) else { return };
        let text = format!("{group}:{name}");
        match text.parse() {
            Ok(feature) => {
                self.known.insert(text, feature);
            }
            Err(NoFeature) => self.unknown = self.unknown.take().or(Some(text)),
        }
    }

    fn file(&mut self, file: &NewFile) {
        self.feature(WriteFeature::Alignment, file.options.data_buffer_alignment.is_some());
        self.feature(WriteFeature::SortedIndex, file.options.sorted_index.is_some());
        self.feature(WriteFeature::Kv, !file.kv.is_empty());
        self.feature(WriteFeature::KvIntegers, file.kv.iter().any(|KvEntry { value, .. }| has_integers(value)));
        self.feature(WriteFeature::KvArrayType, file.kv.iter().any(|KvEntry { value, .. }| is_typed_apart(value)));
        file.items.iter().for_each(|item| self.item(item, false));
    }

    fn item(&mut self, item: &NewItem, is_member: bool) {
        match item {
            NewItem::Tensor(tensor) => {
                self.descriptor(&tensor.descriptor, is_member);
                self.feature(WriteFeature::HandleSize, has_sizes_apart(tensor));
            }
            NewItem::Composite(composite) => {
                self.feature(WriteFeature::Composite, true);
                self.descriptor(&composite.descriptor, is_member);
                let named = |(at, member)| *name_of(member) == usual_name(&composite.name, at);
                self.feature(WriteFeature::MemberNames, !composite.members.iter().enumerate().all(named));
                composite.members.iter().for_each(|member| self.item(member, true));
            }
        }
    }

    fn descriptor(&mut self, descriptor: &TensorObservation, is_member: bool) {
        self.named("type", descriptor.element_type.as_deref());
        self.named("layout", descriptor.layout.as_deref());
        let scheme = descriptor.quantization.as_ref().and_then(|section| section.get("scheme"));
        if let Some(FieldValue::One(scheme)) = scheme {
            self.named("quantization", Some(scheme));
        }
        self.feature(WriteFeature::Version, descriptor.version.is_some_and(|version| version != USUAL_VERSION));
        self.feature(WriteFeature::ByteOffset, descriptor.byte_offset.is_some_and(|offset| offset.0 > 0));
        self.feature(WriteFeature::Shard, descriptor.shard.is_some());
        self.feature(WriteFeature::Statistics, descriptor.statistics.is_some());
        self.feature(WriteFeature::Extension, descriptor.extension.is_some());
        // The members of a composite come with it.
        self.feature(WriteFeature::Member, descriptor.member.is_some() && !is_member);
        for handle in descriptor.handles.iter().flatten() {
            let HandleObservation { byte_size, alignment, device_tag, sync_mode, memory_class } = handle;
            let is_empty = byte_size.is_some_and(|size| size.0 == 0);
            let is_asked = |alignment: u32| is_empty || alignment != USUAL_ALIGNMENT;
            self.feature(WriteFeature::HandleAlignment, alignment.is_some_and(is_asked));
            self.feature(WriteFeature::Sync, sync_mode.is_some_and(|mode| mode > 0));
            let is_set = |tag: &Option<u8>| tag.is_some_and(|tag| tag > 0);
            self.feature(WriteFeature::Device, is_set(device_tag) || is_set(sync_mode) || is_set(memory_class));
        }
    }
}

fn has_integers(value: &KvValue) -> bool {
    match value {
        KvValue::Int64(_) | KvValue::Uint64(_) => true,
        KvValue::Array { element, items } => {
            items.iter().any(has_integers) || element.as_deref().is_some_and(|name| name.ends_with("int64"))
        }
        _ => false,
    }
}

/// The name of a member that asks for nothing.
fn usual_name(head: &Text, at: usize) -> Text {
    Text([head.0.as_slice(), b".", at.to_string().as_bytes()].concat())
}

/// Whether an array says that it holds something else than its items, which agree with each other.
fn is_typed_apart(value: &KvValue) -> bool {
    let KvValue::Array { element: Some(element), items } = value else { return false };
    let mut types = items.iter().map(KvValue::type_name);
    let Some(first) = types.next() else { return false };
    first != element && types.all(|other| other == first)
}

/// Whether the handles say something else of the buffers than the buffers do.
fn has_sizes_apart(NewTensor { descriptor, buffers, .. }: &NewTensor) -> bool {
    let handles = descriptor.handles.as_deref().unwrap_or_default();
    let is_apart = |(handle, buffer): (&HandleObservation, &Payload)| {
        handle.byte_size.is_some_and(|size| Some(size.0) != buffer.len())
    };
    handles.len() != buffers.len() || handles.iter().zip(buffers).any(is_apart)
}
