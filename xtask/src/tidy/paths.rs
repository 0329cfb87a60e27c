//! The paths that Rust code names. Owns reading them from tokens, so that macro bodies and nested `use` groups count too;
//! knows not what a path leads to.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Keywords that are no name in a path.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait",
    "true", "type", "unsafe", "use", "where", "while", "yield",
];

/// A path as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// Line, from 1.
    pub(super) line: usize,
    /// Its names, with `::` in between.
    pub(super) path: String,
    /// Whether parentheses follow.
    pub(super) is_called: bool,
}

/// Every path in `tokens`; a group after `::` continues the path in front of it. Fields and methods are no paths.
pub(super) fn named(tokens: TokenStream) -> Vec<Named> {
    let mut found = Vec::new();
    collect(tokens, "", &mut found);
    found
}

fn collect(tokens: TokenStream, prefix: &str, into: &mut Vec<Named>) {
    let mut path = prefix.to_owned();
    let mut line = 0;
    let mut colons = 0;
    let mut dots = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if is_keyword(&ident.to_string()) => {
                // What `::` follows in `use ::std` begins a path.
                flush(&mut path, prefix, line, into);
                (colons, dots) = (0, 0);
            }
            TokenTree::Ident(ident) => {
                if colons != 2 || path.is_empty() {
                    flush(&mut path, prefix, line, into);
                    line = ident.span().start().line;
                }
                // One dot asks for a part of a value; two are a range.
                if dots != 1 {
                    if !path.is_empty() {
                        path.push_str("::");
                    }
                    path.push_str(&ident.to_string());
                }
                (colons, dots) = (0, 0);
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                let continues = colons == 2 && group.delimiter() == Delimiter::Brace;
                if group.delimiter() == Delimiter::Parenthesis && path != prefix {
                    let called = std::mem::replace(&mut path, prefix.to_owned());
                    into.push(Named { line, path: called, is_called: true });
                }
                collect(group.stream(), if continues { &path } else { "" }, into);
                (colons, dots) = (0, 0);
            }
            other => {
                flush(&mut path, prefix, line, into);
                colons = 0;
                dots = if matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '.') { dots + 1 } else { 0 };
            }
        }
    }
    flush(&mut path, prefix, line, into);
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

fn flush(path: &mut String, prefix: &str, line: usize, into: &mut Vec<Named>) {
    if path != prefix {
        into.push(Named { line, path: std::mem::replace(path, prefix.to_owned()), is_called: false });
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    fn names(source: &str) -> Vec<String> {
        named(TokenStream::from_str(source).expect("tokens")).into_iter().map(|named| named.path).collect()
    }

    #[test]
    fn paths_are_read_through_groups_and_macros() {
        let names = names("use std::{fmt, io::{self, Read}};\nfn f() { g!(a::b, c) }\n");
        for name in ["std::fmt", "std::io::self", "std::io::Read", "a::b", "c"] {
            assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
        }
    }

    #[test]
    fn a_keyword_begins_no_path() {
        assert_eq!(names("use ::std::io;\nreturn ::a::b(c as ::d)"), ["std::io", "a::b", "c", "d"]);
    }

    #[test]
    fn calls_are_told_apart() {
        let called: Vec<bool> = named(TokenStream::from_str("f(a); g; h::i (1)").expect("tokens"))
            .into_iter()
            .map(|named| named.is_called)
            .collect();
        assert_eq!(called, [true, false, false, true]);
    }

    #[test]
    fn parts_of_values_are_no_paths() {
        assert_eq!(names("a.b.c(d::e).f::<g::H>()"), ["a", "d::e", "g::H"]);
        assert_eq!(names("a..b::c"), ["a", "b::c"]);
    }
}
