//! Compiles the shim with `rustc` alone, without any other crate, and hands its bytes to the library.
//!
//! Where that fails, the build goes on without a shim: the library tells why there is none.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Processors whose system calls the shim knows.
const PROCESSORS: [&str; 4] = ["x86_64", "aarch64", "riscv64", "loongarch64"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=preload");
    let out = PathBuf::from(variable("OUT_DIR"));
    let built = match compile(&out) {
        Ok(library) => format!("Ok(include_bytes!({library:?}))"),
        Err(why) => format!("Err({why:?})"),
    };
    fs::write(out.join("built.rs"), format!("const BUILT: Result<&[u8], &str> = {built};\n"))
}

/// Makes the shared library in the folder `out` and returns its path.
fn compile(out: &Path) -> Result<PathBuf, String> {
    let is_linux = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_POINTER_WIDTH") == "64";
    let processor = variable("CARGO_CFG_TARGET_ARCH");
    if !is_linux || !PROCESSORS.contains(&processor.as_str()) {
        return Err(format!("calls on a path are caught on 64-bit Linux alone ({})", PROCESSORS.join(", ")));
    }
    let library = out.join("libhurray_shim.so");
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")));
    rustc.args(["--crate-name", "hurray_shim", "--crate-type", "cdylib", "--edition", "2024", "--cap-lints", "allow"]);
    rustc.args(["-C", "opt-level=3", "-C", "codegen-units=1", "-C", "strip=debuginfo", "-o"]).arg(&library);
    if variable("TARGET") != variable("HOST") {
        rustc.args(["--target", &variable("TARGET")]);
    }
    if variable("CARGO_CFG_TARGET_ENV") == "musl" {
        rustc.args(["-C", "target-feature=-crt-static"]);
    }
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = OsString::from("linker=");
        option.push(linker);
        rustc.arg("-C").arg(option);
    }
    let done = rustc.arg(Path::new("preload").join("lib.rs")).output();
    let done = done.map_err(|error| format!("the shim was not compiled: rustc cannot be started: {error}"))?;
    if done.status.success() {
        return Ok(library);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let first = said.lines().find(|line| line.starts_with("error")).unwrap_or("rustc did not say why");
    Err(format!("the shim was not compiled together with this program: {first}"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
