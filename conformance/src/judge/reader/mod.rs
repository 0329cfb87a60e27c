//! Judges the reader script of one vector: every step has a set of allowed results.
//!
//! A rejection is allowed at the step where it is due or an earlier one (R4). A candidate that does not declare a
//! feature has to reject the tensor that uses it, and must not misread it. Wrong data is never allowed.
//!
//! Owns the allowed results of each step.

mod elements;
mod permissive;
mod words;

use hurray_adapter::{FieldValue, Hello, Observed, Op, Part, Step, StepResult, TensorObservation, Text};
use hurray_spec::Rule;

use super::compare::{Comparison, Difference};
use super::script::due;
use super::{Fault, Outcome, Verdict};
use hurray_corpus::{Due, Expect, ExpectedTensor, Vector};

pub(crate) use words::actual_text;
use words::name_of;
pub(super) use words::step_text;

/// Vectors with this tag may meet a limit of the implementation.
const LIMIT_OK: &str = "limit-ok";

/// The verdict on the results of [`reader_script`](super::reader_script), one result per step.
pub fn judge_reader(vector: &Vector, hello: &Hello, steps: &[Step], results: &[StepResult]) -> Verdict {
    let mut judge = Judge::new(vector, hello);
    for (at, (step, result)) in steps.iter().zip(results).enumerate() {
        let later = || steps.iter().zip(results).skip(at + 1);
        match judge.step(step, result, later().any(|(later, result)| judge.is_late_rejection(later, result))) {
            Ok(Flow::Next) => {}
            Ok(Flow::Stop) => break,
            Err(verdict) => return judge.counted(*verdict),
        }
    }
    let verdict = judge.end();
    judge.counted(verdict)
}

enum Flow {
    Next,
    Stop,
}

/// Where a step stands relative to the one at which a rejection is due.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Before,
    Due,
    After,
    Apart,
}

struct Judge<'a> {
    vector: &'a Vector,
    hello: &'a Hello,
    comparison: Comparison<'a>,
    /// An allowed rejection was seen.
    rejected: bool,
    /// A step of an open file was rejected, so other tensors may be lost to readers without the I/O contract.
    unit_failed: bool,
    /// Other parts of the file were lost after that.
    others_lost: bool,
    /// Entries that may be hidden were hidden.
    kv_hidden: bool,
    /// A feature that is not declared was not misread.
    lenient: Option<&'static str>,
}

impl<'a> Judge<'a> {
    fn new(vector: &'a Vector, hello: &'a Hello) -> Self {
        let comparison = Comparison::new(hello);
        let (rejected, unit_failed, others_lost, kv_hidden) = (false, false, false, false);
        Judge { vector, hello, comparison, rejected, unit_failed, others_lost, kv_hidden, lenient: None }
    }

    fn counted(&self, verdict: Verdict) -> Verdict {
        Verdict {
            compared_count: self.comparison.compared_count,
            unobserved_count: self.comparison.unobserved_count,
            ..verdict
        }
    }

