//! The fields of every layout, by bytes typed from the field tables, and each fault at its place.

use super::*;
use crate::judge::Policy;
use crate::model::{BlockPaged, CompositeHead, CompositionRule, TileLevel, TileOrder};
use crate::reject::Span;
use hurray_spec::Rule;

const RULE: Rule = Rule::DescriptorHeaderLengthOverread;

fn read(tag: u8, rank: u32, bytes: &[u8], policy: Policy) -> Result<LayoutDescriptor, Reject> {
    let mut cursor = Cursor::new(bytes, 0, RULE);
    let tag = Field { value: tag, span: Span::at(900, 1) };
    let rank = Field { value: rank, span: Span::at(901, 4) };
    let (layout, has_table) = read_layout(&mut cursor, tag, rank, &mut Judge::new(policy))?;
    assert!(has_table);
    assert_eq!(cursor.left(), 0);
    Ok(layout)
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect()
}

fn numbers(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Tag, rank, bytes and meaning of every layout.
fn layouts() -> Vec<(u8, u32, Vec<u8>, LayoutDescriptor)> {
    let paged = BlockPaged {
        page_size: 4,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 1,
        layer_index: 7,
        block_table_index_type: 1,
    };
    let paged_bytes = "04 00 00 00 05 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 07 00 00 00 01 00 00 00 00 00 00";
    let head = |rule, op, count| {
        let composition_rule = CompositionRule(rule);
        LayoutDescriptor::Composite(CompositeHead { composition_rule, combine_op: op, member_count: count })
    };
    let outer = TileLevel { tile_shape: vec![4, 4], outer: TileOrder::Strided(vec![2, -1]) };
    let nested = TileLevel { tile_shape: vec![2, 2], outer: TileOrder::ColumnMajor };
    let tiles = [
        numbers(&[4, 4]),
        hex("03 04 00 00"),
        numbers(&[2, u64::MAX]),
        numbers(&[2, 2]),
        hex("02 03 00 00"),
        numbers(&[2, 1]),
    ];
    let inner = TileOrder::Strided(vec![2, 1]);
    vec![
        (0x01, 2, vec![], LayoutDescriptor::RowMajor),
        (0x02, 2, vec![], LayoutDescriptor::ColumnMajor),
        (0x03, 2, numbers(&[u64::MAX, 1]), LayoutDescriptor::Strided { strides: vec![-1, 1] }),
        (0x04, 2, tiles.concat(), LayoutDescriptor::Tiled { levels: vec![outer, nested], inner }),
        (0x05, 2, hex("02 00 00 00 03 00 00 00"), LayoutDescriptor::Morton { morton_bits: vec![2, 3] }),
        (
            0x06,
            2,
            hex("03 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00"),
            LayoutDescriptor::Coo { nnz: 3, is_sorted: true },
        ),
        (0x07, 2, numbers(&[6, 0]), LayoutDescriptor::Csr { nnz: 6 }),
        (0x08, 2, numbers(&[6, 0]), LayoutDescriptor::Csc { nnz: 6 }),
        (0x09, 3, [numbers(&[5]), hex("02 00 00 00 00 00 00 00 01 00 00 00"), numbers(&[0])].concat(), {
            LayoutDescriptor::Csf { nnz: 5, mode_order: vec![2, 0, 1] }
        }),
        (0x0A, 3, hex(paged_bytes), LayoutDescriptor::BlockPaged(paged)),
        (0x0B, 2, hex("02 01 00 00 02 00 00 00"), head(2, 1, 2)),
        (0x0B, 2, hex("03 00 00 00 00 00 00 00"), head(3, 0, 0)),
        (0x40, 2, hex("03 00 00 00 02 00 00 00"), LayoutDescriptor::Hilbert { hilbert_order: 3, hilbert_rank: 2 }),
    ]
}

#[test]
fn every_layout_is_read_and_written() {
    for (tag, rank, bytes, layout) in layouts() {
        assert_eq!(read(tag, rank, &bytes, Policy::strict()), Ok(layout.clone()), "{tag:#x}");
        let mut out = Vec::new();
        put_layout(&mut out, &layout, rank as usize).unwrap();
        assert_eq!((out, layout.tag()), (bytes.clone(), tag));
        for len in 0..bytes.len() {
            let reject = read(tag, rank, &bytes[..len], Policy::collecting()).unwrap_err();
            assert_eq!(reject.rule, RULE, "{tag:#x} in {len} bytes");
        }
    }
}

#[test]
fn each_field_is_refused_at_its_place() {
    let cases: [(u8, u32, usize, u8, Rule, std::ops::Range<u64>); 29] = [
        (0x04, 2, 8, 0, Rule::LayoutTiledTileNonzero, 0..16),
        (0x04, 2, 16, 4, Rule::LayoutTiledOuterValues, 16..17),
        (0x04, 2, 17, 5, Rule::LayoutTiledInnerValues, 17..18),
        (0x04, 2, 53, 0, Rule::LayoutTiledInnerValues, 53..54),
        (0x04, 2, 19, 1, Rule::LayoutTiledReserved, 18..20),
        (0x04, 2, 54, 1, Rule::LayoutTiledReserved, 54..56),
        (0x05, 2, 4, 0, Rule::LayoutMortonBitsNonzero, 0..8),
        (0x06, 2, 8, 2, Rule::LayoutCooIsSortedValue, 8..9),
        (0x06, 2, 15, 1, Rule::LayoutCooReserved, 9..16),
        (0x07, 2, 8, 1, Rule::LayoutCsrReserved, 8..16),
        (0x07, 3, 0, 6, Rule::LayoutCsrRank, 901..905),
        (0x08, 2, 15, 1, Rule::LayoutCscReserved, 8..16),
        (0x08, 1, 0, 6, Rule::LayoutCscRank, 901..905),
        (0x09, 3, 8, 1, Rule::LayoutCsfModeOrderPermutation, 8..20),
        (0x09, 3, 8, 3, Rule::LayoutCsfModeOrderPermutation, 8..20),
        (0x09, 3, 20, 1, Rule::LayoutCsfReserved, 20..28),
        (0x0A, 2, 0, 4, Rule::LayoutPagedRank, 901..905),
        (0x0A, 3, 0, 0, Rule::LayoutPagedPageSize, 0..4),
        (0x0A, 3, 12, 1, Rule::LayoutPagedAxisZero, 12..16),
        (0x0A, 3, 20, 3, Rule::LayoutPagedKvRole, 20..21),
        (0x0A, 3, 25, 2, Rule::LayoutPagedIndexType, 25..26),
        (0x0A, 3, 31, 1, Rule::LayoutPagedReservedReject, 26..32),
        (0x0B, 2, 0, 4, Rule::CompositeHeadRuleReject, 0..1),
        (0x0B, 2, 0, 0xF0, Rule::CompositeHeadRulePrivateReject, 0..1),
        (0x0B, 2, 0, 3, Rule::CompositeHeadCombinePartitionGroup, 1..2),
        (0x0B, 2, 1, 3, Rule::CompositeHeadCombineOverlay, 1..2),
        (0x0B, 2, 4, 0, Rule::CompositeOverlayEmptyReject, 4..8),
        (0x40, 2, 0, 0, Rule::LayoutHilbertOrderMin, 0..4),
        (0x40, 3, 0, 3, Rule::LayoutHilbertRankEqual, 4..8),
    ];
    for (tag, rank, at, byte, rule, span) in cases {
        let (.., mut bytes, _) = layouts().into_iter().find(|(known, ..)| *known == tag).unwrap();
        bytes[at] = byte;
        let reject = read(tag, rank, &bytes, Policy::strict()).unwrap_err();
        assert_eq!((reject.rule, reject.span), (rule, span), "{tag:#x} byte {at} = {byte}");
    }
    let reject = |tag, rank, text| read(tag, rank, &hex(text), Policy::strict()).unwrap_err().rule;
    assert_eq!(reject(0x0B, 2, "02 01 00 00 FF FF FF FF"), Rule::CompositeHeadOpenSentinelReject);
    assert_eq!(reject(0x0B, 2, "02 01 00 01 01 00 00 00"), Rule::CompositeHeadReservedReject);
    assert_eq!(reject(0x40, 1, "02 00 00 00 01 00 00 00"), Rule::LayoutHilbertRankMin);
    let flat = [numbers(&[5]), hex("00 00 00 00 01 00 00 00"), numbers(&[0])].concat();
    assert_eq!(read(0x09, 2, &flat, Policy::strict()).unwrap_err().rule, Rule::LayoutCsfRankMin);
}

#[test]
fn private_layouts_are_for_permissive_readers() {
    let bytes = hex("07 00 00 00 00 00 00 80 03 00 00 00 AA BB CC");
    let layout = LayoutDescriptor::Extension { tag: 0xF3, id: (1 << 63) + 7, data: vec![0xAA, 0xBB, 0xCC] };
    let reject = read(0xF3, 2, &bytes, Policy::strict()).unwrap_err();
    assert_eq!((reject.rule, reject.span), (Rule::LayoutExtUnknownReject, 0..8));
    assert_eq!(read(0xF3, 2, &bytes, Policy::permissive()), Ok(layout.clone()));
    let mut out = Vec::new();
    put_layout(&mut out, &layout, 2).unwrap();
    assert_eq!(out, bytes);
    assert_eq!(read(0xF3, 2, &bytes[..14], Policy::permissive()).unwrap_err().rule, RULE);
}

/// Levels of one-dimensional tiles, each in the one before.
fn tiles(depth: usize) -> Vec<u8> {
    let level = |inner: u8| [numbers(&[2]), vec![1, inner, 0, 0]].concat();
    [level(4).repeat(depth - 1), level(1)].concat()
}

#[test]
fn tiles_in_tiles_end_without_costing_stack() {
    let work = || {
        for depth in [1, 2, 8] {
            let LayoutDescriptor::Tiled { levels, .. } = read(0x04, 1, &tiles(depth), Policy::strict()).unwrap() else {
                panic!("not tiled")
            };
            assert_eq!(levels.len(), depth);
        }
        for depth in [9, 1000, 5000] {
            let reject = read(0x04, 1, &tiles(depth), Policy::strict()).unwrap_err();
            assert_eq!((reject.rule, reject.span.start), (Rule::LayoutTiledDepthLimit, 8 * 12));
        }
        assert!(read(0x04, 1, &tiles(5000), Policy::collecting()).is_ok());
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn what_does_not_match_the_rank_has_no_encoding() {
    let level = TileLevel { tile_shape: vec![1], outer: TileOrder::RowMajor };
    let cases = [
        LayoutDescriptor::Strided { strides: vec![1] },
        LayoutDescriptor::Tiled { levels: vec![], inner: TileOrder::RowMajor },
        LayoutDescriptor::Tiled { levels: vec![level.clone()], inner: TileOrder::RowMajor },
        LayoutDescriptor::Morton { morton_bits: vec![1] },
        LayoutDescriptor::Csf { nnz: 0, mode_order: vec![0] },
        LayoutDescriptor::Unknown(0x0C),
    ];
    for layout in cases {
        assert_eq!(put_layout(&mut Vec::new(), &layout, 2), Err(Misuse::Encoding), "{layout:?}");
    }
    let inner = TileOrder::Strided(vec![1, 1]);
    let tiled = LayoutDescriptor::Tiled { levels: vec![level], inner };
    assert_eq!(put_layout(&mut Vec::new(), &tiled, 1), Err(Misuse::Encoding));
}
