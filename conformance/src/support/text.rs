//! Text for people: made safe and short where it came from a candidate; counts and names in words. Decides nothing.

/// `text` on one line, control characters escaped, at most `limit` characters.
pub fn printable(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut chars = text.trim().chars();
    for c in chars.by_ref().take(limit) {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

/// A word for a count: `1 failure`, `2 failures`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::{counted, printable};

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(printable("a\x1b[31mb\nc", 100), "a\\u{1b}[31mb c");
    }

    #[test]
    fn long_text_is_cut_with_a_sign() {
        assert_eq!(printable("ääää", 2), "ää…");
        assert_eq!(printable("ää", 2), "ää");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "failure"), "1 failure");
        assert_eq!(counted(0, "failure"), "0 failures");
    }
}
