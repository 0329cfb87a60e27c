//! The writing traits of the suite over the library's `FileWriter`.
//!
//! The library writes the header when a writer is made. It does not tell whether a writer can go on after a failure, so
//! no state is declared; whether a byte of the item went out is seen at the sink.

use hurray_adapter::{Answer, Failure, KvEntry, KvValue as Given, NewItem, Observed, Sink, Text, WriteOptions, Writer};
use hurray_core::TensorDescriptor;
use hurray_io::Error;
use hurray_io::file::{FileCompositeNode, FileWriter, FileWriterOptions, KvValue};

use crate::build::descriptor;
use crate::given::unsaid;
use crate::sink::{Count, Out};
use crate::source::block_on;

/// What the library writes beyond plain tensors.
pub(crate) const FEATURES: [&str; 16] = [
    "alignment",
    "sorted_index",
    "kv",
    "kv_integers",
    "byte_offset",
    "handle_alignment",
    "handle_size",
    "device",
    "sync",
    "version",
    "composite",
    "member_names",
    "shard",
    "statistics",
    "extension",
    "member",
];

/// A file being written.
pub(crate) struct NewHurrayFile {
    writer: Option<FileWriter<Out>>,
    count: Count,
}

/// Makes a writer; its header goes out.
///
/// # Errors
/// What the library refuses, and what the sink says.
pub(crate) fn create(sink: Sink, options: &WriteOptions) -> Result<NewHurrayFile, Failure> {
    let count = Count::default();
    let out = Out::open(sink, count.clone())?;
    let usual = FileWriterOptions::default();
    let options = FileWriterOptions {
        data_buffer_alignment: options.data_buffer_alignment.unwrap_or(usual.data_buffer_alignment),
        sorted_index: options.sorted_index.unwrap_or(usual.sorted_index),
    };
    let writer =
        block_on(FileWriter::with_options(out, options))?.map_err(|error| failure(error, count.bytes() > 0))?;
    Ok(NewHurrayFile { writer: Some(writer), count })
}

/// An error of a writing call. One of the item or the call is a refusal, unless something of it is out already.
fn failure(error: Error, is_begun: bool) -> Failure {
    match error {
        Error::Io(io) if matches!(io.kind(), std::io::ErrorKind::InvalidInput) && !is_begun => {
            Failure::Refused(io.to_string())
        }
        Error::Io(io) => Failure::from(io),
        refusal if !is_begun => Failure::Refused(refusal.to_string()),
        late => Failure::Error(format!("after a part of it was written: {late}")),
    }
}

/// One item as the library takes it.
enum Item {
    Tensor { name: String, descriptor: TensorDescriptor, buffers: Vec<Vec<u8>> },
    Composite { name: String, head: TensorDescriptor, members: Vec<Item> },
}

impl Item {
    fn of(item: &NewItem) -> Result<Item, Failure> {
        Ok(match item {
            NewItem::Tensor(tensor) => Item::Tensor {
                name: text(&tensor.name)?,
                descriptor: descriptor(&tensor.descriptor)?,
                buffers: tensor
                    .buffers
                    .iter()
                    .map(|payload| payload.bytes().ok_or_else(|| unsaid("buffers")))
                    .collect::<Result<_, _>>()?,
            },
            NewItem::Composite(composite) => Item::Composite {
                name: text(&composite.name)?,
                head: descriptor(&composite.descriptor)?,
                members: composite.members.iter().map(Item::of).collect::<Result<_, _>>()?,
            },
        })
    }
}

fn text(name: &Text) -> Result<String, Failure> {
    String::from_utf8(name.0.clone()).map_err(|_| Failure::Refused("the library takes names as text".to_owned()))
}

impl Writer for NewHurrayFile {
    fn put(&mut self, item: &NewItem) -> Answer {
        let item = Item::of(item)?;
        let before = self.count.bytes();
        let count = self.count.clone();
        let writer = self.writer.as_mut().ok_or_else(finished)?;
        let put = match &item {
            Item::Tensor { name, descriptor, buffers } => {
                let buffers: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
                block_on(writer.write_tensor(name, descriptor, &buffers))?
            }
            Item::Composite { name, head, members } => {
                let mut answer = Err(finished());
                let groups = [members.as_slice()];
                with_nodes(&groups, &slices(&groups), &mut |nodes| {
                    let members = nodes.first().map(Vec::as_slice).unwrap_or_default();
                    answer = block_on(writer.write_composite(name, head, members));
                });
                answer?
            }
        };
        put.map(|()| Observed::default()).map_err(|error| failure(error, count.bytes() > before))
    }

