//! Observations as they are written in the vector files.
//!
//! Owns the form of `observe`; turns it into the values that a candidate's observation is compared with.

use std::collections::BTreeMap;

use hurray_adapter::{
    BufferObservation, ContainerObservation, Float64, HandleObservation, KvEntry, KvValue, TensorObservation, Text, U64,
};
use serde::Deserialize;

use super::field::{CompositeForm, FieldForm, fields};
use super::value::{FillForm, Wide, hex_bytes, text, unsigned};
use crate::recipe::{Place, value_bytes};
use crate::vector::{Expected, ExpectedTensor};

/// `observe`; what is left out of a vector comes from its base.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObserveForm {
    descriptor_length: Option<Wide>,
    container: Option<ContainerForm>,
    tensors: Option<Vec<TensorForm>>,
    composites: Option<Vec<CompositeForm>>,
    kv: Option<Vec<KvForm>>,
    /// Showing no entries at all is contested, too.
    kv_may_be_hidden: Option<bool>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContainerForm {
    version: Option<[u8; 2]>,
    flags: Option<u32>,
    data_buffer_alignment: Option<u32>,
    tensor_count: Option<Wide>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorForm {
    name: Option<String>,
    name_hex: Option<String>,
    name_fill: Option<FillForm>,
    version: Option<[u8; 2]>,
    #[serde(rename = "type")]
    element_type: Option<String>,
    layout: Option<String>,
    shape: Option<Vec<Wide>>,
    byte_offset: Option<Wide>,
    strides: Option<Vec<Wide>>,
    handles: Option<Vec<HandleForm>>,
    data: Option<Vec<DataForm>>,
    layout_fields: Option<BTreeMap<String, FieldForm>>,
    quantization: Option<BTreeMap<String, FieldForm>>,
    shard: Option<BTreeMap<String, FieldForm>>,
    statistics: Option<BTreeMap<String, FieldForm>>,
    extension: Option<BTreeMap<String, FieldForm>>,
    member: Option<BTreeMap<String, FieldForm>>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandleForm {
    byte_size: Option<Wide>,
    alignment: Option<u32>,
    device_tag: Option<u8>,
    sync_mode: Option<u8>,
    memory_class: Option<u8>,
}

/// The bytes of a buffer: one value, or several one behind the other.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum DataForm {
    One(String),
    Several(Vec<String>),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KvForm {
    key: Option<String>,
    key_hex: Option<String>,
    key_fill: Option<FillForm>,
    value: ValueForm,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ValueForm {
    String(String),
    StringHex(String),
    StringFill(FillForm),
    Int64(Wide),
    Uint64(Wide),
    Float64(String),
    Bool(bool),
    Bytes(String),
    BytesFill(FillForm),
    Array(ArrayForm),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArrayForm {
    #[serde(rename = "type")]
    element: Option<String>,
    #[serde(default)]
    items: Vec<ValueForm>,
    repeat: Option<u32>,
}

impl ObserveForm {
    /// These keys, and those of `base` for what is left out.
    pub(crate) fn over(self, base: &ObserveForm) -> ObserveForm {
        ObserveForm {
            descriptor_length: self.descriptor_length.or_else(|| base.descriptor_length.clone()),
            container: self.container.or_else(|| base.container.clone()),
            tensors: self.tensors.or_else(|| base.tensors.clone()),
            composites: self.composites.or_else(|| base.composites.clone()),
            kv: self.kv.or_else(|| base.kv.clone()),
            kv_may_be_hidden: self.kv_may_be_hidden.or(base.kv_may_be_hidden),
        }
    }

    /// The values of these keys, and those of `under` for what is left out.
    pub(crate) fn expected_over(&self, under: &Expected, place: &Place) -> Result<Expected, String> {
        let own = self.expected(place)?;
        Ok(Expected {
            descriptor_length: own.descriptor_length.or(under.descriptor_length),
            container: own.container.or_else(|| under.container.clone()),
            tensors: if self.tensors.is_some() { own.tensors } else { under.tensors.clone() },
            composites: if self.composites.is_some() { own.composites } else { under.composites.clone() },
            kv: own.kv.or_else(|| under.kv.clone()),
            kv_may_be_hidden: self.kv_may_be_hidden.unwrap_or(under.kv_may_be_hidden),
        })
    }

    /// Whether tensors are given, be it none.
    pub(crate) fn has_tensors(&self) -> bool {
        self.tensors.is_some()
    }

    /// The values to compare with.
    pub(crate) fn expected(&self, place: &Place) -> Result<Expected, String> {
        let container = match &self.container {
            None => None,
            Some(form) => Some(ContainerObservation {
                version: form.version,
                flags: form.flags,
                data_buffer_alignment: form.data_buffer_alignment,
                tensor_count: form.tensor_count.as_ref().map(Wide::unsigned).transpose()?,
            }),
        };
        let tensors = self.tensors.iter().flatten().map(|form| form.expected(place)).collect::<Result<_, _>>()?;
        let composites = self.composites.iter().flatten().map(CompositeForm::expected).collect::<Result<_, _>>()?;
        let kv = self.kv.as_ref().map(|entries| entries.iter().map(KvForm::expected).collect()).transpose()?;
        let descriptor_length = self.descriptor_length.as_ref().map(Wide::unsigned).transpose()?;
        Ok(Expected {
            descriptor_length,
            container,
            tensors,
            composites,
            kv,
            kv_may_be_hidden: self.kv_may_be_hidden == Some(true),
        })
    }
}

impl TensorForm {
    fn expected(&self, place: &Place) -> Result<ExpectedTensor, String> {
        let name = text("name", &self.name, &self.name_hex, self.name_fill)?;
        let fail = |what: String| format!("tensor {name:?}: {what}");
        let buffers = self.data.as_ref().map(|data| data.iter().map(|form| form.observation(place)).collect());
        let buffers: Option<Vec<BufferObservation>> = buffers.transpose().map_err(fail)?;
        let handles = self.handles.as_ref().map(|handles| handles.iter().map(HandleForm::observation).collect());
        let handles: Option<Vec<HandleObservation>> = handles.transpose().map_err(fail)?;
        if let (Some(buffers), Some(handles)) = (&buffers, &handles) {
            let sizes = handles.iter().map(|handle| handle.byte_size);
            let agree = |(size, buffer): (Option<U64>, &BufferObservation)| size.is_none_or(|size| size == buffer.len);
            if buffers.len() != handles.len() || !sizes.zip(buffers).all(agree) {
                return Err(fail("`data` and `handles` disagree in number or length".to_owned()));
            }
        }
        let wide = |list: &Option<Vec<Wide>>| -> Result<Option<Vec<U64>>, String> {
            list.as_ref().map(|list| list.iter().map(Wide::unsigned).collect()).transpose()
        };
        let part = |forms: &Option<BTreeMap<String, FieldForm>>| forms.as_ref().map(fields).transpose().map_err(fail);
        let strides = self.strides.as_ref().map(|list| list.iter().map(Wide::signed).collect()).transpose();
        let tensor = TensorObservation {
            version: self.version,
            element_type: self.element_type.clone(),
            layout: self.layout.clone(),
            shape: wide(&self.shape).map_err(fail)?,
            byte_offset: self.byte_offset.as_ref().map(Wide::unsigned).transpose().map_err(fail)?,
            strides: strides.map_err(fail)?,
            handles,
            layout_fields: part(&self.layout_fields)?,
            quantization: part(&self.quantization)?,
            shard: part(&self.shard)?,
            statistics: part(&self.statistics)?,
            extension: part(&self.extension)?,
            member: part(&self.member)?,
        };
        Ok(ExpectedTensor { name: name.clone(), tensor, buffers })
    }
}

impl HandleForm {
    /// The fields that are given.
    pub(crate) fn observation(&self) -> Result<HandleObservation, String> {
        Ok(HandleObservation {
            byte_size: self.byte_size.as_ref().map(Wide::unsigned).transpose()?,
            alignment: self.alignment,
            device_tag: self.device_tag,
            sync_mode: self.sync_mode,
            memory_class: self.memory_class,
        })
    }
}

impl DataForm {
    fn observation(&self, place: &Place) -> Result<BufferObservation, String> {
        Ok(BufferObservation::of(&self.bytes(place)?))
    }

    /// The bytes meant.
    pub(crate) fn bytes(&self, place: &Place) -> Result<Vec<u8>, String> {
        let values = match self {
            DataForm::One(value) => std::slice::from_ref(value),
            DataForm::Several(values) => values,
        };
        let parts: Result<Vec<_>, _> = values.iter().map(|value| value_bytes(value, place)).collect();
        Ok(parts.map_err(|error| format!("data: {}", error.fault))?.concat())
    }
}

impl KvForm {
    /// The entry that is to be seen: one that a file can have.
    fn expected(&self) -> Result<KvEntry, String> {
        let entry = self.asked()?;
        let is_array = |value: &KvValue| matches!(value, KvValue::Array { .. });
        match &entry.value {
            KvValue::Array { items, .. } if items.iter().any(is_array) => {
                Err(format!("key {:?}: arrays do not nest", entry.key))
            }
            _ => Ok(entry),
        }
    }

    /// The entry meant, which a writer may have to refuse.
    pub(crate) fn asked(&self) -> Result<KvEntry, String> {
        let key = text("key", &self.key, &self.key_hex, self.key_fill)?;
        let value = self.value.expected().map_err(|what| format!("key {key:?}: {what}"))?;
        Ok(KvEntry { key, value })
    }
}

impl ValueForm {
    fn expected(&self) -> Result<KvValue, String> {
        Ok(match self {
            ValueForm::String(text) => KvValue::String(Text::from(text.as_str())),
            ValueForm::StringHex(digits) => KvValue::String(Text::new(hex_bytes(digits)?)),
            ValueForm::StringFill(form) => KvValue::String(Text::new(form.bytes())),
            ValueForm::Int64(value) => KvValue::Int64(value.signed()?),
            ValueForm::Uint64(value) => KvValue::Uint64(value.unsigned()?),
            ValueForm::Float64(bits) if bits.starts_with("0x") => KvValue::Float64(Float64(unsigned(bits)?)),
            ValueForm::Float64(bits) => return Err(format!("`{bits}` is not the bits of a float64; write 0x…")),
            ValueForm::Bool(value) => KvValue::Bool(*value),
            ValueForm::Bytes(digits) => KvValue::Bytes(hex::encode(hex_bytes(digits)?)),
            ValueForm::BytesFill(form) => KvValue::Bytes(hex::encode(form.bytes())),

            ValueForm::Array(form) => {
                let items: Vec<_> = form.items.iter().map(|item| item.expected()).collect::<Result<_, _>>()?;
                let times = form.repeat.unwrap_or(1).min(1 << 20) as usize;
                let items = std::iter::repeat_n(items, times).flatten().collect();
                KvValue::Array { element: form.element.clone(), items }
            }
        })
    }
}
