//! Which habit neglects which duty. One line for every rule with `enforced = "writer"` that has no reason, and for the
//! refusals of the I/O contract; `cargo xtask strength` fails for a rule without one, and for one that no vector of its
//! rule notices by name.
//!
//! Owns this table and nothing else.

use hurray_spec::Rule;

use super::{Habit, WriterMutant, bytes, calls};

const fn writer(rule: Rule, name: &'static str, habit: Habit) -> WriterMutant {
    WriterMutant { rule, name, habit }
}

/// Every mutant of a writer.
pub const WRITER_MUTANTS: &[WriterMutant] = &[
    writer(Rule::ContainerHeaderVersionMajor, "says container 2.0", Habit::Bytes(bytes::container_major_2)),
    writer(Rule::ContainerHeaderVersionMinor, "says container 1.1", Habit::Bytes(bytes::container_minor_1)),
    writer(Rule::ContainerHeaderHintUnknown, "promises no tensor", Habit::Bytes(bytes::hint_of_nothing)),
    writer(Rule::ContainerFlagsSortedTruthful, "calls every index sorted", Habit::Bytes(bytes::sorted_by_word_only)),
    writer(
        Rule::ContainerRegionTrailingPadExtent,
        "pads a page too many behind a tensor",
        Habit::Bytes(bytes::too_much_behind_a_tensor),
    ),
    writer(
        Rule::ContainerRegionDataNoExtraPad,
        "pads a page too many before data",
        Habit::Bytes(bytes::too_much_before_data),
    ),
    writer(
        Rule::ContainerRegionDescriptorPadZero,
        "leaves blanks in the padding",
        Habit::Bytes(bytes::padding_that_is_not_zero),
    ),
    writer(
        Rule::ContainerRegionEmptyNextDescriptor,
        "aligns nothing behind an empty tensor",
        Habit::Bytes(bytes::crowded_behind_nothing),
    ),
    writer(
        Rule::ContainerCompositeNoPadAfterHead,
        "pads behind heads as behind tensors",
        Habit::Bytes(bytes::padding_behind_heads),
    ),
    writer(Rule::ContainerIndexNameMax, "cuts long names", Habit::Item(calls::names_cut)),
    writer(Rule::ContainerWriterSinglePassSupported, "wants all tensors at once", Habit::Refuse(calls::is_second)),
    writer(Rule::ContainerWriterTailOrder, "puts entries behind the index", Habit::Bytes(bytes::index_before_entries)),
    writer(
        Rule::ContainerWriterAnyTensorOrder,
        "wants tensors in the order of their names",
        Habit::Refuse(calls::is_out_of_order),
    ),
    writer(Rule::ContainerWriterRecords, "records a byte less of data", Habit::Bytes(bytes::data_length_one_less)),
    writer(
        Rule::ContainerWriterCrcPopulated,
        "promises a checksum and leaves it out",
        Habit::Bytes(bytes::checksum_promised_and_left_out),
    ),
    writer(
        Rule::ContainerWriterAlignmentOptionValidated,
        "takes the usual alignment for a bad one",
        Habit::Options(calls::usual_alignment),
    ),
    writer(
        Rule::DescriptorHeaderLengthTotal,
        "counts padding to the descriptor",
        Habit::Bytes(bytes::descriptor_length_of_the_padded),
    ),
    writer(Rule::DescriptorHeaderVersionCurrent, "says descriptor 1.1", Habit::Bytes(bytes::descriptor_minor_1)),
    writer(Rule::VersionWriterExact, "says 1.0 whatever is asked for", Habit::Item(calls::a_version_it_knows)),
    writer(
        Rule::DescriptorFlagsReservedZero,
        "sets a reserved flag of descriptors",
        Habit::Bytes(bytes::reserved_descriptor_flag),
    ),
    writer(
        Rule::VersionWriterNoReserved,
        "sets a reserved byte of the header",
        Habit::Bytes(bytes::reserved_header_byte),
    ),
    writer(Rule::DescriptorBuffersCountMax, "shrugs at 256 buffers", Habit::Shrug(calls::is_full_table)),
    writer(Rule::BufferHandleAlignmentLarger, "aligns to 64 at most", Habit::Item(calls::alignment_of_64)),
    writer(Rule::BufferHandleAlignmentEmpty, "aligns nothing to 64", Habit::Item(calls::alignment_of_64_for_nothing)),
    writer(
        Rule::BufferHandleAlignmentGpu,
        "aligns buffers of devices to 64",
        Habit::Item(calls::alignment_of_64_for_devices),
    ),
    writer(Rule::BufferDeviceReservedWriter, "takes an unknown device for CUDA", Habit::Item(calls::a_device_it_knows)),
    writer(Rule::TypeTagReservedWriter, "takes an unknown type for uint8", Habit::Item(calls::a_type_it_knows)),
    writer(
        Rule::QuantTagReservedWriter,
        "drops a scheme it does not know",
        Habit::Item(calls::no_scheme_it_does_not_know),
    ),
    writer(Rule::ModelRankWriterCap, "drops dimensions beyond 64", Habit::Item(calls::sixty_four_dimensions)),
    writer(Rule::ComplianceWriterMandatoryFields, "orders tiles by rows", Habit::Item(calls::tiles_in_rows)),
    writer(Rule::ComplianceWriterBufferTable, "doubles the alignment", Habit::Item(calls::twice_the_alignment)),
    writer(Rule::ComplianceTestRoundtripIdentical, "drops statistics", Habit::Item(calls::no_statistics)),
    writer(Rule::ComplianceTestEmptyVectors, "makes nothing smaller still", Habit::Item(calls::other_nothing)),
    writer(Rule::KvKeyLengthMax, "cuts long keys", Habit::Entries(calls::keys_cut)),
    writer(Rule::KvValueReservedWriter, "writes a reserved value tag", Habit::Bytes(bytes::reserved_value_tag)),
    writer(Rule::KvValueExtensionExchange, "writes a private value tag", Habit::Bytes(bytes::private_value_tag)),
    writer(
        Rule::CompositeHeadDefiniteCount,
        "leaves the number of members open",
        Habit::Bytes(bytes::members_without_number),
    ),
    writer(Rule::CompositePartitionWriter, "shrugs at partitions", Habit::Shrug(calls::is_partition)),
    writer(Rule::IoWriteCompositeValidatedFirst, "shrugs at overlays", Habit::Shrug(calls::is_overlay)),
    writer(Rule::IoWriteCompositeNamesFirst, "shrugs at groups", Habit::Shrug(calls::is_group)),
    writer(Rule::IoWriteCompositeOrder, "writes members backwards", Habit::Item(calls::members_backwards)),
    writer(Rule::IoWriteBufferMismatchRefused, "makes payloads fit", Habit::Item(calls::payload_made_to_fit)),
    writer(Rule::IoWriteDuplicateNameRefused, "shrugs at tensors", Habit::Shrug(calls::is_tensor)),
    writer(Rule::IoWriteEmptyNameRefused, "names what has no name", Habit::Item(calls::a_name_for_the_nameless)),
    writer(Rule::IoWriteKvKeysRefused, "drops bad keys", Habit::Entries(calls::keys_made_to_fit)),
    writer(Rule::IoWriteKvArrayRefused, "makes arrays fit", Habit::Entries(calls::arrays_made_to_fit)),
    writer(Rule::IoWriteRetryNameFree, "keeps the name of a refused item", Habit::Grudge),
    writer(Rule::IoWriteShortWriteResumes, "drops what a sink leaves", Habit::Drop),
    writer(Rule::IoWriteScheduleIdentical, "drops what a sink leaves", Habit::Drop),
];
