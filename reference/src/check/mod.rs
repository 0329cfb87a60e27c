//! What needs more than one structure, or none of the bytes themselves: ranges, order, sizes. One file per concern.
//!
//! Knows nothing of where bytes come from.

pub(crate) mod composite;
pub(crate) mod descriptor;
pub(crate) mod entries;
pub(crate) mod extent;
pub(crate) mod placement;
pub(crate) mod quantization;
pub(crate) mod ranges;
pub(crate) mod sections;
