//! What went by on a stream, tensor by tensor in the order of the file.

use hurray_adapter::ScanObservation;

use super::{Compared, Comparison, Need, difference};
use hurray_corpus::{Expected, Passing};

impl Comparison<'_> {
    /// One stream. Names and entries stand at its end, and may be left out.
    ///
    /// # Errors
    /// The first difference.
    pub fn scan(&mut self, expected: &Expected, passing: &[Passing], actual: Option<&ScanObservation>) -> Compared {
        let Some(actual) = actual else { return Err(difference("scan", &"tensors", &"nothing")) };
        let (wanted, seen) = (passing.len(), actual.tensors.len());
        if wanted != seen {
            return Err(difference("tensors that went by", &wanted, &seen));
        }
        self.compared_count += 1;
        for (at, (wanted, seen)) in passing.iter().zip(&actual.tensors).enumerate() {
            let what = |field: &str| format!("tensor {at}: {field}");
            let offset = Some(&seen.descriptor_offset.0);
            self.field(&what("descriptor_offset"), Need::Must, Some(&wanted.at), offset)?;
            self.field(&what("name"), Need::Optional, Some(&wanted.name), seen.name.as_ref())?;
            let Some(tensor) = expected.tensors.iter().find(|tensor| tensor.name == wanted.name) else { continue };
            self.tensor(&tensor.name, &tensor.tensor, Some(&seen.tensor))?;
            // What goes by is not kept, so it has no alignment in memory.
            self.buffers(&tensor.name, tensor.buffers.as_ref(), None, seen.buffers.as_ref())?;
        }
        match &actual.kv {
            Some(_) => self.kv(expected.kv.as_ref(), actual.kv.as_ref()),
            None => {
                self.unobserved_count += u32::from(expected.kv.is_some());
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hurray_adapter::{KvEntry, KvValue, ScannedTensor};

    use super::*;
    use crate::testing::{hello, tensor, vector};
    use hurray_corpus::Expect;

    fn seen() -> ScanObservation {
        let one = |at: u64, name: &str| {
            let of = tensor(name);
            let name = Some(name.into());
            ScannedTensor { descriptor_offset: at.into(), name, tensor: of.tensor, buffers: of.buffers }
        };
        let kv = Some(vec![KvEntry { key: "k".into(), value: KvValue::Bool(true) }]);
        ScanObservation { tensors: vec![one(64, "b"), one(4168, "a")], kv }
    }

    /// What differs from tensors `b` at 64 and `a` at 4168, and how many values were not observed.
    fn found(change: impl FnOnce(&mut ScanObservation)) -> (Option<String>, u32) {
        let expected = vector(Expect::Accept).observe;
        let passing = [(64, "b"), (4168, "a")].map(|(at, name)| Passing { at, name: name.into() });
        let mut seen = seen();
        change(&mut seen);
        let hello = hello();
        let mut comparison = Comparison::new(&hello);
        let compared = comparison.scan(&expected, &passing, Some(&seen));
        (compared.err().map(|found| found.what), comparison.unobserved_count)
    }

    #[test]
    fn what_went_by_is_compared_in_the_order_of_the_file() {
        assert_eq!(found(|_| {}), (None, 0));
        let what = |change: fn(&mut ScanObservation)| found(change).0.expect("a difference");
        assert_eq!(what(|seen| seen.tensors.truncate(1)), "tensors that went by");
        assert_eq!(what(|seen| seen.tensors.reverse()), "tensor 0: descriptor_offset");
        assert_eq!(what(|seen| seen.tensors[1].descriptor_offset = 4160.into()), "tensor 1: descriptor_offset");
        assert_eq!(what(|seen| seen.tensors[1].name = Some("b".into())), "tensor 1: name");
        assert_eq!(what(|seen| seen.tensors[0].tensor.shape = Some(vec![2.into()])), "b: shape");
        assert_eq!(what(|seen| seen.tensors[0].buffers = None), "b: buffers");
        assert_eq!(what(|seen| seen.kv = Some(Vec::new())), "key-value entries");
    }

    #[test]
    fn names_and_entries_may_be_left_out() {
        let blind = |seen: &mut ScanObservation| {
            seen.kv = None;
            seen.tensors.iter_mut().for_each(|tensor| tensor.name = None);
        };
        assert_eq!(found(blind), (None, 3));
    }
}
