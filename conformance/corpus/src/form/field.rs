//! Named fields of a descriptor and composites, as people write them.
//!
//! Owns these forms and the tags that may be given by name. Computes nothing.

use std::collections::BTreeMap;

use hurray_adapter::{CompositeObservation, FieldValue, Fields, Text};
use hurray_spec::tables;
use serde::Deserialize;

use super::value::{FillForm, NameForm, text};

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
pub(crate) struct CompositeForm {
    name: Option<String>,
    name_hex: Option<String>,
    name_fill: Option<FillForm>,
    rule: String,
    members: Vec<NameForm>,
}

impl CompositeForm {
    pub(crate) fn expected(&self) -> Result<CompositeObservation, String> {
        let name = text("name", &self.name, &self.name_hex, self.name_fill)?;
        if !["partition", "overlay", "group"].contains(&self.rule.as_str()) && !self.rule.starts_with("0x") {
            return Err(format!("composite {name:?}: `{}` is not partition, overlay or group", self.rule));
        }
        let members = self.members.iter().map(|member| member.bytes().map(Text::new)).collect::<Result<_, _>>()?;
        Ok(CompositeObservation { name, rule: self.rule.clone(), members: Some(members) })
    }
}
