//! One valid tensor of each layout, over dimensions that a test chose: fields, cells of buffer 0, index buffers.

use hurray_reference::{BlockPaged, LayoutDescriptor, TileLevel, TileOrder};

use super::{Dice, Kind};

/// A layout to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Rows,
    Columns,
    Strided,
    Tiled,
    Morton,
    Hilbert,
    Coo,
    Csr,
    Csc,
    Csf,
    Paged,
}

pub(crate) const FORMS: [Form; 11] = [
    Form::Rows,
    Form::Columns,
    Form::Strided,
    Form::Tiled,
    Form::Morton,
    Form::Hilbert,
    Form::Coo,
    Form::Csr,
    Form::Csc,
    Form::Csf,
    Form::Paged,
];

/// Where the elements of a tensor stand.
pub(super) struct Placed {
    pub(super) layout: LayoutDescriptor,
    pub(super) dims: Vec<u64>,
    /// Elements that buffer 0 has room for.
    pub(super) cells: u64,
    pub(super) byte_offset: u64,
    /// The buffers behind buffer 0.
    pub(super) extra: Vec<Vec<u8>>,
}

pub(super) fn place(form: Form, dims: &[u64], kind: Kind, dice: &mut Dice) -> Placed {
    let rank = match form {
        Form::Rows => dims.len(),
        Form::Csr | Form::Csc => 2,
        Form::Csf | Form::Paged => 3,
        Form::Hilbert => 2 + dice.below(2),
        _ => dims.len().max(1),
    };
    let dims: Vec<u64> = (0..rank).map(|at| dims.get(at).copied().unwrap_or(3)).collect();
    let count: u64 = dims.iter().product();
    let dense = |layout, cells: u64| Placed {
        layout,
        cells: if count == 0 { 0 } else { cells },
        dims: dims.clone(),
        byte_offset: 0,
        extra: Vec::new(),
    };
    match form {
        Form::Rows => dense(LayoutDescriptor::RowMajor, count),
        Form::Columns => dense(LayoutDescriptor::ColumnMajor, count),
        Form::Strided => {
            let (strides, low) = strides(&dims, kind.whole_bytes().is_some() && count > 0, dice);
            let byte_offset = kind.whole_bytes().map_or(0, |bytes| low * bytes);
            Placed { byte_offset, ..dense(LayoutDescriptor::Strided { strides }, count) }
        }
        Form::Tiled => tiled(&dims, dice, dense),
        Form::Morton => {
            let morton_bits: Vec<u32> = dims.iter().map(|dim| dim.next_power_of_two().ilog2().max(1)).collect();
            let cells = 1 << morton_bits.iter().sum::<u32>();
            dense(LayoutDescriptor::Morton { morton_bits }, cells)
        }
        Form::Hilbert => {
            let hilbert_order = 1 + dice.below(2) as u32;
            let layout = LayoutDescriptor::Hilbert { hilbert_order, hilbert_rank: rank as u32 };
            let (dims, cells) = (vec![1 << hilbert_order; rank], 1 << (hilbert_order * rank as u32));
            Placed { layout, dims, cells, byte_offset: 0, extra: Vec::new() }
        }
        Form::Paged => paged(dims, dice),
        Form::Coo | Form::Csr | Form::Csc | Form::Csf => sparse(form, dims, dice),
    }
}

/// Strides of some order of the dimensions, some of them backwards; and how far the first element is behind the lowest.
fn strides(dims: &[u64], may_turn: bool, dice: &mut Dice) -> (Vec<i64>, u64) {
    let mut strides = vec![0; dims.len()];
    let (mut step, mut low) = (1_i64, 0);
    for at in order(dims.len(), dice) {
        let is_turned = may_turn && dice.below(3) == 0;
        strides[at] = if is_turned { -step } else { step };
        low += if is_turned { step as u64 * (dims[at] - 1) } else { 0 };
        step *= dims[at].max(1) as i64;
    }
    (strides, low)
}

/// The numbers below `len` in some order.
fn order(len: usize, dice: &mut Dice) -> Vec<usize> {
    let mut left: Vec<usize> = (0..len).collect();
    (0..len).map(|_| left.swap_remove(dice.below(left.len()))).collect()
}

fn tiled(dims: &[u64], dice: &mut Dice, dense: impl Fn(LayoutDescriptor, u64) -> Placed) -> Placed {
    let mut levels = Vec::new();
    let mut whole = dims.to_vec();
    // From the innermost tile outwards each is a multiple of the one inside, so that tiles divide tiles.
    let mut tile = vec![1; dims.len()];
    let mut shapes = Vec::new();
    for _ in 0..=dice.below(3) {
        tile.iter_mut().for_each(|side| *side *= 1 + dice.below(3) as u64);
        shapes.push(tile.clone());
    }
    for tile_shape in shapes.iter().rev() {
        let grid: Vec<u64> = whole.iter().zip(tile_shape).map(|(dim, side)| dim.div_ceil(*side)).collect();
        levels.push(TileLevel { tile_shape: tile_shape.clone(), outer: tile_order(&grid, dice) });
        whole = tile_shape.clone();
    }
    let outermost = &levels[0].tile_shape;
    let sides = dims.iter().zip(outermost).map(|(dim, side)| dim.div_ceil(*side) * side);
    let cells = sides.product();
    let inner = tile_order(&whole, dice);
    dense(LayoutDescriptor::Tiled { levels, inner }, cells)
}

