//! House rules for any text: no machine's paths, no leftovers, clean line ends. Knows no programming language.

use super::finding::Finding;

/// First parts of absolute paths that only mean something on somebody's machine.
const MACHINE_ROOTS: &[&str] = &["home", "root", "tmp", "work", "Users", "mnt", "private"];

/// Findings in one text file.
pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !source.is_empty() && !source.ends_with('\n') {
        findings.push(Finding::new(path, source.lines().count(), "the last line has no line end: add one"));
    }
    for (at, line) in source.lines().enumerate() {
        let mut found = |what: String| findings.push(Finding::new(path, at + 1, what));
        if line.ends_with([' ', '\t']) {
            found("blanks at the end of the line: remove them".to_owned());
        }
        for root in MACHINE_ROOTS {
            if names_machine_path(line, &format!("/{root}/")) {
                found(format!("an absolute path below /{root}: say it relative to the repository, or not at all"));
            }
        }
        for word in leftovers() {
            if has_word(line, &word) {
                found(format!("{word}: finish it or file it, then remove the mark"));
            }
        }
    }
    findings
}

/// Marks of unfinished work; put together here so that this file does not find itself.
fn leftovers() -> [String; 3] {
    ["TO+DO", "FIX+ME", "XX+X"].map(|mark| mark.replace('+', ""))
}

/// Whether `prefix` begins an absolute path somewhere in `line`; `target/tmp/` does not.
fn names_machine_path(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-' | '}' | ')' | '>' | '/'))
    })
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !line[..at].chars().next_back().is_some_and(is_part)
            && !line[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(source: &str) -> Vec<usize> {
        check("a.md", source).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn clean_text_has_no_finding() {
        assert_eq!(
            lines("# Title\n\nSee `target/tmp/x`, https://example.org/home/page.html and `{root}/tmp/x`.\n"),
            NONE
        );
        assert_eq!(lines(""), NONE);
    }

    #[test]
    fn machine_paths_are_found_wherever_they_begin() {
        for root in MACHINE_ROOTS {
            assert_eq!(lines(&format!("fine\nsee /{root}/x\n")), [2], "{root}");
            assert_eq!(lines(&format!("\"/{root}/x\"\n")), [1], "{root}");
        }
    }

    #[test]
    fn leftovers_are_found_as_words_only() {
        for mark in leftovers() {
            assert_eq!(lines(&format!("// {mark}: later\n")), [1], "{mark}");
            assert_eq!(lines(&format!("{mark}S and A{mark} are other words\n")), NONE, "{mark}");
        }
    }

    #[test]
    fn line_ends_are_clean() {
        assert_eq!(lines("a \nb\t\nc\n"), [1, 2]);
        assert_eq!(lines("a\r\nb\n"), NONE);
        assert_eq!(lines("a\nb"), [2]);
    }
}
