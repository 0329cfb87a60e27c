//! The tensor descriptor as a value. Whether it makes sense is for `check` to say.

use super::{BufferHandle, ElementType};

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

/// Where the elements of a tensor stand in its buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutDescriptor {
    /// Tag 0x01: the last dimension varies fastest.
    RowMajor,
    /// Tag 0x02: the first dimension varies fastest.
    ColumnMajor,
    /// Tag 0x03: one stride per dimension.
    Strided {
        /// Strides in elements, dimension 0 first; negative and zero allowed.
        strides: Vec<i64>,
    },
    /// Tag 0x06: stored elements and their coordinates, in two buffers.
    Coo {
        /// Stored elements.
        nnz: u64,
        /// Whether the coordinates ascend.
        is_sorted: bool,
    },
    /// A tag without a meaning in format 1.0; only a permissive reader hands one out.
    Unknown(u8),
}

impl LayoutDescriptor {
    /// The tag in the descriptor.
    pub fn tag(&self) -> u8 {
        match self {
            LayoutDescriptor::RowMajor => 0x01,
            LayoutDescriptor::ColumnMajor => 0x02,
            LayoutDescriptor::Strided { .. } => 0x03,
            LayoutDescriptor::Coo { .. } => 0x06,
            LayoutDescriptor::Unknown(tag) => *tag,
        }
    }

    /// The name in the specification.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            LayoutDescriptor::RowMajor => Some("row_major"),
            LayoutDescriptor::ColumnMajor => Some("column_major"),
            LayoutDescriptor::Strided { .. } => Some("strided"),
            LayoutDescriptor::Coo { .. } => Some("coo"),
            LayoutDescriptor::Unknown(_) => None,
        }
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
}

impl TensorDescriptor {
    /// A version 1.0 descriptor with `byte_offset` 0. Nothing is checked before it is written.
    pub fn new(element_type: ElementType, shape: Shape, layout: LayoutDescriptor, buffers: Vec<BufferHandle>) -> Self {
        TensorDescriptor { version: [1, 0], element_type, shape, byte_offset: 0, layout, buffers }
    }

    /// Elements that buffer 0 holds: those stored of a sparse tensor, all of them otherwise. `None` as in
    /// [`Shape::element_count`].
    pub fn stored_count(&self) -> Option<u64> {
        match &self.layout {
            LayoutDescriptor::Coo { nnz, .. } => Some(*nnz),
            _ => self.shape.element_count(),
        }
    }

    /// Whether the data may be interpreted: type and layout both have a meaning.
    pub fn has_meaning(&self) -> bool {
        self.element_type.bits().is_some() && self.layout.name().is_some()
    }
}
