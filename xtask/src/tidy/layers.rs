//! Who stands on whom: the crates of the repository and the modules at the top of a crate, lowest first. Owns the tables;
//! a lower one never names a higher one. What single folders may not name stands in [`super::imports`].

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::dependencies::{self, Renames};
use super::finding::Finding;
use super::modules::{self, Crate};
use super::paths;
use super::tree::Tree;
use super::uses::Use;

/// A crate of ours.
struct Layer {
    name: &'static str,
    /// The crates of ours that it may depend on.
    on: &'static [&'static str],
    /// Those that its tests may depend on as well.
    tests_on: &'static [&'static str],
}

const CRATES: &[Layer] = &[
    Layer { name: "hurray-spec", on: &[], tests_on: &[] },
    Layer { name: "hurray-adapter", on: &[], tests_on: &[] },
    Layer { name: "hurray-blob", on: &[], tests_on: &[] },
    Layer { name: "hurray-shim", on: &[], tests_on: &[] },
    Layer { name: "hurray-reference", on: &["hurray-spec", "hurray-blob"], tests_on: &[] },
    Layer { name: "hurray-vectors", on: &[], tests_on: &[] },
    Layer { name: "hurray-corpus", on: &["hurray-spec", "hurray-adapter", "hurray-vectors"], tests_on: &[] },
    Layer {
        name: "hurray-conformance",
        on: &["hurray-spec", "hurray-adapter", "hurray-shim", "hurray-vectors", "hurray-corpus", "hurray-reference"],
        tests_on: &["hurray-mutants"],
    },
    Layer {
        name: "hurray-mutants",
        on: &[
            "hurray-spec",
            "hurray-adapter",
            "hurray-blob",
            "hurray-vectors",
            "hurray-corpus",
            "hurray-reference",
            "hurray-conformance",
        ],
        tests_on: &[],
    },
    Layer {
        // It is itself a test of the suite.
        name: "hurray-candidate-zoo",
        on: &[
            "hurray-spec",
            "hurray-adapter",
            "hurray-vectors",
            "hurray-corpus",
            "hurray-conformance",
            "hurray-mutants",
        ],
        tests_on: &[],
    },
    Layer {
        name: "hurray-candidate-hurray-io",
        on: &["hurray-adapter"],
        tests_on: &["hurray-spec", "hurray-vectors", "hurray-corpus", "hurray-reference", "hurray-conformance"],
    },
    Layer { name: "hurray-fuzz", on: &["hurray-spec", "hurray-reference"], tests_on: &[] },
    Layer { name: "hurray-fuzz-targets", on: &["hurray-fuzz"], tests_on: &[] },
    Layer {
        name: "xtask",
        on: &[
            "hurray-spec",
            "hurray-adapter",
            "hurray-blob",
            "hurray-vectors",
            "hurray-corpus",
            "hurray-reference",
            "hurray-conformance",
            "hurray-mutants",
            "hurray-fuzz",
        ],
        tests_on: &[],
    },
];

/// The modules at the top of a crate, lowest first; those of one rank may name each other.
struct Order {
    /// The folder of its sources.
    source: &'static str,
    ranks: &'static [&'static [&'static str]],
    /// How many there may be: more than a reader keeps in mind are too many.
    at_most: usize,
}

const ORDERS: &[Order] = &[
    Order {
        source: "conformance/src/",
        ranks: &[
            &["support"],
            &["transport"],
            &["fault"],
            &["judge"],
            &["candidates"],
            &["run"],
            &["report"],
            &["tool"],
        ],
        at_most: 12,
    },
    Order {
        source: "conformance/corpus/src/",
        ranks: &[
            &["similar"],
            &["recipe"],
            &["error", "feature"],
            &["vector"],
            &["form", "write_vector"],
            &["description", "manifest"],
            &["load", "schedule"],
            &["set"],
            &["export"],
        ],
        at_most: 13,
    },
    Order {
        source: "reference/src/",
        ranks: &[
            &["reject", "judge", "bytes", "memory", "model"],
            &["wire", "meaning"],
            &["check"],
            &["reader", "sequential", "writer", "validate"],
            &["drive"],
        ],
        at_most: 13,
    },
];

/// Findings in the manifest and in the sources of one crate; `folder` ends with `/`.
pub(super) fn check_crate(tree: &Tree, folder: &str) -> Vec<Finding> {
    let manifest = format!("{folder}Cargo.toml");
    let source = tree.get(&manifest).unwrap_or_default();
    let table: toml::Table = match source.parse() {
        Ok(table) => table,
        Err(error) => return vec![Finding::new(&manifest, 0, format!("not TOML: {}", error.message()))],
    };
    // The manifest of a workspace need not be that of a crate.
    let Some(name) = table.get("package").and_then(|package| package.get("name")?.as_str()) else {
        return Vec::new();
    };
    let Some(layer) = CRATES.iter().find(|layer| layer.name == name) else {
        return vec![Finding::new(&manifest, 0, format!("`{name}` has no place: add it to the order of crates"))];
    };
    let mut findings = Vec::new();
    for found in dependencies::of(tree, folder) {
        if !layer.may_name(&found.package, found.is_for_tests) {
            let is_there = |line: &str| is_key(line, &found.key) || line.contains(&found.package);
            let line = 1 + source.lines().position(is_there).unwrap_or_default();
            findings.push(Finding::new(&manifest, line, layer.refusal(&found.package)));
        }
    }
    let renames = dependencies::renames(tree, folder);
    let is_ours = |path: &str| path.ends_with(".rs") && dependencies::owner(tree, path) == Some(folder);
    for (path, source) in tree.files().filter(|(path, _)| is_ours(path)) {
        findings.extend(layer.check_file(path, path.strip_prefix(folder).unwrap_or(path), source, &renames));
    }
    findings
}

impl Layer {
    fn may_name(&self, name: &str, is_for_tests: bool) -> bool {
        let is_ours = CRATES.iter().any(|layer| layer.name == name);
        !is_ours || name == self.name || self.on.contains(&name) || (is_for_tests && self.tests_on.contains(&name))
    }

