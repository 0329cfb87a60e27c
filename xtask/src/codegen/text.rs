//! What every generated file needs: TOML, words that the specification knows, names of variants. Knows no rule.

use std::path::Path;
use std::str::FromStr;
use std::{fs, io};

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};
use strum::VariantNames;

/// Reads and parses one TOML file; errors carry its path.
pub(super) fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<T> {
    let text = fs::read_to_string(path).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// A word of a fixed list, by the name that the specification crate gives it.
pub(super) fn word<'de, T: FromStr + VariantNames, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let word = String::deserialize(from)?;
    word.parse().map_err(|_| D::Error::custom(format!("{word:?} is none of {}", T::VARIANTS.join(", "))))
}

/// `container.header.magic-reject` is `ContainerHeaderMagicReject`.
pub(super) fn camel(words: &str) -> String {
    words
        .split(['.', '-', '_', ' '])
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_names_of_variants() {
        assert_eq!(camel("container.header.reserved-10-11"), "ContainerHeaderReserved1011");
        assert_eq!(camel("io-contract"), "IoContract");
    }
}
