//! No vector makes the reference take memory out of proportion to the file: measured with a counting allocator, over
//! every vector, opened, listed, read and validated.

use hurray_adapter::{Candidate, MemorySource, Source};
use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::{Vector, VectorSet};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;

/// Bytes at the peak of `work` beyond those that were in use before.
fn peak_of(work: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    MEMORY.peak_usage().saturating_sub(before)
}

fn read_all(vector: &Vector) {
    let source = || Source::Served(Box::new(MemorySource(vector.bytes.clone())));
    let mut reference = Reference::strict();
    if let Ok((_, mut reader)) = reference.open(source()) {
        let names = reader.list().ok().and_then(|seen| seen.names).unwrap_or_default();
        let _ = reader.kv();
        for name in names {
            let _ = reader.read(&name.0);
        }
    }
    let _ = reference.validate(source());
}

#[test]
fn no_vector_costs_memory_out_of_proportion() {
    let set = VectorSet::embedded().expect("the vectors are sound");
    assert!(!set.vectors.is_empty());
    for vector in &set.vectors {
        let bound = 8 * vector.bytes.len() + MIB;
        let peak = peak_of(|| read_all(vector));
        assert!(peak <= bound, "{}: {peak} bytes for a file of {}", vector.id, vector.bytes.len());
    }
    // The bound is one that a count taken at its word would break.
    assert!(peak_of(|| drop(Vec::<u8>::with_capacity(64 * MIB))) > 32 * MIB);
}
