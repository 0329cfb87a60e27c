//! Which habit breaks which rule. One line for every rule with `enforced = "accept"`; `cargo xtask strength` fails for a
//! rule without one, and for one that no vector of its rule notices.

use hurray_spec::Rule;

use super::{Habit, Saboteur, decode, meaning, refuse};

const fn saboteur(rule: Rule, name: &'static str, habit: Habit) -> Saboteur {
    Saboteur { rule, name, waive: &[], habit }
}

/// Every saboteur.
pub const SABOTEURS: &[Saboteur] = &[
    saboteur(
        Rule::ContainerHeaderAlignmentLargerPage,
        "takes pages of 4096 only",
        Habit::Refuse(refuse::alignment_not_4096),
    ),
    saboteur(
        Rule::ContainerHeaderFirstDescriptorGap,
        "wants the first descriptor at 64",
        Habit::Refuse(refuse::gap_after_header),
    ),
    saboteur(
        Rule::ContainerHeaderHintNotTrusted,
        "compares the hint with the count",
        Habit::Refuse(refuse::wrong_hint),
    ),
    saboteur(
        Rule::ContainerFlagsKvClearWithSection,
        "wants the flag for a KV section",
        Habit::Refuse(refuse::kv_without_flag),
    ),
    saboteur(
        Rule::ContainerFlagsCrcClearNoVerify,
        "verifies the CRC whatever the flag",
        Habit::Refuse(refuse::crc_whatever_the_flag),
    ),
    saboteur(
        Rule::ContainerRegionDescriptorVersionIndependent,
        "wants descriptors of the container's version",
        Habit::RefuseStep(refuse::versions_that_differ),
    ),
    saboteur(
        Rule::ContainerCompositeHeadDataOffsetIgnored,
        "wants heads to have a place for data",
        Habit::RefuseStep(refuse::head_at_no_boundary),
    ),
    saboteur(
        Rule::ContainerCompositeRecoverByOffset,
        "finds members in the order of the index",
        Habit::Spoil(decode::members_in_the_order_of_the_index),
    ),
    saboteur(
        Rule::ContainerCompositeNestedPreorder,
        "knows no composite in a composite",
        Habit::RefuseStep(refuse::composite_in_a_composite),
    ),
    saboteur(
        Rule::ContainerIndexNameByteExact,
        "takes names that differ in case for duplicates",
        Habit::RefuseStep(refuse::names_equal_but_for_case),
    ),
    saboteur(
        Rule::ContainerIndexNameOpaque,
        "refuses names with a slash",
        Habit::RefuseStep(refuse::names_with_a_slash),
    ),
    saboteur(
        Rule::ContainerIndexNameAny,
        "wants a lone tensor to be named weight",
        Habit::RefuseStep(refuse::lone_tensor_not_named_weight),
    ),
    saboteur(
        Rule::ContainerReaderTensorByIndex,
        "takes the n-th descriptor for the n-th name",
        Habit::Lookup(decode::nth_descriptor_for_nth_name),
    ),
    saboteur(Rule::ContainerReaderAnyTensorOrder, "serves a tensor once", Habit::RefuseStep(refuse::second_request)),
    saboteur(Rule::ContainerSafetyZeroTensors, "wants a tensor", Habit::Refuse(refuse::no_tensors)),
    Saboteur {
        waive: &[Rule::ContainerIndexSortedOrder],
        ..saboteur(
            Rule::ContainerIndexSortedLookupComplete,
            "halves an unsorted index",
            Habit::Lookup(refuse::halving_lookup),
        )
    },
    saboteur(Rule::KvSectionOptional, "wants a KV section", Habit::Refuse(refuse::no_kv)),
    saboteur(Rule::KvSectionEmpty, "wants an entry in a KV section", Habit::Refuse(refuse::empty_kv)),
    saboteur(
        Rule::KvKeyCaseSensitive,
        "takes keys that differ in case for duplicates",
        Habit::RefuseStep(refuse::keys_equal_but_for_case),
    ),
    saboteur(Rule::KvValueString, "gives strings as bytes", Habit::Spoil(decode::string_as_bytes)),
    saboteur(Rule::KvValueInt64, "gives int64 as uint64", Habit::Spoil(decode::int64_as_uint64)),
    saboteur(Rule::KvValueUint64, "gives uint64 as int64", Habit::Spoil(decode::uint64_as_int64)),
    saboteur(Rule::KvValueFloat64, "makes NaN and zero canonical", Habit::Spoil(decode::floats_made_canonical)),
    saboteur(Rule::KvValueBytes, "gives bytes as text", Habit::Spoil(decode::bytes_as_string)),
    saboteur(Rule::KvValueArray, "loses the last item of an array", Habit::Spoil(decode::arrays_lose_their_last_item)),
    saboteur(Rule::KvValueArrayEmpty, "refuses empty arrays", Habit::RefuseStep(refuse::empty_array)),
    saboteur(
        Rule::VersionDescriptorMinorAccept,
        "refuses newer descriptor minors",
        Habit::RefuseStep(refuse::newer_descriptor_minor),
    ),
    saboteur(
        Rule::VersionDescriptorMinorNoInterpret,
        "refuses bytes behind the known fields",
        Habit::RefuseStep(refuse::bytes_behind_known_fields),
    ),
    saboteur(
        Rule::VersionContainerMinorAccept,
        "refuses newer container minors",
        Habit::Refuse(refuse::newer_container_minor),
    ),
    saboteur(
        Rule::VersionQuantTrailing,
        "refuses bytes behind the fields of a scheme",
        Habit::RefuseStep(refuse::bytes_behind_a_scheme),
    ),
    saboteur(Rule::VersionIndependent, "wants one version for all", Habit::RefuseStep(refuse::versions_that_differ)),
    saboteur(Rule::ComplianceReaderHeader, "drops the last dimension", Habit::Spoil(decode::one_dimension_short)),
    saboteur(
        Rule::ComplianceReaderBufferTable,
        "gives buffer sizes off by one",
        Habit::Spoil(decode::sizes_not_exposed_as_written),
    ),
    saboteur(
        Rule::ComplianceReaderSkipOptional,
        "refuses bytes behind the known fields",
        Habit::RefuseStep(refuse::bytes_behind_known_fields),
    ),
    saboteur(
        Rule::ComplianceTestTypeLayoutMatrix,
        "knows no booleans in column-major",
        Habit::RefuseStep(refuse::column_major_booleans),
    ),
    saboteur(
        Rule::ComplianceTestBufferSizes,
        "counts a byte for each boolean",
        Habit::RefuseStep(refuse::booleans_in_less_than_bytes),
    ),
    saboteur(
        Rule::ComplianceTestBitPreservation,
        "quiets NaN and flushes subnormals",
        Habit::Spoil(decode::float_payload_made_canonical),
    ),
    saboteur(Rule::LayoutCommonAddressWhole, "places elements one byte on", Habit::Spoil(meaning::one_byte_on)),
    saboteur(Rule::LayoutCommonAddressSubbyte, "counts bits from the top", Habit::Spoil(meaning::bits_from_the_top)),
    saboteur(Rule::LayoutRowmajorStrides, "misplaces row-major elements", Habit::Spoil(meaning::misplace::<0x01>)),
    saboteur(Rule::LayoutColmajorStrides, "misplaces column-major elements", Habit::Spoil(meaning::misplace::<0x02>)),
    saboteur(Rule::LayoutStridedAddress, "misplaces strided elements", Habit::Spoil(meaning::misplace::<0x03>)),
    saboteur(Rule::LayoutTiledAddress, "misplaces tiled elements", Habit::Spoil(meaning::misplace::<0x04>)),
    saboteur(Rule::LayoutMortonIndex, "misplaces Morton elements", Habit::Spoil(meaning::misplace::<0x05>)),
    saboteur(Rule::LayoutHilbertAlgorithm, "misplaces Hilbert elements", Habit::Spoil(meaning::misplace::<0x40>)),
    saboteur(Rule::LayoutCooUnsortedScan, "halves unordered coordinates", Habit::Spoil(meaning::half_a_search)),
    saboteur(Rule::LayoutCooMissingZero, "finds what COO does not store", Habit::Spoil(meaning::first_for_unstored)),
    saboteur(Rule::LayoutCsrLookup, "misplaces CSR elements", Habit::Spoil(meaning::misplace::<0x07>)),
    saboteur(Rule::LayoutCscLookup, "misplaces CSC elements", Habit::Spoil(meaning::misplace::<0x08>)),
    saboteur(Rule::LayoutCsfLookup, "misplaces CSF elements", Habit::Spoil(meaning::misplace::<0x09>)),
    saboteur(Rule::LayoutPagedLookup, "misplaces paged elements", Habit::Spoil(meaning::misplace::<0x0A>)),
    saboteur(Rule::TypeFloat8E4m3Values, "misreads float8_e4m3", Habit::Spoil(meaning::misread::<0x40>)),
    saboteur(Rule::TypeFloat8E5m2Values, "misreads float8_e5m2", Habit::Spoil(meaning::misread::<0x41>)),
    saboteur(Rule::TypeFloat8E8m0Values, "misreads float8_e8m0", Habit::Spoil(meaning::misread::<0x42>)),
    saboteur(Rule::TypeFloat4Values, "misreads float4_e2m1", Habit::Spoil(meaning::misread::<0x43>)),
    saboteur(Rule::TypeFloat6Values, "misreads float6_e2m3", Habit::Spoil(meaning::misread::<0x44>)),
    saboteur(Rule::TypeInt4Sign, "misreads int4", Habit::Spoil(meaning::misread::<0x48>)),
    saboteur(Rule::TypeInt2Sign, "misreads int2", Habit::Spoil(meaning::misread::<0x4A>)),
    saboteur(Rule::QuantPertensorFormula, "misscales int8", Habit::Spoil(meaning::misscale::<0x10>)),
    saboteur(Rule::QuantPerchannelFormula, "misscales int8", Habit::Spoil(meaning::misscale::<0x10>)),
    saboteur(Rule::QuantPerblockFormula, "misscales uint8", Habit::Spoil(meaning::misscale::<0x11>)),
    saboteur(Rule::QuantPerblockBlockIndex, "misscales uint8", Habit::Spoil(meaning::misscale::<0x11>)),
    saboteur(Rule::QuantPartialPaddingIgnored, "misscales int8", Habit::Spoil(meaning::misscale::<0x10>)),
    saboteur(Rule::QuantNf4Table, "misscales uint4", Habit::Spoil(meaning::misscale::<0x49>)),
    saboteur(Rule::QuantNf4Formula, "misscales uint4", Habit::Spoil(meaning::misscale::<0x49>)),
    saboteur(Rule::QuantMxfpFormulaInt, "misscales int8", Habit::Spoil(meaning::misscale::<0x10>)),
];
