//! Which habit breaks which rule. At least one line for every rule with `enforced = "accept"`; `cargo xtask strength` fails
//! for a rule without one, and for one that no vector of its rule notices.
//!
//! Owns this table and nothing else.

use hurray_adapter::{Observed, TensorObservation};
use hurray_spec::Rule;

use super::composite::Family;
use super::sequential::Slip;
use super::{Habit, ReaderMutant, Sight, View, avoid, composite, decode, meaning, payload, refuse};

const fn mutant(rule: Rule, name: &'static str, habit: Habit) -> ReaderMutant {
    ReaderMutant { rule, name, waive: &[], habit }
}

const fn refuse(rule: Rule, name: &'static str, habit: fn(&View) -> bool) -> ReaderMutant {
    mutant(rule, name, Habit::Refuse(habit))
}

const fn refuse_step(rule: Rule, name: &'static str, habit: fn(&Sight<'_>, &Observed) -> bool) -> ReaderMutant {
    mutant(rule, name, Habit::RefuseStep(habit))
}

const fn avoid(rule: Rule, name: &'static str, habit: fn(&TensorObservation) -> bool) -> ReaderMutant {
    mutant(rule, name, Habit::Avoid(habit))
}

/// Its name is the feature that is not known.
const fn lacks(rule: Rule, feature: &'static str) -> ReaderMutant {
    mutant(rule, feature, Habit::Lacks(feature))
}

const fn disown(rule: Rule, name: &'static str, habit: fn(&Family) -> bool) -> ReaderMutant {
    mutant(rule, name, Habit::Disown(habit))
}

const fn spoil(rule: Rule, name: &'static str, habit: fn(&Sight<'_>, &mut Observed)) -> ReaderMutant {
    mutant(rule, name, Habit::Spoil(habit))
}

const fn pass(rule: Rule, name: &'static str, slip: Slip) -> ReaderMutant {
    mutant(rule, name, Habit::Pass(slip))
}

const fn lookup(rule: Rule, name: &'static str, habit: fn(&View, &[u8]) -> Option<Vec<u8>>) -> ReaderMutant {
    mutant(rule, name, Habit::Lookup(habit))
}

