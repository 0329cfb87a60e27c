//! The TOML of bases and vectors, as written.
//!
//! Owns the field names of `vectors/README.md`; unknown ones are errors. What the fields mean is decided elsewhere.

use hurray_adapter::Text;
use serde::Deserialize;
use toml::Spanned;

use super::element::MeaningForm;
use super::observe::ObserveForm;
use super::value::{NameForm, hex_bytes};
use crate::recipe::{Edit, unescape};
use crate::vector::{Class, Due, ReadMode};

/// `bases/<name>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BaseForm {
    pub(crate) why: String,
    pub(crate) class: ClassForm,
    pub(crate) rules: Vec<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) requires: Vec<CapabilityForm>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) listing: Spanned<String>,
    pub(crate) observe: ObserveForm,
    #[serde(default)]
    pub(crate) meaning: Vec<MeaningForm>,
    #[serde(default)]
    pub(crate) absent: Vec<NameForm>,
    pub(crate) validate: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) validate_any: bool,
}

/// `<area>/<noun>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileForm {
    #[serde(default)]
    pub(crate) vector: Vec<Spanned<VectorForm>>,
    #[serde(default)]
    pub(crate) meaning: Vec<Spanned<MeaningOfForm>>,
    #[serde(default)]
    pub(crate) permissive: Vec<Spanned<PermissiveForm>>,
    #[serde(default)]
    pub(crate) sequential: Vec<Spanned<SequentialForm>>,
}

/// One `[[sequential]]`: what the file of another vector is to who reads it without seeking.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SequentialForm {
    pub(crate) id: String,
    pub(crate) of: String,
    pub(crate) class: ClassForm,
    pub(crate) rules: Vec<String>,
    #[serde(default)]
    pub(crate) then: Vec<ThenForm>,
    pub(crate) expect: ExpectForm,
    pub(crate) prefer: Option<PreferForm>,
    pub(crate) near: Option<String>,
    pub(crate) passing: Option<Vec<PassingForm>>,
    pub(crate) why: String,
    pub(crate) spec_silent: Option<String>,
}

/// `{ at = 64, name = "a" }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PassingForm {
    pub(crate) at: u64,
    pub(crate) name: NameForm,
}

/// One `[[permissive]]`: what the file of another vector is to a permissive reader.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PermissiveForm {
    pub(crate) id: String,
    pub(crate) of: String,
    pub(crate) class: ClassForm,
    pub(crate) rules: Vec<String>,
    #[serde(default)]
    pub(crate) then: Vec<ThenForm>,
    pub(crate) expect: ExpectForm,
    pub(crate) due: Option<String>,
    pub(crate) near: Option<String>,
    pub(crate) observe: Option<ObserveForm>,
    pub(crate) why: String,
}

/// A word of `requires`. Permissive reading stands in entries of its own, since it is asked of files that have a strict
/// verdict, too.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CapabilityForm {
    Descriptor,
}

impl BaseForm {
    /// How the listing is read.
    pub(crate) fn mode(&self) -> ReadMode {
        match self.requires.first() {
            None => ReadMode::Whole,
            Some(CapabilityForm::Descriptor) => ReadMode::Bare,
        }
    }
}

/// One `[[meaning]]`: elements of a vector that stands elsewhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeaningOfForm {
    pub(crate) of: String,
    pub(crate) rules: Vec<String>,
    pub(crate) elements: Vec<MeaningForm>,
}

/// One `[[vector]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VectorForm {
    pub(crate) id: String,
    pub(crate) base: String,
    #[serde(default)]
    pub(crate) edit: Vec<EditForm>,
    pub(crate) edits_because: Option<String>,
    pub(crate) class: ClassForm,
    pub(crate) rules: Vec<String>,
    #[serde(default)]
    pub(crate) then: Vec<ThenForm>,
    pub(crate) expect: ExpectForm,
    pub(crate) prefer: Option<PreferForm>,
    pub(crate) due: Option<String>,
    pub(crate) observe: Option<ObserveForm>,
    #[serde(default)]
    pub(crate) meaning: Vec<MeaningForm>,
    pub(crate) absent: Option<Vec<NameForm>>,
    pub(crate) validate: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) validate_any: bool,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) near: Option<String>,
    pub(crate) why: String,
    pub(crate) spec_silent: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClassForm {
    Explicit,
    Decided,
    Contested,
}

