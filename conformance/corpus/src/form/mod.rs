//! What people write in the vector files, as TOML gives it: one file a group of forms.
//!
//! Owns the field names of `vectors/README.md`; an unknown one is an error. What the fields mean is decided in `load`.

pub(crate) mod element;
pub(crate) mod field;
pub(crate) mod observe;
pub(crate) mod value;
pub(crate) mod vector;
