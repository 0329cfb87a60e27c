//! Which duties of a writer a finding in its file shows to be neglected. Owns that table: a file is at fault by the rules of
//! files, and whoever wrote it by those of writers.

use hurray_spec::{Kind, Level, Rule};

/// A set of findings, and what they say of the writer.
type Duty = (&'static [Rule], &'static [Rule]);

/// What each finding of `validate` says of the writer, beside itself.
const DUTIES: &[Duty] = &[
    (
        &[Rule::ContainerHeaderVersionMajorReject, Rule::VersionContainerMajorLowerReject],
        &[Rule::ContainerHeaderVersionMajor, Rule::VersionWriterExact],
    ),
    (&[Rule::ContainerHeaderHintValue], &[Rule::ContainerHeaderHintUnknown]),
    (&[Rule::ContainerIndexSortedOrder], &[Rule::ContainerFlagsSortedTruthful]),
    (
        &[Rule::ContainerFlagsCrcMismatchReject, Rule::ContainerFlagsCrcClearNonzeroReject],
        &[Rule::ContainerWriterCrcPopulated],
    ),
    (
        &[
            Rule::ContainerHeaderAlignmentMin,
            Rule::ContainerHeaderAlignmentMax,
            Rule::ContainerHeaderAlignmentPowerOfTwo,
        ],
        &[Rule::ContainerWriterAlignmentOptionValidated],
    ),
    (&[Rule::ContainerIndexNameUnique], &[Rule::IoWriteDuplicateNameRefused]),
    (&[Rule::ContainerIndexNameNonempty], &[Rule::IoWriteEmptyNameRefused]),
    (
        &[
            Rule::ContainerIndexDescriptorLengthMismatchReject,
            Rule::ContainerIndexDataLength,
            Rule::ContainerIndexCount,
            Rule::ContainerIndexLengthExact,
            Rule::ContainerSafetyBufferTableVsDataLength,
            Rule::ContainerSafetyDescriptorBounds,
            Rule::ContainerSafetyDataBounds,
            Rule::ContainerRegionDataAligned,
            Rule::ContainerRegionNoOverlap,
            Rule::DescriptorHeaderMagicReject,
        ],
        &[Rule::ContainerWriterRecords],
    ),
    (
        &[
            Rule::ContainerRegionSectionOrder,
            Rule::ContainerRegionSectionGap,
            Rule::ContainerIndexAligned,
            Rule::ContainerTrailerIndexBounds,
            Rule::ContainerTrailerKvFields,
            Rule::ContainerTrailerMagicReject,
            Rule::ContainerSafetyKvBounds,
            Rule::KvSectionAligned,
        ],
        &[Rule::ContainerWriterTailOrder],
    ),
    (
        &[Rule::ContainerRegionDescriptorAligned, Rule::ContainerRegionDescriptorSuccessor],
        &[Rule::ContainerRegionTrailingPadExtent, Rule::ContainerRegionEmptyNextDescriptor],
    ),
    (&[Rule::KvKeyDuplicateReject, Rule::KvKeyLengthMin], &[Rule::IoWriteKvKeysRefused]),
    (&[Rule::KvValueReservedReject, Rule::KvValueInvalidTag], &[Rule::KvValueReservedWriter]),
    (&[Rule::KvValueUnknownReject], &[Rule::KvValueExtensionExchange]),
    (&[Rule::KvValueArrayElementTag], &[Rule::IoWriteKvArrayRefused]),
    (
        &[Rule::DescriptorHeaderVersionMajorReject, Rule::VersionDescriptorMajorLowerReject],
        &[Rule::DescriptorHeaderVersionCurrent, Rule::VersionWriterExact],
    ),
    (&[Rule::DescriptorFlagsReservedReject], &[Rule::DescriptorFlagsReservedZero, Rule::VersionWriterNoReserved]),
    (&[Rule::TypeTagUnknownReject, Rule::TypeTagZeroFfReject], &[Rule::TypeTagReservedWriter]),
    (&[Rule::QuantHeaderUnknownReject, Rule::QuantTagZeroFfReject], &[Rule::QuantTagReservedWriter]),
    (&[Rule::BufferDeviceReservedReject, Rule::BufferDeviceFfReject], &[Rule::BufferDeviceReservedWriter]),
    (&[Rule::ModelRankReaderCap], &[Rule::ModelRankWriterCap]),
    (&[Rule::CompositeHeadOpenSentinelReject, Rule::ContainerCompositeTornReject], &[Rule::CompositeHeadDefiniteCount]),
    (
        &[Rule::CompositePartitionExactCover, Rule::CompositePartitionNoOverlap],
        &[Rule::CompositePartitionWriter, Rule::IoWriteCompositeValidatedFirst],
    ),
    (
        &[
            Rule::CompositeOverlayBaseFirst,
            Rule::CompositeOverlayBaseSpans,
            Rule::CompositeOverlayEmptyReject,
            Rule::CompositeMemberBoxInBounds,
            Rule::CompositeMemberParentShape,
            Rule::CompositeNestDepth,
        ],
        &[Rule::IoWriteCompositeValidatedFirst],
    ),
    (&[Rule::BufferHandleAlignmentMin, Rule::BufferHandleAlignmentPowerOfTwo], &[Rule::ComplianceWriterBufferTable]),
    (&[Rule::BufferHandleReserved15Reject], &[Rule::VersionWriterNoReserved]),
];

