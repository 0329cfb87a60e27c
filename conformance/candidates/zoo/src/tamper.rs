//! The output stream of an animal: takes whole protocol lines and lets the kind's deed do with them what it does.
//!
//! Owns when a deed strikes. What it does is in `faults` and `lies`.

use std::io::{self, Write};

use hurray_adapter::{Hello, StepResult, WorkerMessage};

use crate::lies::Memory;

/// What an animal does wrong.
pub(crate) enum Deed {
    /// Strikes in place of its first line.
    AtHello(fn(&[u8], &mut dyn Write) -> io::Result<()>),
    /// Strikes in place of an answer.
    AtAnswer(When, fn(&[u8], &mut dyn Write) -> io::Result<()>),
    /// Introduces itself wrongly.
    Boast(fn(&mut Hello)),
    /// Changes the results of its answers.
    Lie(When, fn(&mut Memory, Vec<StepResult>) -> Vec<StepResult>),
    /// Puts another id on its answers.
    Misaddress(fn(u64) -> u64),
    /// Says what it did, and did it with this careless habit of the I/O contract.
    Habit(&'static str),
}

/// From when on a deed strikes.
#[derive(Clone, Copy)]
pub(crate) enum When {
    /// From the first answer on.
    Always,
    /// After so many answers: in the middle of the probe.
    After(u64),
    /// After the honest answers, so that the probe finds nothing.
    InTheMiddle,
}

/// One kind of broken candidate.
pub(crate) struct Kind {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// How a run against it has to end.
    pub(crate) ending: &'static str,
    /// What it does, in a few words.
    pub(crate) does: &'static str,
    /// How it does it.
    pub(crate) deed: Deed,
}

/// A stream that collects a line until it is flushed, and then tampers with it.
pub(crate) struct Tampered<W> {
    output: W,
    kind: &'static Kind,
    honest: u64,
    answers: u64,
    line: Vec<u8>,
    memory: Memory,
}

impl<W: Write> Tampered<W> {
    /// Tampers as `kind` does, in the middle after `honest` answers.
    pub(crate) fn new(output: W, kind: &'static Kind, honest: u64) -> Self {
        Tampered { output, kind, honest, answers: 0, line: Vec::new(), memory: Memory::default() }
    }

    fn strikes(&self, when: When) -> bool {
        match when {
            When::Always => true,
            When::After(answers) => self.answers > answers,
            When::InTheMiddle => self.answers > self.honest,
        }
    }

    fn emit(&mut self, line: &[u8]) -> io::Result<()> {
        match serde_json::from_slice(line)? {
            WorkerMessage::Hello { hello } => self.emit_hello(line, hello),
            WorkerMessage::Need { .. } | WorkerMessage::Next { .. } | WorkerMessage::Offer { .. } => {
                self.output.write_all(line)
            }
            WorkerMessage::Answer { id, results } => {
                self.answers += 1;
                self.emit_answer(line, id, results)
            }
        }
    }

    fn emit_hello(&mut self, line: &[u8], mut hello: Hello) -> io::Result<()> {
        match &self.kind.deed {
            Deed::AtHello(act) => return act(line, &mut self.output),
            Deed::Boast(boast) => boast(&mut hello),
            _ => {}
        }
        hello.name = format!("zoo-{}", self.kind.name);
        self.send(&WorkerMessage::Hello { hello })
    }

    fn emit_answer(&mut self, line: &[u8], id: u64, results: Vec<StepResult>) -> io::Result<()> {
        match &self.kind.deed {
            Deed::AtAnswer(when, act) if self.strikes(*when) => act(line, &mut self.output),
            Deed::Lie(when, lie) if self.strikes(*when) => {
                let results = lie(&mut self.memory, results);
                self.send(&WorkerMessage::Answer { id, results })
            }
            Deed::Misaddress(other) => self.send(&WorkerMessage::Answer { id: other(id), results }),
            _ => {
                self.memory.note(&results);
                self.output.write_all(line)
            }
        }
    }

    fn send(&mut self, message: &WorkerMessage) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, message)?;
        self.output.write_all(b"\n")
    }
}

impl<W: Write> Write for Tampered<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.emit(&line)?;
        }
        self.output.flush()
    }
}
