//! The target `scan`: hands libFuzzer's bytes to an ordinary function. Owns nothing.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    hurray_fuzz::scan(data);
});
