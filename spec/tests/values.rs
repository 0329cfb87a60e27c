//! The worked examples of `tables/examples-values.toml`: what codes mean and what dequantization gives, each computed again
//! from the formulas of the text. Knows no file and no other implementation.

use hurray_spec::tables::{ElementKind, ElementType, NF4_LEVELS, Scheme};
use serde::Deserialize;

#[derive(Deserialize)]
struct Examples {
    integer: Vec<Integer>,
    minifloat: Vec<Minifloat>,
    subnormal: Vec<Subnormal>,
    exponent: Vec<Exponent>,
    blocks: Vec<Blocks>,
    per_tensor: Vec<PerTensor>,
    per_channel: Vec<PerAxis>,
    per_channel_size: Vec<PerChannelSize>,
    per_block: Vec<PerAxis>,
    nf4: Vec<Nf4>,
    mxfp: Vec<Mxfp>,
    sparsity: Vec<Sparsity>,
}

#[derive(Deserialize)]
struct Integer {
    #[serde(rename = "type")]
    name: String,
    codes: Vec<u64>,
    values: Vec<i64>,
}

#[derive(Deserialize)]
struct Minifloat {
    #[serde(rename = "type")]
    name: String,
    exponent: u32,
    mantissa: u32,
    bias: i32,
    codes: Vec<u32>,
    values: Vec<f64>,
    nan: Vec<u32>,
    infinite: Vec<u32>,
    largest_by_text: Option<f64>,
}

#[derive(Deserialize)]
struct Subnormal {
    #[serde(rename = "type")]
    name: String,
    codes: Vec<u32>,
    text_says: Vec<u32>,
}

#[derive(Deserialize)]
struct Exponent {
    codes: Vec<i32>,
    powers: Vec<i32>,
}

#[derive(Deserialize)]
struct Blocks {
    shape: Vec<u64>,
    axis: usize,
    block_size: u64,
    num_blocks: u64,
    index: Vec<u64>,
    block: u64,
    quotient: Option<String>,
}

#[derive(Deserialize)]
struct PerTensor {
    id: String,
    #[serde(rename = "type")]
    name: String,
    scale: u32,
    zero_point: i32,
    codes: Vec<i32>,
    bits: Vec<u32>,
}

#[derive(Deserialize)]
struct PerAxis {
    shape: Vec<u64>,
    axis: usize,
    #[serde(default = "one")]
    block_size: u64,
    scales: Vec<f32>,
    zero_points: Vec<i32>,
    codes: Vec<i32>,
    values: Vec<f32>,
}

fn one() -> u64 {
    1
}

#[derive(Deserialize)]
struct PerChannelSize {
    #[serde(rename = "type")]
    name: String,
    shape: Vec<u64>,
    axis: usize,
    buffer_bytes: Vec<u64>,
}

#[derive(Deserialize)]
struct Nf4 {
    scale: f32,
    bytes: String,
    codes: Vec<usize>,
    bits: Vec<u32>,
}

#[derive(Deserialize)]
struct Mxfp {
    #[serde(rename = "type")]
    name: String,
    scale: i32,
    codes: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Sparsity {
    shape: Vec<u64>,
    nnz: u64,
    ratio: f64,
}

fn examples() -> Examples {
    toml::from_str(include_str!("../tables/examples-values.toml")).unwrap()
}

/// The code as an integer of that many bits, in two's complement if signed.
fn integer(element: &ElementType, code: u64) -> i64 {
    let is_negative = element.kind == ElementKind::Signed && code >> (element.bits - 1) & 1 == 1;
    code as i64 - if is_negative { 1 << element.bits } else { 0 }
}

impl Minifloat {
    /// Sign, exponent and mantissa of a code.
    fn parts(&self, code: u32) -> (f64, u32, f64) {
        let sign = if code >> (self.exponent + self.mantissa) & 1 == 1 { -1.0 } else { 1.0 };
        let fraction = f64::from(code & ((1 << self.mantissa) - 1)) / f64::from(1 << self.mantissa);
        (sign, code >> self.mantissa & ((1 << self.exponent) - 1), fraction)
    }

