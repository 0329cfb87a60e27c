//! One file under one schedule after the other: the one loop over a family of schedules, for served files and for system
//! calls. Owns when a family is exhausted, and what is said of all of it. Knows nothing of how a schedule is run.

use hurray_adapter::Hello;

use crate::judge::io::Choice;
use crate::judge::{Fault, Outcome, Verdict};
use crate::support::text::counted;
use hurray_corpus::schedule::{Listed, Schedule, Sweep};

/// One file, read or written under one schedule after the other.
pub trait UnderSchedules {
    /// Without any fault.
    fn whole(&mut self) -> Verdict;

    /// The positions of the file at which a schedule of this kind can make a difference.
    fn positions(&self, schedule: &Schedule) -> Vec<u64>;

    /// Runs one schedule.
    ///
    /// # Errors
    /// Why nothing can be said under any schedule.
    fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>>;

    /// How a family is swept.
    fn policy(&self) -> &SweepPolicy;

    /// One schedule, or one family of them.
    fn listed(&mut self, listed: &Listed) -> Verdict {
        let Ok(first) = listed.at(1) else { return self.policy().nothing_seen() };
        let numbers: Vec<u64> = match listed.sweep {
            Sweep::One => return self.one(&first),
            Sweep::Operations => (1..=self.policy().most_of_family).collect(),
            Sweep::Positions => self.positions(&first),
        };
        let mut sum = Sum::default();
        for number in numbers {
            let Ok(schedule) = listed.at(number) else { break };
            let tried = match self.tried(&schedule) {
                Ok(tried) => tried,
                Err(verdict) => return *verdict,
            };
            let (is_reached, is_bad) = (tried.is_reached, tried.bad.is_some());
            sum.add(tried);
            let is_enough = is_bad && (self.policy().stops_at_first || sum.weight() == HEAVIEST);
            if is_enough || (!is_reached && listed.sweep == Sweep::Operations) {
                break;
            }
        }
        self.policy().concluded(&sum)
    }

    /// One schedule.
    fn one(&mut self, schedule: &Schedule) -> Verdict {
        if schedule.clauses.is_empty() {
            return self.whole();
        }
        match self.tried(schedule) {
            Err(verdict) => *verdict,
            Ok(tried) => {
                let mut sum = Sum::default();
                sum.add(tried);
                self.policy().concluded(&sum)
            }
        }
    }
}

/// How a sweep goes through a family of schedules, and its verdict at the end.
#[derive(Debug)]
pub struct SweepPolicy {
    /// Schedules of one family at most.
    most_of_family: u64,
    /// Whether the first failure ends a family. It does for a candidate that claims the contract: each clause has its name.
    /// For any other candidate a wrong word for an error must not hide wrong data under another number.
    stops_at_first: bool,
    /// What was demanded.
    demand: &'static str,
    /// What could not be seen where nothing was.
    unseen: &'static str,
}

impl SweepPolicy {
    /// Over served sources and sinks.
    pub(super) fn served(hello: &Hello) -> SweepPolicy {
        let stops_at_first = hello.io_contract;
        let demand = if hello.io_contract { "the contract kept" } else { NOTHING_LOST };
        SweepPolicy { most_of_family: 4096, stops_at_first, demand, unseen: "an operation that can be changed" }
    }

    /// Over system calls.
    pub(super) fn called() -> SweepPolicy {
        let unseen = "a call that can be changed";
        SweepPolicy { most_of_family: 1024, stops_at_first: false, demand: NOTHING_LOST, unseen }
    }

    /// The verdict on a candidate that does nothing that a schedule could change.
    pub(super) fn nothing_seen(&self) -> Verdict {
        Verdict::good(Outcome::Unsupported, self.unseen, "none was seen")
    }

    /// The judgement: the worst that was found, or how many schedules made a difference.
    fn concluded(&self, sum: &Sum) -> Verdict {
        if let Some(worst) = &sum.worst {
            return worst.clone();
        }
        let schedules = format!("kept under {}", counted(sum.count, "schedule"));
        match (sum.count, sum.choice) {
            (0, _) => self.nothing_seen(),
            (_, None) => Verdict::good(Outcome::Passed, self.demand, schedules),
            (_, Some(choice)) => Verdict {
                strict: Some(choice.is_preferred),
                ..Verdict::good(Outcome::Contested, self.demand, format!("{schedules}; {}", choice.shown))
            },
        }
    }
}

/// What is demanded of a candidate that claims nothing.
const NOTHING_LOST: &str = "nothing lost or made up";
/// The weight of an end: nothing is worse, so nothing more is tried.
const HEAVIEST: u8 = 3;

/// What came of the schedules of a family so far.
#[derive(Debug, Default)]
struct Sum {
    /// Schedules that made a difference.
    count: usize,
    worst: Option<Verdict>,
    /// The first behaviour that is not preferred, or else the first that is.
    choice: Option<Choice>,
}

impl Sum {
    fn add(&mut self, tried: Tried) {
        self.count += usize::from(tried.is_reached);
        let is_worse = |bad: &Verdict| weight(bad) > self.weight();
        if let Some(bad) = tried.bad.filter(is_worse) {
            self.worst = Some(bad);
        }
        let choices = [self.choice, tried.choice].into_iter().flatten();
        self.choice = choices.reduce(|old, new| if old.is_preferred && !new.is_preferred { new } else { old });
    }

