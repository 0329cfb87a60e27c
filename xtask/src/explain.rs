//! What the repository knows of a rule beside its text and its vectors: the chapter, the enforcing sites, who breaks it on
//! purpose. Owns these lines; the rest of `cargo xtask explain` is that of the installed program.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use hurray_mutants::READER_MUTANTS;
use hurray_mutants::writer::WRITER_MUTANTS;
use hurray_spec::Rule;

use crate::trace::{chapters, cited, sites};

/// The lines on one rule.
///
/// # Errors
/// A source file cannot be read.
pub(crate) fn of_sources(root: &Path, rule: Rule) -> io::Result<String> {
    let mut out = String::new();
    if let Some(chapter) = chapters(root)?.get(rule.id()) {
        let _ = writeln!(out, "chapter\n  spec/{chapter}");
    }
    out.push_str("sites\n");
    for site in cited(rule, &sites::scan(root)?) {
        let how = if site.is_require { "require" } else { "handed on" };
        let _ = writeln!(out, "  {}:{} ({how})", site.path, site.line);
    }
    for mutant in READER_MUTANTS.iter().filter(|mutant| mutant.rule == rule) {
        let _ = writeln!(out, "mutant\n  {}", mutant.name);
    }
    for mutant in WRITER_MUTANTS.iter().filter(|mutant| mutant.rule == rule) {
        let _ = writeln!(out, "mutant of a writer\n  {}", mutant.name);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_followed_to_its_chapter_and_its_site() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let text = of_sources(root, Rule::ContainerTrailerMagicReject).expect("lines");
        for part in ["spec/10-container.md", "reference/src/wire/trailer/mod.rs:"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
