//! Compares observations field by field. What a candidate does not observe is counted, never guessed.
//!
//! Owns the comparison. It must not know a class or a due step.

mod parts;
mod scanned;

use hurray_adapter::{
    BufferObservation, ContainerObservation, HandleObservation, Hello, KvEntry, KvValue, Part, TensorObservation, Text,
    U64,
};
use serde::Serialize;

use crate::support::text::printable;

/// Longest value shown of a difference, in characters.
const LONGEST_SHOWN: usize = 160;
/// The device tag of CPU memory.
const CPU: u8 = 0;

/// The first difference between what is there and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which value, such as `a: shape`.
    pub what: String,
    /// What is there.
    pub expected: String,
    /// What was seen.
    pub actual: String,
}

/// The end of one comparison.
pub type Compared = Result<(), Box<Difference>>;

/// Compares what one candidate observes.
pub struct Comparison<'a> {
    hello: &'a Hello,
    /// Values that were compared.
    pub compared_count: u32,
    /// Those of them that belong to single elements and show nothing of the rest of a file.
    pub element_count: u32,
    /// Expected values that the candidate does not observe.
    pub unobserved_count: u32,
}

impl<'a> Comparison<'a> {
    /// Compares the groups that `hello` declares.
    pub fn new(hello: &'a Hello) -> Self {
        Comparison { hello, compared_count: 0, element_count: 0, unobserved_count: 0 }
    }

    fn observes(&self, part: Part) -> bool {
        self.hello.observes(part)
    }

    /// One field of a group. A field that is left out is counted, unless it is what the group exists for.
    fn field<T: PartialEq + Serialize>(
        &mut self,
        what: &str,
        need: Need,
        expected: Option<&T>,
        actual: Option<&T>,
    ) -> Compared {
        let Some(expected) = expected else { return Ok(()) };
        match actual {
            None if need == Need::Optional => {
                self.unobserved_count += 1;
                Ok(())
            }
            Some(actual) if actual == expected => {
                self.compared_count += 1;
                Ok(())
            }
            _ => Err(difference(what, expected, &actual)),
        }
    }

    /// The header.
    ///
    /// # Errors
    /// The first difference.
    pub fn container(
        &mut self,
        expected: Option<&ContainerObservation>,
        actual: Option<&ContainerObservation>,
    ) -> Compared {
        let Some(expected) = expected else { return Ok(()) };
        if !self.observes(Part::Container) {
            self.unobserved_count += 1;
            return Ok(());
        }
        let Some(actual) = actual else { return Err(difference("container", expected, &"nothing")) };
        let need = Need::Optional;
        self.field("container version", need, expected.version.as_ref(), actual.version.as_ref())?;
        self.field("file_flags", need, expected.flags.as_ref(), actual.flags.as_ref())?;
        let alignment = expected.data_buffer_alignment.as_ref();
        self.field("data_buffer_alignment", need, alignment, actual.data_buffer_alignment.as_ref())?;
        self.field("tensor count", need, expected.tensor_count.as_ref(), actual.tensor_count.as_ref())
    }

    /// The bytes that a descriptor takes.
    ///
    /// # Errors
    /// The first difference.
    pub fn descriptor_length(&mut self, expected: Option<U64>, actual: Option<U64>) -> Compared {
        self.field("descriptor_length", Need::Optional, expected.as_ref(), actual.as_ref())
    }

    /// The names, in any order: many languages return them as keys.
    ///
    /// # Errors
    /// The first difference.
    pub fn names(&mut self, expected: &[Text], actual: Option<&Vec<Text>>) -> Compared {
        let Some(actual) = actual else { return Err(difference("names", &expected, &"nothing")) };
        let (mut wanted, mut seen) = (expected.to_vec(), actual.clone());
        wanted.sort();
        seen.sort();
        if wanted == seen { Ok(()) } else { Err(difference("names", &expected, actual)) }
    }

