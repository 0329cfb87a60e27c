//! What the reference sees of a stream, in the vocabulary of the worker protocol. Digests payload as it goes by.

use std::io;

use hurray_adapter::{
    Answer, BufferObservation, Failure, KvEntry, Observed, ScanObservation, ScannedTensor, Text, U64,
};
use hurray_reference::drive;
use hurray_reference::{Passing, Policy, TensorDescriptor};
use sha2::{Digest, Sha256};

use super::answer::{failure, kv_value, tensor};

/// The operation `scan`.
pub(super) fn scan(stream: &mut dyn io::Read, policy: Policy) -> Answer {
    let mut watching = Watching::default();
    let scanned = drive::scan(stream, policy, &mut watching).map_err(failure)?;
    let mut tensors = watching.end();
    for tensor in &mut tensors {
        tensor.name = scanned.name_at(tensor.descriptor_offset.0).map(Text::new);
    }
    let entries = scanned.kv.iter().map(|(key, value)| Some(KvEntry { key: Text::new(key), value: kv_value(value)? }));
    let kv = entries.collect::<Option<Vec<_>>>().ok_or(Failure::Unsupported)?;
    Ok(Observed { scan: Some(ScanObservation { tensors, kv: Some(kv) }), ..Observed::default() })
}

#[derive(Default)]
struct Watching {
    tensors: Vec<ScannedTensor>,
    /// Of the tensor seen last: what went by of each buffer.
    digests: Vec<(Sha256, u64)>,
}

impl Watching {
    /// No more comes of the tensor seen last.
    fn close(&mut self) {
        let digests = std::mem::take(&mut self.digests);
        if let Some(tensor) = self.tensors.last_mut() {
            let buffers = digests.into_iter().map(|(digest, len)| BufferObservation {
                len: U64(len),
                sha256: hex::encode(digest.finalize()),
                memory_alignment: None,
            });
            tensor.buffers = Some(buffers.collect());
        }
    }

    fn end(mut self) -> Vec<ScannedTensor> {
        self.close();
        self.tensors
    }
}

impl Passing for Watching {
    fn tensor(&mut self, descriptor_offset: u64, descriptor: TensorDescriptor) {
        self.close();
        self.digests = descriptor.buffers.iter().map(|_| (Sha256::new(), 0)).collect();
        self.tensors.push(ScannedTensor {
            descriptor_offset: U64(descriptor_offset),
            name: None,
            tensor: tensor(&descriptor),
            buffers: None,
        });
    }

    fn piece(&mut self, buffer: usize, bytes: &[u8]) {
        if let Some((digest, len)) = self.digests.get_mut(buffer) {
            digest.update(bytes);
            *len += bytes.len() as u64;
        }
    }
}
