//! Where the reference cites a rule: every `Rule::X` in an expression of `reference/src`, and whether it stands inside
//! `require(…)`. Owns the scan; knows no rule by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One citation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    /// Path below the repository.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Whether it stands inside `require(…)`; otherwise the rule is handed on, say to a bounded cursor.
    pub(crate) is_require: bool,
}

/// Citations by the variant's name, such as `ContainerHeaderMagicReject`.
pub(crate) type Sites = BTreeMap<String, Vec<Site>>;

/// All citations below `reference/src`, tests excluded.
///
/// # Errors
/// A file cannot be read or is not Rust.
pub(crate) fn scan(root: &Path) -> io::Result<Sites> {
    let mut sites = Sites::new();
    let mut files = Vec::new();
    rust_files(&root.join("reference/src"), &mut files)?;
    files.sort();
    for path in files {
        let source = fs::read_to_string(&path)?;
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        scan_file(&name, &source, &mut sites)?;
    }
    Ok(sites)
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, into)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
    Ok(())
}

fn scan_file(path: &str, source: &str, sites: &mut Sites) -> io::Result<()> {
    let file = syn::parse_file(source).map_err(|error| io::Error::other(format!("{path}: {error}")))?;
    // A file of tests, included by `#[cfg(test)] mod tests;`.
    if path.ends_with("tests.rs") || path.contains("/tests/") {
        return Ok(());
    }
    Citations { path, sites, require_depth: 0 }.visit_file(&file);
    Ok(())
}

struct Citations<'a> {
    path: &'a str,
    sites: &'a mut Sites,
    require_depth: u32,
}

impl Citations<'_> {
    fn cite(&mut self, path: &syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., owner, variant] = segments.as_slice()
            && owner == "Rule"
            && variant.starts_with(|c: char| c.is_ascii_uppercase())
            && variant != "ALL"
        {
            let line = path.span().start().line;
            let site = Site { path: self.path.to_owned(), line, is_require: self.require_depth > 0 };
            self.sites.entry(variant.clone()).or_default().push(site);
        }
    }
}

impl<'ast> Visit<'ast> for Citations<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
        let is_require = call.method == "require";
        self.require_depth += u32::from(is_require);
        for argument in &call.args {
            self.visit_expr(argument);
        }
        self.require_depth -= u32::from(is_require);
    }

    fn visit_expr_path(&mut self, expr: &'ast syn::ExprPath) {
        self.cite(&expr.path);
        visit::visit_expr_path(self, expr);
    }

    // A pattern compares with a rule, it does not cite one.
    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if !matches!(pattern, syn::Pat::Path(_)) {
            visit::visit_pat(self, pattern);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let is_test = module.attrs.iter().any(|attr| {
            attr.path().is_ident("cfg") && attr.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
        });
        if !is_test {
            visit::visit_item_mod(self, module);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(source: &str) -> Vec<(String, usize, bool)> {
        let mut sites = Sites::new();
        scan_file("reference/src/a.rs", source, &mut sites).expect("Rust");
        let flat = sites.into_iter().flat_map(|(rule, sites)| sites.into_iter().map(move |site| (rule.clone(), site)));
        flat.map(|(rule, site)| (rule, site.line, site.is_require)).collect()
    }

    #[test]
    fn citations_inside_require_are_enforcing_sites() {
        let source = "fn f(j: Judge) -> Result<(), E> {\n    j.require(a == 1, Rule::KvOne, 0..1)?;\n    j.sub(Rule::KvTwo).require(\n        b,\n        hurray_spec::Rule::KvThree,\n        0..1,\n    )\n}\n";
        let expected = [("KvOne", 2, true), ("KvThree", 5, true), ("KvTwo", 3, false)];
        assert_eq!(scanned(source), expected.map(|(rule, line, is)| (rule.to_owned(), line, is)));
    }

    #[test]
    fn patterns_tests_and_other_names_are_no_citations() {
        let source = "fn f(r: Rule) -> bool {\n    let _ = Rule::from_id(Rule::ALL[0].id());\n    matches!(r, Rule::KvOne) || match r { Rule::KvTwo => true, _ => Ruler::KvFour }\n}\n#[cfg(test)]\nmod tests {\n    fn g() -> Rule {\n        Rule::KvThree\n    }\n}\n";
        assert_eq!(scanned(source), []);
    }
}
