//! Where the elements of a tensor stand in its buffers, as the descriptor says it. What the fields demand of each other
//! and of the buffers is for `wire` and `check`.

/// The order of tiles in a tensor, or of elements in a tile (layouts/tiled.md).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileOrder {
    /// Tag 0x01: the last dimension varies fastest.
    RowMajor,
    /// Tag 0x02: the first dimension varies fastest.
    ColumnMajor,
    /// Tag 0x03: one stride per dimension, in tiles between tiles, in elements within a tile.
    Strided(Vec<i64>),
}

impl TileOrder {
    /// The tag in the descriptor.
    pub fn tag(&self) -> u8 {
        match self {
            TileOrder::RowMajor => 0x01,
            TileOrder::ColumnMajor => 0x02,
            TileOrder::Strided(_) => 0x03,
        }
    }
}

/// One level of tiles (layouts/tiled.md).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileLevel {
    /// Elements of a tile, per dimension.
    pub tile_shape: Vec<u64>,
    /// The order of these tiles in what they divide.
    pub outer: TileOrder,
}

/// The fields of a block-paged tensor (layouts/block-paged.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPaged {
    /// Token slots of a page.
    pub page_size: u32,
    /// Pages in the pool.
    pub num_pages: u64,
    /// The paged dimension; 0 in format 1.0.
    pub paged_axis: u32,
    /// Sequences of the batch.
    pub num_seqs: u32,
    /// 0 keys, 1 values, 2 both or other.
    pub kv_role: u8,
    /// Layer of the model; 2^32-1 if none.
    pub layer_index: u32,
    /// 0 if block table and sequence pointers are `u32`, 1 if they are `u64`.
    pub block_table_index_type: u8,
}

impl BlockPaged {
    /// Bytes of one entry of the block table and of the sequence pointers.
    pub fn index_len(&self) -> u64 {
        if self.block_table_index_type == 0 { 4 } else { 8 }
    }
}

/// How the members of a composite make up the whole (layouts/composite.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CompositionRule(pub u8);

impl CompositionRule {
    /// Boxes that cover the whole, each index once.
    pub const PARTITION: CompositionRule = CompositionRule(0x01);
    /// A base, and corrections on top of it.
    pub const OVERLAY: CompositionRule = CompositionRule(0x02);
    /// Tensors that belong together.
    pub const GROUP: CompositionRule = CompositionRule(0x03);

    /// Whether members have a box in the index space of the head.
    pub fn is_spatial(self) -> bool {
        matches!(self, CompositionRule::PARTITION | CompositionRule::OVERLAY)
    }
}

