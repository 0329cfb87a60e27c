//! Reads a file by absolute ranges, with nothing but `std::io`: the whole bridge is a seek, a read and a count.
//!
//! `cargo run -p hurray-reference --example read_by_range [FILE.hrry]`

use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};

use hurray_reference::drive::drive_writer;
use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, FileReaderCore, FileStep, FileWriterCore, LayoutDescriptor,
    MIN_BUFFER_ALIGNMENT, Shape, SyncMode, TensorDescriptor,
};

/// Answers every range the core asks for, and returns the step that ended the job.
fn drive<R: Read + Seek>(core: &mut FileReaderCore, source: &mut R) -> Result<FileStep, Box<dyn Error>> {
    loop {
        match core.step()? {
            FileStep::Range { offset, len } => {
                source.seek(SeekFrom::Start(offset))?;
                // `read`, not `read_exact`: what fails as a whole cannot say how many bytes it moved.
                let filled = source.read(&mut core.input_dst()[..len])?;
                core.report_filled(filled)?;
            }
            other => return Ok(other),
        }
    }
}

/// A file with one float32 tensor `embeddings` of shape [8, 8].
fn made_here() -> Result<Vec<u8>, Box<dyn Error>> {
    let handle = BufferHandle::new(256, MIN_BUFFER_ALIGNMENT, DeviceTag::CPU, SyncMode::PRODUCER_SYNCED);
    let shape = Shape::new(vec![8, 8]);
    let descriptor = TensorDescriptor::new(ElementType::Float32, shape, LayoutDescriptor::RowMajor, vec![handle]);
    let data: Vec<u8> = (0..=255).collect();
    let mut file = Vec::new();
    let mut writer = FileWriterCore::new();
    drive_writer(writer.header()?, &mut file)?;
    drive_writer(writer.tensor("embeddings", &descriptor, &[&data])?, &mut file)?;
    drive_writer(writer.finish(vec![])?, &mut file)?;
    Ok(file)
}

fn read_all<R: Read + Seek>(mut source: R) -> Result<(), Box<dyn Error>> {
    let size = source.seek(SeekFrom::End(0))?;
    let mut core = FileReaderCore::new(size);
    // Opening takes four ranges at most: header, trailer, index, key-values.
    drive(&mut core, &mut source)?;
    let names: Vec<Vec<u8>> = core.index().iter().map(|entry| entry.name.to_vec()).collect();
    println!("{} tensor(s), {} key-value(s)", names.len(), core.kv().len());
    for name in names {
        // A descriptor alone is one range and not a byte of payload.
        core.begin_descriptor(&name)?;
        drive(&mut core, &mut source)?;
        let descriptor = core.take_descriptor().ok_or("no descriptor is ready")?;
        println!("{}: {:?} {:?}", name.escape_ascii(), descriptor.element_type, descriptor.shape.dims());
        // The whole tensor is one range more per buffer, read straight into aligned memory.
        core.begin_tensor(&name)?;
        drive(&mut core, &mut source)?;
        let tensor = core.take_tensor().ok_or("no tensor is ready")?;
        for (buffer, handle) in tensor.buffers.iter().zip(&tensor.descriptor.buffers) {
            assert_eq!(buffer.as_ptr().addr() % handle.alignment() as usize, 0);
            println!("  {} bytes, aligned to {}", buffer.len(), handle.alignment());
        }
    }
    Ok(())
}

/// Reads the file at `path`, or one made here.
pub(crate) fn run(path: Option<OsString>) -> Result<(), Box<dyn Error>> {
    match path {
        Some(path) => read_all(File::open(path)?),
        None => read_all(Cursor::new(made_here()?)),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args_os().nth(1))
}
