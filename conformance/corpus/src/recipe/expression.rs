//! Expressions of integer fields: sums and differences of literals, addresses, lengths and checksums.
//!
//! Owns their grammar and arithmetic. Knows labels by name only; what they stand for is asked of the caller.

use super::error::Fault;

/// A sum of terms, left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    terms: Vec<(Sign, Term)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

/// One summand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A literal.
    Number(i128),
    /// `&label`, the absolute offset.
    Address(String),
    /// `len(label)`, in bytes.
    Length(String),
    /// `crc32c(label)`.
    Crc(String),
}

impl Expression {
    /// Parses all expressions of `text`; blanks separate them, blanks around `+` and `-` join their terms.
    pub(crate) fn parse_all(text: &str) -> Result<Vec<Expression>, Fault> {
        let mut expressions: Vec<Expression> = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let sign = match word {
                "+" => Some(Sign::Plus),
                "-" => Some(Sign::Minus),
                _ => None,
            };
            match (sign, expressions.last_mut()) {
                (None, _) => expressions.push(Expression { terms: vec![(Sign::Plus, Term::parse(word)?)] }),
                (Some(sign), Some(open)) => {
                    let next = words.next().ok_or_else(|| Fault::BadTerm(word.to_owned()))?;
                    open.terms.push((sign, Term::parse(next)?));
                }
                (Some(_), None) => return Err(Fault::BadTerm(word.to_owned())),
            }
        }
        Ok(expressions)
    }

    /// Whether a checksum is among the terms, so that the value waits for all other bytes.
    pub(crate) fn has_crc(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Crc(_)))
    }

    /// The value, with every label resolved by `resolve`.
    pub(crate) fn value<E>(
        &self,
        mut resolve: impl FnMut(&Term) -> Result<i128, E>,
        too_large: impl Fn() -> E,
    ) -> Result<i128, E> {
        let mut sum = 0_i128;
        for (sign, term) in &self.terms {
            let value = match term {
                Term::Number(number) => *number,
                label => resolve(label)?,
            };
            let next = match sign {
                Sign::Plus => sum.checked_add(value),
                Sign::Minus => sum.checked_sub(value),
            };
            sum = next.ok_or_else(&too_large)?;
        }
        Ok(sum)
    }
}

impl Term {
    fn parse(word: &str) -> Result<Term, Fault> {
        let bad = || Fault::BadTerm(word.to_owned());
        let label = |text: &str| if is_label(text) { Ok(text.to_owned()) } else { Err(bad()) };
        if let Some(name) = word.strip_prefix('&') {
            return label(name).map(Term::Address);
        }
        if let Some((function, rest)) = word.split_once('(') {
            let name = label(rest.strip_suffix(')').ok_or_else(bad)?)?;
            return match function {
                "len" => Ok(Term::Length(name)),
                "crc32c" => Ok(Term::Crc(name)),
                _ => Err(bad()),
            };
        }
        if !word.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Err(bad());
        }
        number(word).map(Term::Number)
    }
}

/// A decimal or `0x…` integer between -2^63 and 2^64 - 1.
pub(crate) fn number(text: &str) -> Result<i128, Fault> {
    let bad = || Fault::BadNumber(text.to_owned());
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (radix, digits) = match digits.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return Err(bad());
    }
    let size = i128::from(u64::from_str_radix(digits, radix).map_err(|_| bad())?);
    match negative {
        true if size <= 1 << 63 => Ok(-size),
        true => Err(bad()),
        false => Ok(size),
    }
}

/// A plain count.
pub(crate) fn count(text: &str) -> Result<u64, Fault> {
    u64::try_from(number(text)?).map_err(|_| Fault::BadNumber(text.to_owned()))
}

/// Letters, digits, `_` and `-`, in parts joined by single dots.
pub(crate) fn is_label(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    };
    text.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i128> {
        let resolve = |term: &Term| -> Result<i128, ()> {
            Ok(match term {
                Term::Address(name) => 1000 + name.len() as i128,
                Term::Length(name) => name.len() as i128,
                _ => 7,
            })
        };
        let parsed = Expression::parse_all(text).unwrap();
        parsed.iter().map(|expression| expression.value(resolve, || ()).unwrap()).collect()
    }

    #[test]
    fn blanks_separate_and_signs_join() {
        assert_eq!(values("1 2 + 3 -4 5 - 6"), [1, 5, -4, -1]);
        assert_eq!(values("&ab + len(a.b) - 1 crc32c(x)"), [1004, 7]);
        assert_eq!(values("0xFFFFFFFFFFFFFFFF -9223372036854775808"), [u64::MAX.into(), i64::MIN.into()]);
    }

    #[test]
    fn rejects_what_is_not_a_term() {
        for text in ["a", "&", "&a..b", "len(a", "len a", "size(a)", "+ 1", "1 +", "1 + +", "len()", "--1", "+1"] {
            assert!(matches!(Expression::parse_all(text), Err(Fault::BadTerm(_) | Fault::BadNumber(_))), "{text}");
        }
        for text in ["0x", "1_000", "18446744073709551616", "-9223372036854775809", "0x+1", "-", "1e3"] {
            assert_eq!(number(text), Err(Fault::BadNumber(text.to_owned())));
        }
    }

    #[test]
    fn a_sum_out_of_range_is_an_error() {
        let parsed = Expression::parse_all("&a - &a + &a + &a").unwrap();
        assert_eq!(parsed[0].value(|_| Ok(i128::MAX), || "too large"), Err("too large"));
    }

    #[test]
    fn labels_are_words_joined_by_dots() {
        assert!(is_label("a") && is_label("index.e0.name_len") && is_label("a-b.0"));
        assert!(!is_label("") && !is_label(".a") && !is_label("a.") && !is_label("a b") && !is_label("ä"));
    }

    #[test]
    fn only_checksums_wait() {
        let parsed = Expression::parse_all("1 + &a crc32c(a) + 1").unwrap();
        assert_eq!(parsed.iter().map(Expression::has_crc).collect::<Vec<_>>(), [false, true]);
    }
}
