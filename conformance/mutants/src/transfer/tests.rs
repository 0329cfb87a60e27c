//! Tests of the wrapping: each habit is what it says. Whether a schedule names it is for `cargo xtask strength` to show.

use std::collections::BTreeSet;
use std::io::Write;

use hurray_adapter::{KvEntry, MemorySource, NewComposite, NewItem, NewTensor, ReadAt, WriterState};
use hurray_spec::Enforced;

use super::*;

fn source(habit: SourceHabit) -> BadSource {
    let bytes = std::sync::Arc::from(b"abcdefgh".as_slice());
    BadSource::new(Box::new(MemorySource(bytes)), habit, None, Rc::new(Cell::new(Phase::Open)))
}

fn read(source: &mut BadSource, offset: u64, len: usize) -> (usize, Vec<u8>) {
    let mut dst = vec![0; len];
    let count = source.read_at(offset, &mut dst).expect("bytes");
    (count, dst)
}

#[test]
fn sources_ask_as_their_habit_has_it() {
    assert_eq!(read(&mut source(SourceHabit::TakesShortForWhole), 6, 4), (4, b"gh\0\0".to_vec()));
    assert_eq!(read(&mut source(SourceHabit::TakesEndForWhole), 8, 2), (2, b"\0\0".to_vec()));
    assert_eq!(read(&mut source(SourceHabit::InHalves), 0, 4), (2, b"ab\0\0".to_vec()));
    for habit in [SourceHabit::ReadsAhead, SourceHabit::Beyond, SourceHabit::AsksForNothing, SourceHabit::ClampsCounts]
    {
        assert_eq!(read(&mut source(habit), 1, 2), (2, b"bc".to_vec()), "{habit:?}");
    }
    let mut drops = source(SourceHabit::DropsAByte);
    assert_eq!((read(&mut drops, 6, 4).0, read(&mut drops, 5, 1)), (2, (1, b"g".to_vec())));
}

#[test]
fn a_habit_may_wait_for_its_step() {
    let phase = Rc::new(Cell::new(Phase::Open));
    let bytes = std::sync::Arc::from(b"abcd".as_slice());
    let when = Some(Phase::Read);
    let mut source = BadSource::new(Box::new(MemorySource(bytes)), SourceHabit::InHalves, when, Rc::clone(&phase));
    assert_eq!(read(&mut source, 0, 4).0, 4);
    phase.set(Phase::Read);
    assert_eq!(read(&mut source, 0, 4).0, 2);
}

/// Takes one byte a write, or refuses; remembers nothing.
struct Plain;

impl Writer for Plain {
    fn put(&mut self, _item: &NewItem) -> Answer {
        Err(Failure::Io("other".to_owned()))
    }

    fn finish(&mut self, _kv: &[KvEntry]) -> Answer {
        Err(Failure::Refused(String::new()))
    }

    fn state(&self) -> Option<WriterState> {
        Some(WriterState::Unusable)
    }
}

#[test]
fn writers_take_calls_as_their_habit_has_it() {
    let item = NewItem::Tensor(NewTensor::default());
    let with = |habit| BadWriter::new(Box::new(Plain), habit, None);
    let mut keeps = with(WriterHabit::KeepsNames);
    assert_eq!(keeps.put(&item), Err(Failure::Io("other".to_owned())));
    assert!(matches!(keeps.put(&item), Err(Failure::Refused(_))));
    assert_eq!(with(WriterHabit::SaysUsable).state(), Some(WriterState::Usable));
    assert!(with(WriterHabit::FinishesTorn).finish(&[]).is_ok());
    assert!(with(WriterHabit::Takes(|_| true)).finish(&[]).is_ok());
    let mut gives_up = with(WriterHabit::GivesUp(write::Call::Put));
    assert_eq!(gives_up.put(&item), Err(Failure::Io("other".to_owned())));
    assert!(matches!(gives_up.put(&item), Err(Failure::Refused(_))));
    let (composite, mut goes_on) = (NewItem::Composite(NewComposite::default()), with(WriterHabit::GoesOnTorn));
    let other = NewItem::Tensor(NewTensor { name: "b".into(), ..NewTensor::default() });
    assert!(goes_on.put(&other).is_err() && goes_on.put(&composite).is_err());
    assert_eq!((goes_on.state(), goes_on.put(&item).is_err()), (Some(WriterState::Usable), true), "its name was tried");
    assert!(goes_on.put(&NewItem::Tensor(NewTensor { name: "c".into(), ..NewTensor::default() })).is_ok());
}

#[test]
fn sinks_offer_as_their_habit_has_it() {
    let mut small = [0_u8; 2];
    let mut drops = BadSink::new(Box::new(io_cursor(&mut small)), SinkHabit::DropsTheRest);
    assert_eq!(drops.write(b"abcd").expect("taken"), 4);
    let mut none = BadSink::new(Box::new(io_cursor(&mut [])), SinkHabit::TakesNothingForAll);
    assert_eq!(none.write(b"abcd").expect("taken"), 4);
}

fn io_cursor(bytes: &mut [u8]) -> std::io::Cursor<Vec<u8>> {
    let mut cursor = std::io::Cursor::new(bytes.to_vec());
    cursor.set_position(0);
    cursor
}

#[test]
fn every_mutant_breaks_a_clause_of_the_contract_in_its_own_way() {
    let names: BTreeSet<(Rule, &str)> = TRANSFER_MUTANTS.iter().map(|mutant| (mutant.rule, mutant.name)).collect();
    assert_eq!(names.len(), TRANSFER_MUTANTS.len());
    assert!(
        TRANSFER_MUTANTS
            .iter()
            .all(|mutant| mutant.rule.info().enforced == Enforced::Schedule || mutant.rule.area() == "io")
    );
}
