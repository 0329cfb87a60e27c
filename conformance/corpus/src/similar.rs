//! A guess at the word that is meant.
//!
//! Owns the measure of likeness; used in messages only, never to decide anything.

/// Bytes of the longest word that is compared: long ones are never alike, and a long one from outside costs nothing.
const LONGEST: usize = 80;

/// The candidate most like `word`, if any is like it: few letters differ, or the last dotted part is the same.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    let distance = |candidate: &str| {
        let letters = match candidate.len().max(word.len()) {
            0..=LONGEST => strsim::levenshtein(candidate, word),
            _ => usize::MAX,
        };
        if last(candidate) == last(word) { letters.min(1) } else { letters }
    };
    let best = candidates.map(|candidate| (distance(candidate), candidate)).min()?;
    (best.0 <= 1 + word.len() / 8).then(|| best.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_only_what_is_like_it() {
        let labels = ["header.magic", "trailer.magic", "index.e0.name"];
        let guess = |word| closest(word, labels.into_iter());
        assert_eq!(guess("header.magi").as_deref(), Some("header.magic"));
        assert_eq!(guess("index.e1.name").as_deref(), Some("index.e0.name"));
        assert_eq!(guess("kv.count"), None);
        assert_eq!(guess(&"x".repeat(1000)), None);
    }
}