    fn value(&self, code: u32) -> f64 {
        let (sign, exponent, fraction) = self.parts(code);
        match exponent {
            0 => sign * fraction * 2f64.powi(1 - self.bias),
            exponent => sign * (1.0 + fraction) * 2f64.powi(exponent as i32 - self.bias),
        }
    }

    fn is_special(&self, code: u32) -> bool {
        self.nan.contains(&code) || self.infinite.contains(&code)
    }
}

#[test]
fn small_integers_are_in_twos_complement() {
    for example in examples().integer {
        let element = ElementType::from_name(&example.name).unwrap();
        let values: Vec<i64> = example.codes.iter().map(|code| integer(element, *code)).collect();
        assert_eq!(values, example.values, "{}", example.name);
    }
}

#[test]
fn small_floats_follow_their_formula() {
    for example in examples().minifloat {
        let element = ElementType::from_name(&example.name).unwrap();
        assert_eq!(1 + example.exponent + example.mantissa, element.bits, "{}", example.name);
        assert_eq!(example.codes.len(), example.values.len(), "{}", example.name);
        for (code, value) in example.codes.iter().zip(&example.values) {
            assert!(!example.is_special(*code), "{} {code:#x}", example.name);
            assert_eq!(example.value(*code).to_bits(), value.to_bits(), "{} {code:#x}", example.name);
        }
        let finite = (0..1 << element.bits).filter(|code| !example.is_special(*code));
        let largest = finite.map(|code| example.value(code)).fold(0.0, f64::max);
        assert!(example.values.contains(&largest), "{}: {largest} is the largest", example.name);
        assert_ne!(Some(largest), example.largest_by_text, "{}: the text is right after all", example.name);
    }
}

#[test]
fn special_codes_have_the_highest_exponent() {
    for example in examples().minifloat {
        let ones = (1 << example.exponent) - 1;
        for code in example.nan.iter().chain(&example.infinite) {
            assert_eq!(example.parts(*code).1, ones, "{} {code:#x}", example.name);
        }
        assert!(example.infinite.iter().all(|code| example.parts(*code).2 == 0.0), "{}", example.name);
        assert!(example.nan.iter().all(|code| example.parts(*code).2 != 0.0), "{}", example.name);
    }
}

#[test]
fn only_exponent_zero_is_subnormal() {
    let floats = examples().minifloat;
    for example in examples().subnormal {
        let float = floats.iter().find(|float| float.name == example.name).unwrap();
        let positive = 0..1 << (float.exponent + float.mantissa);
        let found: Vec<u32> = positive.filter(|code| float.parts(*code).1 == 0 && float.value(*code) != 0.0).collect();
        assert_eq!(found, example.codes, "{}", example.name);
        assert_ne!(found, example.text_says, "{}: the text is right after all", example.name);
    }
}

#[test]
fn exponent_bytes_are_powers_of_two() {
    for example in examples().exponent {
        assert_eq!(example.codes.iter().map(|code| code - 127).collect::<Vec<_>>(), example.powers);
        assert!(!example.codes.contains(&0x00) && !example.codes.contains(&0xFF));
    }
}

/// Number of blocks, and the block that holds the index.
fn blocks(shape: &[u64], axis: usize, block_size: u64, index: &[u64]) -> (u64, u64) {
    let per_axis = shape[axis].div_ceil(block_size);
    let others = || (0..shape.len()).filter(|k| *k != axis);
    let outer = others().fold(0, |place, k| place * shape[k] + index[k]);
    (per_axis * others().map(|k| shape[k]).product::<u64>(), outer * per_axis + index[axis] / block_size)
}

#[test]
fn blocks_count_the_axis_last() {
    for example in examples().blocks {
        let found = blocks(&example.shape, example.axis, example.block_size, &example.index);
        assert_eq!(found, (example.num_blocks, example.block), "{:?}", example.shape);
        let is_exact = example.shape[example.axis].is_multiple_of(example.block_size);
        assert_eq!(example.quotient.is_none(), is_exact, "{:?}", example.shape);
    }
}

#[test]
fn one_scale_serves_the_whole_tensor() {
    for example in examples().per_tensor {
        let element = ElementType::from_name(&example.name).unwrap();
        assert!(Scheme::from_name("per_tensor").unwrap().stands_on(element.tag), "{}", example.id);
        let value = |code: &i32| f32::from_bits(example.scale) * (code - example.zero_point) as f32;
        let bits: Vec<u32> = example.codes.iter().map(|code| value(code).to_bits()).collect();
        assert_eq!(bits, example.bits, "{}", example.id);
    }
}

#[test]
fn channels_and_blocks_have_scales_of_their_own() {
    let Examples { per_channel, per_block, .. } = examples();
    for (example, by_block) in per_channel.iter().map(|one| (one, false)).chain(per_block.iter().map(|one| (one, true)))
    {
        for (number, code) in example.codes.iter().enumerate() {
            let mut rest = number as u64;
            let mut index = vec![0; example.shape.len()];
            for k in (0..example.shape.len()).rev() {
                index[k] = rest % example.shape[k];
                rest /= example.shape[k];
            }
            let of_block = blocks(&example.shape, example.axis, example.block_size, &index).1;
            let at = if by_block { of_block } else { index[example.axis] } as usize;
            let value = example.scales[at] * (code - example.zero_points[at]) as f32;
            assert_eq!(value.to_bits(), example.values[number].to_bits(), "{:?} {index:?}", example.shape);
        }
        assert_eq!(example.codes.len() as u64, example.shape.iter().product::<u64>());
    }
}

#[test]
fn parameters_take_four_bytes_a_channel() {
    for example in examples().per_channel_size {
        let element = ElementType::from_name(&example.name).unwrap();
        let data = element.contiguous_len(example.shape.iter().product());
        let parameters = 4 * example.shape[example.axis];
        assert_eq!(example.buffer_bytes, [data.unwrap(), parameters, parameters]);
        assert_eq!(example.buffer_bytes.len() as u32, 1 + Scheme::from_name("per_channel").unwrap().buffers);
    }
}

#[test]
fn nf4_codes_are_levels_times_a_scale() {
    for example in examples().nf4 {
        let bytes = example.bytes.split_whitespace().map(|byte| usize::from_str_radix(byte, 16).unwrap());
        assert_eq!(bytes.flat_map(|byte| [byte & 15, byte >> 4]).collect::<Vec<_>>(), example.codes);
        let value = |code: &usize| (example.scale * f32::from_bits(NF4_LEVELS[*code])).to_bits();
        assert_eq!(example.codes.iter().map(value).collect::<Vec<_>>(), example.bits);
    }
}

#[test]
fn mxfp_scales_are_powers_of_two() {
    let floats = examples().minifloat;
    for example in examples().mxfp {
        let element = ElementType::from_name(&example.name).unwrap();
        assert!(Scheme::from_name("mxfp").unwrap().stands_on(element.tag), "{}", example.name);
        let plain = |code: u32| match floats.iter().find(|float| float.name == example.name) {
            Some(float) => float.value(code),
            None => integer(element, u64::from(code)) as f64,
        };
        let values: Vec<u64> =
            example.codes.iter().map(|code| (2f64.powi(example.scale - 127) * plain(*code)).to_bits()).collect();
        assert_eq!(values, example.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), "{}", example.name);
    }
}

#[test]
fn sparsity_is_the_share_of_zeros() {
    for example in examples().sparsity {
        let count: u64 = example.shape.iter().product();
        assert_eq!((count - example.nnz) as f64 / count as f64, example.ratio, "{:?}", example.shape);
    }
}