    fn place(&self, step: &Step) -> Place {
        let named = |name: &Text| name_of(step) == Some(name);
        match (due(self.vector), step) {
            (None, _) => Place::Apart,
            (Some(Due::Open), Step::Open(_))
            | (Some(Due::Descriptor), Step::Descriptor(_))
            | (Some(Due::Scan), Step::Scan(_)) => Place::Due,
            (Some(Due::Open), _) => Place::After,
            (Some(_), Step::Open(_) | Step::List(_)) => Place::Before,
            (Some(Due::Kv), Step::Kv(_)) => Place::Due,
            (Some(Due::Describe(_) | Due::Read(_)), Step::All(_)) => Place::After,
            // Its parts are tensors of their own, which may be read one by one (R70).
            (Some(Due::Composite(_)), Step::All(_)) => Place::Before,
            (Some(Due::Composite(name)), Step::Composite(_)) if named(name) => Place::Due,
            (Some(Due::Composite(name)), Step::Describe(_) | Step::Read(_)) if named(name) => Place::Before,
            (Some(Due::Describe(name) | Due::Read(name)), Step::Composite(_)) if named(name) => Place::After,
            (Some(Due::Describe(name) | Due::Read(name)), Step::Locate(_) | Step::Decode(_)) if named(name) => {
                Place::After
            }
            // A composite is put together from the descriptors of its members; how far it looks into them is its affair.
            (Some(Due::Describe(part)), Step::Composite(whole)) if self.around(part) == Some(&whole.name) => {
                Place::After
            }
            (Some(part), Step::Composite(whole)) if self.holds(&whole.name, part) => Place::Before,
            // Who cannot describe a head alone may read it as the whole that it stands for.
            (Some(part), Step::Read(whole)) if !self.hello.offers(Op::Describe) && self.holds(&whole.name, part) => {
                Place::Before
            }
            (Some(Due::Describe(name)), Step::Describe(_)) if named(name) => Place::Due,
            (Some(Due::Describe(name)), Step::Read(_)) if named(name) && self.hello.offers(Op::Describe) => {
                Place::After
            }
            (Some(Due::Describe(name)), Step::Read(_)) if named(name) => Place::Due,
            (Some(Due::Read(name)), Step::Describe(_)) if named(name) => Place::Before,
            (Some(Due::Read(name)), Step::Read(_)) if named(name) => Place::Due,
            _ => Place::Apart,
        }
    }

    /// The composite that a tensor is a member of.
    fn around(&self, part: &Text) -> Option<&Text> {
        let composites = &self.vector.observe.composites;
        composites.iter().find(|composite| composite.member_names().contains(part)).map(|composite| &composite.name)
    }

    /// Whether what is due at a tensor is due inside a composite, at whatever depth.
    fn holds(&self, whole: &Text, due: &Due) -> bool {
        let (Due::Describe(part) | Due::Read(part) | Due::Composite(part)) = due else { return false };
        // No composite holds itself; the bound is for a listing that says otherwise.
        let bound = self.vector.observe.composites.len();
        std::iter::successors(self.around(part), |part| self.around(part)).take(bound).any(|around| around == whole)
    }

    fn must_reject(&self, place: Place) -> bool {
        matches!(self.vector.expect, Expect::Reject { .. }) && matches!(place, Place::Due | Place::After)
    }

    fn may_reject(&self, place: Place) -> bool {
        match &self.vector.expect {
            Expect::Accept => false,
            Expect::Either { due: Due::Open, .. } => true,
            Expect::Reject { .. } | Expect::Either { .. } => place != Place::Apart,
        }
    }

    fn is_late_rejection(&self, step: &Step, result: &StepResult) -> bool {
        matches!(result, StepResult::Reject { .. }) && self.must_reject(self.place(step))
    }

