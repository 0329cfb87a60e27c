//! The first line of a worker: what it is and what it offers.
//!
//! Owns the declaration and the questions about it. Its lists hold text, since a worker may say words that nobody knows; who
//! asks, asks by type. It must not know what a declaration is
//! worth: that is for profiles.

use serde::{Deserialize, Serialize};

use crate::words::{Op, Part, SinkKind, SourceKind};
use crate::writing::Writes;

/// The first line of a worker: what it is and what it can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// Lowest and highest protocol version spoken.
    pub protocol: [u32; 2],
    /// Name of the implementation.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// Operations offered, by the words of [`Op`].
    #[serde(default)]
    pub operations: Vec<String>,
    /// Element types read, by name.
    #[serde(default)]
    pub types: Vec<String>,
    /// Layouts read, by name.
    #[serde(default)]
    pub layouts: Vec<String>,
    /// Quantization schemes read, by name.
    #[serde(default)]
    pub quantization: Vec<String>,
    /// How a file can be handed over, by the words of [`SourceKind`]; `stream` of who offers `scan`.
    #[serde(default)]
    pub source: Vec<String>,
    /// How a file can be written, by the words of [`SinkKind`].
    #[serde(default)]
    pub sink: Vec<String>,
    /// What can be written; absent for who writes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Writes>,
    /// Whether the I/O contract is claimed.
    #[serde(default)]
    pub io_contract: bool,
    /// Whether a permissive mode is offered.
    #[serde(default)]
    pub permissive: bool,
    /// Parts of an observation that are filled, by the words of [`Part`]. What is not listed is not compared, and that is
    /// counted.
    #[serde(default)]
    pub observes: Vec<String>,
}

impl Hello {
    /// Whether it can be asked for that.
    pub fn offers(&self, operation: Op) -> bool {
        self.operations.iter().any(|offered| offered == operation.name())
    }

    /// Whether a file can be handed over so.
    pub fn reads_from(&self, source: SourceKind) -> bool {
        self.source.iter().any(|offered| offered == source.name())
    }

    /// Whether a file can be written so.
    pub fn writes_to(&self, sink: SinkKind) -> bool {
        self.sink.iter().any(|offered| offered == sink.name())
    }

    /// Whether it fills that part of an observation.
    pub fn observes(&self, part: Part) -> bool {
        self.observes.iter().any(|observed| observed == part.name())
    }

    /// Whether it reads a file that is served range by range.
    pub fn is_served_source(&self) -> bool {
        self.reads_from(SourceKind::Served)
    }

    /// Whether it reads a stream from its first byte to its last.
    pub fn is_scanner(&self) -> bool {
        self.offers(Op::Scan) && self.reads_from(SourceKind::Stream)
    }

    /// Whether it writes a file item by item.
    pub fn is_item_writer(&self) -> bool {
        [Op::Create, Op::Put, Op::Finish].iter().all(|operation| self.offers(*operation))
    }

    /// Whether it writes item by item to a sink that is served.
    pub fn is_served_sink(&self) -> bool {
        self.is_item_writer() && self.writes_to(SinkKind::Served)
    }
}
