//! What several tests need: the zoo as a program.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the zoo beside this test and returns the program.
pub(crate) fn build_zoo() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let profile = here.parent().and_then(Path::parent).ok_or("this test does not lie in a build folder")?;
    let target = profile.parent().ok_or("this test does not lie in a build folder")?;
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "hurray-candidate-zoo", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let status = build.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let program = profile.join("hurray-candidate-zoo");
    if status.success() && program.is_file() { Ok(program) } else { Err("the zoo does not build".to_owned()) }
}