    fn step(&mut self, step: &Step, result: &StepResult, rejected_later: bool) -> Result<Flow, Box<Verdict>> {
        let place = self.place(step);
        let fault = |fault, expected: &str| Err(Box::new(bad(fault, step, expected, result)));
        let wanted = if self.must_reject(place) { "reject" } else { "ok" };
        match result {
            StepResult::NotFound {} if self.is_absent(step) => Ok(Flow::Next),
            StepResult::Ok(_) if self.is_absent(step) => fault(Fault::Wrong, "not_found"),
            StepResult::Ok(_) if self.must_reject(place) => {
                fault(if rejected_later { Fault::Late } else { Fault::Accepted }, &self.rejection_wanted())
            }
            StepResult::Ok(_) if self.is_forbidden(step) => fault(Fault::Accepted, "reject"),
            StepResult::Reject { .. } if self.is_forbidden(step) => Ok(Flow::Next),
            StepResult::Ok(seen) => self.compare(step, seen).map(|()| Flow::Next).map_err(|found| wrong(step, &found)),
            // It cannot be read this way: seen, and not taken for another file.
            StepResult::Unsupported {} if matches!(step, Step::Scan(_)) && self.may_reject(place) => {
                self.rejected = true;
                Ok(Flow::Stop)
            }
            StepResult::Reject { rule, .. } if self.may_reject(place) => self.rejection(step, rule.as_deref(), result),
            StepResult::Reject { .. } | StepResult::Unsupported {} if self.is_undeclared(step) => {
                self.lenient = Some("a feature that is not declared, and not misread");
                Ok(if matches!(step, Step::Open(_)) { Flow::Stop } else { Flow::Next })
            }
            StepResult::Refused { .. } if place == Place::After && self.rejected => Ok(Flow::Next),
            StepResult::Reject { .. } | StepResult::Refused { .. } if self.may_be_lost(place) => {
                self.others_lost = true;
                Ok(Flow::Next)
            }
            StepResult::Unsupported {} if self.is_uninterpreted(step) => Ok(Flow::Next),
            StepResult::Limit { .. } if self.vector.tags.iter().any(|tag| tag == LIMIT_OK) => {
                self.lenient = Some("a limit of the implementation, allowed here");
                Ok(Flow::Next)
            }
            StepResult::Reject { .. } => fault(Fault::Rejected, wanted),
            StepResult::NotFound {} => fault(Fault::NotFound, wanted),
            StepResult::Refused { .. } => fault(Fault::Refused, wanted),
            StepResult::Limit { .. } => fault(Fault::Limit, wanted),
            StepResult::Io { .. } => fault(Fault::Io, wanted),
            StepResult::Unsupported {} => fault(Fault::Unsupported, wanted),
            StepResult::Error { .. } => fault(Fault::Error, wanted),
        }
    }

    /// An allowed rejection. Its reason counts where the candidate names rules.
    fn rejection(&mut self, step: &Step, rule: Option<&str>, result: &StepResult) -> Result<Flow, Box<Verdict>> {
        if self.is_undeclared(step) && name_of(step).is_some() {
            self.lenient = Some("a feature that is not declared, and not misread");
        } else if !self.rejected && self.hello.observes(Part::Rules) && !is_fair(rule, &self.vector.rules) {
            let fair: Vec<&str> = self.vector.rules.iter().map(|rule| rule.id()).collect();
            return Err(Box::new(bad(Fault::WrongRule, step, &format!("reject by {}", fair.join(" or ")), result)));
        }
        self.rejected = true;
        if matches!(step, Step::Open(_) | Step::List(_)) {
            return Ok(Flow::Stop);
        }
        self.unit_failed = true;
        Ok(Flow::Next)
    }

    /// Whether other parts of the file may be lost by now: contested for readers without the I/O contract (R4).
    fn may_be_lost(&self, place: Place) -> bool {
        place == Place::Apart && self.unit_failed && !self.hello.io_contract
    }

    fn is_absent(&self, step: &Step) -> bool {
        name_of(step).is_some_and(|name| self.vector.absent.contains(name))
    }