    fn refusal(&self, on: &str) -> String {
        let on_these = if self.on.is_empty() { "no crate of ours".to_owned() } else { self.on.join(", ") };
        format!("`{}` stands on {on_these}: it must not know `{on}`", self.name)
    }

    /// What a file names of other crates; `below` is its path inside the crate.
    fn check_file(&self, path: &str, below: &str, source: &str, renames: &Renames) -> Vec<Finding> {
        let Ok(file) = syn::parse_file(source) else { return Vec::new() };
        let is_test_file = !below.starts_with("src/") || below.ends_with("tests.rs") || below.contains("/tests/");
        let mut findings = Vec::new();
        for item in &file.items {
            let is_for_tests = is_test_file || modules::is_for_tests(modules::attributes(item));
            let tokens: TokenStream = item.to_token_stream();
            for named in paths::named(tokens) {
                let first = named.path.split("::").next().unwrap_or_default();
                let name = renames.get(first).map_or(first, String::as_str).replace('_', "-");
                if !self.may_name(&name, is_for_tests) {
                    findings.push(Finding::new(path, named.line, self.refusal(&name)));
                }
            }
        }
        findings
    }
}

/// Whether a line of a manifest begins with `key`, or is the head of its table.
fn is_key(line: &str, key: &str) -> bool {
    let line = line.trim();
    line.strip_suffix(']').is_some_and(|head| head.ends_with(&format!("dependencies.{key}")))
        || line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '=', '.']))
}

/// Findings among the modules at the top of the crate whose root is the file `root`.
pub(super) fn check_modules(tree: &Tree, root: &str, read: &Crate, uses: &[Use]) -> Vec<Finding> {
    let tops = read.tops();
    let source = tree.get(root).unwrap_or_default();
    let line_of = |top: &str| {
        let declared = format!("mod {top};");
        source.lines().position(|line| line.ends_with(&declared)).map_or(0, |at| at + 1)
    };
    let mut findings = Vec::new();
    let Some(order) = ORDERS.iter().find(|order| root.strip_prefix(order.source) == Some("lib.rs")) else {
        return findings;
    };
    if tops.len() > order.at_most {
        let what =
            format!("{} modules at the top, {} at most: put what belongs together in one", tops.len(), order.at_most);
        findings.push(Finding::new(root, 0, what));
    }
    for top in tops.iter().filter(|top| order.rank(top).is_none()) {
        findings.push(Finding::new(
            root,
            line_of(top),
            format!("`{top}` has no place: add it to the order of modules"),
        ));
    }
    for found in uses {
        let Some(from) = &found.from_top else { continue };
        let Some(own) = order.rank(from) else { continue };
        if let Some(top) = found.tops.iter().find(|top| order.rank(top).is_some_and(|rank| rank > own)) {
            let what = format!(
                "`{}` names `{top}`, which is higher than `{from}`: a layer uses only what is lower",
                found.name
            );
            findings.push(Finding::new(&found.from, found.line, what));
        }
    }
    findings
}

impl Order {
    fn rank(&self, top: &str) -> Option<usize> {
        self.ranks.iter().position(|rank| rank.contains(&top))
    }
}