    /// The key-value entries, by key; keys are unique in a file that is accepted.
    ///
    /// # Errors
    /// The first difference.
    pub fn kv(&mut self, expected: Option<&Vec<KvEntry>>, actual: Option<&Vec<KvEntry>>) -> Compared {
        let Some(expected) = expected else { return Ok(()) };
        if !self.observes(Part::Kv) {
            self.unobserved_count += 1;
            return Ok(());
        }
        let Some(actual) = actual else { return Err(difference("key-value entries", expected, &"nothing")) };
        let (mut wanted, mut seen) = (expected.clone(), actual.clone());
        wanted.sort_by(|a, b| a.key.cmp(&b.key));
        seen.sort_by(|a, b| a.key.cmp(&b.key));
        for (wanted, seen) in wanted.iter().zip(&seen) {
            if wanted.key != seen.key || !same_value(&wanted.value, &seen.value) {
                return Err(difference(&format!("key {}", wanted.key), wanted, seen));
            }
            self.compared_count += 1;
        }
        if wanted.len() == seen.len() {
            self.compared_count += 1;
            Ok(())
        } else {
            Err(difference("key-value entries", &wanted, &seen))
        }
    }

    /// One descriptor.
    ///
    /// # Errors
    /// The first difference.
    pub fn tensor(
        &mut self,
        name: &Text,
        expected: &TensorObservation,
        actual: Option<&TensorObservation>,
    ) -> Compared {
        let nothing = TensorObservation::default();
        let seen = actual.unwrap_or(&nothing);
        let what = |field: &str| format!("{name}: {field}");
        if self.observes(Part::Tensors) {
            let type_name = expected.element_type.as_ref();
            self.field(&what("type"), Need::Must, type_name, seen.element_type.as_ref())?;
            self.field(&what("shape"), Need::Must, expected.shape.as_ref(), seen.shape.as_ref())?;
            self.field(&what("layout"), Need::Optional, expected.layout.as_ref(), seen.layout.as_ref())?;
            let byte_offset = expected.byte_offset.as_ref();
            self.field(&what("byte_offset"), Need::Optional, byte_offset, seen.byte_offset.as_ref())?;
            self.field(&what("strides"), Need::Optional, expected.strides.as_ref(), seen.strides.as_ref())?;
        } else {
            self.unobserved_count += 1;
        }
        if self.observes(Part::DescriptorVersion) {
            let version = expected.version.as_ref();
            self.field(&what("descriptor version"), Need::Must, version, seen.version.as_ref())?;
        }
        self.parts(name, expected, seen)?;
        let Some(handles) = &expected.handles else { return Ok(()) };
        if self.observes(Part::Handles) {
            self.handles(name, handles, seen.handles.as_ref())
        } else {
            self.unobserved_count += 1;
            Ok(())
        }
    }

    fn handles(
        &mut self,
        name: &Text,
        expected: &Vec<HandleObservation>,
        actual: Option<&Vec<HandleObservation>>,
    ) -> Compared {
        let Some(actual) = actual.filter(|actual| actual.len() == expected.len()) else {
            return Err(difference(&format!("{name}: buffer handles"), expected, &actual));
        };
        for (at, (wanted, seen)) in expected.iter().zip(actual).enumerate() {
            let what = |field: &str| format!("{name}: handle {at}: {field}");
            let need = Need::Optional;
            self.field(&what("byte_size"), need, wanted.byte_size.as_ref(), seen.byte_size.as_ref())?;
            self.field(&what("alignment"), need, wanted.alignment.as_ref(), seen.alignment.as_ref())?;
            self.field(&what("device_tag"), need, wanted.device_tag.as_ref(), seen.device_tag.as_ref())?;
            self.field(&what("sync_mode"), need, wanted.sync_mode.as_ref(), seen.sync_mode.as_ref())?;
            self.field(&what("memory_class"), need, wanted.memory_class.as_ref(), seen.memory_class.as_ref())?;
        }
        Ok(())
    }

