//! How stored numbers stand for others: the quantization section as a value. Its arithmetic is nobody's business here.

/// The quantization section (quantization.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantization {
    /// `scheme_version`; 1 in format 1.0.
    pub version: u8,
    /// The scheme and its fields.
    pub scheme: Scheme,
}

/// A scheme with its fields. Buffer indices count within the buffer table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Tag 0x01: one scale and zero-point for all elements.
    PerTensor {
        /// The bits of the float32 scale.
        scale: u32,
        /// Zero-point.
        zero_point: i32,
    },
    /// Tag 0x02: one scale and zero-point for each index of one dimension.
    PerChannel {
        /// The dimension.
        axis: u32,
        /// Buffer of the scales.
        scale_buffer_index: u32,
        /// Buffer of the zero-points; 2^32-1 if there are none.
        zero_point_buffer_index: u32,
        /// Whether all zero-points are 0 and have no buffer.
        is_symmetric: bool,
        /// Element type of the scales.
        scale_type_tag: u8,
    },
    /// Tag 0x03: one scale and zero-point for each block along one dimension.
    PerBlock {
        /// The dimension.
        axis: u32,
        /// Elements of a block.
        block_size: u32,
        /// Buffer of the scales.
        scale_buffer_index: u32,
        /// Buffer of the zero-points; 2^32-1 if there are none.
        zero_point_buffer_index: u32,
        /// Whether all zero-points are 0 and have no buffer.
        is_symmetric: bool,
        /// Element type of the scales.
        scale_type_tag: u8,
    },
    /// Tag 0x04: sixteen levels, scaled for each block.
    Nf4 {
        /// The dimension.
        axis: u32,
        /// Elements of a block.
        block_size: u32,
        /// Buffer of the scales.
        scale_buffer_index: u32,
    },
    /// Tag 0x05: a power of two for each block.
    Mxfp {
        /// The dimension.
        axis: u32,
        /// Elements of a block.
        block_size: u32,
        /// Buffer of the scales.
        scale_buffer_index: u32,
    },
    /// A tag without a meaning in format 1.0; only a permissive reader hands one out.
    Unknown(u8),
}

impl Scheme {
    /// The tag in the descriptor.
    pub fn tag(&self) -> u8 {
        match self {
            Scheme::PerTensor { .. } => 0x01,
            Scheme::PerChannel { .. } => 0x02,
            Scheme::PerBlock { .. } => 0x03,
            Scheme::Nf4 { .. } => 0x04,
            Scheme::Mxfp { .. } => 0x05,
            Scheme::Unknown(tag) => *tag,
        }
    }

    /// The name of the scheme.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Scheme::PerTensor { .. } => Some("per_tensor"),
            Scheme::PerChannel { .. } => Some("per_channel"),
            Scheme::PerBlock { .. } => Some("per_block"),
            Scheme::Nf4 { .. } => Some("nf4"),
            Scheme::Mxfp { .. } => Some("mxfp"),
            Scheme::Unknown(_) => None,
        }
    }

    /// Bytes of the section behind its length, header included; `None` for a tag without a meaning.
    pub fn encoded_len(&self) -> Option<u32> {
        match self {
            Scheme::PerTensor { .. } | Scheme::Nf4 { .. } | Scheme::Mxfp { .. } => Some(16),
            Scheme::PerChannel { .. } => Some(20),
            Scheme::PerBlock { .. } => Some(24),
            Scheme::Unknown(_) => None,
        }
    }

    /// Parameter buffers of the scheme, behind those of the layout; `None` for a tag without a meaning.
    pub fn parameter_count(&self) -> Option<usize> {
        match self {
            Scheme::PerTensor { .. } => Some(0),
            Scheme::PerChannel { is_symmetric, .. } | Scheme::PerBlock { is_symmetric, .. } => {
                Some(if *is_symmetric { 1 } else { 2 })
            }
            Scheme::Nf4 { .. } | Scheme::Mxfp { .. } => Some(1),
            Scheme::Unknown(_) => None,
        }
    }

    /// The dimension along which parameters differ.
    pub fn axis(&self) -> Option<u32> {
        match self {
            Scheme::PerChannel { axis, .. }
            | Scheme::PerBlock { axis, .. }
            | Scheme::Nf4 { axis, .. }
            | Scheme::Mxfp { axis, .. } => Some(*axis),
            Scheme::PerTensor { .. } | Scheme::Unknown(_) => None,
        }
    }

    /// Elements of a block along the axis.
    pub fn block_size(&self) -> Option<u32> {
        match self {
            Scheme::PerBlock { block_size, .. } | Scheme::Nf4 { block_size, .. } | Scheme::Mxfp { block_size, .. } => {
                Some(*block_size)
            }
            _ => None,
        }
    }

    /// The buffer of the scales.
    pub fn scale_buffer(&self) -> Option<u32> {
        match self {
            Scheme::PerChannel { scale_buffer_index, .. }
            | Scheme::PerBlock { scale_buffer_index, .. }
            | Scheme::Nf4 { scale_buffer_index, .. }
            | Scheme::Mxfp { scale_buffer_index, .. } => Some(*scale_buffer_index),
            Scheme::PerTensor { .. } | Scheme::Unknown(_) => None,
        }
    }

    /// The buffer of the zero-points, if the scheme has one.
    pub fn zero_point_buffer(&self) -> Option<u32> {
        match self {
            Scheme::PerChannel { zero_point_buffer_index, is_symmetric: false, .. }
            | Scheme::PerBlock { zero_point_buffer_index, is_symmetric: false, .. } => Some(*zero_point_buffer_index),
            _ => None,
        }
    }
}
