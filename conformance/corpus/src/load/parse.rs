//! One base, one file of vectors: TOML to [`Vector`], assembled and checked for itself.
//!
//! Owns how the written fields become those of [`Vector`]. Knows no other file but the bases it is given.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::check;
use crate::error::{LoadError, LoadFault};
use crate::feature::Feature;
use crate::form::element::MeaningForm;
use crate::form::observe::ObserveForm;
use crate::form::value::NameForm;
use crate::form::vector::{
    BaseForm, ExpectForm, FileForm, MeaningOfForm, PermissiveForm, PreferForm, SequentialForm, VectorForm, due,
};
use crate::recipe::{Assembled, Edit, Fragments, Listing, Place, RecipeError};
use crate::similar::closest;
use crate::vector::{Due, Expect, ExpectValidate, Meaning, ReadMode, Vector};
use hurray_adapter::Text;
use hurray_spec::Rule;

/// A base: the vector that it is, and what its vectors take from it.
pub(super) struct Base {
    pub(super) vector: Vector,
    listing: Listing,
    observe: ObserveForm,
}

/// Loads `bases/<name>.toml`.
pub(super) fn base(path: &str, name: &str, text: &str, fragments: &Arc<Fragments>) -> Result<Base, LoadError> {
    let form: BaseForm = from_toml(path, text)?;
    let id = format!("bases/{name}");
    let place = Place { file: path.into(), line: 1 };
    let fail = |fault| LoadError { place: place.clone(), id: Some(id.clone()), fault };
    let at = literal(path, text, form.listing.span().start);
    let listing = Listing::parse_with(form.listing.get_ref(), &at, fragments).map_err(|error| fail(recipe(error)))?;
    let assembled = listing.assemble().map_err(|error| fail(recipe(error)))?;
    if !form.observe.has_tensors() {
        let because = "a base says which tensors are to be seen; write `tensors = []` under [observe] for none";
        return Err(fail(LoadFault::Missing { field: "observe.tensors", because }));
    }
    let observe = form.observe.expected(&place).map_err(|what| fail(bad("observe", what)))?;
    let vector = Vector {
        base: name.to_owned(),
        class: form.class.into(),
        rules: rules(&form.rules).map_err(fail)?,
        then: Vec::new(),
        then_because: Vec::new(),
        expect: Expect::Accept,
        near: None,
        validate: validate(form.validate.as_deref(), form.validate_any, &Expect::Accept, &[]).map_err(fail)?,
        mode: form.mode(),
        needs: features(&form.needs).map_err(fail)?,
        of: None,
        passing: Vec::new(),
        tags: form.tags,
        observe,
        meaning: meaning(&form.meaning).map_err(fail)?,
        absent: names(&form.absent).map_err(fail)?,
        why: form.why,
        spec_silent: None,
        edits_because: None,
        source: place.to_string(),
        bytes: assembled.bytes.into(),
        labels: assembled.labels,
        id: id.clone(),
    };
    check::vector(&vector).map_err(fail)?;
    Ok(Base { vector, listing, observe: form.observe })
}

/// Elements that are stated apart from their vector.
pub(super) struct MeaningOf {
    pub(super) place: Place,
    /// Whole id of the vector.
    pub(super) of: String,
    /// Rules that the vector exercises by them.
    pub(super) rules: Vec<Rule>,
    pub(super) meaning: Vec<Meaning>,
}

/// What one file holds: each entry, or what is wrong with it.
#[derive(Default)]
pub(super) struct AreaFile {
    pub(super) vectors: Vec<Result<Vector, LoadError>>,
    pub(super) meanings: Vec<Result<MeaningOf, LoadError>>,
    pub(super) permissive: Vec<Over<PermissiveForm>>,
    pub(super) sequential: Vec<Over<SequentialForm>>,
}

/// What the file of another vector is to another way of reading, as written.
pub(super) struct Over<F> {
    pub(super) place: Place,
    pub(super) id: String,
    pub(super) form: F,
}

/// The vector of a file that `of` names.
pub(super) fn file_of<'a>(of: &str, all: &'a [Vector]) -> Result<&'a Vector, LoadFault> {
    let is_meant = |vector: &&Vector| vector.id == of && vector.mode == ReadMode::Whole;
    all.iter().find(is_meant).ok_or_else(|| bad("of", format!("no vector `{of}` of a file; write a whole id")))
}

