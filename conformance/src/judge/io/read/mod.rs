//! A reader under a schedule, beside itself without one.
//!
//! Owns which clauses a reader breaks. It must not know how the fault reached it.

use hurray_adapter::{Name, Observed, Step, StepResult, Text};
use hurray_spec::Rule;

use super::{Breach, Demand, Kept, fault_of, has_moved_nothing, rule_of};
use crate::fault::{Log, Moved};
use crate::judge::Fault;
use hurray_corpus::schedule::{Clause, Schedule};

/// One run under a schedule.
pub struct Trial<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The steps.
    pub steps: &'a [Step],
    /// The results without it, comparable.
    pub without: &'a [StepResult],
    /// The results with it, comparable.
    pub with: &'a [StepResult],
    /// What the source did.
    pub log: &'a Log,
}

/// Reads that may follow the end of a source in a row, at one place.
const MOST_ENDS: usize = 4;

impl Trial<'_> {
    /// Whether the contract was kept.
    ///
    /// # Errors
    /// The first clause that was not.
    pub fn judge(&self) -> Kept {
        match Demand::of(self.schedule) {
            Demand::Same => {
                self.resumes()?;
                self.same()
            }
            Demand::OneFailure => self.one_failure(|result| matches!(result, StepResult::Io { .. }), "io"),
            Demand::OneError => self.one_failure(is_error, "an error"),
            Demand::Failures => self.failures(),
            Demand::Truncated => self.truncated(),
            Demand::NotOpened => self.not_opened(),
            Demand::NoLie => self.no_lie(),
        }
    }

    /// The clause that is broken by a wrong result.
    fn rule(&self) -> Rule {
        let worst = self.schedule.harms().next().or_else(|| self.schedule.clauses.first().copied());
        worst.map_or(Rule::IoReadRangeAbsolute, rule_of)
    }

    /// Positions of the steps that came to another result.
    fn differing(&self) -> impl Iterator<Item = usize> {
        let pairs = self.without.iter().zip(self.with).enumerate();
        pairs.filter(|(_, (without, with))| without != with).map(|(at, _)| at)
    }

    fn breach(&self, rule: Rule, at: usize, expected: &str) -> Kept {
        match (self.steps.get(at), self.with.get(at)) {
            (Some(step), Some(result)) => Err(Breach::of_step(rule, step, result, expected)),
            _ => Ok(()),
        }
    }

    /// A short read is followed by one for the rest, an interrupted one by the same again.
    fn resumes(&self) -> Kept {
        for (at, pair) in self.log.operations.windows(2).enumerate() {
            let (now, next) = (pair[0], pair[1]);
            let wanted = match now.moved {
                Moved::Bytes(moved) if moved < now.len => (now.offset + moved, now.len - moved),
                Moved::Failed(_) | Moved::Lost => (now.offset, now.len),
                _ => continue,
            };
            if (next.offset, next.len) != wanted {
                let rule = match now.moved {
                    Moved::Bytes(_) => Rule::IoReadShortReadResumes,
                    _ => Rule::IoReadAbandonedReoffered,
                };
                let expected = format!("a range of {} bytes at {}", wanted.1, wanted.0);
                let actual = format!("{} bytes at {}", next.len, next.offset);
                return Err(Breach::of_range(rule, Some(at + 2), expected, actual));
            }
        }
        Ok(())
    }

    fn same(&self) -> Kept {
        match self.differing().next() {
            Some(at) => self.breach(self.rule(), at, "the same as without the schedule"),
            None => Ok(()),
        }
    }

    /// One step fails, and its repeat, like all others, does not.
    fn one_failure(&self, is_wanted: fn(&StepResult) -> bool, wanted: &str) -> Kept {
        let mut differing = self.differing();
        let Some(first) = differing.next() else { return self.absorbed(wanted) };
        if !self.with.get(first).is_some_and(is_wanted) {
            return self.breach(self.rule(), first, wanted);
        }
        let Some(second) = differing.next() else { return Ok(()) };
        let is_repeat = second == first + 1 && self.steps.get(first) == self.steps.get(second);
        let fails_again = is_repeat && matches!(self.with.get(second), Some(StepResult::Io { .. }));
        let rule = match self.schedule.harms().next() {
            Some(Clause::Lose(_)) if is_repeat => Rule::IoReadLostCountRetryable,
            Some(Clause::More { .. }) => Rule::IoReadOverfill,
            _ if fails_again => Rule::IoReadTransportErrorRetryable,
            // Something comes out, and it is wrong: the job went on where the failed one had stopped.
            _ if matches!(self.with.get(second), Some(StepResult::Ok(_))) => Rule::IoReadJobRestartsFromIndex,
            _ => Rule::IoReadFailedJobUsable,
        };
        self.breach(rule, second, "the same as without the failure")
    }

    /// No step failed: right only if what failed was asked for again at once.
    fn absorbed(&self, wanted: &str) -> Kept {
        let Some((number, failed)) = self.log.first_changed() else { return Ok(()) };
        let is_error = matches!(failed.moved, Moved::Failed(_) | Moved::Lost);
        let next = self.log.operations.get(number);
        let is_repeated = next.is_some_and(|next| (next.offset, next.len) == (failed.offset, failed.len));
        if is_error && is_repeated {
            return Ok(());
        }
        let actual = "every step went well, and the range was not asked for again".to_owned();
        let mut breach = Breach::of_range(self.rule(), Some(number), wanted, actual);
        breach.fault = Fault::Wrong;
        Err(breach)
    }

    fn failures(&self) -> Kept {
        let mut differing = self.differing();
        let Some(first) = differing.next() else { return self.absorbed("io") };
        let is_open = matches!(self.steps.get(first), Some(Step::Open(_)));
        for at in std::iter::once(first).chain(differing) {
            let is_fine = match self.with.get(at) {
                Some(StepResult::Io { .. }) => true,
                // No file is open then.
                Some(StepResult::Refused { .. }) => is_open && at > first,
                _ => false,
            };
            if !is_fine {
                return self.breach(self.rule(), at, "io");
            }
        }
        Ok(())
    }

    fn truncated(&self) -> Kept {
        let mut is_failed = false;
        let is_open_failed = self.differing().next().is_some_and(|at| matches!(self.steps[at], Step::Open(_)));
        for at in self.differing() {
            is_failed = true;
            let is_fine = match self.with.get(at) {
                Some(StepResult::Reject { .. } | StepResult::Io { .. }) => true,
                Some(StepResult::Refused { .. }) => is_open_failed,
                _ => false,
            };
            if !is_fine {
                return self.breach(Rule::IoReadZeroTruncated, at, "an error: the source ends early");
            }
        }
        let ends = self.log.operations.windows(MOST_ENDS + 1).position(|run| {
            run.iter().all(|operation| operation.moved == Moved::Nothing && operation.offset == run[0].offset)
        });
        if let Some(at) = ends {
            let actual = format!("more than {MOST_ENDS} reads there");
            return Err(Breach::of_range(Rule::IoReadZeroTruncated, Some(at + 1), "the end taken for the end", actual));
        }
        match self.log.operations.iter().position(has_moved_nothing) {
            Some(at) if !is_failed => {
                let actual = "every step went well".to_owned();
                let mut breach = Breach::of_range(Rule::IoReadZeroTruncated, Some(at + 1), "an error", actual);
                breach.fault = Fault::Wrong;
                Err(breach)
            }
            _ => Ok(()),
        }
    }

    fn not_opened(&self) -> Kept {
        match self.with.first() {
            Some(StepResult::Ok(_)) => {
                self.breach(self.rule(), 0, "an error: the file is not whole").map_err(|mut breach| {
                    breach.fault = Fault::Accepted;
                    breach
                })
            }
            _ => Ok(()),
        }
    }

    /// Behind a trailer without its magic nothing is asked for: what it says of other ranges is not acted upon.
    fn magic_first(&self) -> Kept {
        let is_bad_trailer = matches!(self.schedule.clauses[..], [Clause::ChangeBytes(1)]);
        let has_opened = matches!(self.with.first(), Some(StepResult::Ok(_)));
        match self.log.operations.get(2) {
            Some(asked) if is_bad_trailer && !has_opened => {
                let actual = format!("{} bytes at {}", asked.len, asked.offset);
                let expected = "no range behind a trailer without its magic";
                Err(Breach::of_range(Rule::ContainerTrailerMagicFirst, Some(3), expected, actual))
            }
            _ => Ok(()),
        }
    }

    /// Nothing comes out but errors and what was there. Bytes of tensors may be the changed ones: no checksum covers them.
    fn no_lie(&self) -> Kept {
        self.magic_first()?;
        let may_change = self.schedule.harms().any(|clause| matches!(clause, Clause::ChangeBytes(_)));
        for at in self.differing() {
            let (Some(without), Some(with)) = (self.without.get(at), self.with.get(at)) else { continue };
            let is_fine = match with {
                StepResult::Ok(seen) => may_change && without_data(without) == Some(stripped(seen)),
                StepResult::NotFound {} | StepResult::Unsupported {} => false,
                _ => true,
            };
            if !is_fine {
                let is_open = matches!(self.steps[at], Step::Open(_) | Step::List(_) | Step::Kv(_));
                let rule = match self.rule() {
                    Rule::ContainerFlagsCrcMismatchReject if !is_open => Rule::DescriptorHeaderMagicReject,
                    rule => rule,
                };
                return self.breach(rule, at, "an error, or what was there");
            }
        }
        Ok(())
    }
}