/// Words in the id of a rule on bytes that are kept for later.
const RESERVED: [&str; 2] = ["reserved", "flags-zero"];

/// The rules that a finding shows broken: first those of writers, then the finding itself.
pub(super) fn broken_by(finding: Rule) -> Vec<Rule> {
    let is_about = |duty: &&Duty| duty.0.iter().any(|rule| rule.site() == finding.site());
    let mut rules: Vec<Rule> = DUTIES.iter().filter(is_about).flat_map(|duty| duty.1).copied().collect();
    let is_reserved = RESERVED.iter().any(|word| finding.id().contains(word));
    if rules.is_empty() && is_reserved {
        rules.push(Rule::VersionWriterNoReserved);
    }
    if rules.is_empty() && finding.id().ends_with("-size") {
        rules.push(Rule::ComplianceWriterBufferTable);
    }
    rules.push(finding);
    rules
}

/// Whether breaking the rule is no failure: it recommends or permits.
pub(super) fn is_advice(rule: Rule) -> bool {
    rule.info().level != Level::Must || rule.info().kind == Kind::Advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_the_writers_duty_first_and_itself_last() {
        let broken = broken_by(Rule::ContainerIndexSortedOrder);
        assert_eq!(broken, [Rule::ContainerFlagsSortedTruthful, Rule::ContainerIndexSortedOrder]);
        let broken = broken_by(Rule::ContainerHeaderReserved3663);
        assert_eq!(broken, [Rule::VersionWriterNoReserved, Rule::ContainerHeaderReserved3663]);
        assert_eq!(broken_by(Rule::TypeBoolPadding), [Rule::TypeBoolPadding]);
    }

    #[test]
    fn no_finding_has_two_rows_and_every_duty_is_a_writers() {
        let mut findings: Vec<Rule> =
            DUTIES.iter().flat_map(|(findings, _)| *findings).map(|rule| rule.site()).collect();
        let count = findings.len();
        findings.sort();
        findings.dedup();
        assert_eq!(findings.len(), count);
        for duty in DUTIES.iter().flat_map(|(_, duties)| *duties) {
            assert_eq!(duty.id().contains("io.write."), duty.info().kind == Kind::Io, "{duty}");
            assert!(matches!(duty.info().kind, Kind::Io | Kind::Writer), "{duty}");
        }
    }
}
