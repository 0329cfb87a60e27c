//! Valid tensors of every type, layout, scheme and section, as a strategy: form, shape and seed shrink, the rest follows
//! from the seed. Knows how a valid tensor is built and asserts nothing.

mod layouts;
mod parts;
mod trees;

use hurray_reference::{
    BufferHandle, DeviceTag, ElementType, ExtensionType, Quantization, Scheme, Shape, SyncMode, TensorDescriptor,
};
use proptest::prelude::*;

use super::Dice;
use layouts::{FORMS, Form};

#[allow(unused_imports, reason = "one test binary alone writes composites")]
pub(crate) use trees::{Tree, tree};

/// A tensor with its data.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) descriptor: TensorDescriptor,
    pub(crate) buffers: Vec<Vec<u8>>,
}

impl Model {
    /// The payloads as the writer takes them.
    pub(crate) fn payloads(&self) -> Vec<&[u8]> {
        self.buffers.iter().map(Vec::as_slice).collect()
    }
}

/// Any valid tensor.
pub(crate) fn model() -> impl Strategy<Value = Model> {
    let dims = prop::collection::vec(0..6_u64, 0..4);
    (0..FORMS.len(), dims, any::<u64>()).prop_map(|(form, dims, seed)| build(FORMS[form], &dims, &mut Dice(seed)))
}

/// Storage of elements: a type, or the shape of a private one.
#[derive(Clone, Copy, Debug)]
struct Kind {
    element_type: ElementType,
    extension: Option<ExtensionType>,
}

impl Kind {
    fn plain(element_type: ElementType) -> Self {
        Kind { element_type, extension: None }
    }

    /// Any type, sometimes a private one.
    fn any(dice: &mut Dice) -> Self {
        match dice.below(ElementType::ALL.len() + 3).checked_sub(3) {
            Some(at) => Kind::plain(ElementType::ALL[at]),
            None => Kind {
                element_type: ElementType::Unknown(0xF0 + dice.below(15) as u8),
                extension: Some(parts::extension(dice)),
            },
        }
    }

    fn packed_len(self, count: u64) -> u64 {
        let count = u128::from(count);
        let len = self.extension.map_or_else(|| self.element_type.packed_len(count), |own| own.packed_len(count));
        len.unwrap() as u64
    }

    /// Bytes of an element that has whole ones.
    fn whole_bytes(self) -> Option<u64> {
        (self.packed_len(1) * 2 == self.packed_len(2)).then(|| self.packed_len(1))
    }
}

fn build(form: Form, dims: &[u64], dice: &mut Dice) -> Model {
    let quantized = if dice.below(3) == 0 { parts::scheme(form, dims, dice) } else { None };
    match quantized {
        Some(parts::Quantized { kind, dims, scheme }) => assemble(form, &dims, kind, Some(scheme), dice),
        None => assemble(form, dims, Kind::any(dice), None, dice),
    }
}

/// A tensor over exactly `dims` that decodes to `element_type`: quantized now and then if that is float32.
fn part(element_type: ElementType, dims: &[u64], dice: &mut Dice) -> Model {
    let forms = if dims.len() == 2 { &PARTS[..] } else { &PARTS[..6] };
    let form = forms[dice.below(forms.len())];
    let is_quantized = element_type == ElementType::Float32 && dice.below(2) == 0;
    match is_quantized.then(|| parts::scheme_of_whole(dims, dice)) {
        Some((scheme, kind)) => assemble(form, dims, kind, Some(scheme), dice),
        None => assemble(form, dims, Kind::plain(element_type), None, dice),
    }
}

/// What may be a shard, the two for matrices last.
const PARTS: [Form; 8] =
    [Form::Rows, Form::Columns, Form::Strided, Form::Tiled, Form::Morton, Form::Coo, Form::Csr, Form::Csc];

fn assemble(form: Form, dims: &[u64], kind: Kind, scheme: Option<Scheme>, dice: &mut Dice) -> Model {
    let placed = layouts::place(form, dims, kind, dice);
    let scheme = scheme.map(|scheme| parts::settle(scheme, &placed));
    let whole = scheme.map_or(placed.cells, |scheme| parts::whole_blocks(&placed, &scheme));
    let mut buffers = vec![fill(kind, placed.cells, whole, dice)];
    buffers.extend(placed.extra);
    if let Some(scheme) = &scheme {
        parts::parameters(&mut buffers, &placed.layout, &placed.dims, scheme, kind.element_type, dice);
    }
    let (device, alignment) = ([DeviceTag::CPU, DeviceTag::CUDA][dice.below(2)], 64 << dice.below(8));
    let handle =
        |buffer: &Vec<u8>| BufferHandle::new(buffer.len() as u64, alignment, device, SyncMode::PRODUCER_SYNCED);
    let handles = buffers.iter().map(handle).collect();
    let plain = TensorDescriptor::new(kind.element_type, Shape::new(placed.dims), placed.layout, handles);
    let descriptor = TensorDescriptor {
        byte_offset: placed.byte_offset,
        extension: kind.extension,
        quantization: scheme.map(|scheme| Quantization { version: 1, scheme }),
        ..plain
    };
    Model { descriptor: parts::with_sections(descriptor, dice), buffers }
}

/// The bytes of `cells` elements, allocated for `whole` of them: whatever nobody reaches is zero.
fn fill(kind: Kind, cells: u64, whole: u64, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = vec![0; kind.packed_len(whole) as usize];
    let used = kind.packed_len(cells) as usize;
    // Of elements below a byte the last unit may be filled in part; it stays zero.
    let free = if kind.whole_bytes().is_some() { used } else { used.saturating_sub(3) };
    bytes[..free].iter_mut().for_each(|byte| *byte = dice.roll() as u8);
    if kind.element_type == ElementType::Float8E8m0 {
        bytes.iter_mut().for_each(|byte| *byte = (*byte).clamp(1, 254));
    }
    bytes
}
