//! Which file of a crate uses what another one defines. Owns the modules of a crate and the way from a path to the file
//! that defines what it names; knows no order among them.
//!
//! The node is a file. A file uses another one if it names, in code that is not a test's, an item that the other one
//! defines; inline modules belong to their file. Re-exports are followed: who names `crate::run::Files`, which
//! `run/mod.rs` re-exports from `run/files.rs`, uses `run/files.rs`. To declare a module, to name one, and to re-export
//! what one's own descendants define is no use. So a parent that calls its child, and a child that calls its parent, use
//! each other.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::{self, Named};
use super::tree::Tree;
use super::uses::Use;

/// How often one name may stand for another before it is given up.
const MAX_ALIASES: usize = 16;

/// The modules of one crate that are not for tests alone; the first is its root.
pub(super) struct Crate {
    modules: Vec<Module>,
}

#[derive(Default)]
struct Module {
    /// Names from the root.
    path: Vec<String>,
    file: String,
    parent: usize,
    children: HashMap<String, usize>,
    /// Names of the items that stand here.
    own: HashSet<String>,
    /// Names that stand for a path.
    aliases: HashMap<String, Vec<String>>,
    /// Paths whose names are all imported.
    globs: Vec<Vec<String>>,
    imports: Vec<Import>,
    named: Vec<Named>,
}

/// One leaf of a `use`.
#[derive(Clone)]
struct Import {
    line: usize,
    path: Vec<String>,
    /// What it is called here; none for `_` and for `*`.
    alias: Option<String>,
    is_glob: bool,
    is_reexport: bool,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Module(usize),
    ItemOf(usize),
}

impl Place {
    fn module(self) -> usize {
        match self {
            Place::Module(at) | Place::ItemOf(at) => at,
        }
    }
}

impl Crate {
    /// Reads the crate whose root is the file `root`, such as `spec/src/lib.rs`.
    pub(super) fn read(tree: &Tree, root: &str) -> Crate {
        let mut modules = Crate { modules: Vec::new() };
        modules.add_file(tree, root, Vec::new(), 0);
        modules
    }

    /// The names of the modules that the root declares.
    pub(super) fn tops(&self) -> Vec<String> {
        let mut tops: Vec<String> =
            self.modules.first().map_or_else(Vec::new, |m| m.children.keys().cloned().collect());
        tops.sort();
        tops
    }

    fn add_file(&mut self, tree: &Tree, file: &str, path: Vec<String>, parent: usize) -> Option<usize> {
        let items = syn::parse_file(tree.get(file)?).ok()?.items;
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let below = match name {
            _ if path.is_empty() => folder.to_owned(),
            "mod.rs" => folder.to_owned(),
            _ => file.trim_end_matches(".rs").to_owned(),
        };
        Some(self.add(tree, (file, &below), path, parent, &items))
    }