    fn finish(&mut self, kv: &[KvEntry]) -> Answer {
        let entries = kv.iter().map(|entry| Ok((text(&entry.key)?, value(&entry.value)?)));
        let entries: Vec<(String, KvValue)> = entries.collect::<Result<_, Failure>>()?;
        let before = self.count.bytes();
        let writer = self.writer.take().ok_or_else(finished)?;
        let finished = block_on(writer.finish(entries))?;
        finished.map(|_| Observed::default()).map_err(|error| failure(error, self.count.bytes() > before))
    }
}

fn finished() -> Failure {
    Failure::Refused("the file is finished".to_owned())
}

fn members(item: &Item) -> Option<&[Item]> {
    match item {
        Item::Tensor { .. } => None,
        Item::Composite { members, .. } => Some(members),
    }
}

/// The buffers of every item, level by level, as the slices the library takes.
fn slices<'a>(groups: &[&'a [Item]]) -> Vec<Vec<&'a [u8]>> {
    let mut all = Vec::new();
    let mut groups = groups.to_vec();
    while !groups.is_empty() {
        let items = groups.iter().flat_map(|group| group.iter());
        all.extend(items.clone().map(|item| match item {
            Item::Tensor { buffers, .. } => buffers.iter().map(Vec::as_slice).collect(),
            Item::Composite { .. } => Vec::new(),
        }));
        groups = items.filter_map(members).collect();
    }
    all
}

/// Hands groups of siblings over as the borrowed nodes the library takes. The nodes of one level borrow those of the level
/// below, which are made first; `buffers` are the [`slices`] of this level and all below.
fn with_nodes(groups: &[&[Item]], buffers: &[Vec<&[u8]>], then: &mut dyn FnMut(&[Vec<FileCompositeNode<'_>>])) {
    let count = groups.iter().map(|group| group.len()).sum();
    let (here, below) = buffers.split_at_checked(count).unwrap_or_default();
    let inner: Vec<&[Item]> = groups.iter().flat_map(|group| group.iter()).filter_map(members).collect();
    let mut make = |nested: &[Vec<FileCompositeNode<'_>>]| {
        let (mut nested, mut here) = (nested.iter(), here.iter());
        let mut node = |item| node(item, &mut nested, here.next());
        let nodes: Vec<Vec<_>> = groups.iter().map(|group| group.iter().map(&mut node).collect()).collect();
        then(&nodes);
    };
    if inner.is_empty() { make(&[]) } else { with_nodes(&inner, below, &mut make) }
}

fn node<'a>(
    item: &'a Item,
    nested: &mut std::slice::Iter<'a, Vec<FileCompositeNode<'a>>>,
    buffers: Option<&'a Vec<&'a [u8]>>,
) -> FileCompositeNode<'a> {
    match item {
        Item::Tensor { name, descriptor, .. } => {
            FileCompositeNode::Tensor { name, descriptor, buffers: buffers.map_or(&[], Vec::as_slice) }
        }
        Item::Composite { name, head, .. } => {
            FileCompositeNode::Composite { name, head, members: nested.next().map_or(&[], Vec::as_slice) }
        }
    }
}

/// One value as the library takes it.
fn value(given: &Given) -> Result<KvValue, Failure> {
    Ok(match given {
        Given::String(text_) => KvValue::String(text(text_)?),
        Given::Int64(number) => KvValue::Int64(number.0),
        Given::Uint64(number) => KvValue::Uint64(number.0),
        Given::Integer(digits) => digits
            .parse()
            .map(KvValue::Int64)
            .or_else(|_| digits.parse().map(KvValue::Uint64))
            .map_err(|_| unsaid("integer"))?,
        Given::Float64(bits) => KvValue::Float64(f64::from_bits(bits.0)),
        Given::Bool(truth) => KvValue::Bool(*truth),
        Given::Bytes(digits) => KvValue::Bytes(hex::decode(digits).map_err(|_| unsaid("bytes"))?),
        Given::Array { element, items } => {
            let values: Vec<KvValue> = items.iter().map(value).collect::<Result<_, _>>()?;
            // The library takes the type from the items; what they do not agree on it is asked about.
            let mut types = values.iter().map(type_of);
            let common = types.next().filter(|first| types.all(|other| other == *first));
            if common.zip(element.as_deref()).is_some_and(|(common, element)| common != element) {
                return Err(Failure::Unsupported);
            }
            KvValue::Array(values)
        }
    })
}

/// The name of the type that an array of such values has.
fn type_of(value: &KvValue) -> &'static str {
    match value {
        KvValue::String(_) => "string",
        KvValue::Int64(_) => "int64",
        KvValue::Uint64(_) => "uint64",
        KvValue::Float64(_) => "float64",
        KvValue::Bool(_) => "bool",
        KvValue::Bytes(_) => "bytes",
        _ => "array",
    }
}
