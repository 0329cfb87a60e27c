//! The two traits of the suite over the library's `FileReader`.
//!
//! The library reads header, trailer, index and key-values when a file is opened. It shows no header fields, names
//! tensors by `&str`, and hands out the quantization section undecoded; so much is declared, and no more. The alignment
//! of the memory it reads into is a clause of the I/O contract, which this release does not claim.

use hurray_adapter::{Answer, BufferObservation, Candidate, Failure, Hello, Observed, PROTOCOL, Reader, Source, Text};
use hurray_io::file::FileReader;

use crate::failure::failure;
use crate::observe;
use crate::source::{Bytes, block_on};

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
            operations: names(&["open", "list", "kv", "describe", "read", "all"]),
            types: names(&observe::TYPES),
            layouts: names(&observe::LAYOUTS),
            quantization: Vec::new(),
            source: names(&["path", "served"]),
            sink: Vec::new(),
            writes: None,
            io_contract: false,
            permissive: false,
            observes: names(&["tensors", "kv", "handles", "payload", "descriptor_version"]),
        }
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        let bytes = Bytes::open(source)?;
        let reader = block_on(FileReader::open(bytes))?.map_err(failure)?;
        Ok((Observed::default(), Box::new(OpenFile(reader))))
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
        Ok(Observed { tensor: Some(observe::tensor(&descriptor)), ..Observed::default() })
    }

    fn read(&mut self, name: &[u8]) -> Answer {
        let tensor = block_on(self.0.read_tensor(text(name)?))?.map_err(failure)?;
        Ok(Observed {
            tensor: Some(observe::tensor(&tensor.descriptor)),
            buffers: Some(tensor.buffers.iter().map(|bytes| BufferObservation::of(bytes)).collect()),
            ..Observed::default()
        })
    }

    /// The library has no such call; this is the loop its guide shows.
    fn all(&mut self) -> Answer {
        let names: Vec<String> = self.0.tensor_names().map(str::to_owned).collect();
        for name in &names {
            block_on(self.0.read_tensor(name))?.map_err(failure)?;
        }
        let names = names.iter().map(|name| Text::from(name.as_str())).collect();
        Ok(Observed { names: Some(names), ..Observed::default() })
    }
}

/// The library takes names as text, and so cannot be asked for another one.
fn text(name: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(name).map_err(|_| Failure::Refused("the name is no UTF-8".to_owned()))
}