    fn weight(&self) -> u8 {
        self.worst.as_ref().map_or(0, weight)
    }
}

/// How bad a fault is: an end, then what comes out and is not there, then all others.
fn weight(verdict: &Verdict) -> u8 {
    match verdict.fault {
        None => 0,
        Some(fault) if fault.outcome() == Outcome::Died => HEAVIEST,
        Some(Fault::Wrong | Fault::Accepted | Fault::NotFound | Fault::Invalid) => 2,
        Some(_) => 1,
    }
}

/// One schedule tried.
#[derive(Debug)]
pub struct Tried {
    /// Its judgement, if it is bad.
    pub(super) bad: Option<Verdict>,
    /// Whether it made a difference.
    pub(super) is_reached: bool,
    /// What was shown where more than one behaviour is allowed.
    pub(super) choice: Option<Choice>,
}

#[cfg(test)]
mod tests {
    use hurray_corpus::schedule::{ScheduleList, Side};

    use super::*;

    /// Answers schedule k as the k-th of its answers says, and is not reached behind the last.
    struct Scripted(SweepPolicy, Vec<Result<Option<Choice>, Fault>>);

    impl UnderSchedules for Scripted {
        fn whole(&mut self) -> Verdict {
            Verdict::good(Outcome::Passed, "", "whole")
        }

        fn positions(&self, _schedule: &Schedule) -> Vec<u64> {
            vec![1, 2]
        }

        fn tried(&mut self, schedule: &Schedule) -> Result<Tried, Box<Verdict>> {
            let number: usize =
                schedule.to_string().chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
            let answer = number.checked_sub(1).and_then(|at| self.1.get(at));
            let bad = |fault: &Fault| Verdict::bad(*fault, None, "", format!("at {number}"));
            Ok(Tried {
                bad: answer.and_then(|answer| answer.as_ref().err()).map(bad),
                is_reached: answer.is_some(),
                choice: answer.and_then(|answer| answer.ok().flatten()),
            })
        }

        fn policy(&self) -> &SweepPolicy {
            &self.0
        }
    }

    /// What comes of `fail {k} once` and of `split {n}`.
    fn swept(policy: SweepPolicy, id: &str, answers: &[Result<Option<Choice>, Fault>]) -> Verdict {
        let list = ScheduleList::embedded().expect("the lists");
        let listed = list.of(Side::Source).find(|listed| listed.id == id).expect("it is listed");
        Scripted(policy, answers.to_vec()).listed(listed)
    }

    fn of_contract() -> SweepPolicy {
        SweepPolicy { stops_at_first: true, ..SweepPolicy::called() }
    }

    const FINE: Result<Option<Choice>, Fault> = Ok(None);

    #[test]
    fn a_family_ends_where_it_is_not_reached_any_more() {
        let verdict = swept(of_contract(), "source/fail-once", &[FINE; 3]);
        assert_eq!((verdict.outcome, verdict.actual.as_str()), (Outcome::Passed, "kept under 3 schedules"));
        assert_eq!(swept(of_contract(), "source/split", &[FINE; 9]).actual, "kept under 2 schedules");
        assert_eq!(swept(of_contract(), "source/fail-once", &[]).outcome, Outcome::Unsupported);
        assert_eq!(swept(of_contract(), "source/as-asked", &[]).actual, "whole");
    }

    #[test]
    fn the_first_failure_ends_it_for_who_is_held_to_clauses_the_worst_is_told_of_others() {
        let answers = [FINE, Err(Fault::Rejected), Err(Fault::Wrong), Err(Fault::Accepted), Err(Fault::Io)];
        assert_eq!(swept(of_contract(), "source/fail-once", &answers).actual, "at 2");
        assert_eq!(swept(SweepPolicy::called(), "source/fail-once", &answers).actual, "at 3");
        let deaths = [Err(Fault::Crashed), Err(Fault::TimedOut)];
        assert_eq!(swept(SweepPolicy::called(), "source/fail-once", &deaths).actual, "at 1");
    }

    #[test]
    fn what_is_left_to_choose_is_told_and_the_other_choice_before_the_preferred() {
        let (good, other) = (Choice::preferred("so"), Choice::other("otherwise"));
        let verdict =
            swept(of_contract(), "source/fail-once", &[Ok(Some(good)), Ok(Some(other)), Ok(Some(good)), FINE]);
        assert_eq!((verdict.outcome, verdict.strict), (Outcome::Contested, Some(false)));
        assert_eq!(verdict.actual, "kept under 4 schedules; otherwise");
        let verdict = swept(of_contract(), "source/fail-once", &[FINE, Ok(Some(good))]);
        assert_eq!((verdict.strict, verdict.actual.as_str()), (Some(true), "kept under 2 schedules; so"));
        let verdict = swept(of_contract(), "source/fail-once", &[Ok(Some(other)), Err(Fault::Io)]);
        assert_eq!((verdict.outcome, verdict.strict), (Outcome::Failed, None));
    }
}
