//! Plans as text, and what they make of calls.

use super::*;

fn plan(text: &str) -> Plan {
    Plan::parse(text).unwrap_or_else(|line| panic!("line {line} of {text:?} is no rule"))
}

fn read(at: u64, offset: u64, len: u64) -> Call {
    Call { class: Class::Read, at, offset, len, moved_len: 0, has_failed: false }
}

#[test]
fn the_empty_plan_changes_nothing() {
    assert_eq!(plan("").step(&read(1, 5, 100)), Step::Take(100));
    assert_eq!(plan("# 17\n\n").step(&read(1, 5, 100)), Step::Take(100));
}

#[test]
fn a_rule_is_for_its_class_alone() {
    let plan = plan("write limit 1\nread limit 7 # no more");
    assert_eq!(plan.step(&read(1, 0, 100)), Step::Take(7));
    assert_eq!(plan.step(&Call { class: Class::Write, ..read(1, 0, 100) }), Step::Take(1));
    assert_eq!(plan.step(&Call { class: Class::Sync, ..read(1, 0, 0) }), Step::Take(0));
}

#[test]
fn nothing_crosses_a_split() {
    let plan = plan("read split 10");
    let lens = [0, 9, 10, 11].map(|offset| plan.step(&read(1, offset, 5)));
    assert_eq!(lens, [Step::Take(5), Step::Take(1), Step::Take(5), Step::Take(5)]);
}

#[test]
fn a_file_ends_where_it_is_told_to() {
    let plan = plan("read eof 10 0");
    assert_eq!(
        [0, 8, 10, 11].map(|offset| plan.step(&read(1, offset, 5))),
        [Step::Take(5), Step::Take(2), Step::Zero, Step::Zero]
    );
}

#[test]
fn a_call_fails_once_or_from_then_on() {
    let once = plan("read fail 2 EIO once");
    let sticky = plan("read fail 2 5 sticky");
    let steps = |plan: &Plan| [1, 2, 3].map(|at| plan.step(&read(at, 0, 1)));
    assert_eq!(steps(&once), [Step::Take(1), Step::Fail(libc::EIO), Step::Take(1)]);
    assert_eq!(steps(&sticky), [Step::Take(1), Step::Fail(libc::EIO), Step::Fail(libc::EIO)]);
}

#[test]
fn interrupts_come_again_and_again_and_let_calls_through() {
    let plan = plan("read interrupt 2\nread limit 3");
    assert_eq!(
        [1, 2, 3, 4].map(|at| plan.step(&read(at, 0, 9))),
        [Step::Take(3), Step::Fail(libc::EINTR), Step::Take(3), Step::Fail(libc::EINTR)]
    );
}

#[test]
fn a_sink_is_full_after_its_bytes() {
    let plan = plan("write full 10 ENOSPC");
    let write =
        |moved_len| plan.step(&Call { class: Class::Write, at: 1, offset: 0, len: 8, moved_len, has_failed: false });
    assert_eq!([0, 8, 10].map(write), [Step::Take(8), Step::Take(2), Step::Fail(libc::ENOSPC)]);
}

#[test]
fn random_lengths_stay_in_their_bounds_and_come_again() {
    let lens = |text: &str| -> Vec<Step> { (1..50).map(|at| plan(text).step(&read(at, 0, 100))).collect() };
    let first = lens("read random 7 5");
    assert!(first.iter().all(|step| matches!(step, Step::Take(1..=5))), "{first:?}");
    assert!((1..=5).all(|len| first.contains(&Step::Take(len))), "{first:?}");
    assert_eq!(first, lens("read random 7 5"));
    assert_ne!(first, lens("read random 8 5"));
}

#[test]
fn bytes_change_after_a_call() {
    let plan = plan("read change 1\nread zero 3 once");
    assert_eq!([1, 2, 3].map(|at| plan.step(&read(at, 0, 4))), [Step::Take(4), Step::Change(4), Step::Zero]);
}

#[test]
fn what_is_no_rule_is_told_by_its_line() {
    for (text, line) in [
        ("read", 1),
        ("read limit", 1),
        ("read limit 0", 1),
        ("read limit 1 2", 1),
        ("read interrupt 1", 1),
        ("\n# fine\nread limit x", 3),
        ("read fail 1 EIO", 1),
        ("read fail 1 EODD once", 1),
        ("read fail 1 EIO often", 1),
        ("sync limit 1", 1),
        ("write eof 1", 1),
        ("read full 1", 1),
        ("read eof 1", 1),
        ("sync lose 1 EIO", 1),
        ("look limit 1", 1),
    ] {
        assert_eq!(Plan::parse(text).err(), Some(line), "{text:?}");
    }
    let many = "read limit 1\n".repeat(MOST_RULES + 1);
    assert_eq!(Plan::parse(&many).err(), Some(MOST_RULES as u64 + 1));
}

#[test]
fn fewer_bytes_than_asked_for_are_at_least_one() {
    let plan = plan("read short 3");
    assert_eq!([10, 4, 3, 1].map(|len| plan.step(&read(1, 0, len))), [7, 1, 1, 1].map(Step::Take));
}

#[test]
fn a_file_may_end_earlier_behind_a_call() {
    let plan = plan("read eof 10 2");
    assert_eq!([2, 3].map(|at| plan.step(&read(at, 20, 5))), [Step::Take(5), Step::Zero]);
}

#[test]
fn a_call_comes_through_after_its_interruptions() {
    let plan = plan("read before 2");
    let steps = [1, 2, 3, 4, 5, 6].map(|at| plan.step(&read(at, 0, 1)) == Step::Take(1));
    assert_eq!(steps, [false, false, true, false, false, true]);
}

#[test]
fn one_byte_cannot_be_moved() {
    let (once, sticky) = (plan("read fail-byte 10 EIO once"), plan("read fail-byte 10 EIO sticky"));
    for plan in [&once, &sticky] {
        let steps = [8, 10, 11].map(|offset| plan.step(&read(1, offset, 5)));
        assert_eq!(steps, [Step::Take(2), Step::FailByte(libc::EIO), Step::Take(5)]);
    }
    let again = Call { has_failed: true, ..read(2, 10, 5) };
    assert_eq!(once.step(&again), Step::Take(5));
    assert_eq!(sticky.step(&again), Step::FailByte(libc::EIO));
}

#[test]
fn an_error_goes_before_an_end_and_an_end_before_other_bytes() {
    let plan = plan("read change 0\nread zero 2 sticky\nread lose 3 EIO\nread limit 1");
    assert_eq!([1, 2, 3].map(|at| plan.step(&read(at, 0, 9))), [Step::Change(1), Step::Zero, Step::Lose(libc::EIO)]);
}
