//! The way back: a description in the vocabulary of observations to the reference's own values.
//!
//! Owns the mapping and nothing else; what makes no descriptor at all is refused, what breaks a rule is left to the writer.

use std::str::FromStr;

use hurray_adapter::{Failure, FieldValue, Fields, HandleObservation, KvEntry, KvValue, TensorObservation};
use hurray_reference::{
    BlockPaged, BufferHandle, CompositeHead, CompositionRule, DeviceTag, ElementType, ExtensionType, KvType,
    KvValue as Value, LayoutDescriptor, MemberRole, MemoryClass, Quantization, Scheme, Shape, Shard, Statistics,
    SyncMode, TensorDescriptor, TileLevel, TileOrder,
};
use hurray_spec::tables;

type Wanted<T> = Result<T, Failure>;

fn refused(what: impl Into<String>) -> Failure {
    Failure::Refused(what.into())
}

/// One part of a description.
struct Part<'a>(&'a Fields);

impl<'a> Part<'a> {
    fn text(&self, name: &str) -> Wanted<&str> {
        match self.0.get(name) {
            Some(FieldValue::One(text)) => Ok(text),
            Some(_) => Err(refused(format!("`{name}` is one value"))),
            None => Err(refused(format!("`{name}` is missing"))),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn number<T: FromStr>(&self, name: &str) -> Wanted<T> {
        self.text(name)?.parse().map_err(|_| refused(format!("`{name}` does not fit its field")))
    }

    fn numbers<T: FromStr>(&self, name: &str) -> Wanted<Vec<T>> {
        match self.0.get(name) {
            Some(FieldValue::Many(items)) => items
                .iter()
                .map(|item| item.parse().map_err(|_| refused(format!("a value of `{name}` does not fit its field"))))
                .collect(),
            _ => Err(refused(format!("`{name}` is a list"))),
        }
    }

    fn bits(&self, name: &str) -> Wanted<u64> {
        u64::from_str_radix(self.text(name)?, 16).map_err(|_| refused(format!("`{name}` is the hex digits of a float")))
    }

    fn part(&self, name: &str) -> Option<Part<'a>> {
        match self.0.get(name) {
            Some(FieldValue::Part(fields)) => Some(Part(fields)),
            _ => None,
        }
    }
}

/// A tag: a name of the specification, or `0x…`.
fn tag(text: &str, named: impl Fn(&str) -> Option<u8>) -> Wanted<u8> {
    let digits = text.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
    named(text).or(digits).ok_or_else(|| refused(format!("`{text}` is not a name of the specification")))
}

/// The descriptor described.
pub(super) fn descriptor(wanted: &TensorObservation) -> Wanted<TensorDescriptor> {
    let missing = |what: &str| refused(format!("`{what}` is missing"));
    let type_named = |name: &str| tables::ElementType::from_name(name).map(|entry| entry.tag);
    let element_type = tag(wanted.element_type.as_deref().ok_or_else(|| missing("type"))?, type_named)?;
    let shape = Shape::new(wanted.shape.as_ref().ok_or_else(|| missing("shape"))?.iter().map(|dim| dim.0).collect());
    let handles = wanted.handles.iter().flatten().map(handle).collect::<Wanted<Vec<_>>>()?;
    let layout = layout(wanted)?;
    let descriptor = TensorDescriptor::new(ElementType::from_tag(element_type), shape, layout, handles);
    Ok(TensorDescriptor {
        version: wanted.version.unwrap_or([1, 0]),
        byte_offset: wanted.byte_offset.map_or(0, |offset| offset.0),
        quantization: wanted.quantization.as_ref().map(|fields| quantization(&Part(fields))).transpose()?,
        shard: wanted.shard.as_ref().map(|fields| shard(&Part(fields))).transpose()?,
        statistics: wanted.statistics.as_ref().map(|fields| statistics(&Part(fields))).transpose()?,
        extension: wanted.extension.as_ref().map(|fields| extension(&Part(fields))).transpose()?,
        member_role: wanted
            .member
            .as_ref()
            .map(|fields| Part(fields).number("member_role").map(MemberRole))
            .transpose()?,
        ..descriptor
    })
}

fn handle(wanted: &HandleObservation) -> Wanted<BufferHandle> {
    Ok(BufferHandle {
        byte_size: wanted.byte_size.ok_or_else(|| refused("`byte_size` is missing"))?.0,
        alignment: wanted.alignment.unwrap_or(64),
        device_tag: DeviceTag(wanted.device_tag.unwrap_or(0)),
        sync_mode: SyncMode(wanted.sync_mode.unwrap_or(0)),
        memory_class: MemoryClass(wanted.memory_class.unwrap_or(0)),
    })
}

fn layout(wanted: &TensorObservation) -> Wanted<LayoutDescriptor> {
    let none = Fields::new();
    let part = Part(wanted.layout_fields.as_ref().unwrap_or(&none));
    let name = wanted.layout.as_deref().ok_or_else(|| refused("`layout` is missing"))?;
    Ok(match name {
        "row_major" => LayoutDescriptor::RowMajor,
        "column_major" => LayoutDescriptor::ColumnMajor,
        "strided" => {
            let strides = wanted.strides.as_ref().ok_or_else(|| refused("`strides` are missing"))?;
            LayoutDescriptor::Strided { strides: strides.iter().map(|stride| stride.0).collect() }
        }
        "tiled" => tiled(&part)?,
        "morton" => LayoutDescriptor::Morton { morton_bits: part.numbers("morton_bits")? },
        "coo" => LayoutDescriptor::Coo { nnz: part.number("nnz")?, is_sorted: part.number::<u8>("is_sorted")? == 1 },
        "csr" => LayoutDescriptor::Csr { nnz: part.number("nnz")? },
        "csc" => LayoutDescriptor::Csc { nnz: part.number("nnz")? },
        "csf" => LayoutDescriptor::Csf { nnz: part.number("nnz")?, mode_order: part.numbers("mode_order")? },
        "block_paged" => LayoutDescriptor::BlockPaged(BlockPaged {
            page_size: part.number("page_size")?,
            num_pages: part.number("num_pages")?,
            paged_axis: part.number("paged_axis")?,
            num_seqs: part.number("num_seqs")?,
            kv_role: part.number("kv_role")?,
            layer_index: part.number("layer_index")?,
            block_table_index_type: part.number("block_table_index_type")?,
        }),
        "composite_head" => LayoutDescriptor::Composite(CompositeHead {
            composition_rule: CompositionRule(part.number("composition_rule")?),
            combine_op: part.number("combine_op")?,
            member_count: part.number("member_count")?,
        }),
        "hilbert" => LayoutDescriptor::Hilbert {
            hilbert_order: part.number("hilbert_order")?,
            hilbert_rank: part.number("hilbert_rank")?,
        },
        other => unnamed(tag(other, |_| None)?, &part)?,
    })
}

fn unnamed(tag: u8, part: &Part<'_>) -> Wanted<LayoutDescriptor> {
    if !part.has("extension_layout_id") {
        return Ok(LayoutDescriptor::Unknown(tag));
    }
    let data = hex::decode(part.text("extension_data")?).map_err(|_| refused("`extension_data` is hex digits"))?;
    Ok(LayoutDescriptor::Extension { tag, id: part.number("extension_layout_id")?, data })
}

/// Level by level, so that depth costs no stack.
fn tiled(outermost: &Part<'_>) -> Wanted<LayoutDescriptor> {
    let mut levels = Vec::new();
    let mut part = Part(outermost.0);
    loop {
        let outer = order(&part, "outer_layout", "outer_strides")?;
        levels.push(TileLevel { tile_shape: part.numbers("tile_shape")?, outer });
        match part.part("nested") {
            Some(Part(nested)) if part.number::<u8>("inner_layout")? == 0x04 => part = Part(nested),
            _ => break,
        }
    }
    Ok(LayoutDescriptor::Tiled { levels, inner: order(&part, "inner_layout", "inner_strides")? })
}

fn order(part: &Part<'_>, name: &str, strides: &str) -> Wanted<TileOrder> {
    match part.number::<u8>(name)? {
        0x01 => Ok(TileOrder::RowMajor),
        0x02 => Ok(TileOrder::ColumnMajor),
        0x03 => Ok(TileOrder::Strided(part.numbers(strides)?)),
        other => Err(refused(format!("`{name}` is {other}, which orders no tiles"))),
    }
}

fn quantization(part: &Part<'_>) -> Wanted<Quantization> {
    let scheme_named = |name: &str| tables::Scheme::from_name(name).map(|entry| entry.tag);
    let name = part.text("scheme")?;
    let is_symmetric = part.number::<u16>("flags")? & 1 != 0;
    let axis = || part.number("axis");
    let block_size = || part.number("block_size");
    let scale_buffer_index = || part.number("scale_buffer_index");
    let scheme = match name {
        "per_tensor" => Scheme::PerTensor {
            scale: u32::try_from(part.bits("scale")?).map_err(|_| refused("`scale` is a float32"))?,
            zero_point: part.number("zero_point")?,
        },
        "per_channel" => Scheme::PerChannel {
            axis: axis()?,
            scale_buffer_index: scale_buffer_index()?,
            zero_point_buffer_index: part.number("zero_point_buffer_index")?,
            is_symmetric,
            scale_type_tag: part.number("scale_type_tag")?,
        },
        "per_block" => Scheme::PerBlock {
            axis: axis()?,
            block_size: block_size()?,
            scale_buffer_index: scale_buffer_index()?,
            zero_point_buffer_index: part.number("zero_point_buffer_index")?,
            is_symmetric,
            scale_type_tag: part.number("scale_type_tag")?,
        },
        "nf4" => Scheme::Nf4 { axis: axis()?, block_size: block_size()?, scale_buffer_index: scale_buffer_index()? },
        "mxfp" => Scheme::Mxfp { axis: axis()?, block_size: block_size()?, scale_buffer_index: scale_buffer_index()? },
        other => Scheme::Unknown(tag(other, scheme_named)?),
    };
    Ok(Quantization { version: part.number("scheme_version")?, scheme })
}

fn shard(part: &Part<'_>) -> Wanted<Shard> {
    Ok(Shard { parent_shape: part.numbers("parent_shape")?, shard_offset: part.numbers("shard_offset")? })
}

/// What is named is valid.
fn statistics(part: &Part<'_>) -> Wanted<Statistics> {
    let bits = |name: &str| part.bits(name);
    let mut statistics = Statistics::default();
    if part.has("nnz") {
        statistics.nnz = Some(part.number("nnz")?);
    }
    if part.has("sparsity_ratio") {
        statistics.sparsity_ratio = Some(bits("sparsity_ratio")?);
    }
    if part.has("value_min") {
        statistics.value_range = Some([bits("value_min")?, bits("value_max")?, bits("value_abs_max")?]);
    }
    if part.has("value_mean") {
        statistics.value_stats = Some([bits("value_mean")?, bits("value_stddev")?]);
    }
    if part.has("nm_n") {
        statistics.nm_sparsity = Some([part.number("nm_n")?, part.number("nm_m")?]);
    }
    if part.has("has_nan") {
        statistics.nan_inf = Some([part.number("has_nan")?, part.number("has_inf")?]);
    }
    Ok(statistics)
}

fn extension(part: &Part<'_>) -> Wanted<ExtensionType> {
    Ok(ExtensionType {
        bit_width: part.number("bit_width")?,
        packing_factor: part.number("packing_factor")?,
        is_float: part.number("is_float")?,
        is_signed: part.number("is_signed")?,
        sign_bits: part.number("sign_bits")?,
        exponent_bits: part.number("exponent_bits")?,
        mantissa_bits: part.number("mantissa_bits")?,
        exponent_bias: part.number("exponent_bias")?,
        has_nan: part.number("has_nan")?,
        has_inf: part.number("has_inf")?,
    })
}

/// A key and its value.
pub(super) fn entry(wanted: &KvEntry) -> Wanted<(String, Value)> {
    let key = String::from_utf8(wanted.key.0.clone()).map_err(|_| refused("a key is not UTF-8"))?;
    Ok((key, value(&wanted.value)?))
}

fn value(wanted: &KvValue) -> Wanted<Value> {
    Ok(match wanted {
        KvValue::String(text) => {
            Value::String(String::from_utf8(text.0.clone()).map_err(|_| refused("a string is not UTF-8"))?)
        }
        KvValue::Int64(number) => Value::Int64(number.0),
        KvValue::Uint64(number) => Value::Uint64(number.0),
        KvValue::Integer(digits) => match (digits.parse(), digits.parse()) {
            (Ok(number), _) => Value::Int64(number),
            (_, Ok(number)) => Value::Uint64(number),
            _ => return Err(refused(format!("`{digits}` is no 64-bit integer"))),
        },
        KvValue::Float64(bits) => Value::Float64(f64::from_bits(bits.0)),
        KvValue::Bool(truth) => Value::Bool(*truth),
        KvValue::Bytes(digits) => Value::Bytes(hex::decode(digits).map_err(|_| refused("bytes are hex digits"))?),
        KvValue::Array { element, items } => array(element.as_deref(), items)?,
    })
}

/// An empty array without a type holds strings, as good a choice as any.
fn array(element: Option<&str>, items: &[KvValue]) -> Wanted<Value> {
    let items = items.iter().map(value).collect::<Wanted<Vec<_>>>()?;
    let named = |name: &str| tables::KV_VALUE_TAG.values.iter().find(|entry| entry.name == name).map(|entry| entry.tag);
    let element = match (element, items.first()) {
        (Some(name), _) => {
            let tag = tag(name, named)?;
            KvType::from_tag(tag).ok_or_else(|| refused(format!("no value has the type `{name}`")))?
        }
        (None, Some(first)) => first.kind(),
        (None, None) => KvType::String,
    };
    Ok(Value::Array { element, items })
}
