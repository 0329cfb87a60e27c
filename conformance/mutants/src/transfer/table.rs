//! Which habit breaks which clause of the I/O contract. `cargo xtask strength` fails for one that no schedule names.
//!
//! Owns this table and nothing else.

use hurray_spec::Rule;

use super::phase::Phase;
use super::read::ReaderHabit;
use super::source::SourceHabit;
use super::write::{
    Call, SinkHabit, WriterHabit, bad_arrays, bad_buffers, bad_keys, bad_members, bad_name, same_names, taken_name,
};
use super::{IoHabit, TransferMutant};

const fn asks(rule: Rule, name: &'static str, habit: SourceHabit) -> TransferMutant {
    TransferMutant { rule, name, habit: IoHabit::Source(None, habit) }
}

const fn asks_in(rule: Rule, name: &'static str, phase: Phase, habit: SourceHabit) -> TransferMutant {
    TransferMutant { rule, name, habit: IoHabit::Source(Some(phase), habit) }
}

const fn reads(rule: Rule, name: &'static str, habit: ReaderHabit) -> TransferMutant {
    TransferMutant { rule, name, habit: IoHabit::Reader(habit) }
}

const fn offers(rule: Rule, name: &'static str, habit: SinkHabit) -> TransferMutant {
    TransferMutant { rule, name, habit: IoHabit::Sink(habit) }
}

const fn writes(rule: Rule, name: &'static str, habit: WriterHabit) -> TransferMutant {
    TransferMutant { rule, name, habit: IoHabit::Writer(habit) }
}

