//! The recipes built into the program, for people without the repository.
//!
//! Owns the embedding; what the files say is read elsewhere.

use std::borrow::Cow;

use rust_embed::RustEmbed;

use super::load::{Sources, is_other};

#[derive(RustEmbed)]
#[folder = "../vectors"]
#[include = "*.toml"]
#[exclude = "files/*"]
struct Recipes;

/// A file of `vectors/` by its relative path, such as `known/reference.toml`; only recipes and known failures are built
/// in.
pub fn embedded_file(path: &str) -> Option<Cow<'static, [u8]>> {
    Recipes::get(path).map(|file| file.data)
}

/// Every recipe that is built in.
pub(crate) fn embedded_sources() -> Sources {
    let mut sources: Sources = embedded_files("").into_iter().collect();
    sources.retain(|path, _| !is_other(path));
    sources
}

/// Path and text of every built-in file whose path begins so.
pub(crate) fn embedded_files(prefix: &str) -> Vec<(String, String)> {
    let text = |path: &str| Some(String::from_utf8_lossy(&embedded_file(path)?).into_owned());
    let files = Recipes::iter().filter(|path| path.starts_with(prefix));
    files.filter_map(|path| text(&path).map(|text| (path.into_owned(), text))).collect()
}
