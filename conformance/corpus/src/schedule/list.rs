//! The portable schedules of `vectors/schedules/*.toml`: each with the side it is for, what it demands, and why.
//!
//! Owns reading the lists. A text may hold one `{k}`, for each operation, or `{n}`, for each position that matters: it is
//! a sweep then, tried with every number until it is not reached any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hurray_adapter::NewFile;
use hurray_spec::Rule;
use serde::Deserialize;

use super::{Clause, Schedule, Side};
use crate::description;

/// All lists, in the order of their ids, and what is written under them.
#[derive(Clone, Debug, Default)]
pub struct ScheduleList {
    /// The schedules.
    pub listed: Vec<Listed>,
    /// The files of `vectors/models/`, by name: what writers write under schedules.
    pub models: Vec<(String, NewFile)>,
}

/// One schedule, or a family of them.
#[derive(Clone, Debug)]
pub struct Listed {
    /// `<file>/<name>`, such as `source/one-byte`.
    pub id: String,
    /// The end of the transport it is for.
    pub side: Side,
    /// Its text, with `{k}` or `{n}` if it is a family.
    pub text: String,
    /// What the family runs over.
    pub sweep: Sweep,
    /// The rules it is there for.
    pub rules: Vec<Rule>,
    /// One sentence for a person.
    pub why: String,
}

/// What a family of schedules runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Nothing: it is one schedule.
    One,
    /// Every operation, from 1 until it is not reached.
    Operations,
    /// Every position that can make a difference.
    Positions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    schedule: Vec<ListedForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedForm {
    id: String,
    side: String,
    text: String,
    rules: Vec<String>,
    why: String,
}

impl ScheduleList {
    /// The lists in the folder `vectors/` of the repository.
    ///
    /// # Errors
    /// A sentence: a file that cannot be read, or is no list.
    pub fn from_dir(vectors: &Path) -> Result<ScheduleList, String> {
        ScheduleList::parse(texts(&vectors.join("schedules"))?, texts(&vectors.join("models"))?)
    }

    /// The lists built into this program.
    ///
    /// # Errors
    /// As [`ScheduleList::from_dir`].
    pub fn embedded() -> Result<ScheduleList, String> {
        let texts = |folder: &str| {
            let stem = |path: &str| path.trim_start_matches(folder).trim_end_matches(".toml").to_owned();
            hurray_vectors::texts(folder).into_iter().map(move |(path, text)| (stem(&path), text)).collect::<Vec<_>>()
        };
        ScheduleList::parse(texts("schedules/"), texts("models/"))
    }

    fn parse(files: Vec<(String, String)>, models: Vec<(String, String)>) -> Result<ScheduleList, String> {
        let model = |(name, text): (String, String)| {
            let file = description::parse(&format!("models/{name}.toml"), &text).map_err(|error| error.to_string())?;
            Ok::<_, String>((name, file))
        };
        let mut models: Vec<(String, NewFile)> = models.into_iter().map(model).collect::<Result<_, _>>()?;
        models.sort_by(|a, b| a.0.cmp(&b.0));
        let mut listed = Vec::new();
        for (file, text) in files {
            let form: Form = toml::from_str(&text).map_err(|error| format!("schedules/{file}.toml: {error}"))?;
            for form in form.schedule {
                let id = format!("{file}/{}", form.id);
                listed.push(check(&id, form).map_err(|why| format!("schedules/{file}.toml: {id}: {why}"))?);
            }
        }
        listed.sort_by(|a: &Listed, b| a.id.cmp(&b.id));
        let ids: BTreeSet<&str> = listed.iter().map(|listed| listed.id.as_str()).collect();
        if ids.len() < listed.len() {
            return Err("schedules: an id stands twice; each needs its own".to_owned());
        }
        Ok(ScheduleList { listed, models })
    }

    /// Those for one side.
    pub fn of(&self, side: Side) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(move |listed| listed.side == side)
    }
}

/// Name and text of every `.toml` file of a folder.
fn texts(dir: &Path) -> Result<Vec<(String, String)>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, fs::read_to_string(&path).map_err(fail)?));
        }
    }
    Ok(files)
}

