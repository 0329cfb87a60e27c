//! The policies, each against a rejected, a tolerated and a relaxed rule.

use super::*;

const REJECTED: Rule = Rule::ContainerHeaderMagicReject;
const TWIN: Rule = Rule::ContainerHeaderMagic;
const TOLERATED: Rule = Rule::ContainerHeaderHintValue;
const RELAXED_RULE: Rule = Rule::TypeTagUnknownReject;

fn outcome(policy: Policy, rule: Rule) -> (bool, usize) {
    let mut judge = Judge::new(policy);
    assert_eq!(judge.require(true, rule, Span::at(0, 1)), Ok(()));
    let passes = judge.require(false, rule, Span::value(8, 1, 2)).is_ok();
    (passes, judge.findings().len())
}

#[test]
fn each_policy_does_what_it_says() {
    let cases = [
        (Policy::strict(), [(false, 0), (true, 0), (false, 0)]),
        (Policy::permissive(), [(false, 0), (true, 0), (true, 0)]),
        (Policy::permissive().insisting([RELAXED_RULE]), [(false, 0), (true, 0), (false, 0)]),
        (Policy::strict().waiving([TWIN]).into_permissive(), [(true, 0), (true, 0), (true, 0)]),
        (Policy::collecting(), [(true, 1), (true, 1), (true, 1)]),
        (Policy::strict().waiving([TWIN]), [(true, 0), (true, 0), (false, 0)]),
        (Policy::collecting().waiving([TWIN, TOLERATED]), [(true, 0), (true, 0), (true, 1)]),
    ];
    for (policy, expected) in cases {
        let outcomes = [REJECTED, TOLERATED, RELAXED_RULE].map(|rule| outcome(policy.clone(), rule));
        assert_eq!(outcomes, expected, "{policy:?}");
    }
}

#[test]
fn a_rejection_says_which_rule_where_and_what() {
    let reject = Judge::default().require(false, REJECTED, Span::value(8, 1, 2)).unwrap_err();
    assert_eq!((reject.rule, reject.span, reject.found), (REJECTED, 8..9, Found::Unsigned(2)));
    assert!(bound(true, REJECTED, Span::at(0, 1)).is_ok());
    assert!(bound(false, REJECTED, Span::at(0, 1)).is_err());
}

#[test]
fn findings_are_classed_capped_and_never_repeated() {
    let mut judge = Judge::new(Policy::collecting());
    for offset in 0..100 {
        judge.require(false, TOLERATED, Span::at(offset, 1)).unwrap();
        judge.require(false, TOLERATED, Span::at(0, 1)).unwrap();
    }
    judge.note_end(&Reject::new(REJECTED, Span::at(0, 1)));
    judge.require(false, RELAXED_RULE, Span::at(0, 1)).unwrap();
    assert_eq!(judge.findings().len(), 16 + 2);
    assert_eq!(judge.counts()[&TOLERATED], 100);
    let classes: Vec<Class> = judge.findings()[15..].iter().map(|finding| finding.class).collect();
    assert_eq!(classes, [Class::Tolerated, Class::Bound, Class::Rejected]);
}
