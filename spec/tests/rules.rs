//! The rules hold together: ids, twins, reasons, rulings. Owns no rule; knows only what the crate shows of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hurray_spec::{Enforced, Kind, Level, Origin, Party, Rule};

const RULINGS: &str = include_str!("../rulings.md");
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// Every word of the text that names a ruling.
fn ruling_words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| word.strip_prefix('R').is_some_and(|rest| !rest.is_empty() && rest.parse::<u32>().is_ok()))
        .collect()
}

fn ruling_headings() -> Vec<&'static str> {
    RULINGS.lines().filter_map(|line| line.strip_prefix("## R").map(|_| &line[3..])).collect()
}

#[test]
fn ids_are_sorted_and_found_again() {
    assert!(Rule::ALL.windows(2).all(|pair| pair[0].id() < pair[1].id()));
    for rule in Rule::ALL {
        assert_eq!(Rule::from_id(rule.id()), Some(*rule));
        assert_eq!(rule.to_string(), rule.id());
        let letters: String = rule.id().chars().filter(|letter| letter.is_ascii_alphanumeric()).collect();
        assert_eq!(format!("{rule:?}").to_lowercase(), letters);
    }
    assert_eq!(Rule::from_id("container.header.magi"), None);
    assert_eq!(Rule::ALL.len(), Rule::ALL.iter().map(|rule| rule.id()).collect::<BTreeSet<_>>().len());
}

#[test]
fn every_requirement_of_the_text_is_a_rule_of_its_level() {
    let lines: Vec<&str> = REQUIREMENTS.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 637 && lines.is_sorted(), "{} requirements", lines.len());
    for line in lines {
        let (id, level) = line.split_once(' ').expect("an id and a level");
        let rule = Rule::from_id(id).unwrap_or_else(|| panic!("{id} is lost"));
        assert_eq!(rule.info().level.to_string(), level, "{id}");
    }
}

#[test]
fn ids_have_the_shape_area_noun_requirement() {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    for rule in Rule::ALL {
        let id = rule.id();
        assert!(id.chars().all(letter) && id.split('.').all(|part| !part.is_empty()), "{id}");
        assert!((2..=3).contains(&id.split('.').count()), "{id}");
        assert!(id.starts_with(rule.area()), "{id}");
    }
}

#[test]
fn a_twin_points_to_a_rule_that_is_none_and_agrees_with_it() {
    for rule in Rule::ALL {
        let site = rule.site();
        assert_eq!(site.info().same_as, None, "{rule} points to {site}, which points on");
        let (twin, site) = (rule.info(), site.info());
        assert_eq!((twin.enforced, twin.tolerated), (site.enforced, site.tolerated), "{rule}");
    }
    let magic = Rule::ContainerHeaderMagic;
    assert_eq!(magic.site(), Rule::ContainerHeaderMagicReject);
    assert_eq!(magic.site().site(), Rule::ContainerHeaderMagicReject);
}

#[test]
fn a_reason_stands_where_no_site_enforces_and_nowhere_else() {
    for rule in Rule::ALL {
        let info = rule.info();
        match info.enforced {
            Enforced::None => assert_ne!(info.reason, "", "{rule}"),
            Enforced::Bound => {}
            _ => assert_eq!(info.reason, "", "{rule}"),
        }
    }
}

#[test]
fn kind_fits_party_level_and_enforcement() {
    for rule in Rule::ALL {
        let info = rule.info();
        match info.kind {
            Kind::ReaderRejects => assert_eq!(info.party, Party::Reader, "{rule}"),
            Kind::Advice => assert!(info.level != Level::Must && info.enforced == Enforced::None, "{rule}"),
            Kind::Io => assert_eq!(info.enforced, Enforced::Schedule, "{rule}"),
            Kind::Writer => assert_eq!(info.party, Party::Writer, "{rule}"),
            Kind::File => assert_eq!(info.party, Party::File, "{rule}"),
            Kind::ReaderAccepts => assert_ne!(info.enforced, Enforced::Require, "{rule}"),
        }
        if info.enforced == Enforced::Accept {
            assert_eq!(info.kind, Kind::ReaderAccepts, "{rule}");
        }
        if info.tolerated {
            assert_eq!(info.enforced, Enforced::Require, "{rule}");
            assert!(!info.rulings.is_empty(), "{rule} is tolerated by no ruling");
        }
    }
}

#[test]
fn the_contract_on_reading_and_writing_carries_its_origin() {
    for rule in Rule::ALL {
        let expected = if rule.area() == "io" { Origin::IoContract } else { Origin::Format };
        assert_eq!(rule.info().origin, expected, "{rule}");
        assert_eq!(rule.area() == "io", rule.info().kind == Kind::Io, "{rule}");
    }
}

#[test]
fn rulings_are_numbered_without_a_gap_and_complete() {
    let headings = ruling_headings();
    let expected: Vec<String> = (1..=74).map(|number| format!("R{number}")).collect();
    assert_eq!(headings, expected);
    for section in RULINGS.split("\n## R").skip(1) {
        let number = section.split('\n').next().unwrap_or_default();
        assert!(section.contains("\n- *Ruling:* ") && section.contains("\n- *Why:* "), "R{number}");
    }
}

#[test]
fn every_cited_ruling_exists() {
    let known: BTreeSet<&str> = ruling_headings().into_iter().collect();
    for rule in Rule::ALL {
        let info = rule.info();
        let cited = info.rulings.iter().copied().chain(ruling_words(info.source)).chain(ruling_words(info.reason));
        for ruling in cited {
            assert!(known.contains(ruling), "{rule} cites {ruling}");
        }
        if info.source.starts_with("derived: ruling") {
            let named: BTreeSet<&str> = ruling_words(info.source).into_iter().collect();
            assert_eq!(named, info.rulings.iter().copied().collect(), "{rule}");
        }
    }
    for entry in fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            for ruling in ruling_words(&fs::read_to_string(&path).unwrap()) {
                assert!(known.contains(ruling), "{} cites {ruling}", path.display());
            }
        }
    }
}

#[test]
fn every_link_between_chapters_leads_somewhere() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapters: BTreeMap<String, String> = fs::read_dir(here)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .map(|name| (name.clone(), fs::read_to_string(here.join(&name)).unwrap()))
        .collect();
    let mut links = 0;
    for (chapter, text) in &chapters {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { chapter.as_str() } else { file };
            if file.starts_with("LICENSE") && here.join(file).is_file() {
                continue;
            }
            let page = chapters.get(file).unwrap_or_else(|| panic!("{chapter} links to {target}: no such chapter"));
            let found = anchor.is_empty()
                || page.contains(&format!("<a id=\"{anchor}\"></a>"))
                || page.lines().any(|line| line.trim_start_matches('#').trim().to_lowercase() == anchor);
            assert!(found, "{chapter} links to {target}: no such place");
            links += 1;
        }
    }
    assert!(links > 200, "only {links} links seen");
}
