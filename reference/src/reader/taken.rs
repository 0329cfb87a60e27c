//! What a core hands out when a job is done, each once. Whatever is not asked for stays ready.

use crate::model::TensorDescriptor;

use super::{Composite, FileReaderCore, State, Tensor};

impl FileReaderCore {
    /// The descriptor that is ready, once.
    pub fn take_descriptor(&mut self) -> Option<TensorDescriptor> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Descriptor(descriptor) => Some(*descriptor),
            other => {
                self.state = other;
                None
            }
        }
    }

    /// The tensor that is ready, once. Its buffers are the memory the bytes were read into.
    pub fn take_tensor(&mut self) -> Option<Tensor> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Tensor(tensor) => Some(*tensor),
            other => {
                self.state = other;
                None
            }
        }
    }

    /// The composite that is ready, once.
    pub fn take_composite(&mut self) -> Option<Composite> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Composite(composite) => Some(*composite),
            other => {
                self.state = other;
                None
            }
        }
    }

    /// Offset of the last descriptor of the composite that was judged, once.
    pub(crate) fn take_judged(&mut self) -> Option<u64> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Judged(end) => Some(end),
            other => {
                self.state = other;
                None
            }
        }
    }
}
