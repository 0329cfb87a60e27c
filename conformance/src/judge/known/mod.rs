//! Known failures: what a published implementation is known to break, each with a reason.
//!
//! An unexpected pass, another verdict than listed, an entry without a reason, and an entry that nothing used are
//! failures too, so that the list stays true. Owns the file format and the matching; knows nothing of running.

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::Deserialize;

use crate::judge::profile::Profile;
use crate::judge::{Fault, Outcome, Verdict};

mod update;

pub use update::{heading, updated};

/// The known failures of one candidate: `vectors/known/<candidate>.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    /// The failures.
    #[serde(default)]
    pub known: Vec<Known>,
    /// Vectors that are not asked yet.
    #[serde(default)]
    pub not_judged: Vec<NotJudged>,
    /// Snippets that show them without the suite.
    #[serde(default)]
    pub reproducer: Vec<Reproducer>,
}

/// Vectors that the candidate is not asked, because nobody has confirmed by hand yet what it makes of them. They never
/// pass, and the closing sentence counts them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotJudged {
    /// Globs over vector ids.
    pub vectors: Vec<String>,
    /// Why not, in a sentence.
    pub reason: String,
}

impl NotJudged {
    fn globs(&self) -> Result<GlobSet, String> {
        let mut globs = GlobSetBuilder::new();
        for text in &self.vectors {
            globs.add(Glob::new(text).map_err(|error| format!("not_judged: {error}"))?);
        }
        globs.build().map_err(|error| format!("not_judged: {error}"))
    }
}

/// One known failure.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Id of the vector, or of the undeclared part.
    pub id: String,
    /// The profile it fails in.
    #[serde(default = "reader")]
    pub profile: String,
    /// How it fails; `died` stands for a crash and for too much memory.
    pub verdict: String,
    /// Why, in a sentence.
    #[serde(default)]
    pub reason: String,
    /// A vector next to it that passes.
    pub near: Option<String>,
    /// Id of the snippet that shows it.
    pub reproducer: Option<String>,
}

fn reader() -> String {
    Profile::Reader.name().to_owned()
}

/// A snippet against the candidate's public interface, `{file}` standing for the vector's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    /// Its id.
    pub id: String,
    /// The snippet.
    pub code: String,
}

/// Something about the list that is not true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The entry, or the result that contradicts it.
    pub id: String,
    /// What is wrong with it, and what to do.
    pub problem: String,
}

impl KnownFailures {
    /// Reads the file.
    ///
    /// # Errors
    /// One sentence on what is wrong with it.
    pub fn parse(text: &str) -> Result<KnownFailures, String> {
        let list: KnownFailures = toml::from_str(text).map_err(|error| error.to_string())?;
        for group in &list.not_judged {
            group.globs()?;
            if group.reason.trim().is_empty() {
                return Err(format!("not_judged {}: has no reason", group.vectors.join(", ")));
            }
        }
        let mut seen = BTreeSet::new();
        for known in &list.known {
            if !Fault::words().any(|word| word == known.verdict) {
                let words: Vec<_> = Fault::words().collect();
                return Err(format!("{}: verdict `{}` is none of {}", known.id, known.verdict, words.join(", ")));
            }
            if Profile::from_name(&known.profile).is_none() {
                return Err(format!("{}: there is no profile `{}`", known.id, known.profile));
            }
            if !seen.insert((&known.id, &known.profile)) {
                return Err(format!("{} stands twice for profile {}; keep one entry", known.id, known.profile));
            }
            if let Some(name) = &known.reproducer
                && !list.reproducer.iter().any(|reproducer| reproducer.id == *name)
            {
                return Err(format!("{}: there is no reproducer `{name}`", known.id));
            }
        }
        Ok(list)
    }

