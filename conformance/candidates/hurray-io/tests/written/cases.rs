//! What is written: tensors, key-values and options, stated by hand. Every element type, every layout of this slice,
//! every kind of value. Knows neither writer.

use hurray_adapter::{Float64, I64, KvValue, Text, U64};

/// One file.
pub(crate) struct File {
    pub(crate) alignment: u32,
    pub(crate) sorted: bool,
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) kv: Vec<(&'static str, KvValue)>,
}

/// One tensor of one buffer.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) name: &'static str,
    pub(crate) element_type: &'static str,
    pub(crate) tag: u8,
    pub(crate) shape: Vec<u64>,
    pub(crate) byte_offset: u64,
    pub(crate) layout: Layout,
    pub(crate) alignment: u32,
    pub(crate) device_tag: u8,
    pub(crate) memory_class: u8,
    pub(crate) data: Vec<u8>,
}

/// Where its elements are.
#[derive(Clone)]
pub(crate) enum Layout {
    RowMajor,
    ColumnMajor,
    Strided(Vec<i64>),
}

impl Layout {
    /// The name in the specification.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Layout::RowMajor => "row_major",
            Layout::ColumnMajor => "column_major",
            Layout::Strided(_) => "strided",
        }
    }

    /// The strides, where there are any.
    pub(crate) fn strides(&self) -> Option<Vec<I64>> {
        match self {
            Layout::Strided(strides) => Some(strides.iter().copied().map(I64).collect()),
            _ => None,
        }
    }
}

/// Name, tag and bytes of five elements (element-types.md § Type Properties Summary; packed types round up), and the
/// last of these bytes where some of their bits belong to no element and have to be zero.
const TYPES: [(&str, u8, usize, &[u8]); 26] = [
    ("float16", 0x01, 10, &[]),
    ("bfloat16", 0x02, 10, &[]),
    ("float32", 0x03, 20, &[]),
    ("float64", 0x04, 40, &[]),
    ("int8", 0x10, 5, &[]),
    ("uint8", 0x11, 5, &[]),
    ("int16", 0x12, 10, &[]),
    ("uint16", 0x13, 10, &[]),
    ("int32", 0x14, 20, &[]),
    ("uint32", 0x15, 20, &[]),
    ("int64", 0x16, 40, &[]),
    ("uint64", 0x17, 40, &[]),
    ("bool", 0x20, 1, &[0b1_0110]),
    ("float8_e4m3", 0x40, 5, &[]),
    ("float8_e5m2", 0x41, 5, &[]),
    ("float8_e8m0", 0x42, 5, &[]),
    ("float4_e2m1", 0x43, 3, &[0x09]),
    ("float6_e2m3", 0x44, 6, &[0x2a, 0, 0]),
    ("float6_e3m2", 0x45, 6, &[0x2a, 0, 0]),
    ("float128", 0x46, 80, &[]),
    ("int4", 0x48, 3, &[0x09]),
    ("uint4", 0x49, 3, &[0x09]),
    ("int2", 0x4a, 2, &[0b10]),
    ("uint2", 0x4b, 2, &[0b10]),
    ("complex64", 0x50, 40, &[]),
    ("complex128", 0x51, 80, &[]),
];

/// Every case by name.
pub(crate) fn all() -> Vec<(&'static str, File)> {
    vec![
        ("nothing", file(vec![], vec![])),
        ("one-tensor", file(vec![float32("a", vec![3, 4])], vec![])),
        ("every-type", file(every_type(), vec![])),
        ("shapes", file(shapes(), vec![])),
        ("handles", file(handles(), vec![("k", KvValue::Bool(true))])),
        ("names", file(names(), vec![("ключ", KvValue::String(Text::from("значение\0")))])),
        ("every-value", file(vec![float32("a", vec![1])], every_value())),
        ("values-alone", file(vec![], every_value())),
        ("sorted", File { sorted: true, ..file(names(), vec![]) }),
        ("alignment-64-KiB", File { alignment: 65536, ..file(shapes(), every_value()) }),
        ("alignment-2-MiB", File { alignment: 2 << 20, ..file(vec![float32("a", vec![2])], vec![]) }),
    ]
}

