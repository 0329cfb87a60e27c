//! Rewrites a list of known failures from what a run found. Reasons, near misses and reproducers are kept; a new entry
//! gets an empty reason, which fails until a person has written one.

use std::fmt::Write as _;

use super::{Known, KnownFailures};
use crate::judge::profile::Profile;
use crate::judge::{Outcome, Verdict};

/// The text of the updated file. Entries outside the selection stay as they are.
pub fn updated<'a>(
    before: &KnownFailures,
    heading: &str,
    results: impl Iterator<Item = (&'a str, Profile, &'a Verdict)>,
    is_selected: impl Fn(&str, Profile) -> bool,
) -> String {
    let outside = |known: &&Known| Profile::from_name(&known.profile).is_none_or(|at| !is_selected(&known.id, at));
    let mut entries: Vec<Known> = before.known.iter().filter(outside).cloned().collect();
    for (id, profile, verdict) in results {
        // What was not run is neither known nor mended.
        if verdict.outcome == Outcome::NotRun {
            entries.extend(before.find(id, profile).cloned());
        }
        let Some(fault) = verdict.fault else { continue };
        let old = before.find(id, profile).cloned().unwrap_or_default();
        let word = if fault.is_called(&old.verdict) { old.verdict.clone() } else { fault.known_word().to_owned() };
        entries.push(Known { id: id.to_owned(), profile: profile.name().to_owned(), verdict: word, ..old });
    }
    entries.sort_by(|a, b| (&a.id, &a.profile).cmp(&(&b.id, &b.profile)));
    let mut out = heading.to_owned();
    for reproducer in &before.reproducer {
        let code = reproducer.code.trim_end_matches('\n');
        blank_line(&mut out);
        let _ = write!(out, "[[reproducer]]\nid = {}\n", quoted(&reproducer.id));
        if code.contains("'''") {
            let _ = writeln!(out, "code = {}", quoted(code));
        } else {
            let _ = writeln!(out, "code = '''\n{code}\n'''");
        }
    }
    for known in &entries {
        blank_line(&mut out);
        write_entry(&mut out, known);
    }
    out
}

/// The comment at the head of a file: everything before its first entry.
pub fn heading(text: &str) -> &str {
    &text[..text.find("[[").unwrap_or(text.len())]
}

fn blank_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

fn write_entry(out: &mut String, known: &Known) {
    let _ = write!(out, "[[known]]\nid = {}\n", quoted(&known.id));
    if known.profile != Profile::Reader.name() {
        let _ = writeln!(out, "profile = {}", quoted(&known.profile));
    }
    let _ = write!(out, "verdict = {}\nreason = {}\n", quoted(&known.verdict), quoted(&known.reason));
    for (field, value) in [("near", &known.near), ("reproducer", &known.reproducer)] {
        if let Some(value) = value {
            let _ = writeln!(out, "{field} = {}", quoted(value));
        }
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Fault;

    const BEFORE: &str = "# Head.\n\n[[known]]\nid = \"a\"\nverdict = \"died\"\nreason = \"It says \\\"no\\\".\"\nnear \
                          = \"n\"\nreproducer = \"r\"\n\n[[known]]\nid = \"gone\"\nverdict = \"wrong\"\nreason = \
                          \"x\"\n\n[[known]]\nid = \"outside\"\nverdict = \"wrong\"\nreason = \
                          \"x\"\n\n[[reproducer]]\nid = \"r\"\ncode = '''\nopen(\"{file}\")\n'''\n";

    #[test]
    fn reasons_are_kept_new_entries_wait_for_one_and_stale_ones_go() {
        let before = KnownFailures::parse(BEFORE).expect("a list");
        let (crash, wrong) = (Verdict::bad(Fault::Crashed, None, "", ""), Verdict::bad(Fault::Wrong, None, "", ""));
        let good = Verdict::good(Outcome::Passed, "", "");
        let results = [("a", &crash), ("b", &wrong), ("gone", &good)];
        let results = results.into_iter().map(|(id, verdict)| (id, Profile::Reader, verdict));
        let text = updated(&before, heading(BEFORE), results, |id, _| id != "outside");
        let after = KnownFailures::parse(&text).expect("a list again");
        let ids: Vec<_> = after.known.iter().map(|known| known.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "outside"], "{text}");
        assert_eq!(after.known[0], before.known[0]);
        assert_eq!((after.known[1].verdict.as_str(), after.known[1].reason.as_str()), ("wrong", ""));
        assert_eq!(after.reproducer[0].code, before.reproducer[0].code);
        assert!(text.starts_with("# Head.\n\n[[reproducer]]\n"), "{text}");
        let lost = Verdict::not_run("no shim");
        let lost = [("a", Profile::Reader, &lost), ("new", Profile::Reader, &lost)].into_iter();
        let kept = updated(&after, heading(&text), lost, |id, _| ["a", "new"].contains(&id));
        assert_eq!(kept, text, "what was not run stays as it is");
        assert_eq!(updated(&after, heading(&text), [].into_iter(), |_, _| false), text, "it is stable");
    }
}