/// Every mutant.
pub const READER_MUTANTS: &[ReaderMutant] = &[
    // container
    refuse(Rule::ContainerHeaderAlignmentLargerPage, "takes pages of 4096 only", refuse::alignment_not_4096),
    refuse(Rule::ContainerHeaderFirstDescriptorGap, "wants the first descriptor at 64", refuse::gap_after_header),
    refuse(Rule::ContainerHeaderHintNotTrusted, "compares the hint with the count", refuse::wrong_hint),
    refuse(Rule::ContainerFlagsKvClearWithSection, "wants the flag for a KV section", refuse::kv_without_flag),
    refuse(Rule::ContainerFlagsCrcClearNoVerify, "verifies the CRC whatever the flag", refuse::crc_whatever_the_flag),
    refuse_step(
        Rule::ContainerRegionDescriptorVersionIndependent,
        "wants descriptors of the container's version",
        refuse::versions_that_differ,
    ),
    refuse_step(
        Rule::ContainerCompositeHeadDataOffsetIgnored,
        "wants heads to have a place for data",
        refuse::head_at_no_boundary,
    ),
    spoil(
        Rule::ContainerCompositeRecoverByOffset,
        "finds members in the order of the index",
        decode::members_in_the_order_of_the_index,
    ),
    refuse_step(
        Rule::ContainerCompositeNestedPreorder,
        "knows no composite in a composite",
        refuse::composite_in_a_composite,
    ),
    refuse_step(
        Rule::ContainerIndexNameByteExact,
        "takes names that differ in case for duplicates",
        refuse::names_equal_but_for_case,
    ),
    refuse_step(Rule::ContainerIndexNameOpaque, "refuses names with a slash", refuse::names_with_a_slash),
    refuse_step(
        Rule::ContainerIndexNameAny,
        "wants a lone tensor to be named weight",
        refuse::lone_tensor_not_named_weight,
    ),
    lookup(
        Rule::ContainerReaderTensorByIndex,
        "takes the n-th descriptor for the n-th name",
        decode::nth_descriptor_for_nth_name,
    ),
    refuse_step(Rule::ContainerReaderAnyTensorOrder, "serves a tensor once", refuse::second_request),
    refuse(Rule::ContainerSafetyZeroTensors, "wants a tensor", refuse::no_tensors),
    ReaderMutant {
        waive: &[Rule::ContainerIndexSortedOrder],
        ..lookup(Rule::ContainerIndexSortedLookupComplete, "halves an unsorted index", refuse::halving_lookup)
    },
    refuse_step(
        Rule::ContainerCompositeTornPermissive,
        "shows no head without its members",
        refuse::head_without_its_members,
    ),
    pass(Rule::ContainerSeqOffsetArithmetic, "ends data where HRRY stands in it", Slip::SearchesData),
    pass(Rule::ContainerSeqOffsetArithmetic, "skips to pages, whatever the alignment", Slip::SkipsToPages),
    pass(Rule::ContainerSeqOffsetArithmetic, "takes the end of the trailer for a tensor", Slip::GoesOnToTheEnd),
    pass(Rule::ContainerSeqFirstDescriptor, "begins behind the header", Slip::BeginsBehindTheHeader),
    pass(Rule::ContainerSeqDescriptorRead, "knows no descriptor longer than a kilobyte", Slip::ReadsOneKilobyte),
    pass(Rule::ContainerSeqBufferSkip, "puts buffers right behind one another", Slip::PacksBuffers),
    pass(Rule::ContainerSeqHintVerify, "trusts the hint without looking at the end", Slip::TrustsTheHint),
    pass(Rule::ContainerSeqEndDetection, "takes the first gap for the end of the tensors", Slip::EndsAtAGap),
    // kv
    refuse(Rule::KvSectionOptional, "wants a KV section", refuse::no_kv),
    refuse(Rule::KvSectionEmpty, "wants an entry in a KV section", refuse::empty_kv),
    refuse_step(
        Rule::KvKeyCaseSensitive,
        "takes keys that differ in case for duplicates",
        refuse::keys_equal_but_for_case,
    ),
    spoil(Rule::KvValueString, "gives strings as bytes", decode::string_as_bytes),
    spoil(Rule::KvValueInt64, "gives int64 as uint64", decode::int64_as_uint64),
    spoil(Rule::KvValueUint64, "gives uint64 as int64", decode::uint64_as_int64),
    spoil(Rule::KvValueFloat64, "makes NaN and zero canonical", decode::floats_made_canonical),
    spoil(Rule::KvValueBytes, "gives bytes as text", decode::bytes_as_string),
    spoil(Rule::KvValueArray, "loses the last item of an array", decode::arrays_lose_their_last_item),
    refuse_step(Rule::KvValueArrayEmpty, "refuses empty arrays", refuse::empty_array),
    // version
    refuse_step(Rule::VersionDescriptorMinorAccept, "refuses newer descriptor minors", refuse::newer_descriptor_minor),
    refuse_step(
        Rule::VersionDescriptorMinorNoInterpret,
        "refuses bytes behind the known fields",
        refuse::bytes_behind_known_fields,
    ),
    refuse(Rule::VersionContainerMinorAccept, "refuses newer container minors", refuse::newer_container_minor),
    refuse_step(
        Rule::VersionQuantTrailing,
        "refuses bytes behind the fields of a scheme",
        refuse::bytes_behind_a_scheme,
    ),
    refuse_step(Rule::VersionIndependent, "wants one version for all", refuse::versions_that_differ),
    spoil(Rule::VersionPermissiveShape, "knows no shape of what it does not know", decode::unknown_without_shape),
    // compliance
    spoil(Rule::ComplianceReaderHeader, "drops the last dimension", decode::one_dimension_short),
    spoil(Rule::ComplianceReaderBufferTable, "gives buffer sizes off by one", decode::sizes_not_exposed_as_written),
    refuse_step(
        Rule::ComplianceReaderSkipOptional,
        "refuses bytes behind the known fields",
        refuse::bytes_behind_known_fields,
    ),
    refuse_step(
        Rule::ComplianceTestTypeLayoutMatrix,
        "knows no booleans in column-major",
        refuse::column_major_booleans,
    ),
    avoid(Rule::ComplianceTestBufferSizes, "counts a byte for each boolean", avoid::packed_elements),
    spoil(Rule::ComplianceTestBitPreservation, "quiets NaN and flushes subnormals", payload::make_canonical::<0x03>),
    // buffer
    spoil(Rule::BufferDeviceNamed, "takes every memory for that of the CPU", decode::every_device_is_the_cpu),
    avoid(Rule::BufferDeviceNamed, "knows the CPU alone", avoid::devices),
    refuse_step(Rule::BufferEmptyNoDereference, "looks where empty buffers stand", refuse::empty_buffers_nowhere),
    avoid(Rule::BufferMemoryClassPairAccept, "knows standard memory alone", avoid::memory_classes),
    ReaderMutant {
        waive: &[
            Rule::BufferMemoryClassPairReject,
            Rule::BufferMemoryClassPrivateUnknownReject,
            Rule::VersionPrivateUnknown,
        ],
        ..mutant(Rule::BufferMemoryClassPrivatePairing, "pairs private memory with any device", Habit::Lenient)
    },
    // descriptor
    refuse_step(Rule::DescriptorHeaderLengthAdvance, "ends where its fields end", refuse::bytes_behind_known_fields),
    refuse_step(Rule::DescriptorHeaderSelfDelimiting, "ends where its fields end", refuse::bytes_behind_known_fields),
    spoil(Rule::DescriptorStatsUnsetUnknown, "gives unset statistics as 0", decode::unset_statistics),
    avoid(Rule::DescriptorStatsAdvisory, "wants statistics that can be", avoid::impossible_statistics),
    spoil(Rule::DescriptorExtSizeComputation, "takes private elements for bytes", payload::private_bytes),
    // model
    avoid(Rule::ModelRankSupport, "wants a dimension", avoid::scalars),
    avoid(Rule::ModelRankSupport, "takes eight dimensions", avoid::many_dimensions),
    avoid(Rule::ModelRankCapApplies, "takes eight strides", avoid::many_strides),
    avoid(Rule::ModelRankCapApplies, "takes eight levels", avoid::many_modes),
    avoid(Rule::ModelShapeZeroDim, "multiplies before it meets the zero", avoid::overflow_before_zero),
    refuse_step(Rule::ModelDynamicNoCompute, "wants a size before it reads", refuse::bytes_of_unknown_size),
    spoil(Rule::ModelDynamicNotZero, "takes what is not known for 0", decode::dynamic_as_empty),
    avoid(Rule::ModelEmptyAccept, "wants an element", avoid::no_elements),
    avoid(Rule::ModelEmptySparseNnz, "wants a stored element", avoid::nothing_stored),
    avoid(Rule::ModelEmptyQuantAxis, "wants a block or a channel", avoid::empty_axis),
    // type
    spoil(Rule::TypeFloat8E4m3Values, "misreads float8_e4m3", meaning::misread::<0x40>),
    spoil(Rule::TypeFloat8E5m2Values, "misreads float8_e5m2", meaning::misread::<0x41>),
    spoil(Rule::TypeFloat8E8m0Values, "misreads float8_e8m0", meaning::misread::<0x42>),
    spoil(Rule::TypeFloat4Values, "misreads float4_e2m1", meaning::misread::<0x43>),
    spoil(Rule::TypeFloat6Values, "misreads float6_e2m3", meaning::misread::<0x44>),
    spoil(Rule::TypeInt4Sign, "misreads int4", meaning::misread::<0x48>),
    spoil(Rule::TypeInt2Sign, "misreads int2", meaning::misread::<0x4A>),
    avoid(Rule::TypeTagUnknownPermissive, "wants a type it knows", avoid::unknown_types),
    lacks(Rule::TypeTier1Support, "type:float16"),
    lacks(Rule::TypeTier1Support, "type:bfloat16"),
    lacks(Rule::TypeTier1Support, "type:float32"),
    lacks(Rule::TypeTier1Support, "type:float64"),
    lacks(Rule::TypeTier1Support, "type:int8"),
    lacks(Rule::TypeTier1Support, "type:uint8"),
    lacks(Rule::TypeTier1Support, "type:int16"),
    lacks(Rule::TypeTier1Support, "type:uint16"),
    lacks(Rule::TypeTier1Support, "type:int32"),
    lacks(Rule::TypeTier1Support, "type:uint32"),
    lacks(Rule::TypeTier1Support, "type:int64"),
    lacks(Rule::TypeTier1Support, "type:uint64"),
    lacks(Rule::TypeTier1Support, "type:bool"),
    spoil(Rule::TypeTier2Optional, "takes optional types for bytes", decode::optional_types_as_bytes),
    spoil(Rule::TypeFloat16Bits, "makes floats canonical", payload::make_canonical::<0x01>),
    spoil(Rule::TypeBfloat16Bits, "makes floats canonical", payload::make_canonical::<0x02>),
    spoil(Rule::TypeFloat32Bits, "makes floats canonical", payload::make_canonical::<0x03>),
    spoil(Rule::TypeFloat64Bits, "makes floats canonical", payload::make_canonical::<0x04>),
    spoil(Rule::TypeFloat8Bits, "makes floats canonical", payload::make_canonical::<0x40>),
    spoil(Rule::TypeFloat8Bits, "makes floats canonical", payload::make_canonical::<0x41>),
    spoil(Rule::TypeFloat4Bits, "makes floats canonical", payload::make_canonical::<0x43>),
    spoil(Rule::TypeFloat6Bits, "makes floats canonical", payload::make_canonical::<0x44>),
    spoil(Rule::TypeFloat6Bits, "makes floats canonical", payload::make_canonical::<0x45>),
    spoil(Rule::TypeFloat128Bits, "makes floats canonical", payload::make_canonical::<0x46>),
    spoil(Rule::TypeFloat6GroupAccess, "finds 6-bit elements one by one", meaning::six_bits_one_by_one),
    avoid(Rule::TypeSizeWholeByte, "rounds sizes up to eight bytes", avoid::odd_sizes),
    avoid(Rule::TypeSizeSubbyte, "counts a byte for each element", avoid::packed_elements),
    spoil(Rule::TypeHostEndianness, "hands out big-endian bytes", payload::turned_round),
    // layout
    spoil(Rule::LayoutCommonAddressWhole, "places elements one byte on", meaning::one_byte_on),
    spoil(Rule::LayoutCommonAddressSubbyte, "counts bits from the top", meaning::bits_from_the_top),
    spoil(Rule::LayoutRowmajorStrides, "misplaces row-major elements", meaning::misplace::<0x01>),
    spoil(Rule::LayoutColmajorStrides, "misplaces column-major elements", meaning::misplace::<0x02>),
    spoil(Rule::LayoutStridedAddress, "misplaces strided elements", meaning::misplace::<0x03>),
    spoil(Rule::LayoutTiledAddress, "misplaces tiled elements", meaning::misplace::<0x04>),
    spoil(Rule::LayoutMortonIndex, "misplaces Morton elements", meaning::misplace::<0x05>),
    spoil(Rule::LayoutHilbertAlgorithm, "misplaces Hilbert elements", meaning::misplace::<0x40>),
    spoil(Rule::LayoutCooUnsortedScan, "halves unordered coordinates", meaning::half_a_search),
    spoil(Rule::LayoutCooMissingZero, "finds what COO does not store", meaning::first_for_unstored),
    spoil(Rule::LayoutCsrLookup, "misplaces CSR elements", meaning::misplace::<0x07>),
    spoil(Rule::LayoutCscLookup, "misplaces CSC elements", meaning::misplace::<0x08>),
    spoil(Rule::LayoutCsfLookup, "misplaces CSF elements", meaning::misplace::<0x09>),
    spoil(Rule::LayoutPagedLookup, "misplaces paged elements", meaning::misplace::<0x0A>),
    avoid(Rule::LayoutTagUnknownPermissive, "wants a layout it knows", avoid::unknown_layouts),
    lacks(Rule::LayoutTagTier1Support, "layout:row_major"),
    lacks(Rule::LayoutTagTier1Support, "layout:column_major"),
    lacks(Rule::LayoutTagTier1Support, "layout:strided"),
    lacks(Rule::LayoutTagTier1Support, "layout:tiled"),
    lacks(Rule::LayoutTagTier1Support, "layout:morton"),
    lacks(Rule::LayoutTagTier1Support, "layout:coo"),
    lacks(Rule::LayoutTagTier1Support, "layout:csr"),
    lacks(Rule::LayoutTagTier1Support, "layout:csc"),
    lacks(Rule::LayoutTagTier1Support, "layout:csf"),
    lacks(Rule::LayoutTagTier1Support, "layout:block_paged"),
    lacks(Rule::LayoutTagTier1Support, "layout:composite_head"),
    avoid(Rule::LayoutStridedNegativeZero, "wants no stride below 0", avoid::backward_strides),
    avoid(Rule::LayoutStridedNegativeZero, "wants no stride of 0", avoid::zero_strides),
    avoid(Rule::LayoutCsfModeOrderAny, "wants dimensions in their order", avoid::permuted_modes),
    refuse_step(Rule::LayoutPagedAliasing, "wants a page for each entry", refuse::shared_pages),
    avoid(Rule::LayoutPagedEmptyBatch, "wants a sequence", avoid::no_sequences),
    avoid(Rule::LayoutPagedLayerSentinel, "wants a layer", avoid::no_layer),
    // quant
    spoil(Rule::QuantPertensorFormula, "misscales int8", meaning::misscale::<0x10>),
    spoil(Rule::QuantPerchannelFormula, "misscales int8", meaning::misscale::<0x10>),
    spoil(Rule::QuantPerblockFormula, "misscales uint8", meaning::misscale::<0x11>),
    spoil(Rule::QuantPerblockBlockIndex, "misscales uint8", meaning::misscale::<0x11>),
    spoil(Rule::QuantPartialPaddingIgnored, "misscales int8", meaning::misscale::<0x10>),
    spoil(Rule::QuantNf4Table, "misscales uint4", meaning::misscale::<0x49>),
    spoil(Rule::QuantNf4Formula, "misscales uint4", meaning::misscale::<0x49>),
    spoil(Rule::QuantMxfpFormulaFloat, "misscales float4_e2m1", meaning::misscale::<0x43>),
    spoil(Rule::QuantMxfpFormulaFloat, "misscales float8_e4m3", meaning::misscale::<0x40>),
    spoil(Rule::QuantMxfpFormulaInt, "misscales int8", meaning::misscale::<0x10>),
    avoid(Rule::QuantHeaderUnknownPermissive, "wants a scheme it knows", avoid::unknown_schemes),
    lacks(Rule::QuantTagTier1Support, "quantization:per_tensor"),
    lacks(Rule::QuantTagTier1Support, "quantization:per_channel"),
    lacks(Rule::QuantTagTier1Support, "quantization:per_block"),
    avoid(Rule::QuantPartialPerBlockPermitted, "wants whole blocks of every scheme", avoid::partial_blocks),
    avoid(Rule::QuantPartialNotCrossApplied, "wants whole blocks of every scheme", avoid::partial_blocks),
    ReaderMutant {
        waive: &[Rule::QuantMxfpBlockMultiple],
        ..mutant(Rule::QuantPartialNotCrossApplied, "lets MXFP end within a block", Habit::Lenient)
    },
    avoid(Rule::QuantPerblockBlockEqAxis, "wants blocks shorter than the axis", avoid::one_block_an_axis),
    avoid(Rule::QuantPerblockEmptyAxis, "wants a block", avoid::empty_axis_of::<false>),
    avoid(Rule::QuantNf4EmptyAxis, "wants a block", avoid::empty_axis_of::<true>),
    // composite
    disown(
        Rule::CompositeMemberStoredTypeFree,
        "wants members of the type of the head",
        composite::stored_as_another_type,
    ),
    disown(Rule::CompositeMemberStoredTypeFree, "wants members that are not quantized", composite::quantized_members),
    disown(Rule::CompositeOverlayOverlapLegal, "wants corrections apart", composite::overlapping_corrections),
    disown(Rule::CompositeOverlayOverlapLegal, "wants corrections beside the base", composite::corrections_of_the_base),
    spoil(Rule::CompositeOverlayPrecedence, "reads corrections backwards", decode::corrections_backwards),
    disown(Rule::CompositeGroupFree, "wants groups of one type", composite::group_of_several_types),
    disown(Rule::CompositeGroupFree, "wants shards in a group", composite::group_without_shards),
    disown(Rule::CompositeGroupNoChecks, "counts the elements of a group", composite::group_that_covers_nothing),
    refuse_step(Rule::CompositeNestSupported, "knows no composite in a composite", refuse::composite_in_a_composite),
];
