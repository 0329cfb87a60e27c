//! `write`: a file from a description, through the reference writer. Owns the command; what a description may say is the
//! corpus's business, what a file may hold the reference's.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hurray_adapter::{Candidate, Failure, Sink, Source};
use hurray_corpus::description;

use super::inspect::is_must;
use crate::candidates::reference::Reference;

const EXAMPLES: &str = "\
Examples:
  hurray-conformance write model.toml out.hrry
  hurray-conformance check out.hrry

A description is TOML: [[tensor]] with name, type, shape, layout and data, and [[kv]], such as

  [[tensor]]
  name = \"a\"
  type = \"float32\"
  shape = [2, 2]
  data = [\"f32[] 1.5 2.0 -1.0 0.25\"]

The README.md that `vectors export` writes tells all of it.";

/// What to write, and where to.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct WriteArgs {
    /// The description.
    pub model: PathBuf,
    /// The file to make; what is there is replaced.
    pub out: PathBuf,
}

/// Writes the file beside its place, checks it, and moves it there; true if there was nothing to object to.
///
/// # Errors
/// The description cannot be read or understood (`InvalidInput`), or the file cannot be written.
pub fn run(options: &WriteArgs) -> io::Result<bool> {
    let mistake = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    let text =
        fs::read_to_string(&options.model).map_err(|error| mistake(format!("{}: {error}", options.model.display())))?;
    let file =
        description::parse(&options.model.to_string_lossy(), &text).map_err(|error| mistake(error.to_string()))?;
    let dir = options.out.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Readable as any new file is; a temporary one would be for its owner alone.
    let permissions = fs::Permissions::from_mode(0o644);
    let draft = tempfile::Builder::new()
        .permissions(permissions)
        .tempfile_in(dir)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", dir.display())))?;
    let mut reference = Reference::strict();
    match reference.write(Sink::Path(draft.path().to_path_buf()), &file) {
        Ok(_) => {}
        Err(Failure::Refused(message) | Failure::Limit(message) | Failure::Error(message)) => {
            eprintln!("{}: {message}; nothing was written", options.model.display());
            return Ok(false);
        }
        Err(Failure::Io(kind)) => return Err(io::Error::other(format!("{}: {kind}", options.out.display()))),
        Err(other) => return Err(io::Error::other(format!("the reference answered {other:?}"))),
    }
    let report = reference.validate(Source::Path(draft.path().to_path_buf()));
    let findings = match report {
        Ok(seen) => seen.findings.unwrap_or_default(),
        // A private type or layout: what nobody but its owner knows cannot be checked.
        Err(Failure::Unsupported) => Vec::new(),
        Err(why) => return Err(io::Error::other(format!("the written file cannot be checked: {why:?}"))),
    };
    for finding in &findings {
        let (rule, message) = (finding.rule.as_deref().unwrap_or("?"), finding.message.as_deref().unwrap_or(""));
        eprintln!("{}: {rule}: {message}", options.model.display());
    }
    if findings.iter().any(is_must) {
        eprintln!("{}: nothing was written; mend the description", options.model.display());
        return Ok(false);
    }
    let len = draft.as_file().metadata()?.len();
    draft.persist(&options.out).map_err(|error| error.error)?;
    println!("{}: {len} bytes, {} item(s)", options.out.display(), file.items.len());
    Ok(true)
}
