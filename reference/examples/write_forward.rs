//! Writes a file in one forward pass, over a sink that fails before the first byte of the header: nothing was sent, so
//! the same item goes out again and the file is none the worse.
//!
//! `cargo run -p hurray-reference --example write_forward`

use std::error::Error;
use std::io::{self, Write};

use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, FileWriteOp, FileWriterCore, KvValue, LayoutDescriptor, MIN_BUFFER_ALIGNMENT,
    Shape, SyncMode, TensorDescriptor, WriteStep,
};

/// Writes every byte of one item. The sink may take fewer bytes than it is offered.
fn drain<W: Write>(mut op: FileWriteOp<'_>, sink: &mut W) -> Result<(), Box<dyn Error>> {
    loop {
        match op.step()? {
            WriteStep::Output { .. } => match sink.write(op.output_src())? {
                // A write of nothing is never progress: the sink is closed.
                0 => return Err(op.report_sink_closed().into()),
                written => op.report_written(written)?,
            },
            WriteStep::ItemWritten => return Ok(()),
        }
    }
}

/// A sink that fails its first write, then accepts everything.
struct FailsOnce {
    bytes: Vec<u8>,
    has_failed: bool,
}

impl Write for FailsOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.has_failed {
            self.has_failed = true;
            return Err(io::Error::other("simulated"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the file into memory.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let handle = BufferHandle::new(256, MIN_BUFFER_ALIGNMENT, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let shape = Shape::new(vec![8, 8]);
    let descriptor = TensorDescriptor::new(ElementType::Float32, shape, LayoutDescriptor::RowMajor, vec![handle]);
    let payload: Vec<u8> = (0..=255).collect();
    // Bound, not a temporary: the operation borrows the payloads until the item is written.
    let buffers: [&[u8]; 1] = [&payload];

    let mut sink = FailsOnce { bytes: Vec::new(), has_failed: false };
    let mut core = FileWriterCore::new();
    assert!(drain(core.header()?, &mut sink).is_err());
    assert!(!core.is_unusable());
    drain(core.header()?, &mut sink)?;
    drain(core.tensor("embeddings", &descriptor, &buffers)?, &mut sink)?;
    drain(core.finish(vec![("producer".into(), KvValue::String("cookbook".into()))])?, &mut sink)?;

    assert_eq!(&sink.bytes[..8], b"HRRYFILE");
    assert_eq!(&sink.bytes[sink.bytes.len() - 4..], b"HRRY");
    println!("{} bytes written, none of them twice", sink.bytes.len());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
