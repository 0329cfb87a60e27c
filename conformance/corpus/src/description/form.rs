//! The fields of a description as they are written, and what stands for those that are left out.
//!
//! Owns the defaults. It must not know a rule of the format.

use std::collections::BTreeMap;

use hurray_adapter::{
    FieldValue, Fields, HandleObservation, NewComposite, NewFile, NewItem, NewTensor, Payload, TensorObservation, U64,
    WriteOptions,
};
use hurray_spec::tables::ElementType;
use serde::Deserialize;

use crate::form::field::{FieldForm, fields};
use crate::form::observe::{DataForm, HandleForm, KvForm};
use crate::form::value::{FillForm, Wide, text};
use crate::recipe::Place;

/// Levels of composites in composites. The format ends at 8; one that goes deeper can still be asked for.
const MAX_DEPTH: usize = 64;

/// A whole description.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileForm {
    #[serde(default)]
    options: OptionsForm,
    #[serde(default)]
    tensor: Vec<TensorForm>,
    #[serde(default)]
    kv: Vec<KvForm>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsForm {
    data_buffer_alignment: Option<u32>,
    sorted_index: Option<bool>,
}

/// One tensor, or with `members` a composite.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorForm {
    name: Option<String>,
    name_hex: Option<String>,
    name_fill: Option<FillForm>,
    version: Option<[u8; 2]>,
    #[serde(rename = "type")]
    element_type: String,
    layout: Option<String>,
    #[serde(default)]
    shape: Vec<Wide>,
    byte_offset: Option<Wide>,
    strides: Option<Vec<Wide>>,
    handles: Option<Vec<HandleForm>>,
    #[serde(default)]
    data: Vec<BufferForm>,
    #[serde(default)]
    layout_fields: BTreeMap<String, FieldForm>,
    quantization: Option<BTreeMap<String, FieldForm>>,
    shard: Option<BTreeMap<String, FieldForm>>,
    statistics: Option<BTreeMap<String, FieldForm>>,
    extension: Option<BTreeMap<String, FieldForm>>,
    member: Option<BTreeMap<String, FieldForm>>,
    members: Option<Vec<TensorForm>>,
}

