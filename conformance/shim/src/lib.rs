//! The preload shim as bytes: a shared library that was compiled together with this crate.
//!
//! Owns no file and starts no program. What the shim does stands in `preload/` and in `README.md`.

include!(concat!(env!("OUT_DIR"), "/built.rs"));

/// The shim for the system that this crate was compiled for: the bytes of a shared library.
///
/// # Errors
/// One sentence: there is none for that system, or the compiler could not make it.
pub fn library() -> Result<&'static [u8], &'static str> {
    BUILT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shim_is_a_shared_library_or_there_is_a_reason() {
        // As `build.rs` has it.
        let is_known = cfg!(all(
            target_os = "linux",
            target_pointer_width = "64",
            any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64")
        ));
        match library() {
            Ok(bytes) => assert!(is_known && bytes.starts_with(b"\x7fELF") && bytes.len() > 10_000),
            Err(why) => assert!(!is_known && why.contains("64-bit Linux"), "{why}"),
        }
    }
}
