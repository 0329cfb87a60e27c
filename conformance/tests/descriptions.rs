//! The descriptions of `vectors/models/`, written by the reference, are files without a fault that hold what they describe.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use hurray_adapter::{
    BufferObservation, Candidate, MemorySource, NewComposite, NewItem, NewTensor, Observed, Reader, Sink, Source,
};
use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::description;

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn tensor_is_as_described(reader: &mut dyn Reader, item: &NewItem) -> usize {
    match item {
        NewItem::Tensor(NewTensor { name, descriptor, buffers }) => {
            let Observed { tensor, buffers: seen, .. } = reader.read(&name.0).expect("readable");
            // A description leaves absent what an observation leaves empty, and the other way round.
            let mut tensor = tensor.expect("a descriptor");
            assert_eq!(tensor.layout_fields.take(), descriptor.layout_fields, "{name}");
            tensor.layout_fields = descriptor.layout_fields.clone();
            assert_eq!(tensor, *descriptor, "{name}");
            let wanted: Vec<_> = buffers.iter().map(|payload| payload.bytes().expect("bytes")).collect();
            let digests = |buffers: &[BufferObservation]| -> Vec<_> {
                buffers.iter().map(|buffer| (buffer.len, buffer.sha256.clone())).collect()
            };
            let wanted: Vec<_> = wanted.iter().map(|bytes| BufferObservation::of(bytes)).collect();
            assert_eq!(digests(&seen.expect("buffers")), digests(&wanted), "{name}");
            1
        }
        NewItem::Composite(NewComposite { name, members, .. }) => {
            let composite = reader.composite(&name.0).expect("whole").composite.expect("a composite");
            assert_eq!(composite.member_names().len(), members.len(), "{name}");
            1 + members.iter().map(|member| tensor_is_as_described(reader, member)).sum::<usize>()
        }
    }
}

#[test]
fn the_models_are_written_and_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/models");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("text");
        let file = description::parse(&path.to_string_lossy(), &text).expect("a description");
        let sink = Shared::default();
        let mut reference = Reference::strict();
        reference.write(Sink::Served(Box::new(sink.clone())), &file).expect("written");
        let bytes: Arc<[u8]> = Arc::from(sink.0.borrow().as_slice());
        let source = || Source::Served(Box::new(MemorySource(Arc::clone(&bytes))));
        let findings = reference.validate(source()).expect("a report").findings.expect("findings");
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
        let (observed, mut reader) = reference.open(source()).expect("open");
        let tensors: usize = file.items.iter().map(|item| tensor_is_as_described(reader.as_mut(), item)).sum();
        let container = observed.container.expect("a header");
        assert_eq!(container.tensor_count.map(|count| count.0), Some(tensors as u64));
        if let Some(alignment) = file.options.data_buffer_alignment {
            assert_eq!(container.data_buffer_alignment, Some(alignment));
        }
        assert_eq!(reader.kv().expect("entries").kv.expect("entries"), file.kv);
        count += 1;
    }
    assert!(count >= 3, "the models of the README are there");
}