    /// Tells the group of vectors that are not to be asked to which an id belongs, by its position.
    pub fn not_judged(&self) -> impl Fn(&str) -> Option<usize> + use<> {
        // They were compiled once when the file was read.
        let groups: Vec<Option<GlobSet>> = self.not_judged.iter().map(|group| group.globs().ok()).collect();
        move |id| groups.iter().position(|globs| globs.as_ref().is_some_and(|globs| globs.is_match(id)))
    }

    /// The entry for a result.
    pub fn find(&self, id: &str, profile: Profile) -> Option<&Known> {
        self.known.iter().find(|known| known.id == id && known.profile == profile.name())
    }

    /// Marks the results that are listed, and tells what about the list is not true.
    ///
    /// `results` are those of one candidate; `is_selected` tells whether an id of a profile was to be judged in this
    /// run at all, and `exists` whether there is such a vector.
    pub fn apply<'a>(
        &self,
        results: impl Iterator<Item = (&'a str, Profile, &'a mut Verdict)>,
        is_selected: impl Fn(&str, Profile) -> bool,
        exists: impl Fn(&str) -> bool,
    ) -> Vec<Mismatch> {
        let mut mismatches = Vec::new();
        let mut outcomes = BTreeMap::new();
        for (id, profile, verdict) in results {
            let problem = self.find(id, profile).and_then(|known| mark(known, verdict));
            mismatches.extend(problem.map(|problem| Mismatch { id: id.to_owned(), problem }));
            outcomes.insert((id.to_owned(), profile), verdict.outcome);
        }
        for known in &self.known {
            let Some(profile) = Profile::from_name(&known.profile) else { continue };
            let mut say = |problem: String| mismatches.push(Mismatch { id: known.id.clone(), problem });
            if !is_selected(&known.id, profile) {
                continue;
            }
            if known.reason.trim().is_empty() {
                say("has no reason: write one sentence that cites the rule".to_owned());
            }
            if !outcomes.contains_key(&(known.id.clone(), profile)) {
                say("is listed but was not met: correct its id or take it out".to_owned());
            }
            if let Some(near) = &known.near {
                match outcomes.get(&(near.clone(), profile)) {
                    None if exists(near) => {}
                    Some(Outcome::Passed | Outcome::Contested | Outcome::NotRun) => {}
                    None => say(format!("its near miss {near} does not exist")),
                    Some(outcome) => say(format!("its near miss {near} did not pass but {}", outcome.name())),
                }
            }
        }
        mismatches
    }
}

