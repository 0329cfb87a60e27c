//! The one way to find fault, and the policies of it.
//!
//! Every check of the reader says `judge.require(cond, Rule::X, span)`. What a broken rule leads to is decided here and
//! nowhere else. Knows no byte of the format.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hurray_spec::Rule;

use crate::reject::{Found, Reject, Span};

/// The rules permissive mode relaxes (ruling R3), besides those about data, which no plain reading judges.
pub const RELAXED: [Rule; 9] = [
    Rule::TypeTagUnknownReject,
    Rule::LayoutTagUnknownReject,
    Rule::LayoutExtUnknownReject,
    Rule::LayoutCsfModeOrderPermutation,
    Rule::QuantHeaderUnknownReject,
    Rule::CompositeHeadRulePrivateReject,
    Rule::CompositePartitionExactCover,
    Rule::CompositePartitionNoOverlap,
    Rule::ContainerCompositeTornReject,
];

/// Findings kept per rule; a hostile file must not make the report larger than itself.
const FINDINGS_PER_RULE: usize = 16;

/// What a broken rule leads to.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    permissive: bool,
    collecting: bool,
    waived: BTreeSet<Rule>,
    insisted: BTreeSet<Rule>,
}

impl Policy {
    /// The first broken rule ends the unit; rules marked `tolerated` pass.
    pub fn strict() -> Self {
        Policy::default()
    }

    /// As strict, but what ruling R3 lists is accepted uninterpreted.
    pub fn permissive() -> Self {
        Policy { permissive: true, ..Policy::default() }
    }

    /// The same waivers, but what ruling R3 lists is accepted uninterpreted.
    #[must_use]
    pub fn into_permissive(self) -> Self {
        Policy { permissive: true, ..self }
    }

    /// As before, but `rules` bind although permissive mode relaxes them ([`RELAXED`]).
    #[must_use]
    pub fn insisting(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.insisted.extend(rules);
        self
    }

    /// Every broken rule is noted and reading goes on; only bounds end the unit.
    pub fn collecting() -> Self {
        Policy { collecting: true, ..Policy::default() }
    }

    /// The same waivers, with every other broken rule noted.
    pub(crate) fn into_collecting(self) -> Self {
        Policy { collecting: true, ..self }
    }

    /// As before, but breaking one of `rules` (or a twin of one) has no consequence. Bounds are never waived.
    #[must_use]
    pub fn waiving(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.waived.extend(rules.into_iter().map(Rule::site));
        self
    }

    fn relaxes(&self, rule: Rule) -> bool {
        self.permissive && RELAXED.contains(&rule) && !self.insisted.contains(&rule)
    }
}

/// One broken rule, as a collecting judge noted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The broken rule.
    pub rule: Rule,
    /// The offending bytes, absolute offsets.
    pub span: Range<u64>,
    /// What was found there.
    pub found: Found,
    /// What a strict reader does about it.
    pub class: Class,
}

/// How far a finding matters to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A strict reader rejects.
    Rejected,
    /// The file is not conforming, but a strict reader lets it pass.
    Tolerated,
    /// Nothing behind this point could be read, whatever the policy.
    Bound,
}

/// Judges the bytes of one file by one policy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judge {
    policy: Policy,
    findings: Vec<Finding>,
    counts: BTreeMap<Rule, usize>,
}

impl Judge {
    /// A judge without findings.
    pub(crate) fn new(policy: Policy) -> Self {
        Judge { policy, ..Judge::default() }
    }

    /// Requires that `holds`, or else finds `rule` broken at `span`.
    ///
    /// # Errors
    /// The rejection, unless the policy notes, tolerates, relaxes or waives the rule; then the caller goes on as well
    /// as it can.
    pub(crate) fn require(&mut self, holds: bool, rule: Rule, span: Span) -> Result<(), Reject> {
        if holds || self.policy.waived.contains(&rule.site()) {
            return Ok(());
        }
        if self.policy.collecting {
            let class = if rule.info().tolerated { Class::Tolerated } else { Class::Rejected };
            self.note(Reject::new(rule, span), class);
            return Ok(());
        }
        if rule.info().tolerated || self.policy.relaxes(rule) {
            return Ok(());
        }
        Err(Reject::new(rule, span))
    }

    /// Whether unknown types and layouts pass but must stay uninterpreted.
    pub(crate) fn is_permissive(&self) -> bool {
        self.policy.permissive
    }

    /// Notes the rejection that ended a unit, if this judge collects.
    pub(crate) fn note_end(&mut self, reject: &Reject) {
        if self.policy.collecting {
            self.note(reject.clone(), Class::Bound);
        }
    }

    fn note(&mut self, reject: Reject, class: Class) {
        // Two checks may meet the same fault, once from the index and once from the descriptor.
        let is_known = self.findings.iter().any(|known| known.rule == reject.rule && known.span == reject.span);
        if is_known {
            return;
        }
        let count = self.counts.entry(reject.rule).or_default();
        *count = count.saturating_add(1);
        if *count <= FINDINGS_PER_RULE {
            self.findings.push(Finding { rule: reject.rule, span: reject.span, found: reject.found, class });
        }
    }

    /// The findings, in the order of discovery, at most sixteen per rule.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Every broken rule with how often it was found broken.
    pub(crate) fn counts(&self) -> &BTreeMap<Rule, usize> {
        &self.counts
    }
}

/// Requires a bound that keeps reading safe. No policy waives it.
///
/// # Errors
/// The rejection by `rule` at `span` if the bound does not hold.
pub(crate) fn bound(holds: bool, rule: Rule, span: Span) -> Result<(), Reject> {
    if holds { Ok(()) } else { Err(Reject::new(rule, span)) }
}

#[cfg(test)]
mod tests;