    fn expected(&self, name: &Text) -> Option<&'a ExpectedTensor> {
        self.vector.observe.tensors.iter().find(|tensor| tensor.name == *name)
    }

    /// Whether the step meets a feature that the candidate does not declare.
    fn is_undeclared(&self, step: &Step) -> bool {
        if self.vector.needs.iter().all(|need| need.is_read_by(self.hello)) {
            return false;
        }
        let Some(tensor) = name_of(step).and_then(|name| self.expected(name)).map(|expected| &expected.tensor) else {
            return !matches!(step, Step::List(_) | Step::Kv(_) | Step::Validate(_));
        };
        let lacks =
            |declared: &[String], used: &Option<String>| used.as_ref().is_some_and(|used| !declared.contains(used));
        lacks(&self.hello.types, &tensor.element_type)
            || lacks(&self.hello.layouts, &tensor.layout)
            || scheme(tensor).is_some_and(|used| !self.hello.quantization.contains(used))
            // A composite has to look at all of its members.
            || matches!(step, Step::Composite(_))
    }

    fn rejection_wanted(&self) -> String {
        match due(self.vector) {
            None => "ok".to_owned(),
            Some(Due::Open) => "reject at open".to_owned(),
            Some(Due::Descriptor | Due::Scan) => "reject".to_owned(),
            Some(Due::Kv) => "reject at kv at the latest".to_owned(),
            Some(Due::Describe(name)) => format!("reject at describe {name} at the latest"),
            Some(Due::Read(name)) => format!("reject at read {name} at the latest"),
            Some(Due::Composite(name)) => format!("reject at composite {name} at the latest"),
        }
    }

    fn compare(&mut self, step: &Step, seen: &Observed) -> Result<(), Box<Difference>> {
        let expected = &self.vector.observe;
        match step {
            Step::Open(_) => self.comparison.container(expected.container.as_ref(), seen.container.as_ref()),
            Step::Descriptor(_) => match expected.tensors.first() {
                Some(tensor) => {
                    self.comparison.descriptor_length(expected.descriptor_length, seen.descriptor_length)?;
                    self.comparison.tensor(&tensor.name, &tensor.tensor, seen.tensor.as_ref())
                }
                None => Ok(()),
            },
            Step::Kv(_) if expected.is_hidden_by(seen.kv.as_deref()) => {
                self.kv_hidden = true;
                Ok(())
            }
            Step::Kv(_) => self.comparison.kv(expected.kv.as_ref(), seen.kv.as_ref()),
            Step::List(_) => self.names(seen),
            Step::All(_) => self.names_read(seen),
            Step::Describe(named) | Step::Read(named) => match self.expected(&named.name) {
                // A tensor at fault looks as its fault makes it look until it is rejected.
                Some(tensor) if !self.is_at_fault(&named.name) => self.tensor(step, tensor, seen),
                _ => Ok(()),
            },
            Step::Composite(named) => {
                let wanted = expected.composites.iter().find(|composite| composite.name == named.name);
                self.comparison.composite(wanted, seen.composite.as_ref())
            }
            Step::Locate(element) | Step::Decode(element) => {
                let wanted = self.meaning(step, element);
                wanted.map_or(Ok(()), |wanted| self.comparison.meaning(wanted, step, seen))
            }
            Step::Scan(_) => self.comparison.scan(expected, &self.vector.passing, seen.scan.as_ref()),
            // No reader is asked the others.
            _ => Ok(()),
        }
    }

    fn is_at_fault(&self, name: &Text) -> bool {
        matches!(&self.vector.expect, Expect::Reject { due: Due::Describe(bad) | Due::Read(bad) } if bad == name)
    }

    /// What was read; a composite may be read as one, and its members then go by its name.
    fn names_read(&mut self, seen: &Observed) -> Result<(), Box<Difference>> {
        let composites = &self.vector.observe.composites;
        let is_member = |name: &Text| composites.iter().any(|composite| composite.member_names().contains(name));
        let listed = seen.names.iter().flatten().filter(|name| is_member(name)).count();
        if composites.is_empty() || listed > 0 || seen.names.is_none() {
            return self.names(seen);
        }
        let tensors = self.vector.observe.tensors.iter().map(|tensor| &tensor.name);
        let whole: Vec<Text> = tensors.filter(|name| !is_member(name)).cloned().collect();
        self.comparison.names(&whole, seen.names.as_ref())
    }

    /// The names; a tensor at fault that no expectation describes may or may not be listed.
    fn names(&mut self, seen: &Observed) -> Result<(), Box<Difference>> {
        let names: Vec<Text> = self.vector.observe.tensors.iter().map(|tensor| tensor.name.clone()).collect();
        let is_open = |name: &Text| self.is_at_fault(name) && !names.contains(name);
        let listed = seen.names.as_ref().map(|listed| listed.iter().filter(|name| !is_open(name)).cloned().collect());
        self.comparison.names(&names, listed.as_ref())
    }

    fn tensor(&mut self, step: &Step, wanted: &ExpectedTensor, seen: &Observed) -> Result<(), Box<Difference>> {
        let name = &wanted.name;
        let is_read = matches!(step, Step::Read(_));
        // Where both are offered the descriptor belongs to `describe`; `read` may repeat it.
        if !is_read || seen.tensor.is_some() || !self.hello.offers(Op::Describe) {
            self.comparison.tensor(name, &wanted.tensor, seen.tensor.as_ref())?;
        }
        if is_read {
            let handles = wanted.tensor.handles.as_ref();
            self.comparison.buffers(name, wanted.buffers.as_ref(), handles, seen.buffers.as_ref())?;
        }
        Ok(())
    }

    fn end(&self) -> Verdict {
        let done = if self.rejected { "reject" } else { "ok" };
        if let Some(why) = self.lenient {
            return Verdict::good(Outcome::Unsupported, "not misread", why);
        }
        match &self.vector.expect {
            Expect::Either { prefer_accept, .. } => Verdict {
                strict: Some(*prefer_accept != self.rejected),
                ..Verdict::good(
                    Outcome::Contested,
                    if *prefer_accept { "ok preferred" } else { "reject preferred" },
                    done,
                )
            },
            Expect::Reject { .. } if self.others_lost => Verdict {
                strict: Some(false),
                ..Verdict::good(Outcome::Contested, "the rest stays readable", "the rest was lost")
            },
            Expect::Reject { .. } if self.rejected => Verdict::good(Outcome::Passed, self.rejection_wanted(), done),
            Expect::Reject { .. } => Verdict::good(
                Outcome::Unsupported,
                self.rejection_wanted(),
                "the step at which it is due is not offered",
            ),
            Expect::Accept if self.is_blind() => {
                Verdict::good(Outcome::Unsupported, "ok", "what is in it is not observed")
            }
            Expect::Accept if self.kv_hidden => Verdict {
                strict: Some(false),
                ..Verdict::good(Outcome::Contested, "entries shown preferred", "entries hidden")
            },
            Expect::Accept => Verdict::good(Outcome::Passed, "ok", done),
        }
    }

    /// Whether nothing of what makes the file worth reading was seen.
    fn is_blind(&self) -> bool {
        let expected = &self.vector.observe;
        let has_entries = expected.kv.as_ref().is_some_and(|entries| !entries.is_empty());
        (has_entries && !self.hello.offers(Op::Kv) && !self.vector.mode.is_sequential())
            || ((has_entries || !expected.tensors.is_empty())
                && self.comparison.compared_count == self.comparison.element_count)
    }
}