    /// Adds a module that stands in `file`; those it declares stand in the folder `below`.
    fn add(
        &mut self,
        tree: &Tree,
        (file, below): (&str, &str),
        path: Vec<String>,
        parent: usize,
        items: &[syn::Item],
    ) -> usize {
        let at = self.modules.len();
        self.modules.push(Module { path: path.clone(), file: file.to_owned(), parent, ..Module::default() });
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            let syn::Item::Mod(module) = item else {
                self.modules[at].add_item(item);
                continue;
            };
            let name = module.ident.to_string();
            let child_path = [path.as_slice(), std::slice::from_ref(&name)].concat();
            let child = match &module.content {
                Some((_, items)) => Some(self.add(tree, (file, &format!("{below}/{name}")), child_path, at, items)),
                None => [format!("{below}/{name}.rs"), format!("{below}/{name}/mod.rs")]
                    .iter()
                    .find_map(|file| self.add_file(tree, file, child_path.clone(), at)),
            };
            if let Some(child) = child {
                self.modules[at].children.insert(name, child);
            }
        }
        at
    }

    /// Every use of another file or module.
    pub(super) fn uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for (at, module) in self.modules.iter().enumerate() {
            for import in &module.imports {
                let Some(mut place) = self.resolve(at, &import.path, 0) else { continue };
                let target = &self.modules[place.module()].path;
                if import.is_reexport && target.len() > module.path.len() && target.starts_with(&module.path) {
                    continue;
                }
                if import.is_glob {
                    place = Place::ItemOf(place.module());
                }
                uses.extend(self.used(at, import.line, &import.path, place));
            }
            for named in &module.named {
                let path: Vec<String> = named.path.split("::").map(str::to_owned).collect();
                // A single name was imported, and its import counts, unless it is re-exported. A variable may be called
                // like a function, so that only a call tells them apart.
                let is_told = named.is_called || path[0].starts_with(char::is_uppercase);
                let counts = path.len() > 1 || (is_told && module.reexports(&path[0]));
                let place = if counts { self.resolve(at, &path, 0) } else { None };
                uses.extend(place.and_then(|place| self.used(at, named.line, &path, place)));
            }
        }
        uses.sort();
        uses.dedup();
        uses
    }

    fn used(&self, at: usize, line: usize, path: &[String], place: Place) -> Option<Use> {
        let (from, to) = (&self.modules[at], &self.modules[place.module()]);
        let mut tops: Vec<String> = self.top_as_written(at, path).into_iter().chain(to.path.first().cloned()).collect();
        tops.dedup();
        let is_elsewhere = from.file != to.file || tops.iter().any(|top| from.path.first() != Some(top));
        is_elsewhere.then(|| Use {
            from: from.file.clone(),
            line,
            name: path.join("::"),
            to: to.file.clone(),
            tops,
            is_item: matches!(place, Place::ItemOf(_)),
        })
    }

    /// The top-level module that a path names, re-exports not followed.
    fn top_as_written(&self, at: usize, path: &[String]) -> Option<String> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let first = match path.first()?.as_str() {
            "crate" => path.get(1),
            "super" if ups == self.modules[at].path.len() => path.get(ups),
            _ => None,
        };
        first.filter(|name| self.modules[0].children.contains_key(*name)).cloned()
    }

    /// Follows `path` from the module `at`; none if it leaves the crate.
    fn resolve(&self, at: usize, path: &[String], depth: usize) -> Option<Place> {
        if depth > MAX_ALIASES {
            return None;
        }
        let mut now = at;
        let mut is_bare = true;
        for (nth, name) in path.iter().enumerate() {
            let module = &self.modules[now];
            let rest = &path[nth + 1..];
            let child = module.children.get(name).copied();
            match name.as_str() {
                "crate" => now = 0,
                "super" => now = module.parent,
                "self" => {}
                _ if !rest.is_empty() && child.is_some() => now = child?,
                _ if module.own.contains(name) => return Some(Place::ItemOf(now)),
                _ if module.aliases.contains_key(name) => {
                    let meant = [module.aliases[name].as_slice(), rest].concat();
                    return self.resolve(now, &meant, depth + 1);
                }
                _ if child.is_some() => now = child?,
                _ => {
                    let through = module.globs.iter().find_map(|glob| self.through(now, glob, &path[nth..], depth));
                    return through.or((!is_bare).then_some(Place::ItemOf(now)));
                }
            }
            is_bare = false;
        }
        Some(Place::Module(now))
    }

    /// Follows `path` through `use glob::*`, if its first name is surely there.
    fn through(&self, at: usize, glob: &[String], path: &[String], depth: usize) -> Option<Place> {
        let place = self.resolve(at, glob, depth + 1)?.module();
        let module = &self.modules[place];
        let first = &path[0];
        let is_there =
            module.own.contains(first) || module.aliases.contains_key(first) || module.children.contains_key(first);
        if is_there { self.resolve(place, path, depth + 1) } else { None }
    }
}

impl Module {
    fn add_item(&mut self, item: &syn::Item) {
        let mut visitor = Imports { imports: Vec::new() };
        visitor.visit_item(item);
        for import in visitor.imports {
            if import.is_glob {
                self.globs.push(import.path.clone());
            } else if let Some(alias) = &import.alias {
                self.aliases.insert(alias.clone(), import.path.clone());
            }
            self.imports.push(import);
        }
        if !matches!(item, syn::Item::Use(_)) {
            self.own.extend(name_of(item));
            self.named.extend(paths::named(item.to_token_stream()));
        }
    }

    fn reexports(&self, name: &str) -> bool {
        self.imports.iter().any(|import| import.is_reexport && import.alias.as_deref() == Some(name))
    }
}

/// Collects every leaf of every `use`, also of those inside functions.
struct Imports {
    imports: Vec<Import>,
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() && !is_for_tests(&item.attrs) {
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

fn name_of(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::TraitAlias(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The attributes of an item that may carry `cfg`.
pub(super) fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is compiled for tests alone.
pub(super) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|meta| {
                let words = meta.to_token_stream().to_string();
                meta.path().is_ident("test") || (meta.path().is_ident("all") && words.contains("test"))
            })
    })
}
