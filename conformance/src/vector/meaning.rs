//! What a vector says about single elements and about parts of a descriptor, as written, and as what is compared.
//!
//! Owns the forms of `meaning`, of composites and of named fields. Computes nothing: places and values are typed.

use std::collections::BTreeMap;

use hurray_adapter::{CompositeObservation, FieldValue, Fields, Place, PlaceWord, Text, U64};
use hurray_spec::tables;
use serde::Deserialize;

use super::Expected;
use super::expected::{Wide, text};
use super::form::{FillForm, NameForm};

/// Where one element stands and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Name of the tensor.
    pub tensor: Text,
    /// Index, dimension 0 first; `[sequence, token, head, component]` for a block-paged tensor.
    pub index: Vec<U64>,
    /// Its place, where it is stated.
    pub place: Option<Place>,
    /// Its value in the form of the operation `decode`, `nan` for any NaN, or `reject`, where it is stated.
    pub value: Option<String>,
}

impl Meaning {
    /// Whether `decode` has to reject it.
    pub fn is_forbidden(&self) -> bool {
        self.value.as_deref() == Some("reject")
    }
}

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
pub(super) fn fault(meaning: &[Meaning], observe: &Expected) -> Option<String> {
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

/// A value of a named field: a number, a float, text (exact floats and bytes as hex digits, with or without `0x`; tags by
/// name), a list, a part.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum FieldForm {
    Number(i64),
    Float(f64),
    Text(String),
    List(Vec<FieldForm>),
    Part(BTreeMap<String, FieldForm>),
}

/// The field that holds a name.
const SCHEME: &str = "scheme";

/// The fields of one part of a descriptor.
pub(crate) fn fields(forms: &BTreeMap<String, FieldForm>) -> Result<Fields, String> {
    forms
        .iter()
        .map(|(name, form)| Ok((name.clone(), form.value(name).map_err(|what| format!("{name}: {what}"))?)))
        .collect()
}

impl FieldForm {
    fn value(&self, name: &str) -> Result<FieldValue, String> {
        Ok(match self {
            FieldForm::Number(_) | FieldForm::Float(_) | FieldForm::Text(_) => FieldValue::One(self.one(name)?),
            FieldForm::List(items) => {
                FieldValue::Many(items.iter().map(|item| item.one(name)).collect::<Result<_, _>>()?)
            }
            FieldForm::Part(forms) => FieldValue::Part(fields(forms)?),
        })
    }

    fn one(&self, name: &str) -> Result<String, String> {
        match self {
            FieldForm::Number(number) => Ok(number.to_string()),
            // The one float32 among the fields is the scale of a whole tensor.
            FieldForm::Float(value) if name == "scale" => Ok(format!("{:08x}", (*value as f32).to_bits())),
            FieldForm::Float(value) => Ok(format!("{:016x}", value.to_bits())),
            // A name, or `0x…` for a scheme without one: no number, so the prefix stays.
            FieldForm::Text(text) if name == SCHEME => Ok(text.clone()),
            FieldForm::Text(text) => Ok(match tag_named(name, text) {
                Some(tag) => tag.to_string(),
                None => text.strip_prefix("0x").unwrap_or(text).to_ascii_lowercase(),
            }),
            FieldForm::List(_) | FieldForm::Part(_) => Err("a list holds numbers and texts only".to_owned()),
        }
    }
}

/// The tag behind a name, for fields that hold one; `None` for other fields and unknown names.
fn tag_named(field: &str, name: &str) -> Option<u8> {
    let space = match field {
        "composition_rule" => &tables::COMPOSITION_RULE,
        "combine_op" => &tables::COMBINE_OP,
        "outer_layout" | "inner_layout" => &tables::LAYOUT_TAG,
        "scale_type_tag" => &tables::TYPE_TAG,
        "member_role" => &tables::MEMBER_ROLE,
        _ => return None,
    };
    space.values.iter().find(|value| value.name.eq_ignore_ascii_case(name)).map(|value| value.tag)
}

/// One composite that is to be seen.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompositeForm {
    name: Option<String>,
    name_hex: Option<String>,
    name_fill: Option<FillForm>,
    rule: String,
    members: Vec<NameForm>,
}

impl CompositeForm {
    pub(super) fn expected(&self) -> Result<CompositeObservation, String> {
        let name = text("name", &self.name, &self.name_hex, self.name_fill)?;
        if !["partition", "overlay", "group"].contains(&self.rule.as_str()) && !self.rule.starts_with("0x") {
            return Err(format!("composite {name:?}: `{}` is not partition, overlay or group", self.rule));
        }
        let members = self.members.iter().map(|member| member.bytes().map(Text::new)).collect::<Result<_, _>>()?;
        Ok(CompositeObservation { name, rule: self.rule.clone(), members: Some(members) })
    }
}