/// Marks one listed result; a contradiction leaves it as it is.
fn mark(known: &Known, verdict: &mut Verdict) -> Option<String> {
    match verdict.fault {
        // Nothing is said of the candidate, and nothing against the list.
        _ if verdict.outcome == Outcome::NotRun => None,
        Some(fault) if fault.is_called(&known.verdict) => {
            verdict.outcome = Outcome::Known;
            None
        }
        Some(fault) => Some(format!("is listed as {} but is now {fault}: look again", known.verdict)),
        // Where the calls of a program cannot be caught nothing is said of it, and nothing against the list.
        None if known.id.starts_with("path/") && verdict.outcome == Outcome::Unsupported => None,
        None => {
            // It fulfils the vector, but the list says otherwise: the run fails until the entry is taken out.
            Some(format!("is listed as {} but is now {}: take it out", known.verdict, verdict.outcome.name()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> KnownFailures {
        KnownFailures::parse(text).expect("a list")
    }

    fn apply(list: &KnownFailures, results: &mut [(&str, Verdict)]) -> Vec<String> {
        let results = results.iter_mut().map(|(id, verdict)| (*id, Profile::Reader, verdict));
        let mismatches = list.apply(results, |id, _| id != "unselected", |id| id != "nowhere");
        mismatches.into_iter().map(|mismatch| format!("{} {}", mismatch.id, mismatch.problem)).collect()
    }

    fn bad(fault: Fault) -> Verdict {
        Verdict::bad(fault, None, "", "")
    }

    #[test]
    fn a_listed_failure_is_known_and_an_unlisted_one_stays() {
        let list = list("[[known]]\nid = \"a\"\nverdict = \"died\"\nreason = \"r\"\n");
        let mut results = [("a", bad(Fault::Crashed)), ("b", bad(Fault::Crashed))];
        assert!(apply(&list, &mut results).is_empty());
        assert_eq!((results[0].1.outcome, results[1].1.outcome), (Outcome::Known, Outcome::Died));
    }

    #[test]
    fn an_unexpected_pass_another_verdict_and_an_unused_entry_are_told() {
        let list = list(
            "[[known]]\nid = \"a\"\nverdict = \"accepted\"\nreason = \"r\"\n[[known]]\nid = \"b\"\nverdict = \
             \"accepted\"\nreason = \"r\"\n[[known]]\nid = \"c\"\nverdict = \"accepted\"\nreason = \"r\"\n",
        );
        let mut results = [("a", Verdict::good(Outcome::Passed, "", "")), ("b", bad(Fault::Rejected))];
        let told = apply(&list, &mut results);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("take it out") && told[1].contains("now rejected") && told[2].contains("not met"));
        assert_eq!(results[1].1.outcome, Outcome::Failed);
    }

    #[test]
    fn what_was_not_run_says_nothing_against_the_list() {
        let list = list("[[known]]\nid = \"a\"\nverdict = \"wrong\"\nreason = \"r\"\nnear = \"b\"\n");
        let mut results = [("a", Verdict::not_run("no shim")), ("b", Verdict::not_run("no shim"))];
        assert_eq!(apply(&list, &mut results), [""; 0]);
        assert_eq!(results[0].1.outcome, Outcome::NotRun);
    }

    #[test]
    fn an_entry_outside_the_selection_is_let_alone() {
        let list = list("[[known]]\nid = \"unselected\"\nverdict = \"accepted\"\n");
        assert!(apply(&list, &mut []).is_empty());
    }

    #[test]
    fn a_reason_and_a_passing_near_miss_are_demanded() {
        let list = list(
            "[[known]]\nid = \"a\"\nverdict = \"wrong\"\nreason = \" \"\nnear = \"b\"\n[[known]]\nid = \"b\"\nverdict \
             = \"wrong\"\nreason = \"r\"\nnear = \"nowhere\"\n",
        );
        let mut results = [("a", bad(Fault::Wrong)), ("b", bad(Fault::Wrong))];
        let told = apply(&list, &mut results);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("no reason") && told[1].contains("did not pass") && told[2].contains("not exist"));
    }

    #[test]
    fn vectors_that_are_not_judged_are_told_by_group() {
        let text = |globs: &str, reason: &str| format!("[[not_judged]]\nvectors = {globs}\nreason = \"{reason}\"\n");
        let list = KnownFailures::parse(&text(r#"["quant/*", "bases/{a,b}"]"#, "later")).unwrap();
        let group = list.not_judged();
        assert_eq!(
            (group("quant/nf4/x"), group("bases/b"), group("bases/c"), group("kv/key/x")),
            (Some(0), Some(0), None, None)
        );
        assert!(KnownFailures::parse(&text(r#"["quant/*"]"#, " ")).is_err());
        assert!(KnownFailures::parse(&text(r#"["quant/{"]"#, "later")).is_err());
    }

    #[test]
    fn unknown_words_and_doubles_are_refused() {
        for text in [
            "[[known]]\nid = \"a\"\nverdict = \"odd\"\n",
            "[[known]]\nid = \"a\"\nprofile = \"odd\"\nverdict = \"wrong\"\n",
            "[[known]]\nid = \"a\"\nverdict = \"wrong\"\n[[known]]\nid = \"a\"\nverdict = \"died\"\n",
            "[[known]]\nid = \"a\"\nverdict = \"wrong\"\nreproducer = \"none\"\n",
            "[[known]]\nid = \"a\"\nverdict = \"wrong\"\nodd = 1\n",
        ] {
            assert!(KnownFailures::parse(text).is_err(), "{text}");
        }
    }
}
