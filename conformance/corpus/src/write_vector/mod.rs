//! What a writer is asked to write, and what becomes of it: the vectors of `vectors/write/`.
//!
//! A write vector is a description of a file, what has to be refused on the way to it, and why. Owns these types, and what
//! a reader of the written file has to see. Knows no candidate and no verdict.

mod expected;
mod needs;

use hurray_adapter::{KvEntry, NewFile, NewItem, WriteOptions};
use hurray_spec::Rule;
use strum::IntoStaticStr;

use crate::feature::Feature;
use crate::vector::Class;

pub use expected::{name_of, read_vector, seen_in};
pub use needs::needs_of;

/// One description with the behaviour it demands of a writer.
#[derive(Clone, Debug)]
pub struct WriteVector {
    /// `write/<noun>/<what>`.
    pub id: String,
    /// How binding the expectation is.
    pub class: Class,
    /// What has to happen.
    pub expect: WriteExpect,
    /// The rules that are broken by writing otherwise; the first is the one the vector is about.
    pub rules: Vec<Rule>,
    /// What has to be declared for it, such as `type:float32` or `feature:kv`; follows from the description.
    pub needs: Vec<Feature>,
    /// Free words for selection.
    pub tags: Vec<String>,
    /// The file that is there in the end, without what is refused.
    pub file: NewFile,
    /// What has to be refused on the way, each at its place.
    pub refusals: Vec<Refusal>,
    /// One sentence for a person.
    pub why: String,
    /// What the text leaves open, for contested vectors.
    pub spec_silent: Option<String>,
    /// Where it is written, as `write/names.toml:12`, relative to `vectors/`.
    pub source: String,
}

/// What has to happen to a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum WriteExpect {
    /// The file is written as described.
    Accept,
    /// What stands under [`WriteVector::refusals`] is refused, and costs nothing.
    Refused,
    /// Either passes, if what is written is as described.
    Either {
        /// Whether writing counts in the strict score, or refusing.
        prefer_accept: bool,
    },
}

impl WriteExpect {
    /// Its word.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Something a writer must not take.
#[expect(clippy::large_enum_variant, reason = "there are a few dozen, loaded once")]
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Options that no file can have.
    Options(WriteOptions),
    /// An item, submitted before the good item of that position.
    Item {
        /// Position among the items of [`WriteVector::file`].
        before: usize,
        /// The item.
        item: NewItem,
    },
    /// Entries that no file can have, submitted before the good ones.
    Kv(Vec<KvEntry>),
}

impl WriteVector {
    /// What is asked for at once: the file, or one file for each refusal, which ends where something has to be refused.
    /// Nothing good follows that could be refused in its place.
    pub fn wholes(&self) -> Vec<NewFile> {
        if self.refusals.is_empty() {
            return vec![self.file.clone()];
        }
        self.refusals.iter().map(|refusal| self.up_to(refusal)).collect()
    }

    fn up_to(&self, refusal: &Refusal) -> NewFile {
        let mut file = self.file.clone();
        match refusal {
            Refusal::Options(options) => file.options.clone_from(options),
            Refusal::Item { before, item } => {
                file.items.truncate(*before);
                file.items.push(item.clone());
            }
            Refusal::Kv(entries) => file.kv.clone_from(entries),
        }
        file
    }
}

#[cfg(test)]
mod tests;
