//! `cargo xtask vectors`: the assembled files and the manifest against their recipes. Owns the subcommand; how files are
//! assembled and compared is the suite's business.

use std::io;
use std::path::Path;

use hurray_conformance::candidates::Home;
use hurray_conformance::tool::export::{self as exporting, ExportArgs};
use hurray_corpus::{VectorSet, export, manifest};

/// Works on the vector files.
#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// Proves that `vectors/files/` and `vectors/manifest.json` are what the recipes assemble to.
    Check {
        /// Makes them so instead.
        #[arg(long)]
        write: bool,
    },
    /// Writes every assembled file, the manifest and an explanation to a folder, for use without Rust.
    Export(ExportArgs),
}

/// Differences shown before the rest is only counted.
const SHOWN: usize = 20;

/// Does what is asked; true if nothing is left to mend.
///
/// # Errors
/// A broken recipe, or a file that cannot be read or written.
pub(crate) fn run(root: &Path, action: &Action) -> io::Result<bool> {
    let dir = root.join("vectors");
    let set = VectorSet::from_dir(&dir).map_err(|errors| io::Error::other(errors.to_string()))?;
    match action {
        Action::Check { write: true } => {
            let changed = export::write(&set, &dir)?;
            println!("{} file(s) changed; {}; digest {}", changed.len(), counts(&set), set.digest);
            Ok(true)
        }
        Action::Check { write: false } => {
            let found = export::differences(&set, &dir)?;
            for difference in found.iter().take(SHOWN) {
                println!("vectors/{difference}");
            }
            if found.len() > SHOWN {
                println!("and {} more", found.len() - SHOWN);
            }
            match found.len() {
                0 => println!("{} equal their recipes; digest {}", counts(&set), set.digest),
                count => println!("{count} file(s) differ; `cargo xtask vectors check --write` assembles them anew"),
            }
            Ok(found.is_empty())
        }
        Action::Export(args) => {
            print!("{}", exporting::run(args, &Home::repository(root))?);
            Ok(true)
        }
    }
}

fn counts(set: &VectorSet) -> String {
    let committed = set.vectors.iter().filter(|vector| vector.of.is_none() && manifest::is_committed(vector)).count();
    format!("{} vectors, {committed} of them as files", set.vectors.len())
}
