//! Which habit breaks which rule. One line for every rule with `enforced = "accept"`; `cargo xtask strength` fails for a
//! rule without one, and for one that no vector of its rule notices.

use hurray_spec::Rule;

use super::{Habit, Saboteur, decode, refuse};

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
        Rule::ComplianceTestBitPreservation,
        "quiets NaN and flushes subnormals",
        Habit::Spoil(decode::float_payload_made_canonical),
    ),
];
