//! Which Python file imports which other one of the repository. Owns finding the file behind an import; the imports
//! themselves are read by Python, which alone is right about strings and brackets.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use super::finding::Finding;
use super::tree::Tree;
use super::uses::Use;

/// Prints the imports of the files it is given.
const SCRIPT: &str = include_str!("imports.py");

/// Path, line, module with its leading dots, names taken from it; no module for what is not Python.
type Import = (String, usize, Option<String>, Vec<String>);

/// What the Python files import of each other, and findings on those that are not Python.
///
/// # Errors
/// `python3` does not start or does not answer.
pub(super) fn uses(tree: &Tree) -> io::Result<(Vec<Use>, Vec<Finding>)> {
    let files: BTreeMap<&str, &str> = tree.files().filter(|(path, _)| path.ends_with(".py")).collect();
    let (mut uses, mut findings) = (Vec::new(), Vec::new());
    if files.is_empty() {
        return Ok((uses, findings));
    }
    for (from, line, module, names) in imports(&files)? {
        let Some(module) = module else {
            findings.push(Finding::new(&from, line, format!("not Python: {}", names.concat())));
            continue;
        };
        let mut targets: Vec<(String, String)> = Vec::new();
        let whole = find(tree, &from, &module);
        for name in &names {
            // A name is a file of the package, or something that the package or file itself defines.
            let dot = if module.ends_with('.') { "" } else { "." };
            let inner = find(tree, &from, &format!("{module}{dot}{name}"));
            targets.extend(inner.or_else(|| whole.clone()).map(|to| (format!("{module}{dot}{name}"), to)));
        }
        if names.is_empty() {
            targets.extend(whole.map(|to| (module, to)));
        }
        uses.extend(targets.into_iter().map(|(name, to)| Use {
            from: from.clone(),
            from_top: None,
            line,
            name,
            to,
            through: Vec::new(),
            tops: Vec::new(),
            is_item: true,
        }));
    }
    Ok((uses, findings))
}

fn imports(files: &BTreeMap<&str, &str>) -> io::Result<Vec<Import>> {
    let mut command = Command::new("python3");
    command.args(["-I", "-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("python3, which reads the imports of Python files, does not start: {error}"),
        )
    })?;
    let input = serde_json::to_vec(files)?;
    // It answers only once it has read everything, so that neither side waits for the other.
    child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(&input))?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(io::Error::other("python3 could not read the imports of the Python files"));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The tracked file behind `module` as the file `from` names it; none if it stands elsewhere.
fn find(tree: &Tree, from: &str, module: &str) -> Option<String> {
    let name = module.trim_start_matches('.');
    let dot_count = module.len() - name.len();
    let mut folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    for _ in 1..dot_count {
        folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    // What has no dot is looked up beside the program, which may be started in any folder above.
    loop {
        let path: Vec<&str> = folder.split('/').chain(name.split('.')).filter(|part| !part.is_empty()).collect();
        let path = path.join("/");
        for candidate in [format!("{path}.py"), format!("{path}/__init__.py")] {
            if tree.get(&candidate).is_some() {
                return Some(candidate);
            }
        }
        if dot_count > 0 || folder.is_empty() {
            return None;
        }
        folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
}