    /// The buffers: length, digest, and memory at least as aligned as the handle declares (R26).
    ///
    /// # Errors
    /// The first difference.
    pub fn buffers(
        &mut self,
        name: &Text,
        expected: Option<&Vec<BufferObservation>>,
        handles: Option<&Vec<HandleObservation>>,
        actual: Option<&Vec<BufferObservation>>,
    ) -> Compared {
        let Some(expected) = expected else { return Ok(()) };
        if !self.observes(Part::Payload) {
            self.unobserved_count += 1;
            return Ok(());
        }
        // How a reader gets at the memory of a device is its own affair; what it shows of it has to be right.
        let is_elsewhere = |handle: &HandleObservation| handle.device_tag.is_some_and(|device| device != CPU);
        if actual.is_none() && handles.is_some_and(|handles| handles.iter().any(is_elsewhere)) {
            self.unobserved_count += 1;
            return Ok(());
        }
        let Some(actual) = actual.filter(|actual| actual.len() == expected.len()) else {
            return Err(difference(&format!("{name}: buffers"), expected, &actual));
        };
        for (at, (wanted, seen)) in expected.iter().zip(actual).enumerate() {
            let (wanted_len, seen_len) = (Some(&wanted.len), Some(&seen.len));
            self.field(&format!("{name}: buffer {at}: length"), Need::Must, wanted_len, seen_len)?;
            let digest = (wanted.sha256.to_ascii_lowercase(), seen.sha256.to_ascii_lowercase());
            self.field(&format!("{name}: buffer {at}: sha256"), Need::Must, Some(&digest.0), Some(&digest.1))?;
            let declared = handles.and_then(|handles| handles.get(at)).and_then(|handle| handle.alignment);
            if let Some(declared) = declared.filter(|_| wanted.len.0 > 0 && self.observes(Part::MemoryAlignment)) {
                self.memory(&format!("{name}: buffer {at}: memory alignment"), declared, seen)?;
            }
        }
        Ok(())
    }

    fn memory(&mut self, what: &str, declared: u32, seen: &BufferObservation) -> Compared {
        match seen.memory_alignment {
            Some(alignment) if alignment.0 >= u64::from(declared) => {
                self.compared_count += 1;
                Ok(())
            }
            other => Err(difference(what, &format!("at least {declared}"), &other)),
        }
    }
}

/// Whether a declared group may leave a field out.
#[derive(Clone, Copy, PartialEq)]
enum Need {
    Must,
    Optional,
}

/// Equal values; an array may leave out its element type, an integer its sign, and hex may be of either case.
fn same_value(wanted: &KvValue, seen: &KvValue) -> bool {
    match (wanted, seen) {
        (KvValue::Int64(wanted), KvValue::Integer(seen)) => wanted.to_string() == *seen,
        (KvValue::Uint64(wanted), KvValue::Integer(seen)) => wanted.to_string() == *seen,
        (KvValue::Bytes(wanted), KvValue::Bytes(seen)) => wanted.eq_ignore_ascii_case(seen),
        (
            KvValue::Array { element: wanted_type, items: wanted },
            KvValue::Array { element: seen_type, items: seen },
        ) => {
            (seen_type.is_none() || wanted_type.is_none() || seen_type == wanted_type)
                && wanted.len() == seen.len()
                && wanted.iter().zip(seen).all(|(wanted, seen)| same_value(wanted, seen))
        }
        _ => wanted == seen,
    }
}

fn difference(what: &str, expected: &impl Serialize, actual: &impl Serialize) -> Box<Difference> {
    let shown = |text: Result<String, serde_json::Error>| printable(&text.unwrap_or_default(), LONGEST_SHOWN);
    Box::new(Difference {
        what: what.to_owned(),
        expected: shown(serde_json::to_string(expected)),
        actual: shown(serde_json::to_string(actual)),
    })
}

#[cfg(test)]
mod tests;
