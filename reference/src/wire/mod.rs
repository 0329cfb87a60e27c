//! The structures of the format, one file per noun, reading and writing side by side.
//!
//! Each `read_` judges what its own bytes show; what needs two structures is judged in `check`.

pub(crate) mod descriptor;
pub(crate) mod handle;
pub(crate) mod header;
pub(crate) mod index;
pub(crate) mod kv;
pub(crate) mod layout;
pub(crate) mod section;
pub(crate) mod trailer;