/// Every mutant of the contract.
pub const TRANSFER_MUTANTS: &[TransferMutant] = &[
    asks(Rule::IoReadOneByteReads, "takes one byte for the whole range", SourceHabit::TakesShortForWhole),
    asks(Rule::IoReadShortReadResumes, "takes a short read for the whole range", SourceHabit::TakesShortForWhole),
    asks(Rule::IoReadShortReadResumes, "drops a byte after a short read", SourceHabit::DropsAByte),
    asks(Rule::IoReadShortReadResumes, "asks for all again after a short read", SourceHabit::AsksForAllAgain),
    asks(Rule::IoReadTransportErrorRetryable, "gives up when interrupted", SourceHabit::GivesUp),
    asks(Rule::IoReadAbandonedReoffered, "retries from the wrong offset", SourceHabit::RetriesElsewhere),
    asks(Rule::IoReadAbandonedReoffered, "asks for less after an interruption", SourceHabit::AsksForLess),
    asks(Rule::IoReadTransportErrorRetryable, "swallows an error", SourceHabit::SwallowsErrors),
    asks(Rule::IoReadRefillIdempotent, "keeps what a failed read left behind", SourceHabit::SwallowsErrors),
    asks(Rule::IoReadZeroTruncated, "takes the end for the whole range", SourceHabit::TakesEndForWhole),
    asks(Rule::IoReadZeroTruncated, "asks again and again at the end", SourceHabit::AsksAtTheEnd),
    asks(Rule::IoReadOverfill, "takes too long a count for the right one", SourceHabit::ClampsCounts),
    asks(Rule::IoReadTensorRanges, "asks for no bytes", SourceHabit::AsksForNothing),
    asks(Rule::IoReadRangeAbsolute, "asks for what lies beyond the end", SourceHabit::Beyond),
    asks(Rule::ContainerReaderOpenOrder, "reads the trailer first", SourceHabit::TrailerFirst),
    asks(Rule::ContainerTrailerMagicFirst, "reads more with the trailer", SourceHabit::TrailerAndMore),
    asks_in(Rule::IoReadOpenFourRanges, "opens in small pieces", Phase::Open, SourceHabit::InHalves),
    asks_in(Rule::IoReadDescriptorOneRange, "reads descriptors in pieces", Phase::Describe, SourceHabit::InHalves),
    asks_in(Rule::IoReadTensorRanges, "reads buffers in pieces", Phase::Read, SourceHabit::InHalves),
    asks_in(Rule::IoReadCompositeJob, "reads heads in pieces", Phase::Composite, SourceHabit::InHalves),
    asks_in(Rule::IoReadOpenNoTensorBytes, "reads everything at open", Phase::Open, SourceHabit::ReadsAhead),
    asks_in(Rule::IoReadDescriptorOneRange, "reads data for a descriptor", Phase::Describe, SourceHabit::ReadsAhead),
    asks_in(Rule::IoReadUntouchedOthers, "reads the tensors behind", Phase::Read, SourceHabit::ReadsAhead),
    reads(Rule::IoReadFailedJobUsable, "gives up after a failed job", ReaderHabit::GivesUp),
    reads(Rule::IoReadLostCountRetryable, "fails the repeat of a failed job", ReaderHabit::FailsTwice),
    reads(Rule::IoReadJobRestartsFromIndex, "goes on where a failed job stopped", ReaderHabit::GoesOnElsewhere),
    reads(Rule::IoReadNotFound, "rejects the file for an unknown name", ReaderHabit::RejectsUnknownNames),
    reads(Rule::IoReadBufferAlignment, "copies buffers", ReaderHabit::Copies),
    reads(Rule::IoReadRangeAbsolute, "reads forward alone", ReaderHabit::ReadsForward),
    reads(Rule::IoWriteNotAFileBeforeFinish, "opens whatever there is", ReaderHabit::OpensAnything),
    offers(Rule::IoWriteShortWriteResumes, "drops the rest of a short write", SinkHabit::DropsTheRest),
    offers(Rule::IoWriteScheduleIdentical, "pads after an interruption", SinkHabit::PadsAfterInterruptions),
    offers(Rule::IoWriteFailAfterFirstByteTerminal, "swallows an error", SinkHabit::SwallowsErrors),
    offers(Rule::IoWriteZeroWriteClosed, "takes 0 for done", SinkHabit::TakesNothingForAll),
    offers(Rule::IoWriteRetryIdentical, "pads before a retry", SinkHabit::PadsAfterErrors),
    writes(Rule::IoWriteRetryNameFree, "keeps the name of a failed item", WriterHabit::KeepsNames),
    writes(
        Rule::IoWriteFailBeforeFirstByteRetryable,
        "gives up after any failed item",
        WriterHabit::GivesUp(Call::Put),
    ),
    writes(Rule::IoWriteHeaderRetryable, "gives up after a failed header", WriterHabit::GivesUp(Call::Header)),
    writes(Rule::IoWriteFinishRetryable, "gives up after a failed end", WriterHabit::GivesUp(Call::Finish)),
    writes(Rule::IoWriteFailAfterFirstByteTerminal, "goes on behind a torn composite", WriterHabit::GoesOnTorn),
    writes(Rule::IoWriteDistinctStatus, "calls a torn file usable", WriterHabit::SaysUsable),
    writes(Rule::IoWriteFinishRefusesWhenPoisoned, "finishes a torn file", WriterHabit::FinishesTorn),
    writes(Rule::IoWriteFinishRefusesWhenPoisoned, "writes an index over a torn region", WriterHabit::IndexesTorn),
    writes(Rule::IoWriteHeaderFirst, "writes the header with the first item", WriterHabit::HeaderLate),
    writes(Rule::IoWriteDuplicateNameRefused, "takes a name twice", WriterHabit::Takes(taken_name)),
    writes(Rule::IoWriteEmptyNameRefused, "takes any name", WriterHabit::Takes(bad_name)),
    writes(Rule::IoWriteBufferMismatchRefused, "takes any payload", WriterHabit::Takes(bad_buffers)),
    writes(Rule::IoWriteCompositeValidatedFirst, "takes any members", WriterHabit::Takes(bad_members)),
    writes(Rule::IoWriteCompositeNamesFirst, "takes members of one name", WriterHabit::Takes(same_names)),
    writes(Rule::IoWriteKvKeysRefused, "takes any keys", WriterHabit::Takes(bad_keys)),
    writes(Rule::IoWriteKvArrayRefused, "takes any array", WriterHabit::Takes(bad_arrays)),
];
