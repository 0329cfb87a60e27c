//! The target `open`: hands libFuzzer's bytes to an ordinary function. Owns nothing.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hurray_fuzz::open(data));