impl Over<PermissiveForm> {
    /// The vector meant, over the file of one of `all`.
    pub(super) fn vector(self, all: &[Vector]) -> Result<Vector, LoadFault> {
        let form = self.form;
        check::id(&form.id)?;
        let strict = file_of(&form.of, all)?;
        let expect = expect(form.expect, None, form.due.as_deref())?;
        check::permissive(&expect, form.near.is_some(), &form.then)?;
        let near = near(form.near, &expect);
        let observe = form.observe.unwrap_or_default().expected_over(&strict.observe, &self.place);
        let vector = Vector {
            id: self.id,
            class: form.class.into(),
            rules: rules(&form.rules)?,
            then: rules_of(form.then.iter().map(|then| &then.rule))?,
            then_because: form.then.into_iter().map(|then| then.because).collect(),
            expect,
            near,
            validate: ExpectValidate::Any,
            mode: ReadMode::Permissive,
            of: Some(form.of),
            tags: Vec::new(),
            observe: observe.map_err(|what| bad("observe", what))?,
            meaning: Vec::new(),
            why: form.why,
            spec_silent: None,
            source: self.place.to_string(),
            ..strict.clone()
        };
        check::vector(&vector)?;
        Ok(vector)
    }
}

/// Loads `<area>/<noun>.toml`; the outer error is one of the whole file.
pub(super) fn area(
    path: &str,
    prefix: &str,
    text: &str,
    bases: &BTreeMap<String, Base>,
) -> Result<AreaFile, LoadError> {
    let file: FileForm = from_toml(path, text)?;
    let each = file.vector.into_iter().map(|form| {
        let place = Place { file: path.into(), line: line_of(text, form.span().start) };
        let form = form.into_inner();
        let id = format!("{prefix}/{}", form.id);
        one(form, id.clone(), &place, bases).map_err(|fault| LoadError { place, id: Some(id), fault })
    });
    let vectors = each.collect();
    let meanings = file.meaning.into_iter().map(|form| {
        let place = Place { file: path.into(), line: line_of(text, form.span().start) };
        let form = form.into_inner();
        let of = form.of.clone();
        meaning_of(form, place.clone()).map_err(|fault| LoadError { place, id: Some(of), fault })
    });
    let permissive = file.permissive.into_iter().map(|form| {
        let place = Place { file: path.into(), line: line_of(text, form.span().start) };
        let form = form.into_inner();
        Over { place, id: format!("{prefix}/{}", form.id), form }
    });
    let sequential = file.sequential.into_iter().map(|form| {
        let place = Place { file: path.into(), line: line_of(text, form.span().start) };
        let form = form.into_inner();
        Over { place, id: format!("{prefix}/{}", form.id), form }
    });
    let (permissive, sequential) = (permissive.collect(), sequential.collect());
    Ok(AreaFile { vectors, meanings: meanings.collect(), permissive, sequential })
}

fn meaning_of(form: MeaningOfForm, place: Place) -> Result<MeaningOf, LoadFault> {
    Ok(MeaningOf { place, of: form.of, rules: rules(&form.rules)?, meaning: meaning(&form.elements)? })
}

fn one(form: VectorForm, id: String, place: &Place, bases: &BTreeMap<String, Base>) -> Result<Vector, LoadFault> {
    check::id(&form.id)?;
    let base = bases.get(&form.base).ok_or_else(|| LoadFault::UnknownBase {
        base: form.base.clone(),
        similar: closest(&form.base, bases.keys().map(String::as_str)),
    })?;
    let expect = expect(form.expect, form.prefer, form.due.as_deref())?;
    check::forms(&form)?;
    let edits: Vec<Edit> =
        form.edit.into_iter().map(|edit| edit.edit()).collect::<Result<_, _>>().map_err(LoadFault::BadEdit)?;
    let Assembled { bytes, labels } = base.listing.assemble_with(&edits, place).map_err(recipe)?;
    let observe = form.observe.unwrap_or_default().over(&base.observe);
    let mut needs = base.vector.needs.clone();
    needs.extend(features(&form.needs)?.into_iter().filter(|need| !base.vector.needs.contains(need)));
    let rules = rules(&form.rules)?;
    let vector = Vector {
        id,
        base: form.base,
        class: form.class.into(),
        then: rules_of(form.then.iter().map(|then| &then.rule))?,
        then_because: form.then.into_iter().map(|then| then.because).collect(),
        // No file, nothing for `validate` to walk through.
        validate: match base.vector.mode.is_of_file() {
            false => ExpectValidate::Any,
            true => validate(form.validate.as_deref(), form.validate_any, &expect, &rules)?,
        },
        rules,
        near: near(form.near, &expect),
        expect,
        needs,
        mode: base.vector.mode,
        of: None,
        passing: Vec::new(),
        tags: form.tags,
        observe: observe.expected(place).map_err(|what| bad("observe", what))?,
        meaning: meaning(&form.meaning)?,
        absent: form.absent.map_or_else(|| Ok(base.vector.absent.clone()), |absent| names(&absent))?,
        why: form.why,
        spec_silent: form.spec_silent,
        edits_because: form.edits_because,
        source: place.to_string(),
        bytes: bytes.into(),
        labels,
    };
    check::vector(&vector)?;
    Ok(vector)
}

pub(super) fn from_toml<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, LoadError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        let place = Place { file: path.into(), line };
        LoadError { place, id: None, fault: LoadFault::Toml(error.to_string()) }
    })
}