fn check(id: &str, form: ListedForm) -> Result<Listed, String> {
    let side = match form.side.as_str() {
        "source" => Side::Source,
        "sink" => Side::Sink,
        other => return Err(format!("side `{other}` is neither `source` nor `sink`")),
    };
    let sweep = match (form.text.matches("{k}").count(), form.text.matches("{n}").count()) {
        (0, 0) => Sweep::One,
        (1, 0) => Sweep::Operations,
        (0, 1) => Sweep::Positions,
        _ => return Err("its text may hold one `{k}` or one `{n}`".to_owned()),
    };
    let rule = |text: &String| Rule::from_id(text).ok_or_else(|| format!("there is no rule `{text}`"));
    let rules = form.rules.iter().map(rule).collect::<Result<Vec<_>, _>>()?;
    if rules.is_empty() || form.why.trim().is_empty() {
        return Err("it needs at least one rule, and a sentence why".to_owned());
    }
    let listed = Listed { id: id.to_owned(), side, text: form.text, sweep, rules, why: form.why };
    let schedule = listed.at(1).map_err(|error| error.to_string())?;
    if !schedule.fits(side) {
        return Err(format!("it has a clause that means nothing for a {side}"));
    }
    Ok(listed)
}

impl Listed {
    /// Whether more than the clauses of the I/O contract is demanded under it. Without any fault there are only those; and
    /// that too long a count is refused is asked of who counts himself.
    pub fn holds_for_everybody(&self) -> bool {
        let is_of_contract = |clause: &Clause| matches!(clause, Clause::More { .. });
        self.at(1).is_ok_and(|first| !first.clauses.is_empty() && !first.clauses.iter().any(is_of_contract))
    }

    /// The schedule with `number` in place of `{k}` or `{n}`.
    ///
    /// # Errors
    /// The text is no schedule; never for a list that was read.
    pub fn at(&self, number: u64) -> Result<Schedule, super::ScheduleError> {
        let number = number.to_string();
        self.text.replace("{k}", &number).replace("{n}", &number).parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ScheduleList, String> {
        ScheduleList::parse(vec![("a".to_owned(), text.to_owned())], Vec::new())
    }

    fn with(change: &str, to: &str) -> Result<ScheduleList, String> {
        let text = "[[schedule]]\nid = \"x\"\nside = \"source\"\ntext = \"fail {k} once\"\n\
                    rules = [\"io.read.overfill\"]\nwhy = \"Because.\"\n";
        assert!(text.contains(change));
        parse(&text.replace(change, to))
    }

    #[test]
    fn a_family_gives_one_schedule_for_each_number() {
        let list = with("once", "once").expect("a list");
        assert_eq!((list.listed[0].id.as_str(), list.listed[0].sweep), ("a/x", Sweep::Operations));
        assert_eq!(list.listed[0].at(7).expect("a schedule").to_string(), "fail 7 once");
        assert_eq!(list.of(Side::Sink).count(), 0);
    }

    #[test]
    fn mistakes_are_named() {
        for (change, to, word) in [
            ("once", "twice", "once"),
            ("{k} once", "{k} once; split {n}", "may hold"),
            ("source", "both", "neither"),
            ("fail {k} once", "closed {k}", "means nothing"),
            ("io.read.overfill", "io.read.none", "no rule"),
            ("Because.", " ", "sentence"),
            ("why", "whi", "unknown"),
        ] {
            let error = with(change, to).expect_err(to);
            assert!(error.contains(word) && error.contains("schedules/a.toml"), "{error}");
        }
        assert!(parse(&"[[schedule]]\nid = \"x\"\nside = \"sink\"\ntext = \"zero 1\"\nrules = [\"io.read.overfill\"]\nwhy = \"b\"\n".repeat(2)).is_err());
    }

    #[test]
    fn the_built_in_lists_are_those_of_the_folder() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let (there, built_in) =
            (ScheduleList::from_dir(&dir).expect("lists"), ScheduleList::embedded().expect("lists"));
        let texts =
            |list: &ScheduleList| list.listed.iter().map(|l| (l.id.clone(), l.text.clone())).collect::<Vec<_>>();
        assert_eq!(texts(&there), texts(&built_in));
        assert!(there.models == built_in.models && there.models.len() >= 4);
        assert!(there.of(Side::Source).count() > 10 && there.of(Side::Sink).count() > 5);
    }
}
