//! Starts other programs. Owns no command.

use std::ffi::OsString;
use std::io;
use std::process::Command;

/// The cargo that started this program.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Whether a command ends well; its output goes where ours goes.
///
/// # Errors
/// It cannot be started.
pub(crate) fn succeeds(command: &mut Command) -> io::Result<bool> {
    Ok(command.status()?.success())
}

/// Runs a command; what it said, if it ended with that exit code.
///
/// # Errors
/// It cannot be started.
pub(crate) fn said(command: &mut Command, code: i32) -> io::Result<Result<String, String>> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.code() == Some(code) {
        return Ok(Ok(text(&output.stdout)));
    }
    let last = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let last: Vec<&str> = last.lines().rev().take(12).collect();
    let last = last.into_iter().rev().collect::<Vec<_>>().join("\n  ");
    Ok(Err(format!("{command:?} ended with {} and not with {code}:\n  {last}", output.status)))
}
