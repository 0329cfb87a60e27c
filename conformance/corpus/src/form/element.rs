//! What a vector says about single elements, as people write it.
//!
//! Owns the form of `meaning`. Computes nothing: people type places and values.

use hurray_adapter::{Place, PlaceWord, Text, U64};
use serde::Deserialize;

use super::value::{Wide, text};
use crate::vector::{Expected, Meaning};

/// One entry of `meaning`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeaningForm {
    tensor: Option<String>,
    tensor_hex: Option<String>,
    index: Vec<Wide>,
    place: Option<PlaceForm>,
    value: Option<String>,
    /// Values of the element at `index` and of those behind it along the last dimension.
    values: Option<Vec<String>>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum PlaceForm {
    Stored(StoredForm),
    Word(PlaceWord),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredForm {
    #[serde(default)]
    buffer: u32,
    byte: Wide,
    #[serde(default)]
    bit: u8,
}

impl MeaningForm {
    /// The elements meant, each an entry of its own.
    pub(crate) fn meanings(&self) -> Result<Vec<Meaning>, String> {
        let tensor = text("tensor", &self.tensor, &self.tensor_hex, None)?;
        let index: Vec<U64> = self.index.iter().map(Wide::unsigned).collect::<Result<_, _>>()?;
        let place = match &self.place {
            None => None,
            Some(PlaceForm::Word(word)) => Some(Place::Word(*word)),
            Some(PlaceForm::Stored(StoredForm { bit: 8.., .. })) => return Err("a byte has bits 0 to 7".to_owned()),
            Some(PlaceForm::Stored(form)) => {
                Some(Place::Stored { buffer: form.buffer, byte: form.byte.unsigned()?, bit: form.bit })
            }
        };
        match (&self.value, &self.values) {
            (None, None) if place.is_none() => Err("give `place`, `value` or `values`".to_owned()),
            (Some(_), Some(_)) => Err("give `value` or `values`, not both".to_owned()),
            (value, None) => Ok(vec![Meaning { tensor, index, place, value: value.clone() }]),
            (None, Some(_)) if place.is_some() => Err("`place` is that of one element; write `value`".to_owned()),
            (None, Some(values)) => {
                values.iter().enumerate().map(|(at, value)| row(&tensor, &index, at, value)).collect()
            }
        }
    }
}

/// The entry `at` steps along the last dimension.
fn row(tensor: &Text, index: &[U64], at: usize, value: &str) -> Result<Meaning, String> {
    let mut index = index.to_vec();
    let last = index.last_mut().ok_or("`values` go along the last dimension; a scalar has none")?;
    last.0 = last.0.checked_add(at as u64).ok_or("the index leaves 64 bits")?;
    Ok(Meaning { tensor: tensor.clone(), index, place: None, value: Some(value.to_owned()) })
}

/// What is wrong with `meaning`, beside what it is compared with.
pub(crate) fn fault(meaning: &[Meaning], observe: &Expected) -> Option<String> {
    meaning.iter().find_map(|meaning| {
        let name = &meaning.tensor;
        let Some(tensor) = observe.tensors.iter().find(|tensor| tensor.name == *name) else {
            return Some(format!("no tensor {name:?} among those observed; give its name as in `observe`"));
        };
        let index = &meaning.index;
        let shape = tensor.tensor.shape.as_deref().unwrap_or(&[]);
        let is_paged = tensor.tensor.layout.as_deref() == Some("block_paged");
        let fits = index.len() == shape.len() && index.iter().zip(shape).all(|(at, dim)| at < dim);
        (!(fits || is_paged && index.len() == 4)).then(|| format!("{name:?} has no element {index:?}"))
    })
}
