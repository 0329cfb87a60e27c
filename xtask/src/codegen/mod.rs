//! Generates what the specification crate and its chapters repeat from TOML. Owns the list of generated files; knows
//! nothing of the format itself.

mod chapters;
mod enumerations;
mod rules;
mod shapes;
mod tables;
mod text;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// Writes every generated file that differs and returns their paths below `root`; with `check`, writes nothing and
/// returns the stale ones.
///
/// # Errors
///
/// A specification file that cannot be read or contradicts its shape, with its path and what is wrong.
pub(crate) fn run(root: &Path, check: bool) -> io::Result<Vec<PathBuf>> {
    let rules = rules::load(root)?;
    let tables = shapes::Tables::load(root)?;
    let mut outputs = chapters::Chapters::render(&chapters::read(root)?, &rules, &tables)?;
    outputs.push(("spec/src/rules.rs".into(), rustfmt(root, rules::render(&rules))?));
    outputs.push(("spec/src/tables/data.rs".into(), rustfmt(root, tables.render()?)?));
    let mut changed = Vec::new();
    for (path, text) in outputs {
        if fs::read_to_string(root.join(&path)).is_ok_and(|old| old == text) {
            continue;
        }
        if !check {
            fs::write(root.join(&path), text)?;
        }
        changed.push(path);
    }
    Ok(changed)
}

/// Formats Rust text by the repository's own settings, so that generated files pass the same gate as others.
fn rustfmt(root: &Path, text: String) -> io::Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root.join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| {
            io::Error::other(format!("rustfmt does not start ({error}); `rustup component add rustfmt`"))
        })?;
    let mut stdin = child.stdin.take().ok_or_else(|| io::Error::other("rustfmt has no standard input"))?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| io::Error::other("the thread that feeds rustfmt panicked"))??;
    if !output.status.success() {
        return Err(io::Error::other("rustfmt refuses the generated text"));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_generated_is_stale() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(run(&root, true).unwrap(), Vec::<PathBuf>::new(), "run `cargo xtask codegen`");
    }
}