/// The bytes of one buffer: as in a listing, or made from a seed or a byte.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum BufferForm {
    Pattern(PatternForm),
    Fill(SameForm),
    Listed(DataForm),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternForm {
    pattern: u32,
    len: Option<Wide>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SameForm {
    fill: u8,
    len: Option<Wide>,
}

impl FileForm {
    /// The file meant.
    pub(crate) fn file(&self, description: &str) -> Result<NewFile, String> {
        let place = Place::file(description);
        let options = WriteOptions {
            data_buffer_alignment: self.options.data_buffer_alignment,
            sorted_index: self.options.sorted_index,
        };
        let items = self.tensor.iter().map(|tensor| tensor.item(&place, 0)).collect::<Result<_, _>>()?;
        let kv = self.kv.iter().map(KvForm::asked).collect::<Result<_, _>>()?;
        Ok(NewFile { options, items, kv })
    }
}

impl TensorForm {
    fn item(&self, place: &Place, depth: usize) -> Result<NewItem, String> {
        let name = text("name", &self.name, &self.name_hex, self.name_fill)?;
        let fail = |what: String| format!("tensor {name:?}: {what}");
        if depth > MAX_DEPTH {
            return Err(fail(format!("more than {MAX_DEPTH} composites in each other")));
        }
        let mut descriptor = self.descriptor().map_err(fail)?;
        let Some(members) = &self.members else {
            let buffers = self.buffers(&descriptor, place).map_err(fail)?;
            descriptor.handles = Some(self.handles(&buffers).map_err(fail)?);
            return Ok(NewItem::Tensor(NewTensor { name, descriptor, buffers }));
        };
        if !self.data.is_empty() {
            return Err(fail("a composite has `members` or `data`, not both".to_owned()));
        }
        let fields = descriptor.layout_fields.get_or_insert_default();
        default(fields, "member_count", members.len());
        default(fields, "combine_op", 0);
        descriptor.handles = Some(self.handles(&[]).map_err(fail)?);
        let members = members.iter().map(|member| member.item(place, depth + 1)).collect::<Result<_, _>>()?;
        Ok(NewItem::Composite(NewComposite { name, descriptor, members }))
    }

    fn descriptor(&self) -> Result<TensorObservation, String> {
        let part = |forms: &Option<BTreeMap<String, FieldForm>>| forms.as_ref().map(fields).transpose();
        let layout = match (&self.layout, &self.members) {
            (Some(layout), _) => layout.as_str(),
            (None, Some(_)) => "composite_head",
            (None, None) => "row_major",
        };
        let mut quantization = part(&self.quantization)?;
        if let Some(fields) = &mut quantization {
            default(fields, "scheme_version", 1);
            default(fields, "flags", 0);
        }
        Ok(TensorObservation {
            version: Some(self.version.unwrap_or([1, 0])),
            element_type: Some(self.element_type.clone()),
            layout: Some(layout.to_owned()),
            shape: Some(self.shape.iter().map(Wide::unsigned).collect::<Result<_, _>>()?),
            byte_offset: Some(self.byte_offset.as_ref().map_or(Ok(U64(0)), Wide::unsigned)?),
            strides: self.strides.as_ref().map(|list| list.iter().map(Wide::signed).collect()).transpose()?,
            handles: None,
            layout_fields: Some(fields(&self.layout_fields)?),
            quantization,
            shard: part(&self.shard)?,
            statistics: part(&self.statistics)?,
            extension: part(&self.extension)?,
            member: part(&self.member)?,
        })
    }

    fn buffers(&self, descriptor: &TensorObservation, place: &Place) -> Result<Vec<Payload>, String> {
        let buffers = self.data.iter().enumerate().map(|(at, form)| {
            let len = |given: &Option<Wide>| match given {
                Some(len) => len.unsigned(),
                None if at == 0 => contiguous_len(descriptor).ok_or_else(no_len),
                None => Err(no_len()),
            };
            Ok(match form {
                BufferForm::Pattern(form) => Payload::Pattern { seed: form.pattern, len: len(&form.len)? },
                BufferForm::Fill(form) => Payload::Fill { byte: form.fill, len: len(&form.len)? },
                BufferForm::Listed(form) => Payload::Hex(hex::encode(form.bytes(place)?)),
            })
        });
        buffers.collect()
    }

    /// One handle for each buffer, or as many as are given; what a given one leaves out is as if it were not given.
    fn handles(&self, buffers: &[Payload]) -> Result<Vec<HandleObservation>, String> {
        let given = self.handles.as_deref().unwrap_or_default();
        let count = if self.handles.is_some() { given.len() } else { buffers.len() };
        (0..count)
            .map(|at| {
                let given = given.get(at).map(HandleForm::observation).transpose()?.unwrap_or_default();
                let len = buffers.get(at).and_then(Payload::len).unwrap_or(0);
                Ok(HandleObservation {
                    byte_size: given.byte_size.or(Some(U64(len))),
                    alignment: given.alignment.or(Some(64)),
                    device_tag: given.device_tag.or(Some(0)),
                    sync_mode: given.sync_mode.or(Some(0)),
                    memory_class: given.memory_class.or(Some(0)),
                })
            })
            .collect()
    }
}

fn default(fields: &mut Fields, name: &str, value: impl ToString) {
    fields.entry(name.to_owned()).or_insert_with(|| FieldValue::One(value.to_string()));
}

fn no_len() -> String {
    "give `len`: it follows only for the first buffer of a row-major or column-major tensor of a known type".to_owned()
}

/// Bytes of the elements, where they stand side by side.
fn contiguous_len(descriptor: &TensorObservation) -> Option<U64> {
    let is_contiguous = matches!(descriptor.layout.as_deref(), Some("row_major" | "column_major"));
    let element = ElementType::from_name(descriptor.element_type.as_deref()?)?;
    let count = descriptor.shape.as_ref()?.iter().try_fold(1_u64, |count, dim| count.checked_mul(dim.0))?;
    is_contiguous.then(|| element.contiguous_len(count).map(U64)).flatten()
}
