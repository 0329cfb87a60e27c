//! The optional sections of a descriptor as values: shard, statistics, extension type, composite member.

/// Which part of a larger tensor this one is (metadata.md § Shard Section).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shard {
    /// Dimensions of the whole.
    pub parent_shape: Vec<u64>,
    /// Index of element [0, …, 0] in the whole.
    pub shard_offset: Vec<u64>,
}

/// What the producer found out about the values; advice, never relied on (metadata.md § Statistics Section).
///
/// `None` is what the mask does not declare valid. Floats are the bits of a float64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Elements that are not zero.
    pub nnz: Option<u64>,
    /// Share of zeros.
    pub sparsity_ratio: Option<u64>,
    /// `value_min`, `value_max` and `value_abs_max`.
    pub value_range: Option<[u64; 3]>,
    /// `value_mean` and `value_stddev`.
    pub value_stats: Option<[u64; 2]>,
    /// `nm_n` and `nm_m`.
    pub nm_sparsity: Option<[u8; 2]>,
    /// `has_nan` and `has_inf`.
    pub nan_inf: Option<[u8; 2]>,
}

/// The shape of a private element type (metadata.md § Extension Type Section).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtensionType {
    /// Bits of an element.
    pub bit_width: u32,
    /// Elements of a byte below 8 bits, otherwise 1.
    pub packing_factor: u8,
    /// 1 for a float.
    pub is_float: u8,
    /// 1 for a signed integer.
    pub is_signed: u8,
    /// Sign bits of a float.
    pub sign_bits: u8,
    /// Exponent bits of a float.
    pub exponent_bits: u8,
    /// Mantissa bits of a float.
    pub mantissa_bits: u8,
    /// Exponent bias of a float.
    pub exponent_bias: u32,
    /// 1 if there are patterns for not-a-number.
    pub has_nan: u8,
    /// 1 if there are patterns for infinity.
    pub has_inf: u8,
}

impl ExtensionType {
    /// Bytes that `count` contiguous elements take; `None` beyond 128 bits.
    pub fn packed_len(&self, count: u128) -> Option<u128> {
        match self.bit_width {
            0..=7 => Some(count.div_ceil(u128::from(self.packing_factor.max(1)))),
            bits => count.checked_mul(u128::from(bits.div_ceil(8))),
        }
    }
}

/// What a member is to an overlay (metadata.md § Composite Member Section).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemberRole(pub u8);

impl MemberRole {
    /// On top of what came before.
    pub const CORRECTION: MemberRole = MemberRole(0);
    /// What the corrections correct.
    pub const BASE: MemberRole = MemberRole(1);
}
