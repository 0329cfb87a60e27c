//! House rules for Rust files: how a file opens, how long files and functions are, what must not be left in. Knows
//! nothing of which room a file stands in but the tighter limit of the reference.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::finding::Finding;
use super::modules;

/// Lines of a file, tests included.
const MAX_FILE: usize = 450;
/// Lines of a file of the reference, tests excluded: it is meant to be read in one sitting.
const MAX_REFERENCE_FILE: usize = 350;
/// Lines of a function, signature and braces included.
pub(super) const MAX_FUNCTION: usize = 70;
/// Macros that mark unfinished work.
const LEFTOVER_MACROS: &[&str] = &["todo", "dbg", "unimplemented"];

/// Findings in one Rust file.
pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    // Generated files are as long as they have to be; the generator is held to the rules instead.
    if source.starts_with("// Generated ") || source.starts_with("// @generated") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if !source.starts_with("//!") {
        findings.push(Finding::new(path, 1, "open with `//!`: what the file owns and what it must not know"));
    }
    let file = match syn::parse_file(source) {
        Ok(file) => file,
        Err(error) => {
            findings.push(Finding::new(path, error.span().start().line, format!("not Rust: {error}")));
            return findings;
        }
    };
    findings.extend(too_long(path, source, &file));
    let mut visitor = Code { path, findings };
    visitor.visit_file(&file);
    visitor.findings
}

fn too_long(path: &str, source: &str, file: &syn::File) -> Option<Finding> {
    let all = source.lines().count();
    if all > MAX_FILE {
        return Some(Finding::new(path, 0, format!("{all} lines, {MAX_FILE} at most: make the noun a folder")));
    }
    let tests: usize = file.items.iter().filter(|item| is_test_module(item)).map(|item| lines_of(&item.span())).sum();
    let counted = all - tests.min(all);
    (path.starts_with("reference/src/") && counted > MAX_REFERENCE_FILE).then(|| {
        Finding::new(
            path,
            0,
            format!("{counted} lines without tests, {MAX_REFERENCE_FILE} at most: make the noun a folder"),
        )
    })
}

fn is_test_module(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Mod(module) if modules::is_for_tests(&module.attrs))
}

fn lines_of(span: &proc_macro2::Span) -> usize {
    span.end().line + 1 - span.start().line
}

struct Code<'a> {
    path: &'a str,
    findings: Vec<Finding>,
}

impl Code<'_> {
    fn function(&mut self, name: &syn::Ident, from: proc_macro2::Span, block: &syn::Block) {
        let lines = block.span().end().line + 1 - from.start().line;
        if lines > MAX_FUNCTION {
            let what = format!("`{name}` has {lines} lines, {MAX_FUNCTION} at most: split it");
            self.findings.push(Finding::new(self.path, from.start().line, what));
        }
    }
}

impl<'ast> Visit<'ast> for Code<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig.ident, item.sig.span(), &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig.ident, item.sig.span(), &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig.ident, item.sig.span(), block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("ignore") {
            let what = "an ignored test proves nothing: fix it or remove it";
            self.findings.push(Finding::new(self.path, attribute.span().start().line, what));
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        if let Some(name) = LEFTOVER_MACROS.iter().find(|name| invocation.path.is_ident(name)) {
            let what = format!("`{name}!` is left in: remove it");
            self.findings.push(Finding::new(self.path, invocation.span().start().line, what));
        }
        visit::visit_macro(self, invocation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [(usize, bool); 0] = [];

    fn found(path: &str, source: &str) -> Vec<(usize, bool)> {
        check(path, source).into_iter().map(|finding| (finding.line, finding.what.contains("at most"))).collect()
    }

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    #[test]
    fn files_open_with_what_they_own() {
        assert_eq!(found("a/src/a.rs", "//! Owns it.\n"), NONE);
        assert_eq!(found("a/src/a.rs", "/// Owns it.\nfn f() {}\n"), [(1, false)]);
        assert_eq!(found("a/src/a.rs", "// Generated from x; do not edit.\n"), NONE);
    }

    #[test]
    fn functions_end_at_seventy_lines() {
        assert_eq!(found("a/src/a.rs", &format!("//! x\n{}", function(70))), NONE);
        assert_eq!(found("a/src/a.rs", &format!("//! x\n{}", function(71))), [(2, true)]);
        assert_eq!(found("a/src/a.rs", &format!("//! x\nimpl A {{\n{}}}\n", function(71))), [(3, true)]);
        assert_eq!(found("a/src/a.rs", &format!("//! x\ntrait A {{\n{}}}\n", function(71))), [(3, true)]);
    }

    #[test]
    fn files_end_at_their_limit() {
        let lines = |n: usize| format!("//! x\n{}", "static A: u8 = 0;\n".repeat(n - 1));
        assert_eq!(found("a/src/a.rs", &lines(450)), NONE);
        assert_eq!(found("a/src/a.rs", &lines(451)), [(0, true)]);
        assert_eq!(found("reference/src/a.rs", &lines(350)), NONE);
        assert_eq!(found("reference/src/a.rs", &lines(351)), [(0, true)]);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "static A: u8 = 0;\n".repeat(50));
        assert_eq!(found("reference/src/a.rs", &format!("{}{tests}", lines(350))), NONE);
        assert_eq!(
            found("reference/src/a.rs", &format!("{}{}", lines(350), tests.replace("cfg(test)", "cfg(unix)"))),
            [(0, true)]
        );
    }

    #[test]
    fn unfinished_work_is_found() {
        for name in LEFTOVER_MACROS {
            assert_eq!(found("a.rs", &format!("//! x\nfn f() {{\n    {name}!()\n}}\n")), [(3, false)], "{name}");
        }
        assert_eq!(found("a.rs", "//! x\n#[test]\n#[ignore]\nfn f() {}\n"), [(3, false)]);
        assert_eq!(found("a.rs", "//! x\nfn f( {\n"), [(2, false)]);
    }
}