fn tile_order(dims: &[u64], dice: &mut Dice) -> TileOrder {
    match dice.below(3) {
        0 => TileOrder::RowMajor,
        1 => TileOrder::ColumnMajor,
        _ => TileOrder::Strided(strides(dims, false, dice).0),
    }
}

fn paged(dims: Vec<u64>, dice: &mut Dice) -> Placed {
    let (page_size, pages) = (1 + dice.below(3) as u64, dice.below(4) as u64);
    let tokens = dims[0].min(pages * page_size);
    let (num_pages, num_seqs) = (pages + dice.below(3) as u64, dice.below(3) as u64);
    let num_seqs = if pages > 0 { num_seqs.max(1) } else { num_seqs };
    let index_type = dice.below(2) as u8;
    let pack = |numbers: Vec<u64>| -> Vec<u8> {
        let width = if index_type == 0 { 4 } else { 8 };
        numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec()).collect()
    };
    let table = pack((0..pages).map(|_| dice.below(num_pages as usize) as u64).collect());
    let mut ends: Vec<u64> = (0..num_seqs).map(|_| dice.below(pages as usize + 1) as u64).collect();
    ends.sort_unstable();
    if let Some(last) = ends.last_mut() {
        *last = pages;
    }
    let pointers = pack([vec![0], ends].concat());
    let layout = LayoutDescriptor::BlockPaged(BlockPaged {
        page_size: page_size as u32,
        num_pages,
        paged_axis: 0,
        num_seqs: num_seqs as u32,
        kv_role: dice.below(3) as u8,
        layer_index: dice.roll() as u32,
        block_table_index_type: index_type,
    });
    let cells = num_pages * page_size * dims[1] * dims[2];
    Placed { layout, dims: vec![tokens, dims[1], dims[2]], cells, byte_offset: 0, extra: vec![table, pointers] }
}

fn sparse(form: Form, dims: Vec<u64>, dice: &mut Dice) -> Placed {
    let count: u64 = dims.iter().product();
    let mut tuples = Vec::new();
    for place in 0..count {
        let mut rest = place;
        let mut tuple: Vec<u64> = dims.iter().rev().map(|dim| (rest % dim, rest /= dim).0).collect();
        tuple.reverse();
        if dice.below(3) == 0 {
            tuples.push(tuple);
        }
    }
    let nnz = tuples.len() as u64;
    let words = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let (layout, extra) = match form {
        Form::Coo => {
            let is_sorted = dice.below(2) == 0;
            if !is_sorted {
                tuples.reverse();
            }
            (LayoutDescriptor::Coo { nnz, is_sorted: is_sorted || nnz < 2 }, vec![words(&tuples.concat())])
        }
        Form::Csr | Form::Csc => {
            let (along, across) = if form == Form::Csr { (0, 1) } else { (1, 0) };
            tuples.sort_by_key(|tuple| (tuple[along], tuple[across]));
            let indices: Vec<u64> = tuples.iter().map(|tuple| tuple[across]).collect();
            let below = |line: u64| tuples.iter().filter(|tuple| tuple[along] < line).count() as u64;
            let pointers: Vec<u64> = (0..=dims[along]).map(below).collect();
            let layout = if form == Form::Csr { LayoutDescriptor::Csr { nnz } } else { LayoutDescriptor::Csc { nnz } };
            (layout, vec![words(&indices), words(&pointers)])
        }
        _ => {
            let modes = order(dims.len(), dice);
            let mut paths: Vec<Vec<u64>> =
                tuples.iter().map(|tuple| modes.iter().map(|mode| tuple[*mode]).collect()).collect();
            paths.sort_unstable();
            let mode_order = modes.iter().map(|mode| *mode as u32).collect();
            let levels = (0..dims.len()).flat_map(|level| csf_level(&paths, level));
            (LayoutDescriptor::Csf { nnz, mode_order }, levels.map(|numbers| words(&numbers)).collect())
        }
    };
    Placed { layout, dims, cells: nnz, byte_offset: 0, extra }
}

/// Positions and coordinates of one level of the tree of these sorted paths.
fn csf_level(paths: &[Vec<u64>], level: usize) -> [Vec<u64>; 2] {
    let distinct = |len: usize| {
        let mut parts: Vec<&[u64]> = paths.iter().map(|path| &path[..len]).collect();
        parts.dedup();
        parts
    };
    let nodes = distinct(level + 1);
    // The root is there even if nothing is stored.
    let parents = if level == 0 { vec![&[][..]] } else { distinct(level) };
    let ends = parents.iter().map(|parent| nodes.iter().filter(|node| node[..level] <= **parent).count() as u64);
    let positions = std::iter::once(0).chain(ends).collect();
    [positions, nodes.iter().map(|node| node[level]).collect()]
}
