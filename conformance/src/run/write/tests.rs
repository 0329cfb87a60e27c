//! The reference writes as described; writers that say so and do not, or do it at a cost, are found.

use std::path::PathBuf;

use hurray_adapter::{
    Answer, Candidate, Failure, Hello, KvEntry, NewItem, Observed, Reader, Sink, Source, WriteOptions, Writer,
    WriterState,
};

use super::*;
use hurray_corpus::VectorSet;

fn set() -> VectorSet {
    VectorSet::embedded().expect("the vectors")
}

fn wrote(candidate: impl Candidate + 'static, id: &str) -> Wrote {
    let set = set();
    let files = Files::new(&set).expect("room for files");
    let mut transport = InProcess::new(Box::new(candidate));
    let hello = transport.hello().clone();
    write_on(&mut transport, set.write(id).expect(id), &hello, &files)
}

#[test]
fn the_reference_writes_every_file_as_described() {
    let set = set();
    assert!(set.writes.len() > 100, "{}", set.writes.len());
    let files = Files::new(&set).expect("room for files");
    let mut transport = InProcess::new(Box::new(Reference::strict()));
    let hello = transport.hello().clone();
    for vector in &set.writes {
        let wrote = write_on(&mut transport, vector, &hello, &files);
        assert_eq!(wrote.verdict.fault, None, "{}: {:?}", vector.id, wrote.verdict);
        assert_ne!(wrote.verdict.outcome, Outcome::Unsupported, "{}", vector.id);
        assert!(wrote.bytes.is_some() || vector.expect != WriteExpect::Accept, "{}", vector.id);
    }
}

/// What a bad writer does with what it is asked.
#[derive(Clone, Copy, PartialEq)]
enum Bad {
    /// Says `ok` and writes nothing.
    Silent,
    /// Writes a header's worth of bytes before it refuses options.
    Blurts,
    /// Is unusable after a refusal.
    Sulks,
}

struct BadWriter {
    bad: Bad,
    inner: Reference,
}

impl Candidate for BadWriter {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn open(&mut self, source: Source) -> Result<(Observed, Box<dyn Reader>), Failure> {
        self.inner.open(source)
    }

    fn create(&mut self, sink: Sink, options: &WriteOptions) -> Result<Box<dyn Writer>, Failure> {
        if self.bad == Bad::Blurts {
            let mut sink = sink;
            if let Sink::Served(served) = &mut sink {
                std::io::Write::write_all(served, b"HRRYFILE")?;
            }
            return Err(Failure::Refused(String::new()));
        }
        let inner = self.inner.create(sink, options)?;
        Ok(Box::new(Half { bad: self.bad, inner, is_spent: false }))
    }
}

struct Half {
    bad: Bad,
    inner: Box<dyn Writer>,
    is_spent: bool,
}

impl Writer for Half {
    fn header(&mut self) -> Answer {
        if self.bad == Bad::Silent { Ok(Observed::default()) } else { self.inner.header() }
    }

    fn put(&mut self, item: &NewItem) -> Answer {
        if self.bad == Bad::Silent {
            return Ok(Observed::default());
        }
        let answer = self.inner.put(item);
        self.is_spent |= answer.is_err();
        answer
    }

    fn finish(&mut self, kv: &[KvEntry]) -> Answer {
        if self.bad == Bad::Silent { Ok(Observed::default()) } else { self.inner.finish(kv) }
    }

    fn state(&self) -> Option<WriterState> {
        Some(if self.is_spent { WriterState::Unusable } else { WriterState::Usable })
    }
}

fn bad(bad: Bad, id: &str) -> Verdict {
    wrote(BadWriter { bad, inner: Reference::strict() }, id).verdict
}

#[test]
fn nothing_is_no_file() {
    assert!(bad(Bad::Silent, "write/container/one-tensor").fault.is_some());
}

#[test]
fn options_are_refused_before_the_first_byte() {
    let verdict = bad(Bad::Blurts, "write/container/alignment-2048");
    assert_eq!(verdict.fault, Some(Fault::Wrong), "{verdict:?}");
    assert_eq!(verdict.breaks, [Rule::ContainerWriterAlignmentOptionValidated]);
}

#[test]
fn a_refusal_leaves_the_writer_usable() {
    let verdict = bad(Bad::Sulks, "write/container/duplicate-name");
    assert_eq!(verdict.fault, Some(Fault::Wrong), "{verdict:?}");
    assert_eq!(verdict.step.as_deref(), Some("item by item: put a"));
}

#[test]
fn a_file_that_is_not_there_or_too_large_is_none() {
    assert!(written(&PathBuf::from("no/such/file")).is_none());
}

#[test]
fn a_short_sink_takes_every_byte_in_order() {
    let mut sink = ShortSink::default();
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let mut at = 0;
    let mut offers = 0;
    while at < bytes.len() {
        let crate::transport::HostWrite::Taken(taken) = sink.write(&bytes[at..]) else { panic!("an error") };
        assert!(taken >= 1 && taken as usize <= bytes.len() - at);
        at += taken as usize;
        offers += 1;
    }
    assert!(offers > 80, "{offers}");
    assert_eq!(sink.take(), bytes);
}

#[test]
fn a_file_that_breaks_what_binds_writers_alone_is_one_for_readers_if_it_holds_what_was_described() {
    let id = "write/composites/partition";
    let bytes = wrote(Reference::strict(), id).bytes.expect("a file");
    let set = set();
    let breaks = |rule| Verdict { breaks: vec![rule], ..Verdict::bad(Fault::Invalid, None, "", "") };
    let tolerable = |id, rule| is_tolerable(set.write(id).expect(id), &breaks(rule), &bytes);
    assert!(tolerable(id, Rule::ContainerCompositeNoPadAfterHead), "a duty of writers");
    assert!(!tolerable(id, Rule::ContainerRegionDescriptorPadZero), "a property of the file");
    assert!(!tolerable("write/composites/group", Rule::ContainerCompositeNoPadAfterHead), "another description");
}
