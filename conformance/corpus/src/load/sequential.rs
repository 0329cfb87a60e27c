//! What the file of another vector is to who reads it without seeking. Owns the fields of `[[sequential]]`.

use hurray_adapter::Text;

use super::check;
use super::parse::{Over, bad, file_of, rules, rules_of};
use crate::error::LoadFault;
use crate::form::vector::{ExpectForm, PassingForm, PreferForm, SequentialForm};
use crate::vector::{Due, Expect, ExpectValidate, Passing, ReadMode, Vector};

impl Over<SequentialForm> {
    /// The vector meant, over the file of one of `all`.
    pub(super) fn vector(self, all: &[Vector]) -> Result<Vector, LoadFault> {
        let form = self.form;
        check::id(&form.id)?;
        let by_ranges = file_of(&form.of, all)?;
        let expect = expect(&form)?;
        check::outcome(form.expect, form.class, form.near.is_some(), form.spec_silent.is_some(), &form.then)?;
        let passing = passing(&form, by_ranges)?;
        let vector = Vector {
            id: self.id,
            class: form.class.into(),
            rules: rules(&form.rules)?,
            then: rules_of(form.then.iter().map(|then| &then.rule))?,
            then_because: form.then.into_iter().map(|then| then.because).collect(),
            expect,
            near: form.near,
            validate: ExpectValidate::Any,
            mode: ReadMode::Sequential,
            of: Some(form.of),
            passing,
            tags: Vec::new(),
            meaning: Vec::new(),
            absent: Vec::new(),
            why: form.why,
            spec_silent: form.spec_silent,
            edits_because: None,
            source: self.place.to_string(),
            ..by_ranges.clone()
        };
        check::vector(&vector)?;
        Ok(vector)
    }
}

fn expect(form: &SequentialForm) -> Result<Expect, LoadFault> {
    match (form.expect, form.prefer) {
        (ExpectForm::Either, None) => {
            Err(LoadFault::Missing { field: "prefer", because: "`either` counts one outcome in the strict score" })
        }
        (ExpectForm::Either, Some(prefer)) => {
            Ok(Expect::Either { due: Due::Scan, prefer_accept: prefer == PreferForm::Accept })
        }
        (_, Some(_)) => Err(LoadFault::Needless { field: "prefer", because: "only `either` has two outcomes" }),
        (ExpectForm::Reject, None) => Ok(Expect::Reject { due: Due::Scan }),
        (ExpectForm::Accept, None) => Ok(Expect::Accept),
    }
}

/// Where the tensors stand, each of them once and in the order of the file.
fn passing(form: &SequentialForm, by_ranges: &Vector) -> Result<Vec<Passing>, LoadFault> {
    let Some(written) = &form.passing else {
        return match form.expect {
            ExpectForm::Reject => Ok(Vec::new()),
            _ => Err(LoadFault::Missing { field: "passing", because: "say where the tensors stand, in file order" }),
        };
    };
    if form.expect == ExpectForm::Reject {
        return Err(LoadFault::Needless { field: "passing", because: "nothing of a rejected stream is shown" });
    }
    let one = |form: &PassingForm| Some(Passing { at: form.at, name: Text::new(form.name.bytes().ok()?) });
    let passing: Option<Vec<Passing>> = written.iter().map(one).collect();
    let passing = passing.ok_or_else(|| bad("passing", "a name is no text"))?;
    let mut named: Vec<&Text> = passing.iter().map(|passing| &passing.name).collect();
    let mut observed: Vec<&Text> = by_ranges.observe.tensors.iter().map(|tensor| &tensor.name).collect();
    named.sort();
    observed.sort();
    if named != observed {
        return Err(bad("passing", "it names the tensors of the file, each of them once"));
    }
    if !passing.is_sorted_by_key(|passing| passing.at) {
        return Err(bad("passing", "the tensors stand in the order of the file"));
    }
    Ok(passing)
}
