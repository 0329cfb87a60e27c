//! `cargo xtask write`: a file from a description, through the reference writer. Owns the subcommand; what a description
//! may say is the suite's business, what a file may hold the reference's.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hurray_adapter::{Candidate, Failure, Sink, Source};
use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::description;
use hurray_spec::{Level, Rule};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask write vectors/models/quantized.toml out.hrry
  cargo xtask check out.hrry

A description is TOML: [[tensor]] with name, type, shape, layout and data, and [[kv]]. See vectors/README.md.";

/// What to write, and where to.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The description.
    model: PathBuf,
    /// The file to make; what is there is replaced.
    out: PathBuf,
}

/// Writes the file beside its place, checks it, and moves it there; true if there was nothing to object to.
///
/// # Errors
/// The description cannot be read, or the file cannot be written.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let text = fs::read_to_string(&options.model)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", options.model.display())))?;
    let file = description::parse(&options.model.to_string_lossy(), &text).map_err(io::Error::other)?;
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
    let findings = report.ok().and_then(|seen| seen.findings).unwrap_or_default();
    for finding in &findings {
        let (rule, message) = (finding.rule.as_deref().unwrap_or("?"), finding.message.as_deref().unwrap_or(""));
        eprintln!("{}: {rule}: {message}", options.model.display());
    }
    let is_must = |rule: &Rule| rule.info().level == Level::Must;
    if findings.iter().filter_map(|finding| Rule::from_id(finding.rule.as_deref()?)).any(|rule| is_must(&rule)) {
        eprintln!("{}: nothing was written; mend the description", options.model.display());
        return Ok(false);
    }
    let len = draft.as_file().metadata()?.len();
    draft.persist(&options.out).map_err(|error| error.error)?;
    println!("{}: {len} bytes, {} item(s)", options.out.display(), file.items.len());
    Ok(true)
}
