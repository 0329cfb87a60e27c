//! Who kills what: every `require` rule is waived, and the vectors that list it are asked again. Owns the difference between
//! a strong kill and a weak one.

use std::collections::BTreeMap;

use hurray_conformance::judge::Fault;
use hurray_corpus::{ExpectValidate, Vector};
use hurray_spec::{Enforced, Rule};

use super::answers::Answers;
use super::bench::{Bench, Trial, is_bad, is_dead, strict};

/// What waiving a rule did to one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kill {
    /// Nothing.
    None,
    /// The file is still rejected, by another rule that is no fair reason.
    Weak,
    /// A required expectation fails.
    Strong,
}

/// Asks every rule that is enforced by `require`; twins share one site and one answer.
pub(super) fn ask(bench: &Bench<'_>) -> Answers {
    let mut answers = Answers::new("rules waived");
    for (site, twins) in sites() {
        let mut strong = Vec::new();
        let mut is_weak = false;
        for vector in bench.met().filter(|vector| vector.rules.iter().any(|rule| rule.site() == site)) {
            let trial = strict(&[site], vector);
            if is_dead(&trial.reader) || is_dead(&trial.validate) {
                answers.gap("panicked", format!("{site} waived: the reference panics on {}", vector.id));
            }
            match kill(site, vector, &trial) {
                Kill::Strong => strong.push(vector.id.as_str()),
                Kill::Weak => is_weak = true,
                Kill::None => {}
            }
        }
        let ids = twins.iter().map(|rule| rule.id()).collect::<Vec<_>>().join(" = ");
        let reason = twins.iter().map(|rule| rule.info().reason).find(|reason| !reason.is_empty());
        match (strong.first(), reason) {
            (Some(first), _) => {
                answers.count("killed");
                answers.lines.push(format!("{ids}: {} strong, first {first}", strong.len()));
            }
            (None, Some(reason)) => {
                answers.count("explained");
                answers.lines.push(format!("{ids}: {reason}"));
            }
            (None, None) if is_weak => {
                answers.gap("killed weakly", format!("{ids}: waived, only the rule id changes"));
            }
            (None, None) => answers.gap("not killed", format!("{ids}: waived, and no vector that lists it notices")),
        }
    }
    answers
}

/// The enforcing sites with the rules they enforce.
fn sites() -> BTreeMap<Rule, Vec<Rule>> {
    let mut sites: BTreeMap<Rule, Vec<Rule>> = BTreeMap::new();
    let is_asked = |rule: &&Rule| rule.info().enforced == Enforced::Require;
    for rule in Rule::ALL.iter().filter(is_asked) {
        sites.entry(rule.site()).or_default().push(*rule);
    }
    sites
}

fn kill(site: Rule, vector: &Vector, trial: &Trial) -> Kill {
    // `validate` has to name this very rule, so whatever else it says without it is a failure of substance.
    let must_name =
        matches!(&vector.validate, ExpectValidate::Names(rules) if rules.iter().any(|rule| rule.site() == site));
    let reader = match trial.reader.fault {
        Some(Fault::WrongRule) => Kill::Weak,
        Some(_) => Kill::Strong,
        None => Kill::None,
    };
    let validate = match trial.validate.fault {
        Some(Fault::WrongRule) if !must_name => Kill::Weak,
        Some(_) if is_bad(&trial.validate) => Kill::Strong,
        _ => Kill::None,
    };
    reader.max(validate)
}
