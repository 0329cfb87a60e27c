//! Whatever is written is read back, passes `validate`, and no damage to it makes the reader panic.

mod common;

use std::convert::Infallible;

use common::{Dice, Given, drive, exercise, mutate, ramp, sample_file, write};
use hurray_reference::{
    ElementType, FileReaderCore, FileStep, FileWriterOptions, KvType, KvValue, LayoutDescriptor, Policy, Report,
    decode_descriptor, validate,
};
use proptest::prelude::*;

fn report(file: &[u8]) -> Report {
    let read = |offset: u64, dst: &mut [u8]| {
        let rest = file.get(offset as usize..).unwrap_or_default();
        let filled = rest.len().min(dst.len());
        dst[..filled].copy_from_slice(&rest[..filled]);
        Ok::<_, Infallible>(filled)
    };
    validate(file.len() as u64, &Policy::collecting(), read).unwrap_or_else(|never| match never {})
}

fn tensors() -> impl Strategy<Value = Vec<Given>> {
    let kind = prop::sample::select(ElementType::ALL.to_vec());
    let dims = prop::collection::vec(0..5_u64, 0..4);
    let tensor = (kind, dims, 6..13_u32, any::<bool>(), any::<u8>()).prop_map(|(kind, dims, shift, column, fill)| {
        let mut given = ramp("", kind, &dims, 1 << shift);
        if column && !dims.is_empty() {
            given.descriptor.layout = LayoutDescriptor::ColumnMajor;
        }
        // Bits behind the last element have to be zero, and float8_e8m0 has two reserved bytes.
        let is_packed = kind.bits().is_some_and(|bits| bits < 8) || kind == ElementType::Float8E8m0;
        given.data.fill(if is_packed { u8::from(kind == ElementType::Float8E8m0) } else { fill });
        given
    });
    prop::collection::vec(tensor, 0..5).prop_map(|mut tensors| {
        for (at, given) in tensors.iter_mut().enumerate() {
            given.name = format!("t{}", 9 - at);
        }
        tensors
    })
}

fn entries() -> impl Strategy<Value = Vec<(String, KvValue)>> {
    let plain = prop_oneof![
        ".*".prop_map(KvValue::String),
        any::<i64>().prop_map(KvValue::Int64),
        any::<u64>().prop_map(KvValue::Uint64),
        any::<bool>().prop_map(KvValue::Bool),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(KvValue::Bytes),
    ];
    let texts = prop::collection::vec(".*".prop_map(KvValue::String), 0..4);
    let array = texts.prop_map(|items| KvValue::Array { element: KvType::String, items });
    prop::collection::btree_map(".+", prop_oneof![plain, array], 0..5).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back_and_is_conforming(
        tensors in tensors(),
        kv in entries(),
        sorted_index: bool,
        piece in 1..5000_usize,
    ) {
        let options = FileWriterOptions { data_buffer_alignment: 4096, sorted_index };
        let file = write(options, &tensors, &kv, usize::MAX);
        let mut core = FileReaderCore::new(file.len() as u64);
        prop_assert_eq!(drive(&mut core, &file, piece, &mut Vec::new()), Ok(FileStep::Ready));
        prop_assert_eq!(core.index().len(), tensors.len());
        for given in &tensors {
            core.begin_tensor(&given.name).unwrap();
            prop_assert_eq!(drive(&mut core, &file, piece, &mut Vec::new()), Ok(FileStep::Tensor));
            let tensor = core.take_tensor().unwrap();
            prop_assert_eq!(&tensor.descriptor, &given.descriptor);
            prop_assert_eq!(tensor.buffers[0].as_ref(), &given.data);
        }
        let read: Vec<_> = core.kv().iter().map(|(key, value)| (key.to_vec(), value.to_value().unwrap())).collect();
        let expected: Vec<_> = kv.iter().map(|(key, value)| (key.clone().into_bytes(), value.clone())).collect();
        prop_assert_eq!(read, expected);
        let report = report(&file);
        prop_assert_eq!(report.findings, vec![]);
        prop_assert_eq!(report.error, None);
    }

    #[test]
    fn any_bytes_end_in_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&bytes);
        report(&bytes);
        let _ = decode_descriptor(&bytes, Policy::collecting());
        // Any bytes behind a header that is right.
        let described = [&b"HRRY\x01\0"[..], &bytes].concat();
        let _ = decode_descriptor(&described, Policy::collecting());
    }
}

#[test]
fn no_damage_makes_the_reader_panic_or_ask_for_bytes_outside_the_file() {
    let sound = sample_file();
    let mut dice = Dice(1);
    let (mut rejected, mut accepted) = (0, 0);
    for _ in 0..3000 {
        let mut file = sound.clone();
        mutate(&mut file, &mut dice);
        match exercise(&file).len() {
            0 => accepted += 1,
            _ => rejected += 1,
        }
        report(&file);
    }
    // Both happen, so the damage reaches deep and the reader still works.
    assert!(rejected > 500 && accepted > 100, "{rejected} rejected, {accepted} accepted");
}