/// The quantization scheme of a tensor.
fn scheme(tensor: &TensorObservation) -> Option<&String> {
    match tensor.quantization.as_ref()?.get("scheme")? {
        FieldValue::One(scheme) => Some(scheme),
        FieldValue::Many(_) | FieldValue::Part(_) => None,
    }
}

/// Whether a candidate's reason is one of the fair ones; twins of one rule are the same reason.
pub(super) fn is_fair(reason: Option<&str>, fair: &[Rule]) -> bool {
    let Some(reason) = reason.and_then(Rule::from_id) else { return false };
    fair.iter().any(|rule| rule.site() == reason.site())
}

pub(super) fn bad(fault: Fault, step: &Step, expected: &str, result: &StepResult) -> Verdict {
    let (rule, offset) = match result {
        StepResult::Reject { rule, offset, .. } => (rule.clone(), offset.map(|offset| offset.0)),
        _ => (None, None),
    };
    Verdict { rule, offset, ..Verdict::bad(fault, Some(step_text(step)), expected, actual_text(result)) }
}

fn wrong(step: &Step, found: &Difference) -> Box<Verdict> {
    let expected = format!("{} {}", found.what, found.expected);
    Box::new(Verdict::bad(Fault::Wrong, Some(step_text(step)), expected, found.actual.clone()))
}

#[cfg(test)]
mod tests;
