//! Recipes: listings of labelled fields, fragments they share, edits on them, and the assembler that turns them into bytes.
//!
//! Owns the listing language of `vectors/README.md`. Knows integers, text, fill, labels, lengths and CRC-32C, and
//! nothing of the file format: no field name, no size, no rule. A mistake in the language is a [`RecipeError`] that
//! says where it stands and what to do about it; no text makes it panic or ask for unbounded memory.

mod assemble;
mod edit;
mod error;
mod expression;
mod fragment;
mod fragment_fault;
mod listing;
mod place;
mod value;

pub use assemble::Assembled;
pub use edit::Edit;
pub use error::{Fault, MAX_FILE_LEN, RecipeError};
pub use fragment::{Fragment, Fragments};
pub use fragment_fault::FragmentFault;
pub use listing::Listing;
pub use place::Place;

/// The bytes of a single value, written like a field without its label: `ramp 48`, `u16[] 1 2 3`, `text "abc"`.
///
/// # Errors
/// [`RecipeError`] if the text is not a value, points at a label, or needs more than [`MAX_FILE_LEN`] bytes.
pub fn value_bytes(text: &str, place: &Place) -> Result<Vec<u8>, RecipeError> {
    let mut listing = Listing::empty();
    listing.push_value(text, place)?;
    Ok(listing.assemble()?.bytes)
}

/// The bytes behind the escapes of a quoted `text`, without the quotes: `a\x00` is two bytes.
///
/// # Errors
/// [`Fault::BadText`] for an unknown or unfinished escape.
pub fn unescape(text: &str) -> Result<Vec<u8>, Fault> {
    value::unescape(text)
}

#[cfg(test)]
mod properties;
