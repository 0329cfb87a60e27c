//! Whether two implementations saw the same in one file. Owns the comparison of their results; knows nothing of what
//! would be right.

use hurray_adapter::StepResult;
use serde_json::Value;

/// Where two candidates that both did a step saw something else: the number of the step and the path to the field.
/// What only one of them shows is not compared, nor where memory happened to be.
pub(super) fn difference(these: &[StepResult], those: &[StepResult]) -> Option<(usize, String)> {
    these.iter().zip(those).enumerate().find_map(|(at, pair)| {
        let (StepResult::Ok(this), StepResult::Ok(that)) = pair else { return None };
        let [this, that] = [this, that].map(|seen| serde_json::to_value(seen).unwrap_or_default());
        differing(&this, &that).map(|path| (at, path))
    })
}

/// The first field that both show and that is not the same, dots between names.
fn differing(this: &Value, that: &Value) -> Option<String> {
    let below = |name: &str, this, that| {
        differing(this, that).map(|rest| if rest.is_empty() { name.to_owned() } else { format!("{name}.{rest}") })
    };
    match (this, that) {
        (Value::Object(these), Value::Object(those)) => these.iter().find_map(|(name, this)| match those.get(name) {
            Some(that) if name != "memory_alignment" => below(name, this, that),
            _ => None,
        }),
        (Value::Array(these), Value::Array(those)) if these.len() == those.len() => {
            these.iter().zip(those).enumerate().find_map(|(at, (this, that))| below(&at.to_string(), this, that))
        }
        _ => (this != that).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use hurray_adapter::{BufferObservation, Observed, U64};

    use super::*;

    fn read(bytes: &[u8], memory_alignment: u64) -> StepResult {
        let buffer =
            BufferObservation { memory_alignment: Some(U64(memory_alignment)), ..BufferObservation::of(bytes) };
        StepResult::Ok(Observed { buffers: Some(vec![buffer]), ..Observed::default() })
    }

    #[test]
    fn a_difference_is_found_where_both_look() {
        let rejected = StepResult::Reject { rule: None, offset: None, message: String::new() };
        assert_eq!(difference(&[read(b"a", 64)], &[read(b"a", 128)]), None);
        assert_eq!(difference(&[rejected], &[read(b"a", 64)]), None);
        let found = difference(&[read(b"a", 64), read(b"a", 64)], &[read(b"a", 64), read(b"b", 64)]);
        assert_eq!(found, Some((1, "buffers.0.sha256".to_owned())));
    }
}
