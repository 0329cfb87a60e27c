//! One file of `write/`: TOML to [`WriteVector`], each description parsed and checked for itself.
//!
//! Owns the fields of a `[[vector]]` there; what describes the file is `description`'s form. Knows no other file.

use hurray_adapter::{KvEntry, NewFile, WriteOptions};
use hurray_spec::Rule;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::{check, parse};
use crate::description;
use crate::error::{LoadError, LoadFault};
use crate::form::vector::ClassForm;
use crate::recipe::Place;
use crate::write_vector::{Refusal, WriteExpect, WriteVector, needs_of};

/// The fields of a vector that do not describe its file.
const OWN: [&str; 11] = [
    "id",
    "class",
    "expect",
    "prefer",
    "rules",
    "tags",
    "refuse",
    "refused_kv",
    "refused_options",
    "why",
    "spec_silent",
];

/// `write/<noun>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    #[serde(default)]
    vector: Vec<Spanned<Table>>,
}

/// One `[[vector]]`, its description apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorForm {
    id: String,
    class: ClassForm,
    expect: ExpectForm,
    prefer: Option<PreferForm>,
    rules: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    /// Positions of the tensors that have to be refused.
    #[serde(default)]
    refuse: Vec<usize>,
    /// Entries that have to be refused before those of `kv`.
    refused_kv: Option<Vec<Value>>,
    /// Options that have to be refused in place of those of `options`.
    refused_options: Option<Table>,
    why: String,
    spec_silent: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExpectForm {
    Accept,
    Refused,
    Either,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PreferForm {
    Accept,
    Refused,
}

/// Loads `write/<noun>.toml`: each vector, or what is wrong with it.
pub(super) fn file(path: &str, text: &str) -> Vec<Result<WriteVector, LoadError>> {
    let prefix = path.strip_suffix(".toml").unwrap_or(path);
    let form: FileForm = match parse::from_toml(path, text) {
        Ok(form) => form,
        Err(error) => return vec![Err(error)],
    };
    let each = form.vector.into_iter().map(|table| {
        let place = Place { file: path.into(), line: parse::line_of(text, table.span().start) };
        let mut table = table.into_inner();
        let name = table.get("id").and_then(Value::as_str).unwrap_or_default();
        let id = format!("{prefix}/{name}");
        one(&mut table, id.clone(), &place).map_err(|fault| LoadError { place, id: Some(id), fault })
    });
    each.collect()
}

fn one(table: &mut Table, id: String, place: &Place) -> Result<WriteVector, LoadFault> {
    let own: Table = OWN.iter().filter_map(|field| Some(((*field).to_owned(), table.remove(*field)?))).collect();
    let form: VectorForm = own.try_into().map_err(|error: toml::de::Error| toml_fault(&error))?;
    check::id(&form.id)?;
    let mut file = described(table.clone())?;
    let mut refusals = Vec::new();
    if let Some(options) = &form.refused_options {
        refusals.push(Refusal::Options(refused_options(options)?));
    }
    refusals.extend(refused_items(&form.refuse, &mut file)?);
    if let Some(entries) = &form.refused_kv {
        refusals.push(Refusal::Kv(refused_entries(entries)?));
    }
    let expect = expect(&form, &refusals)?;
    let rules: Vec<Rule> = parse::rules(&form.rules)?;
    if form.why.trim().is_empty() {
        return Err(LoadFault::Missing { field: "why", because: "one sentence for a person" });
    }
    let mut vector = WriteVector {
        id,
        class: form.class.into(),
        expect,
        rules,
        needs: Vec::new(),
        tags: form.tags,
        file,
        refusals,
        why: form.why,
        spec_silent: form.spec_silent,
        source: place.to_string(),
    };
    vector.needs = needs_of(vector.wholes().iter().chain([&vector.file])).map_err(LoadFault::UnknownFeature)?;
    Ok(vector)
}

fn toml_fault(error: &toml::de::Error) -> LoadFault {
    LoadFault::Toml(error.message().to_owned())
}

fn bad(field: &'static str, what: impl Into<String>) -> LoadFault {
    LoadFault::BadField { field, what: what.into() }
}

fn described(table: Table) -> Result<NewFile, LoadFault> {
    description::from_table(table).map_err(|what| bad("description", what))
}

fn refused_options(options: &Table) -> Result<WriteOptions, LoadFault> {
    let table = Table::from_iter([("options".to_owned(), Value::Table(options.clone()))]);
    Ok(described(table)?.options)
}

fn refused_entries(entries: &[Value]) -> Result<Vec<KvEntry>, LoadFault> {
    let table = Table::from_iter([("kv".to_owned(), Value::Array(entries.to_vec()))]);
    Ok(described(table)?.kv)
}

/// Takes the items that have to be refused out of the file.
fn refused_items(positions: &[usize], file: &mut NewFile) -> Result<Vec<Refusal>, LoadFault> {
    let mut refusals = Vec::new();
    let mut last = None;
    for (taken, position) in positions.iter().enumerate() {
        if last.is_some_and(|last| last >= *position) || *position >= file.items.len() + taken {
            return Err(bad("refuse", "give ascending positions of tensors of this vector, from 0"));
        }
        last = Some(*position);
        let before = position - taken;
        refusals.push(Refusal::Item { before, item: file.items.remove(before) });
    }
    Ok(refusals)
}

fn expect(form: &VectorForm, refusals: &[Refusal]) -> Result<WriteExpect, LoadFault> {
    let either = form.expect == ExpectForm::Either;
    if either != matches!(form.class, ClassForm::Contested) {
        return Err(bad("class", "`contested` and expect = \"either\" go together; change one of them"));
    }
    if either != form.spec_silent.is_some() {
        return Err(bad("spec_silent", "it says of a contested vector, and of no other, what the text leaves open"));
    }
    if (form.expect == ExpectForm::Refused) == refusals.is_empty() {
        let what = "name what has to be refused by `refuse`, `refused_kv` or `refused_options`, in such vectors only";
        return Err(bad("expect", what));
    }
    match (form.expect, form.prefer) {
        (ExpectForm::Accept, None) => Ok(WriteExpect::Accept),
        (ExpectForm::Refused, None) => Ok(WriteExpect::Refused),
        (ExpectForm::Either, Some(prefer)) => Ok(WriteExpect::Either { prefer_accept: prefer == PreferForm::Accept }),
        (ExpectForm::Either, None) => {
            Err(LoadFault::Missing { field: "prefer", because: "`either` counts one outcome in the strict score" })
        }
        (_, Some(_)) => Err(LoadFault::Needless { field: "prefer", because: "only `either` has two outcomes" }),
    }
}
