//! The first line of a worker: what it is and what it offers.
//!
//! Owns the declaration and the questions about it that need several of its fields. It must not know what a declaration is
//! worth: that is for profiles.

use serde::{Deserialize, Serialize};

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
    /// Operations offered: `open`, `list`, `kv`, `describe`, `read`, `validate`, `all`, `composite`, `locate`,
    /// `decode`, `descriptor`; `scan`; `write`, and `create`, `header`, `put`, `finish` for who writes item by item.
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
    /// How a file can be handed over: `path`, `served`, and `stream` for who offers `scan`.
    #[serde(default)]
    pub source: Vec<String>,
    /// How a file can be written: `path`, `served`.
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
    /// Parts of an observation that are filled: `container`, `tensors`, `kv`, `handles`, `payload`,
    /// `memory_alignment`, `descriptor_version`, `layout_fields`, `sections`, `rules`. What is not listed is not compared, and that is counted.
    #[serde(default)]
    pub observes: Vec<String>,
}

impl Hello {
    fn offers(&self, operation: &str) -> bool {
        self.operations.iter().any(|offered| offered == operation)
    }

    /// Whether it reads a file that is served range by range.
    pub fn is_served_source(&self) -> bool {
        self.source.iter().any(|source| source == "served")
    }

    /// Whether it reads a stream from its first byte to its last.
    pub fn is_scanner(&self) -> bool {
        self.offers("scan") && self.source.iter().any(|source| source == "stream")
    }

    /// Whether it writes item by item to a sink that is served.
    pub fn is_served_sink(&self) -> bool {
        let is_by_item = ["create", "put", "finish"].iter().all(|operation| self.offers(operation));
        is_by_item && self.sink.iter().any(|sink| sink == "served")
    }
}
