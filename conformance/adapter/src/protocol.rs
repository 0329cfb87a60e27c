//! The worker protocol, version 1: one JSON value a line, on standard input and output.
//!
//! The worker speaks first ([`Hello`]). Then, for each [`Request`], it answers one [`WorkerMessage::Answer`] with one
//! [`StepResult`] per step; between the two it may ask for bytes of a served source ([`WorkerMessage::Need`]) or for the
//! next bytes of a stream ([`WorkerMessage::Next`]) and is told a [`Reply`]. A writer offers bytes in the same way
//! ([`WorkerMessage::Offer`]). Unknown fields are ignored, unknown steps answered `unsupported`. This file owns the shapes only.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::IntoStaticStr;

use crate::hello::Hello;
use crate::observe::{KvEntry, Observed, Text, U64};
use crate::words::Op;
use crate::writing::{NewFile, NewItem, WriteOptions, WriterState};

/// The protocol versions this crate speaks, lowest and highest.
pub const PROTOCOL: [u32; 2] = [1, 1];

/// A line of the worker.
#[expect(clippy::large_enum_variant, reason = "it lives for one line; a box would be every implementer's burden")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WorkerMessage {
    /// The first line.
    Hello {
        /// What the worker is.
        hello: Hello,
    },
    /// The worker wants bytes of the served source.
    Need {
        /// Id of the request in flight.
        id: u64,
        /// The range wanted.
        need: Need,
    },
    /// The worker wants the next bytes of the stream.
    Next {
        /// Id of the request in flight.
        id: u64,
        /// How many.
        next: Next,
    },
    /// The worker has bytes for the served sink.
    Offer {
        /// Id of the request in flight.
        id: u64,
        /// The bytes offered.
        offer: Offer,
    },
    /// The end of a request.
    Answer {
        /// Id of the request answered.
        id: u64,
        /// One result per step, in order.
        results: Vec<StepResult>,
    },
}

/// One absolute range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Need {
    /// Absolute file offset, in bytes.
    pub offset: U64,
    /// Bytes wanted.
    pub len: u64,
}

/// The bytes of a stream that come next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Next {
    /// Most bytes wanted: 1 to 1 MiB.
    pub len: u64,
}

/// One stretch of bytes for the sink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The bytes, base64; at least one.
    pub bytes: String,
}

/// What the harness answers to a [`Need`], a [`Next`] or an [`Offer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reply {
    /// At least one byte and at most as many as asked for.
    Bytes {
        /// Id of the request in flight.
        id: u64,
        /// The bytes, base64.
        bytes: String,
    },
    /// The first bytes of the offer were taken, that many; 0 is a closed sink.
    Taken {
        /// Id of the request in flight.
        id: u64,
        /// Number of bytes taken.
        taken: u64,
    },
    /// The transport failed; nothing was moved.
    Error {
        /// Id of the request in flight.
        id: u64,
        /// Kind of the failure: `interrupted`, `timed_out`, `other`.
        error: String,
    },
    /// There is no byte at that offset, or no more of the stream.
    End {
        /// Id of the request in flight.
        id: u64,
        /// Always true.
        end: bool,
    },
}

/// One script over one source or one sink. The same reader or writer runs all steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Echoed in the answer.
    pub id: u64,
    /// Where the bytes are; absent when a file is to be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceSpec>,
    /// Where the bytes go; absent when a file is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sink: Option<SinkSpec>,
    /// What to do, in order.
    pub steps: Vec<Value>,
}

/// Where the bytes of a request are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceSpec {
    /// A file on disk.
    Path(String),
    /// Ranges, asked for over the protocol.
    Served {
        /// File size in bytes.
        size: U64,
    },
    /// The bytes in order, once, asked for over the protocol; how many there are is seen when they end.
    Stream {},
}

/// Where the bytes of a written file go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SinkSpec {
    /// A file on disk, to be made or replaced.
    Path(String),
    /// Stretches, offered over the protocol.
    Served {},
}

/// The key-value entries of a file, as an argument of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entries {
    /// The entries, in order.
    pub kv: Vec<KvEntry>,
}

/// The name of a tensor, as an argument of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Name {
    /// The bytes of the name.
    pub name: Text,
}

/// One element of a tensor, as an argument of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// The bytes of the tensor's name.
    pub name: Text,
    /// Its index, dimension 0 first; block-paged tensors take `[sequence, token, head, component]`.
    pub index: Vec<U64>,
}

/// How a file is opened, as the argument of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Opening {
    /// Whether what a permissive reader may accept is accepted, uninterpreted. Asked of who declares
    /// [`Hello::permissive`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub permissive: bool,
}

/// A descriptor that stands in no file, as the argument of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bare {
    /// Bytes that begin with the descriptor, as hex.
    pub bytes: String,
}

/// The name of an operation without arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operation {}