impl From<ClassForm> for Class {
    fn from(form: ClassForm) -> Self {
        match form {
            ClassForm::Explicit => Class::Explicit,
            ClassForm::Decided => Class::Decided,
            ClassForm::Contested => Class::Contested,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExpectForm {
    Accept,
    Reject,
    Either,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PreferForm {
    Accept,
    Reject,
}

/// `{ rule = "…", because = "…" }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThenForm {
    pub(crate) rule: String,
    #[serde(default)]
    pub(crate) because: String,
}

/// One edit: exactly one action, and the words that belong to it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditForm {
    set: Option<String>,
    to: Option<String>,
    cut: Option<String>,
    insert_before: Option<String>,
    insert_after: Option<String>,
    lines: Option<String>,
    append: Option<String>,
    truncate_at: Option<String>,
    keep: Option<u64>,
    drop_first: Option<u64>,
    truncate_to: Option<u64>,
    poke: Option<String>,
    at: Option<u64>,
    hex: Option<String>,
}

impl EditForm {
    /// The edit meant, or what is wrong with the words.
    pub(crate) fn edit(self) -> Result<Edit, String> {
        let actions = [
            ("set", self.set.is_some()),
            ("cut", self.cut.is_some()),
            ("insert_before", self.insert_before.is_some()),
            ("insert_after", self.insert_after.is_some()),
            ("append", self.append.is_some()),
            ("truncate_at", self.truncate_at.is_some()),
            ("drop_first", self.drop_first.is_some()),
            ("truncate_to", self.truncate_to.is_some()),
            ("poke", self.poke.is_some()),
        ];
        let mut given = actions.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        let action = given.next().ok_or("the edit has no action such as `set` or `cut`")?;
        if let Some(second) = given.next() {
            return Err(format!("`{action}` and `{second}` are two edits; give each its own {{ … }}"));
        }
        self.check_words(action)?;
        let want = |word: Option<String>, name: &str| word.ok_or_else(|| format!("`{action}` wants `{name}`"));
        Ok(match action {
            "set" => Edit::Set { label: self.set.unwrap_or_default(), to: want(self.to, "to")? },
            "cut" => Edit::Cut { label: self.cut.unwrap_or_default() },
            "insert_before" => {
                Edit::InsertBefore { label: self.insert_before.unwrap_or_default(), lines: want(self.lines, "lines")? }
            }
            "insert_after" => {
                Edit::InsertAfter { label: self.insert_after.unwrap_or_default(), lines: want(self.lines, "lines")? }
            }
            "append" => Edit::Append { lines: self.append.unwrap_or_default() },
            "truncate_at" => {
                Edit::TruncateAt { label: self.truncate_at.unwrap_or_default(), keep: self.keep.unwrap_or(0) }
            }
            "drop_first" => Edit::DropFirst { len: self.drop_first.unwrap_or(0) },
            "truncate_to" => Edit::TruncateTo { len: self.truncate_to.unwrap_or(0) },
            _ => Edit::Poke {
                label: self.poke.unwrap_or_default(),
                at: self.at.unwrap_or(0),
                bytes: hex_bytes(&want(self.hex, "hex")?)?,
            },
        })
    }

    fn check_words(&self, action: &str) -> Result<(), String> {
        let words = [
            ("to", self.to.is_some(), "set"),
            ("lines", self.lines.is_some(), "insert_before, insert_after"),
            ("keep", self.keep.is_some(), "truncate_at"),
            ("at", self.at.is_some(), "poke"),
            ("hex", self.hex.is_some(), "poke"),
        ];
        match words.iter().find(|(_, given, owners)| *given && !owners.split(", ").any(|owner| owner == action)) {
            Some((word, _, owners)) => Err(format!("`{word}` does not belong to `{action}` but to `{owners}`")),
            None => Ok(()),
        }
    }
}

/// `open`, `descriptor`, `kv`, `describe NAME`, `read NAME` or `composite NAME`, the name with the escapes of a quoted text.
pub(crate) fn due(text: &str) -> Result<Due, String> {
    let (step, name) = text.split_once(' ').unwrap_or((text, ""));
    let bytes = unescape(name).map_err(|fault| fault.to_string())?;
    match (step, bytes.is_empty()) {
        ("open", true) => Ok(Due::Open),
        ("descriptor", true) => Ok(Due::Descriptor),
        ("kv", true) => Ok(Due::Kv),
        ("describe", false) => Ok(Due::Describe(Text::new(bytes))),
        ("read", false) => Ok(Due::Read(Text::new(bytes))),
        ("composite", false) => Ok(Due::Composite(Text::new(bytes))),
        _ => Err(format!("`{text}` is not a step; write open, kv, describe NAME, read NAME or composite NAME")),
    }
}
