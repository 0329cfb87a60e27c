//! Packages the crates, unpacks them, and builds them from there. Owns the workspace around the unpacked packages.

use crate::process;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::{Table, Value};

use super::metadata::Package;

/// Bytes of a package, compressed, that a registry takes.
const LONGEST_PACKAGE: u64 = 10 << 20;

/// Files that every package holds.
const DEMANDED: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The program of the suite, and its package.
const PROGRAM: &str = "hurray-conformance";

/// The build folder of the repository. What others have published is built there already.
pub(super) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// Makes the packages; true if that works.
///
/// # Errors
/// Cargo cannot be started.
pub(super) fn package(root: &Path, target: &Path, packages: &[Package]) -> io::Result<bool> {
    let mut command = Command::new(process::cargo());
    command.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--offline", "--target-dir"]).arg(target);
    for package in packages {
        command.args(["--package", &package.name]);
    }
    process::succeeds(command.current_dir(root))
}

/// Unpacks a package into `dir`, and tells what is wrong with it.
///
/// # Errors
/// It is not there, or `tar` cannot be started.
pub(super) fn unpack(target: &Path, package: &Package, dir: &Path) -> io::Result<Vec<String>> {
    let stem = package.stem();
    let file = target.join("package").join(format!("{stem}.crate"));
    let mut faults = Vec::new();
    let len = fs::metadata(&file)?.len();
    if len >= LONGEST_PACKAGE {
        faults.push(format!("{stem}: {len} bytes, fewer than {LONGEST_PACKAGE} are allowed"));
    }
    // Times of the package are the same forever; cargo would take files of another content for built.
    let unpacked = process::said(Command::new("tar").arg("-xzmf").arg(&file).arg("-C").arg(dir), 0)?;
    faults.extend(unpacked.err());
    for name in DEMANDED {
        let is_there = fs::symlink_metadata(dir.join(&stem).join(name)).is_ok_and(|at| at.is_file() && at.len() > 0);
        if !is_there {
            faults.push(format!("{stem}: it holds no {name}"));
        }
    }
    Ok(faults)
}

/// Builds the unpacked packages, each with the others in place of those of the registry, and returns a copy of the program.
/// `None` if that fails.
///
/// # Errors
/// A file cannot be written, or cargo cannot be started.
pub(super) fn build(root: &Path, target: &Path, packages: &[Package], dir: &Path) -> io::Result<Option<PathBuf>> {
    let ours = fs::read_to_string(root.join("Cargo.toml"))?;
    fs::write(dir.join("Cargo.toml"), workspace(&ours, packages)?)?;
    // The same versions of what others have published, so that it is not built twice.
    fs::copy(root.join("Cargo.lock"), dir.join("Cargo.lock"))?;
    let mut command = Command::new(process::cargo());
    command.args(["build", "--quiet", "--offline", "--workspace", "--target-dir"]).arg(target).current_dir(dir);
    if !process::succeeds(&mut command)? {
        return Ok(None);
    }
    // The next build of the repository puts its own program there.
    let program = dir.join(PROGRAM);
    fs::copy(target.join("debug").join(PROGRAM), &program)?;
    Ok(Some(program))
}

/// The profile of the repository, as far as others have published what it names: that is built already, and the packages
/// themselves need not be fast.
fn profile(ours: &Table) -> Option<(String, Value)> {
    let mut profile = ours.get("profile")?.clone();
    let packages = profile.get_mut("dev").and_then(|dev| dev.get_mut("package")).and_then(Value::as_table_mut);
    if let Some(packages) = packages {
        packages.retain(|name, _| !name.starts_with("hurray-"));
    }
    Some(("profile".to_owned(), profile))
}

/// The workspace of the unpacked packages.
fn workspace(ours: &str, packages: &[Package]) -> io::Result<String> {
    let ours: Table = toml::from_str(ours).map_err(io::Error::other)?;
    let members: Vec<Value> = packages.iter().map(|package| Value::from(package.stem())).collect();
    let at = |package: &Package| Value::from(Table::from_iter([("path".to_owned(), Value::from(package.stem()))]));
    let patch = packages.iter().map(|package| (package.name.clone(), at(package))).collect::<Table>();
    let group = Table::from_iter([("resolver".to_owned(), Value::from("3")), ("members".to_owned(), members.into())]);
    let mut table = Table::from_iter([
        ("workspace".to_owned(), Value::from(group)),
        ("patch".to_owned(), Value::from(Table::from_iter([("crates-io".to_owned(), Value::from(patch))]))),
    ]);
    table.extend(profile(&ours));
    toml::to_string(&table).map_err(io::Error::other)
}