/// One step of a script: `{"open":{}}`, `{"describe":{"name":{"utf8":"a"}}}`.
#[expect(clippy::large_enum_variant, reason = "it lives for one line; a box would be every implementer's burden")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Open the container: header, trailer, index.
    Open(Opening),
    /// List the tensor names.
    List(Operation),
    /// Read the key-value section.
    Kv(Operation),
    /// Decode one descriptor.
    Describe(Name),
    /// Decode one descriptor and read its buffers.
    Read(Name),
    /// Read one composite.
    Composite(Name),
    /// Say where an element stands.
    Locate(Element),
    /// Say what an element is worth.
    Decode(Element),
    /// Read every tensor, as "load the file" does.
    All(Operation),
    /// Decode a descriptor that stands in no file.
    Descriptor(Bare),
    /// Check every requirement and report all that are broken.
    Validate(Operation),
    /// Read a stream from its first byte to its last.
    Scan(Operation),
    /// Make a writer of the sink; the header may go out with it.
    Create(WriteOptions),
    /// Write the header, if it is not out yet.
    Header(Operation),
    /// Write one item.
    Put(NewItem),
    /// Write the end of the file.
    Finish(Entries),
    /// Write a whole file.
    Write(NewFile),
}

impl Step {
    /// What it asks for.
    pub fn operation(&self) -> Op {
        match self {
            Step::Open(_) => Op::Open,
            Step::List(_) => Op::List,
            Step::Kv(_) => Op::Kv,
            Step::Describe(_) => Op::Describe,
            Step::Read(_) => Op::Read,
            Step::Composite(_) => Op::Composite,
            Step::Locate(_) => Op::Locate,
            Step::Decode(_) => Op::Decode,
            Step::All(_) => Op::All,
            Step::Descriptor(_) => Op::Descriptor,
            Step::Validate(_) => Op::Validate,
            Step::Scan(_) => Op::Scan,
            Step::Create(_) => Op::Create,
            Step::Header(_) => Op::Header,
            Step::Put(_) => Op::Put,
            Step::Finish(_) => Op::Finish,
            Step::Write(_) => Op::Write,
        }
    }
}

/// How one step ended.
#[expect(clippy::large_enum_variant, reason = "it lives for one line; a box would be every implementer's burden")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StepResult {
    /// Done; this was seen.
    Ok(Observed),
    /// The bytes are at fault.
    Reject {
        /// Rule id, for a candidate that names rules.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// Absolute file offset of the fault.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<U64>,
        /// For people; decides nothing.
        #[serde(default)]
        message: String,
    },
    /// The file is fine and holds no such name.
    NotFound {},
    /// The argument is wrong, or the reader or writer is not in a state to do this; nothing was done.
    Refused {
        /// For people.
        #[serde(default)]
        message: String,
        /// Of the writer; absent where nothing is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<WriterState>,
    },
    /// Legal bytes beyond a limit of the implementation.
    Limit {
        /// For people.
        #[serde(default)]
        message: String,
        /// Of the writer; absent where nothing is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<WriterState>,
    },
    /// The transport failed.
    Io {
        /// Kind of the failure: `interrupted`, `timed_out`, `unexpected_eof`, `other`.
        #[serde(default)]
        kind: String,
        /// Of the writer; absent where nothing is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<WriterState>,
    },
    /// Not offered.
    Unsupported {},
    /// The adapter's own fault: any exception that is not the library's format error, out of memory included.
    Error {
        /// For people.
        #[serde(default)]
        message: String,
        /// Of the writer; absent where nothing is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<WriterState>,
    },
}

impl StepResult {
    /// The result, with what the writer is after it. Successes and results that say so themselves keep what they say.
    pub fn with_state(mut self, now: WriterState) -> Self {
        if let StepResult::Refused { state, .. }
        | StepResult::Limit { state, .. }
        | StepResult::Io { state, .. }
        | StepResult::Error { state, .. } = &mut self
        {
            state.get_or_insert(now);
        }
        self
    }

    /// The result's name on the wire.
    pub fn kind(&self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::KvValue;

    /// Each text is one value, by its name on the wire.
    fn assert_named<'t, T: Deserialize<'t>>(texts: &[&'t str], name: impl Fn(&T) -> &'static str) {
        for text in texts {
            let value: T = serde_json::from_str(text).expect("a value");
            assert!(text.starts_with(&format!("{{\"{}\":", name(&value))), "{} in {text}", name(&value));
        }
    }

    #[test]
    fn steps_results_and_values_are_called_what_they_are_on_the_wire() {
        let steps = [
            r#"{"open":{}}"#,
            r#"{"kv":{}}"#,
            r#"{"composite":{"name":{"utf8":"a"}}}"#,
            r#"{"descriptor":{"bytes":""}}"#,
            r#"{"finish":{}}"#,
        ];
        assert_named(&steps, |step: &Step| step.operation().into());
        let results =
            [r#"{"ok":{}}"#, r#"{"reject":{}}"#, r#"{"not_found":{}}"#, r#"{"io":{}}"#, r#"{"unsupported":{}}"#];
        assert_named(&results, StepResult::kind);
        let values =
            [r#"{"int64":"-1"}"#, r#"{"uint64":"1"}"#, r#"{"integer":"1"}"#, r#"{"float64":"3ff0000000000000"}"#];
        assert_named(&values, KvValue::type_name);
        assert_named(&[r#"{"array":{"items":[]}}"#, r#"{"bool":true}"#], KvValue::type_name);
    }
}
