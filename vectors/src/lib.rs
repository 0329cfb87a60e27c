//! The text of every recipe, expectation, schedule and list of known failures, built into the library.
//!
//! Owns the embedding. It must not know what a file says: `hurray-corpus` reads them.

use std::borrow::Cow;

use rust_embed::RustEmbed;

/// What an exported folder of vectors explains itself with.
pub const README: &str = include_str!("../README.md");

/// The licenses of the files, by name, for whoever hands them on.
pub const LICENSES: [(&str, &str); 2] =
    [("LICENSE-APACHE", include_str!("../LICENSE-APACHE")), ("LICENSE-MIT", include_str!("../LICENSE-MIT"))];

#[derive(RustEmbed)]
#[folder = "."]
#[include = "*/*.toml"]
#[exclude = "files/*"]
struct Recipes;

/// The text of a file of `vectors/` by its relative path with `/` between its parts, such as `known/reference.toml`.
/// `None` if no such file is built in.
pub fn text(path: &str) -> Option<String> {
    let data: Cow<'static, [u8]> = Recipes::get(path)?.data;
    Some(String::from_utf8_lossy(&data).into_owned())
}

/// Path and text of every built-in file whose path begins with `prefix`.
pub fn texts(prefix: &str) -> Vec<(String, String)> {
    let paths = Recipes::iter().filter(|path| path.starts_with(prefix));
    paths.filter_map(|path| text(&path).map(|text| (path.into_owned(), text))).collect()
}
