//! Which steps a write vector asks of a writer, and what its answers come to. Sends no expectation.

use hurray_adapter::{Entries, Hello, NewFile, NewItem, Op, Operation, Step, StepResult, WriterState};

use super::{Fault, Verdict, failed};
use crate::judge::{Outcome, actual_text};
use crate::support::text::printable;
use hurray_corpus::write_vector::{Refusal, WriteExpect, WriteVector, name_of};

/// What a step has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// `ok`.
    Done,
    /// `refused`, and the writer goes on as if nothing had been asked.
    Refused,
    /// One of the two; after a refusal nothing more is asked.
    Either,
}

/// One step and what has to come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The step.
    pub step: Step,
    /// What it has to answer.
    pub want: Want,
}

/// What the answers come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The file is there.
    Written,
    /// It was refused, as it may be.
    Refused,
    /// It needs what is not declared, and nobody claims to have written it.
    Unsupported,
}

/// A whole file at once, one of [`WriteVector::wholes`].
pub fn whole_script(vector: &WriteVector, file: NewFile) -> Vec<Asked> {
    let want = match vector.expect {
        WriteExpect::Accept => Want::Done,
        WriteExpect::Refused => Want::Refused,
        WriteExpect::Either { .. } => Want::Either,
    };
    vec![Asked { step: Step::Write(file), want }]
}

/// Item by item: what has to be refused comes before what is written in its place.
pub fn item_script(vector: &WriteVector, hello: &Hello) -> Vec<Asked> {
    let want = match vector.expect {
        WriteExpect::Either { .. } => Want::Either,
        WriteExpect::Accept | WriteExpect::Refused => Want::Done,
    };
    let asked = |step, want| Asked { step, want };
    let file = &vector.file;
    let mut steps = vec![asked(Step::Create(file.options.clone()), want)];
    if hello.offers(Op::Header) {
        steps.push(asked(Step::Header(Operation {}), want));
    }
    for at in 0..=file.items.len() {
        for refusal in &vector.refusals {
            if let Refusal::Item { before, item } = refusal
                && (*before).min(file.items.len()) == at
            {
                steps.push(asked(Step::Put(item.clone()), Want::Refused));
            }
        }
        steps.extend(file.items.get(at).map(|item| asked(Step::Put(item.clone()), want)));
    }
    for refusal in &vector.refusals {
        if let Refusal::Kv(entries) = refusal {
            steps.push(asked(Step::Finish(Entries { kv: entries.clone() }), Want::Refused));
        }
    }
    steps.push(asked(Step::Finish(Entries { kv: file.kv.clone() }), want));
    steps
}

/// The options that have to be refused, when the writer is made or with the header at the latest.
pub fn options_script(vector: &WriteVector) -> Option<Vec<Step>> {
    vector.refusals.iter().find_map(|refusal| match refusal {
        Refusal::Options(options) => Some(vec![Step::Create(options.clone()), Step::Header(Operation {})]),
        Refusal::Item { .. } | Refusal::Kv(_) => None,
    })
}

/// What the answers come to, one result per step.
///
/// # Errors
/// The verdict on the first answer that is not one of those wanted.
pub fn judge_answers(
    vector: &WriteVector,
    hello: &Hello,
    asked: &[Asked],
    results: &[StepResult],
) -> Result<Ended, Box<Verdict>> {
    let declared = hello.writes.clone().unwrap_or_default();
    let is_declared = vector.needs.iter().all(|need| need.is_written_by(&declared));
    let mut ended = Ended::Written;
    for (Asked { step, want }, result) in asked.iter().zip(results) {
        let bad = |fault, expected: &str| {
            let verdict = failed(vector, fault, expected, &actual_text(result));
            Err(Box::new(Verdict { step: Some(step_text(step)), ..verdict }))
        };
        match (result, want) {
            (StepResult::Ok(_), Want::Done | Want::Either) => {}
            (StepResult::Ok(_), Want::Refused) => return bad(Fault::Accepted, "refused"),
            (StepResult::Unsupported {}, _) if !is_declared => return Ok(Ended::Unsupported),
            (StepResult::Refused { .. } | StepResult::Limit { .. }, Want::Done | Want::Either) if !is_declared => {
                return Ok(Ended::Unsupported);
            }
            (StepResult::Refused { state: Some(WriterState::Unusable), .. }, Want::Refused)
                if !matches!(step, Step::Write(_)) =>
            {
                return bad(Fault::Wrong, "refused, and the writer still usable");
            }
            (StepResult::Refused { .. }, Want::Refused) => ended = refused(step, ended),
            (StepResult::Refused { .. }, Want::Either) => return Ok(Ended::Refused),
            (StepResult::Unsupported {}, _) => return bad(Fault::Unsupported, wanted(*want)),
            (StepResult::Refused { .. }, Want::Done) => return bad(Fault::Refused, "ok"),
            (StepResult::Reject { .. }, _) => return bad(Fault::Rejected, wanted(*want)),
            (StepResult::NotFound {}, _) => return bad(Fault::NotFound, wanted(*want)),
            (StepResult::Limit { .. }, _) => return bad(Fault::Limit, wanted(*want)),
            (StepResult::Io { .. }, _) => return bad(Fault::Io, wanted(*want)),
            (StepResult::Error { .. }, _) => return bad(Fault::Error, wanted(*want)),
        }
    }
    Ok(ended)
}

/// A refusal of the whole is the end; that of an item or of entries costs nothing.
fn refused(step: &Step, ended: Ended) -> Ended {
    if matches!(step, Step::Write(_)) { Ended::Refused } else { ended }
}

fn wanted(want: Want) -> &'static str {
    match want {
        Want::Done => "ok",
        Want::Refused => "refused",
        Want::Either => "ok or refused",
    }
}

/// A step as people write it.
fn step_text(step: &Step) -> String {
    let name = |item: &NewItem| printable(&name_of(item).to_string(), 60);
    match step {
        Step::Put(item) => format!("put {}", name(item)),
        other => other.operation().to_string(),
    }
}

/// The verdict on a vector that was not written, and need not be.
pub(super) fn unwritten(vector: &WriteVector, ended: &Ended) -> Verdict {
    match (ended, vector.expect) {
        (Ended::Unsupported, _) => {
            Verdict::good(Outcome::Unsupported, "not miswritten", "a feature that is not declared")
        }
        (_, WriteExpect::Either { prefer_accept }) => Verdict {
            strict: Some(!prefer_accept),
            ..Verdict::good(
                Outcome::Contested,
                if prefer_accept { "ok preferred" } else { "refused preferred" },
                "refused",
            )
        },
        _ => Verdict::good(Outcome::Passed, "refused", "refused"),
    }
}
