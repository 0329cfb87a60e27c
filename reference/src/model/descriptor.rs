//! The tensor descriptor as a value. Whether it makes sense is for `check` to say.

use super::{BufferHandle, ElementType, ExtensionType, LayoutDescriptor, MemberRole, Quantization, Shard, Statistics};

/// A dimension that is not known when the descriptor is written.
pub const DYNAMIC: u64 = u64::MAX;

/// Dimensions, dimension 0 first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape(Vec<u64>);

impl Shape {
    /// The shape of these dimensions; none for a scalar.
    pub fn new(dims: Vec<u64>) -> Self {
        Shape(dims)
    }

    /// The dimensions.
    pub fn dims(&self) -> &[u64] {
        &self.0
    }

    /// Whether a dimension is dynamic, so that no size can be computed.
    pub fn is_dynamic(&self) -> bool {
        self.0.contains(&DYNAMIC)
    }

    /// Number of elements: 1 for a scalar, 0 as soon as one dimension is 0 (ruling R47). `None` if a dimension is
    /// dynamic or the product does not fit 64 bits.
    pub fn element_count(&self) -> Option<u64> {
        if self.is_dynamic() {
            return None;
        }
        if self.0.contains(&0) {
            return Some(0);
        }
        self.0.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim))
    }
}

/// Everything a descriptor says of one tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorDescriptor {
    /// Major and minor version.
    pub version: [u8; 2],
    /// Storage type of the elements.
    pub element_type: ElementType,
    /// Dimensions.
    pub shape: Shape,
    /// Bytes from the start of buffer 0 to element [0, …, 0].
    pub byte_offset: u64,
    /// Layout and its fields.
    pub layout: LayoutDescriptor,
    /// The buffer table.
    pub buffers: Vec<BufferHandle>,
    /// How stored numbers stand for others.
    pub quantization: Option<Quantization>,
    /// Which part of a larger tensor this one is.
    pub shard: Option<Shard>,
    /// Advice about the values.
    pub statistics: Option<Statistics>,
    /// The shape of a private element type.
    pub extension: Option<ExtensionType>,
    /// What it is to the overlay it belongs to.
    pub member_role: Option<MemberRole>,
}

impl TensorDescriptor {
    /// A version 1.0 descriptor with `byte_offset` 0 and no optional section. Nothing is checked before it is written.
    pub fn new(element_type: ElementType, shape: Shape, layout: LayoutDescriptor, buffers: Vec<BufferHandle>) -> Self {
        TensorDescriptor {
            version: [1, 0],
            element_type,
            shape,
            byte_offset: 0,
            layout,
            buffers,
            quantization: None,
            shard: None,
            statistics: None,
            extension: None,
            member_role: None,
        }
    }

    /// Elements of a row-major or column-major tensor, those stored of a sparse one: what stands without
    /// gaps in buffer 0. `None` for other layouts, and as in [`Shape::element_count`].
    pub fn stored_count(&self) -> Option<u64> {
        match &self.layout {
            LayoutDescriptor::RowMajor | LayoutDescriptor::ColumnMajor => self.shape.element_count(),
            layout => layout.nnz(),
        }
    }

    /// Bytes that `count` contiguous elements take; `None` for a type of unknown width, or beyond 128 bits.
    pub fn packed_len(&self, count: u128) -> Option<u128> {
        match &self.extension {
            Some(extension) => extension.packed_len(count),
            None => self.element_type.packed_len(count),
        }
    }

    /// Whether the data may be handed out: the width of its elements, the layout and the scheme are known.
    pub fn has_meaning(&self) -> bool {
        let is_known = self.quantization.is_none_or(|quantization| quantization.scheme.name().is_some());
        is_known && (self.element_type.bits().is_some() || self.extension.is_some()) && self.layout.name().is_some()
    }
}
