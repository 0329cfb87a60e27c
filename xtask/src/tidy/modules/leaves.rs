//! What the `use` items of a file import. Owns taking their trees apart; knows not where a path leads.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::cfg::is_for_tests;

/// One leaf of a `use`.
#[derive(Clone)]
pub(in super::super) struct Import {
    pub(in super::super) line: usize,
    pub(in super::super) path: Vec<String>,
    /// What it is called here; none for `_` and for `*`.
    pub(in super::super) alias: Option<String>,
    pub(in super::super) is_glob: bool,
    pub(in super::super) is_reexport: bool,
}

/// Every leaf of every `use` in `item`, also of those inside functions; those for tests alone only if asked for.
pub(in super::super) fn imports(item: &syn::Item, with_tests: bool) -> Vec<Import> {
    let mut visitor = Imports { with_tests, imports: Vec::new() };
    visitor.visit_item(item);
    visitor.imports
}

struct Imports {
    with_tests: bool,
    imports: Vec<Import>,
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() && (self.with_tests || !is_for_tests(&item.attrs)) {
            let is_reexport = !matches!(item.vis, syn::Visibility::Inherited);
            leaves(&item.tree, &[], is_reexport, &mut self.imports);
        }
        visit::visit_item_use(self, item);
    }
}

fn leaves(tree: &syn::UseTree, prefix: &[String], is_reexport: bool, into: &mut Vec<Import>) {
    let line = tree.span().start().line;
    let mut leaf = |name: &str, alias: Option<String>, is_glob: bool| {
        let mut path = prefix.to_vec();
        if !is_glob && (name != "self" || path.is_empty()) {
            path.push(name.to_owned());
        }
        let alias = alias.or_else(|| path.last().cloned()).filter(|alias| alias != "_" && !is_glob);
        into.push(Import { line, path, alias, is_glob, is_reexport });
    };
    match tree {
        syn::UseTree::Path(path) => {
            let longer = [prefix, &[path.ident.to_string()]].concat();
            leaves(&path.tree, &longer, is_reexport, into);
        }
        syn::UseTree::Name(name) => leaf(&name.ident.to_string(), None, false),
        syn::UseTree::Rename(name) => leaf(&name.ident.to_string(), Some(name.rename.to_string()), false),
        syn::UseTree::Glob(_) => leaf("*", None, true),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, prefix, is_reexport, into)),
    }
}