/// The fields of a composite head (layouts/composite.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompositeHead {
    /// How the members make up the whole.
    pub composition_rule: CompositionRule,
    /// 0 outside overlays; 1 replaces, 2 adds.
    pub combine_op: u8,
    /// Direct members.
    pub member_count: u32,
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
    /// Tag 0x04: tiles, and tiles in tiles.
    Tiled {
        /// The levels, outermost first; at least one.
        levels: Vec<TileLevel>,
        /// The order of elements in a tile of the last level.
        inner: TileOrder,
    },
    /// Tag 0x05: interleaved bits of the index.
    Morton {
        /// Bits per dimension.
        morton_bits: Vec<u32>,
    },
    /// Tag 0x06: stored elements and their coordinates, in two buffers.
    Coo {
        /// Stored elements.
        nnz: u64,
        /// Whether the coordinates ascend.
        is_sorted: bool,
    },
    /// Tag 0x07: a matrix by rows, in three buffers.
    Csr {
        /// Stored elements.
        nnz: u64,
    },
    /// Tag 0x08: a matrix by columns, in three buffers.
    Csc {
        /// Stored elements.
        nnz: u64,
    },
    /// Tag 0x09: a tree of coordinates, in two buffers a level behind the values.
    Csf {
        /// Stored elements.
        nnz: u64,
        /// The dimension each level stores, outermost level first.
        mode_order: Vec<u32>,
    },
    /// Tag 0x0A: pages of tokens, found through a table.
    BlockPaged(BlockPaged),
    /// Tag 0x0B: no data; a number of tensors that follow.
    Composite(CompositeHead),
    /// Tag 0x40: the Hilbert curve.
    Hilbert {
        /// Bits per dimension.
        hilbert_order: u32,
        /// Dimensions of the curve; the rank of the tensor.
        hilbert_rank: u32,
    },
    /// Tags 0xF0 to 0xFE: by private agreement; only a permissive reader hands one out.
    Extension {
        /// The tag.
        tag: u8,
        /// `extension_layout_id`.
        id: u64,
        /// Opaque bytes.
        data: Vec<u8>,
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
            LayoutDescriptor::Tiled { .. } => 0x04,
            LayoutDescriptor::Morton { .. } => 0x05,
            LayoutDescriptor::Coo { .. } => 0x06,
            LayoutDescriptor::Csr { .. } => 0x07,
            LayoutDescriptor::Csc { .. } => 0x08,
            LayoutDescriptor::Csf { .. } => 0x09,
            LayoutDescriptor::BlockPaged(_) => 0x0A,
            LayoutDescriptor::Composite(_) => 0x0B,
            LayoutDescriptor::Hilbert { .. } => 0x40,
            LayoutDescriptor::Extension { tag, .. } | LayoutDescriptor::Unknown(tag) => *tag,
        }
    }

    /// The name in the specification.
    pub fn name(&self) -> Option<&'static str> {
        Some(match self {
            LayoutDescriptor::RowMajor => "row_major",
            LayoutDescriptor::ColumnMajor => "column_major",
            LayoutDescriptor::Strided { .. } => "strided",
            LayoutDescriptor::Tiled { .. } => "tiled",
            LayoutDescriptor::Morton { .. } => "morton",
            LayoutDescriptor::Coo { .. } => "coo",
            LayoutDescriptor::Csr { .. } => "csr",
            LayoutDescriptor::Csc { .. } => "csc",
            LayoutDescriptor::Csf { .. } => "csf",
            LayoutDescriptor::BlockPaged(_) => "block_paged",
            LayoutDescriptor::Composite(_) => "composite_head",
            LayoutDescriptor::Hilbert { .. } => "hilbert",
            LayoutDescriptor::Extension { .. } | LayoutDescriptor::Unknown(_) => return None,
        })
    }

    /// Stored elements of a sparse layout.
    pub fn nnz(&self) -> Option<u64> {
        match self {
            LayoutDescriptor::Coo { nnz, .. }
            | LayoutDescriptor::Csr { nnz }
            | LayoutDescriptor::Csc { nnz }
            | LayoutDescriptor::Csf { nnz, .. } => Some(*nnz),
            _ => None,
        }
    }

    /// Whether every index of the shape has its own place in buffer 0, found by arithmetic.
    pub fn is_dense(&self) -> bool {
        matches!(
            self,
            LayoutDescriptor::RowMajor
                | LayoutDescriptor::ColumnMajor
                | LayoutDescriptor::Strided { .. }
                | LayoutDescriptor::Tiled { .. }
                | LayoutDescriptor::Morton { .. }
                | LayoutDescriptor::Hilbert { .. }
        )
    }

    /// Buffers of the layout itself, before those of a quantization scheme (ruling R51).
    pub fn baseline(&self, rank: usize) -> usize {
        match self {
            LayoutDescriptor::Composite(_) => 0,
            LayoutDescriptor::Coo { .. } => 2,
            LayoutDescriptor::Csr { .. } | LayoutDescriptor::Csc { .. } | LayoutDescriptor::BlockPaged(_) => 3,
            LayoutDescriptor::Csf { .. } => rank.saturating_mul(2).saturating_add(1),
            _ => 1,
        }
    }
}

/// Where the pointers and the coordinates of a CSF level stand in the buffer table (layouts/csf.md). Beyond any table
/// for a level that no tensor has.
pub(crate) fn csf_level(level: usize) -> (usize, usize) {
    let before = level.saturating_mul(2);
    (before.saturating_add(1), before.saturating_add(2))
}
