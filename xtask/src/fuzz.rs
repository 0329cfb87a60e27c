//! `cargo xtask fuzz`: runs a cargo-fuzz target, with the assembled vectors as seeds beside the committed corpus. Owns where
//! inputs lie; what is tried on them stands in `fuzz/bodies`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use hurray_corpus::{ReadMode, Vector, VectorSet};

/// Largest input that is tried, in bytes: the two pages of an ordinary small file, and some more.
const MAX_LEN: u64 = 16 * 1024;
/// Memory one input may take, in MiB.
const MEMORY_MIB: u64 = 512;

/// Runs a fuzz target; needs a nightly compiler and cargo-fuzz.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The target.
    #[arg(default_value = "open", value_name = "TARGET")]
    target: String,
    /// How long, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Merge what was found into the committed corpus afterwards, keeping only inputs that reach something new.
    #[arg(long)]
    keep: bool,
}

/// Fuzzes; true if nothing was found.
///
/// # Errors
/// The target does not exist, cargo-fuzz is not installed, or the vectors cannot be loaded.
pub(crate) fn run(root: &Path, options: &Options) -> io::Result<bool> {
    let target = root.join("fuzz/fuzz_targets").join(&options.target).with_extension("rs");
    if !target.is_file() {
        return Err(io::Error::other(format!("there is no target {:?}: see fuzz/fuzz_targets/", options.target)));
    }
    let committed = root.join("fuzz/corpus").join(&options.target);
    let work = root.join("target/fuzz").join(&options.target);
    let seeds = root.join("target/fuzz/seeds");
    for folder in [&committed, &work, &seeds] {
        fs::create_dir_all(folder)?;
    }
    write_seeds(root, &seeds)?;
    let limits = [format!("-max_len={MAX_LEN}"), format!("-rss_limit_mb={MEMORY_MIB}")];
    let time = [format!("-max_total_time={}", options.seconds)];
    let is_clean = fuzz(root, &options.target, &[&work, &committed, &seeds], &[&limits[..], &time].concat())?;
    if options.keep && is_clean {
        let merge = ["-merge=1".to_owned()];
        return fuzz(root, &options.target, &[&committed, &work, &seeds], &[&limits[..], &merge].concat());
    }
    Ok(is_clean)
}

/// Every vector that is small enough, as an input.
fn write_seeds(root: &Path, seeds: &Path) -> io::Result<()> {
    let set = VectorSet::from_dir(&root.join("vectors")).map_err(|errors| io::Error::other(errors.to_string()))?;
    let is_seed = |vector: &&Vector| vector.mode == ReadMode::Whole && vector.bytes.len() as u64 <= MAX_LEN;
    for vector in set.vectors.iter().filter(is_seed) {
        fs::write(seeds.join(vector.id.replace('/', "-")), &vector.bytes)?;
    }
    Ok(())
}

fn fuzz(root: &Path, target: &str, folders: &[&PathBuf], arguments: &[String]) -> io::Result<bool> {
    let words = ["+nightly", "fuzz", "run", target].map(OsString::from);
    let folders = folders.iter().map(|folder| folder.as_os_str().to_owned());
    let arguments = arguments.iter().map(OsString::from);
    let status = Command::new("cargo")
        .args(words.into_iter().chain(folders).chain([OsString::from("--")]).chain(arguments))
        .current_dir(root)
        .status()
        .map_err(|error| io::Error::other(format!("cargo-fuzz does not start ({error}): cargo install cargo-fuzz")))?;
    Ok(status.success())
}