/// Whether every name that is not there was not found.
///
/// # Errors
/// The first that came to something else.
pub fn absent(names: &[Text], steps: &[Step], results: &[StepResult]) -> Kept {
    for (step, result) in steps.iter().zip(results) {
        let (Step::Describe(Name { name }) | Step::Read(Name { name })) = step else { continue };
        if names.contains(name) && !matches!(result, StepResult::NotFound {}) {
            return Err(Breach::of_step(Rule::IoReadNotFound, step, result, "not_found"));
        }
    }
    Ok(())
}

/// Whether it says that something went wrong, in whatever words.
fn is_error(result: &StepResult) -> bool {
    !matches!(fault_of(result), Fault::Wrong | Fault::NotFound | Fault::Unsupported)
}

pub(super) fn without_data(result: &StepResult) -> Option<Observed> {
    match result {
        StepResult::Ok(seen) => Some(stripped(seen)),
        _ => None,
    }
}

/// What was seen, but for what depends on the bytes of buffers.
pub(super) fn stripped(seen: &Observed) -> Observed {
    let mut seen = seen.clone();
    (seen.place, seen.value) = (None, None);
    for buffer in seen.buffers.iter_mut().flatten() {
        buffer.sha256.clear();
    }
    seen
}

#[cfg(test)]
mod tests;
