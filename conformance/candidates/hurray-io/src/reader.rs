//! The two traits of the suite over the library's `FileReader`.
//!
//! The library reads header, trailer, index and key-values when a file is opened. It shows no header fields and names
//! tensors by `&str`; its file reader hands out the quantization section undecoded, its typed layer decodes it. It has
//! no call that values an element, and none that checks a whole file. So much is declared, and no more. The alignment of
//! the memory it reads into is a clause of the I/O contract, which this release does not claim. Limits that can be set,
//! such as the depth of nested composites, are those the library comes with.

use hurray_adapter::{
    Answer, BufferObservation, Candidate, CompositeObservation, Failure, Hello, Observed, PROTOCOL, Reader, Sink,
    Source, TensorObservation, Text, WriteOptions, Writer, Writes,
};
use hurray_core::TensorDescriptor;
use hurray_io::file::{FileItem, FileReader};

use crate::failure::failure;
use crate::source::{Bytes, block_on};
use crate::{locate, observe, parts, typed, writer};

/// The release the manifest pins.
const VERSION: &str = "0.1.0";

/// The library as a candidate.
pub(crate) struct HurrayIo;

struct OpenFile(FileReader<Bytes>);

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

impl Candidate for HurrayIo {
    fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL,
            name: "hurray-io".to_owned(),
            version: VERSION.to_owned(),
            operations: names(&[
                "open",
                "list",
                "kv",
                "describe",
                "read",
                "composite",
                "locate",
                "all",
                "descriptor",
                "write",
                "create",
                "header",
                "put",
                "finish",
            ]),
            types: names(&observe::TYPES),
            layouts: names(&observe::LAYOUTS),
            quantization: names(&observe::SCHEMES),
            source: names(&["path", "served"]),
            sink: names(&["path", "served"]),
            writes: Some(Writes {
                types: names(&observe::TYPES),
                layouts: names(&observe::LAYOUTS),
                quantization: names(&observe::SCHEMES),
                features: names(&writer::FEATURES),
            }),
            io_contract: false,
            permissive: false,
            observes: names(&[
                "tensors",
                "kv",
                "handles",
                "payload",
                "descriptor_version",
                "layout_fields",
                "sections",
            ]),
        }
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let bytes = Bytes::open(source)?;
        let reader = block_on(FileReader::open(bytes))?.map_err(failure)?;
        Ok((Observed::default(), Box::new(OpenFile(reader))))
    }

    /// The library does not say how many of the bytes it took.
    fn descriptor(&mut self, bytes: &[u8]) -> Answer {
        let descriptor = TensorDescriptor::decode(bytes).map_err(Failure::reject)?;
        Ok(Observed { tensor: Some(seen(&descriptor)?), ..Observed::default() })
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        Ok(Box::new(writer::create(sink, options)?))
    }
}

impl Reader for OpenFile {
    fn list(&mut self) -> Answer {
        let names = self.0.tensor_names().map(Text::from).collect();
        Ok(Observed { names: Some(names), ..Observed::default() })
    }

    fn kv(&mut self) -> Answer {
        let entries = self.0.kv().iter().map(|(key, value)| observe::entry(key, value));
        let entries = entries.collect::<Result<_, _>>().map_err(Failure::Error)?;
        Ok(Observed { kv: Some(entries), ..Observed::default() })
    }

    fn describe(&mut self, name: &[u8]) -> Answer {
        let descriptor = block_on(self.0.read_descriptor(text(name)?))?.map_err(failure)?;
        Ok(Observed { tensor: Some(seen(&descriptor)?), ..Observed::default() })
    }

    fn read(&mut self, name: &[u8]) -> Answer {
        let tensor = block_on(self.0.read_tensor(text(name)?))?.map_err(failure)?;
        Ok(Observed {
            tensor: Some(seen(&tensor.descriptor)?),
            buffers: Some(tensor.buffers.iter().map(|bytes| BufferObservation::of(bytes)).collect()),
            ..Observed::default()
        })
    }

    fn composite(&mut self, name: &[u8]) -> Answer {
        let composite = block_on(self.0.read_composite(text(name)?))?.map_err(failure)?;
        let members = composite.members.iter().map(|member| match member {
            FileItem::Tensor(tensor) => Text::from(tensor.name.as_str()),
            FileItem::Composite(nested) => Text::from(nested.name.as_str()),
        });
        let seen = CompositeObservation {
            name: Text::from(composite.name.as_str()),
            rule: parts::composition_rule(&composite.head).to_owned(),
            members: Some(members.collect()),
        };
        Ok(Observed { composite: Some(seen), ..Observed::default() })
    }

    fn locate(&mut self, name: &[u8], index: &[u64]) -> Answer {
        let tensor = block_on(self.0.read_tensor(text(name)?))?.map_err(failure)?;
        Ok(Observed { place: Some(locate::place(&tensor, index)?), ..Observed::default() })
    }

    /// The library has no such call; this is the loop its guide shows.
    fn all(&mut self) -> Answer {
        let names: Vec<String> = self.0.tensor_names().map(str::to_owned).collect();
        for name in &names {
            let tensor = block_on(self.0.read_tensor(name))?.map_err(failure)?;
            typed::quantization(&tensor.descriptor).map_err(Failure::reject)?;
        }
        let names = names.iter().map(|name| Text::from(name.as_str())).collect();
        Ok(Observed { names: Some(names), ..Observed::default() })
    }
}

/// The library takes names as text, and so cannot be asked for another one.
fn text(name: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(name).map_err(|_| Failure::Refused("the name is no UTF-8".to_owned()))
}

fn seen(descriptor: &TensorDescriptor) -> Result<TensorObservation, Failure> {
    let scheme = typed::quantization(descriptor).map_err(Failure::reject)?;
    Ok(observe::tensor(descriptor, scheme.as_ref()))
}