/// Line, from 1, of a byte of `text`.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// Where the first line of a text stands whose quotes begin at `start`; of a multi-line one it is the line behind them.
pub(super) fn literal(path: &str, text: &str, start: usize) -> Place {
    let next_line = text.get(start + 3..).is_some_and(|rest| rest.starts_with(['\n', '\r']));
    Place { file: path.into(), line: line_of(text, start) + usize::from(next_line) }
}

fn recipe(error: RecipeError) -> LoadFault {
    LoadFault::Recipe(Box::new(error))
}

pub(super) fn bad(field: &'static str, what: impl Into<String>) -> LoadFault {
    LoadFault::BadField { field, what: what.into() }
}

/// What a file uses; what only writers declare is no part of a file.
fn features(texts: &[String]) -> Result<Vec<Feature>, LoadFault> {
    let feature = |text: &String| text.parse().ok().filter(|feature: &Feature| feature.is_for_readers());
    let each = texts.iter().map(|text| feature(text).ok_or_else(|| LoadFault::UnknownFeature(text.clone())));
    each.collect()
}

pub(super) fn rules(ids: &[String]) -> Result<Vec<Rule>, LoadFault> {
    if ids.is_empty() {
        return Err(LoadFault::Missing { field: "rules", because: "every vector names at least one rule" });
    }
    rules_of(ids.iter())
}

pub(super) fn rules_of<'a>(ids: impl Iterator<Item = &'a String>) -> Result<Vec<Rule>, LoadFault> {
    let mut rules = Vec::new();
    for id in ids {
        let rule = Rule::from_id(id).ok_or_else(|| LoadFault::UnknownRule {
            rule: id.clone(),
            similar: closest(id, Rule::ALL.iter().map(|rule| rule.id())),
        })?;
        if rules.contains(&rule) {
            return Err(bad("rules", format!("`{id}` is listed twice; drop one")));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// What `validate` has to say; of a file that may be rejected it names, without a word on it, the first of `rules`.
fn validate(ids: Option<&[String]>, any: bool, expect: &Expect, rules: &[Rule]) -> Result<ExpectValidate, LoadFault> {
    match (ids, any) {
        (Some(_), true) => {
            Err(LoadFault::Needless { field: "validate", because: "`validate_any = true` says it is not judged" })
        }
        (None, true) => Ok(ExpectValidate::Any),
        (None | Some([]), false) if *expect == Expect::Accept => Ok(ExpectValidate::Clean),
        (None, false) => Ok(ExpectValidate::Names(rules.iter().take(1).copied().collect())),
        (Some([]), false) => Err(LoadFault::Missing {
            field: "validate",
            because: "leave it out for the first rule, name others, or write `validate_any = true`",
        }),
        (Some(ids), false) => rules_of(ids.iter()).map(ExpectValidate::Names),
    }
}

/// The near miss of a file that may be rejected: the base, unless another is named.
fn near(named: Option<String>, expect: &Expect) -> Option<String> {
    named.or_else(|| (*expect != Expect::Accept).then(|| "base".to_owned()))
}

fn meaning(forms: &[MeaningForm]) -> Result<Vec<Meaning>, LoadFault> {
    let each: Result<Vec<_>, _> = forms.iter().map(MeaningForm::meanings).collect();
    each.map(|each| each.concat()).map_err(|what| bad("meaning", what))
}

fn names(forms: &[NameForm]) -> Result<Vec<Text>, LoadFault> {
    let bytes = forms.iter().map(|form| form.bytes().map(Text::new));
    bytes.collect::<Result<_, _>>().map_err(|what| bad("absent", what))
}

fn expect(expect: ExpectForm, prefer: Option<PreferForm>, due_at: Option<&str>) -> Result<Expect, LoadFault> {
    let step = || -> Result<Due, LoadFault> {
        let text = due_at.ok_or(LoadFault::Missing { field: "due", because: "a rejection is due at some step" })?;
        due(text).map_err(|what| bad("due", what))
    };
    match (expect, prefer) {
        (ExpectForm::Either, None) => {
            Err(LoadFault::Missing { field: "prefer", because: "`either` counts one outcome in the strict score" })
        }
        (ExpectForm::Either, Some(prefer)) => {
            Ok(Expect::Either { due: step()?, prefer_accept: prefer == PreferForm::Accept })
        }
        (_, Some(_)) => Err(LoadFault::Needless { field: "prefer", because: "only `either` has two outcomes" }),
        (ExpectForm::Reject, None) => Ok(Expect::Reject { due: step()? }),
        (ExpectForm::Accept, None) if due_at.is_some() => {
            Err(LoadFault::Needless { field: "due", because: "an accepted file is rejected at no step" })
        }
        (ExpectForm::Accept, None) => Ok(Expect::Accept),
    }
}
