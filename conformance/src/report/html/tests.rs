//! The page holds the JSON report, and nothing that could end its data early.

use super::super::tests::{run_of, scored, set};
use super::*;
use crate::judge::{Fault, Outcome, Verdict};
use crate::report::json_report;
use crate::run::{About, Run, Scored};

fn report() -> Value {
    let bad = Verdict::bad(Fault::Accepted, Some("open".to_owned()), "reject", "</script><b>@STYLE@");
    let good = Verdict::good(Outcome::Passed, "ok", "ok");
    let results = vec![
        Scored { about: About::Vector(0), ..scored("bases/x", good) },
        Scored { about: About::Vector(1), ..scored("x/y/z", bad) },
    ];
    let run = Run { candidates: vec![run_of(results)], is_whole: true, seed: 7 };
    json_report(&set(), &run, |_, _| None)
}

/// The data of a page, as a browser finds it.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn every_number_and_answer_is_that_of_the_json_report() {
    let report = report();
    let mut data = data_of(&html_report(&set(), &report));
    let vectors = data["vectors"].take();
    let (there, here) = (&report["candidates"][0], &mut data["candidates"][0]);
    for (there, here) in
        there["results"].as_array().expect("results").iter().zip(here["results"].as_array_mut().expect("results"))
    {
        let id = here["id"].as_str().expect("an id").to_owned();
        for field in OF_VECTORS {
            here[field] = vectors[&id][field].clone();
        }
        assert_eq!(there, here);
    }
    here["results"] = there["results"].clone();
    assert_eq!(there, here);
    assert_eq!(report["suite"], data["suite"]);
    assert_eq!(data["rules"]["container.header.magic-reject"]["text"], Rule::ContainerHeaderMagicReject.info().text);
}

#[test]
fn the_bytes_around_a_fault_have_names() {
    let data = data_of(&html_report(&set(), &report()));
    let bytes = &data["vectors"]["x/y/z"]["bytes"];
    assert_eq!(bytes[0], json!({"at": "0", "hex": "01 02", "name": "block = 513", "here": false}));
    assert_eq!(bytes[1], json!({"at": "2", "hex": "09 04", "name": "block.field = 1033", "here": true}));
    assert_eq!(data["vectors"]["bases/x"]["bytes"], Value::Null);
}

#[test]
fn a_cut_file_shows_its_end() {
    let set = set();
    let cut = Vector { bytes: vec![1, 2].into(), labels: Vec::new(), ..set.vectors[1].clone() };
    let lines: Vec<Value> = lines(&cut, 2).collect();
    assert_eq!(lines[0]["hex"], "01 02");
    assert_eq!(lines[1], json!({"at": "2", "hex": "", "name": "the end of the file", "here": true}));
}

#[test]
fn the_page_needs_nothing_else() {
    let page = html_report(&set(), &report());
    for word in ["@STYLE@\n", "@SCRIPT@", "@DATA@", "src=", "http:", "https:", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    assert_eq!(page.matches("</script>").count(), 2, "an answer ended the data");
}
