//! A guess at the word that is meant.
//!
//! Owns the measure of likeness; used in messages only, never to decide anything.

/// The candidate most like `word`, if any is like it: few letters differ, or the last dotted part is the same.
pub(crate) fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    let distance = |candidate: &str| {
        let letters = edit_distance(candidate, word);
        if last(candidate) == last(word) { letters.min(1) } else { letters }
    };
    let best = candidates.map(|candidate| (distance(candidate), candidate)).min()?;
    (best.0 <= 1 + word.len() / 8).then(|| best.1.to_owned())
}

/// Letters to change between two short words; long ones are never alike.
fn edit_distance(left: &str, right: &str) -> usize {
    if left.len() > 80 || right.len() > 80 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.bytes().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
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
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