fn file(tensors: Vec<Tensor>, kv: Vec<(&'static str, KvValue)>) -> File {
    File { alignment: 4096, sorted: false, tensors, kv }
}

/// Bytes that are never zero, so that no padding passes for them.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 191) as u8 + 0x40).collect()
}

fn tensor(name: &'static str, (element_type, tag): (&'static str, u8), shape: Vec<u64>, len: usize) -> Tensor {
    Tensor {
        name,
        element_type,
        tag,
        shape,
        byte_offset: 0,
        layout: Layout::RowMajor,
        alignment: 64,
        device_tag: 0,
        memory_class: 0,
        data: bytes(len),
    }
}

fn float32(name: &'static str, shape: Vec<u64>) -> Tensor {
    let len = 4 * shape.iter().product::<u64>() as usize;
    tensor(name, ("float32", 0x03), shape, len)
}

fn every_type() -> Vec<Tensor> {
    let one = |(name, tag, len, tail): &(&'static str, u8, usize, &[u8])| {
        let mut tensor = tensor(name, (name, *tag), vec![5], len - tail.len());
        tensor.data.extend_from_slice(tail);
        tensor
    };
    TYPES.iter().map(one).collect()
}

fn shapes() -> Vec<Tensor> {
    let strided = |name, shape, strides, elements: usize, byte_offset| Tensor {
        layout: Layout::Strided(strides),
        byte_offset,
        ..tensor(name, ("int16", 0x12), shape, 2 * elements)
    };
    vec![
        float32("scalar", vec![]),
        float32("empty", vec![0, 4]),
        float32("rank-64", vec![1; 64]),
        Tensor { layout: Layout::ColumnMajor, ..float32("column-major", vec![3, 4]) },
        strided("strided", vec![3, 4], vec![5, 1], 14, 0),
        strided("reversed", vec![4], vec![-1], 4, 6),
        strided("broadcast", vec![1000, 2], vec![0, 1], 2, 0),
        // A larger buffer than the shape needs, and an element that starts inside it.
        Tensor { byte_offset: 8, data: bytes(100), ..float32("roomy", vec![3]) },
    ]
}

fn handles() -> Vec<Tensor> {
    vec![
        Tensor { alignment: 4096, ..float32("page", vec![5]) },
        Tensor { alignment: 65536, ..float32("more-than-the-file", vec![5]) },
        Tensor { alignment: 1, ..float32("empty", vec![0]) },
        Tensor { memory_class: 1, ..float32("pinned", vec![5]) },
        Tensor { device_tag: 1, memory_class: 2, ..float32("managed", vec![5]) },
        Tensor { device_tag: 8, ..float32("opencl", vec![5]) },
    ]
}

fn names() -> Vec<Tensor> {
    let names = ["b", "a", "ab", "Z", "é", "a/b", "..", "\u{0}", "\u{10ffff}"];
    names.into_iter().map(|name| float32(name, vec![2])).collect()
}

fn every_value() -> Vec<(&'static str, KvValue)> {
    let array = |element: &str, items| KvValue::Array { element: Some(element.to_owned()), items };
    let text = |text: &str| KvValue::String(Text::from(text));
    vec![
        ("string", text("grüezi")),
        ("empty-string", text("")),
        ("int64", KvValue::Int64(I64(i64::MIN))),
        ("uint64", KvValue::Uint64(U64(u64::MAX))),
        ("float64", KvValue::Float64(Float64((-0.0_f64).to_bits()))),
        ("nan", KvValue::Float64(Float64(0x7ff8_0000_dead_beef))),
        ("true", KvValue::Bool(true)),
        ("false", KvValue::Bool(false)),
        ("bytes", KvValue::Bytes("00ff10".to_owned())),
        ("no-bytes", KvValue::Bytes(String::new())),
        ("strings", array("string", vec![text("a"), text(""), text("ccc")])),
        ("int64s", array("int64", vec![KvValue::Int64(I64(-1)), KvValue::Int64(I64(2))])),
        ("uint64s", array("uint64", vec![KvValue::Uint64(U64(7))])),
        ("float64s", array("float64", vec![KvValue::Float64(Float64(1.5_f64.to_bits()))])),
        ("bools", array("bool", vec![KvValue::Bool(true), KvValue::Bool(false)])),
        ("bytess", array("bytes", vec![KvValue::Bytes("01".to_owned()), KvValue::Bytes(String::new())])),
    ]
}
