//! Which file of a crate uses what another one defines. Owns the modules of a crate and the way from a path to the file
//! that defines what it names; knows no order among them.
//!
//! The node is a file. A file uses another one if it names, in code that is not a test's, an item that the other one
//! defines; inline modules belong to their file. Re-exports are followed: who names `crate::run::Files`, which
//! `run/mod.rs` re-exports from `run/files.rs`, uses `run/files.rs`. To declare a module, to name one, and to re-export
//! what one's own descendants define is no use. So a parent that calls its child, and a child that calls its parent, use
//! each other.
//!
//! Known limits. These are not seen:
//! - a method call, inherent or of a trait (`value.f()`): a file that only calls methods of a type names no path. So a
//!   circle through inherent methods or trait methods stays unseen;
//! - what a macro writes from parts, and what `include!` brings in;
//! - `#[path]` inside `cfg_attr`, and modules that a function declares;
//! - another name for the crate itself, by `extern crate self as x`.

mod cfg;
mod files;
mod leaves;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use quote::ToTokens;

use super::finding::Finding;
use super::paths::{self, Named};
use super::tree::Tree;
use super::uses::Use;
use files::Folder;
use leaves::Import;

pub(super) use cfg::{attributes, is_for_tests};
pub(super) use leaves::imports;

/// How often one name may stand for another before it is given up.
const MAX_ALIASES: usize = 16;
/// What one glob in another counts against it: many globs make many ways.
const GLOB_DEPTH: usize = 4;

/// The modules of one crate; the first is its root.
pub(super) struct Crate {
    /// Whether what is for tests alone counts too, and to re-export what one's own descendants define.
    is_whole: bool,
    /// Files that are not there.
    unread: Vec<Finding>,
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
    /// Reads the crate whose root is the file `root`, such as `spec/src/lib.rs`, without what is for tests alone.
    pub(super) fn read(tree: &Tree, root: &str) -> Crate {
        Crate::read_as(tree, root, false)
    }

    /// Reads the crate whose root is the file `root`, with tests; there a re-export of what one's own
    /// descendants define is a use.
    pub(super) fn read_whole(tree: &Tree, root: &str) -> Crate {
        Crate::read_as(tree, root, true)
    }

    fn read_as(tree: &Tree, root: &str, is_whole: bool) -> Crate {
        let mut read = Crate { is_whole, unread: Vec::new(), modules: Vec::new() };
        if tree.get(root).is_none() {
            read.unread.push(Finding::new(
                root,
                0,
                "no tracked file, but the root of a crate: what it holds is unseen",
            ));
        }
        read.add_file(tree, &Folder::of_root(root), Vec::new(), 0);
        read
    }

    /// One finding per root and `mod` whose file is not there.
    pub(super) fn unread(&self) -> &[Finding] {
        &self.unread
    }

    /// The names of the modules that the root declares.
    pub(super) fn tops(&self) -> Vec<String> {
        let mut tops: Vec<String> =
            self.modules.first().map_or_else(Vec::new, |m| m.children.keys().cloned().collect());
        tops.sort();
        tops
    }

    fn add_file(&mut self, tree: &Tree, place: &Folder, path: Vec<String>, parent: usize) -> Option<usize> {
        let items = syn::parse_file(tree.get(&place.file)?).ok()?.items;
        Some(self.add(tree, place, path, parent, &items))
    }

    /// Adds the module that stands at `place`, and those that it declares.
    fn add(&mut self, tree: &Tree, place: &Folder, path: Vec<String>, parent: usize, items: &[syn::Item]) -> usize {
        let at = self.modules.len();
        self.modules.push(Module { path: path.clone(), file: place.file.clone(), parent, ..Module::default() });
        let is_whole = self.is_whole;
        for item in items.iter().filter(|item| is_whole || !is_for_tests(attributes(item))) {
            let syn::Item::Mod(module) = item else {
                self.modules[at].add_item(item, is_whole);
                continue;
            };
            let name = module.ident.to_string();
            let child_path = [path.as_slice(), std::slice::from_ref(&name)].concat();
            let child = match &module.content {
                Some((_, items)) => Some(self.add(tree, &place.inline(module), child_path, at, items)),
                None => match place.files(module).into_iter().find(|child| tree.get(&child.file).is_some()) {
                    Some(child) => self.add_file(tree, &child, child_path, at),
                    None => {
                        let what = format!("`mod {name}` has no tracked file: what it holds is unseen");
                        self.unread.push(Finding::new(&place.file, module.ident.span().start().line, what));
                        None
                    }
                },
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
                let mut trail = Vec::new();
                let Some(mut place) = self.resolve(at, &import.path, 0, &mut trail) else { continue };
                let target = &self.modules[place.module()].path;
                if !self.is_whole
                    && import.is_reexport
                    && target.len() > module.path.len()
                    && target.starts_with(&module.path)
                {
                    continue;
                }
                if import.is_glob {
                    place = Place::ItemOf(place.module());
                }
                uses.extend(self.used(at, import.line, &import.path, place, &trail));
            }
            for named in &module.named {
                let path: Vec<String> = named.path.split("::").map(str::to_owned).collect();
                // A single name was imported, and its import counts, unless it is re-exported. A variable may be called
                // like a function, so that only a call tells them apart.
                let is_told = named.is_called || path[0].starts_with(char::is_uppercase);
                let counts = path.len() > 1 || (is_told && module.reexports(&path[0]));
                let mut trail = Vec::new();
                let place = if counts { self.resolve(at, &path, 0, &mut trail) } else { None };
                uses.extend(place.and_then(|place| self.used(at, named.line, &path, place, &trail)));
            }
        }
        uses.sort();
        uses.dedup();
        uses
    }

    fn used(&self, at: usize, line: usize, path: &[String], place: Place, trail: &[usize]) -> Option<Use> {
        let (from, to) = (&self.modules[at], &self.modules[place.module()]);
        let mut tops: Vec<String> = self.top_as_written(at, path).into_iter().chain(to.path.first().cloned()).collect();
        tops.dedup();
        let is_elsewhere = from.file != to.file || tops.iter().any(|top| from.path.first() != Some(top));
        is_elsewhere.then(|| Use {
            from: from.file.clone(),
            from_top: from.path.first().cloned(),
            line,
            name: path.join("::"),
            to: to.file.clone(),
            tops,
            through: trail.iter().chain([&place.module()]).map(|at| self.full_name(*at)).collect(),
            is_item: matches!(place, Place::ItemOf(_)),
        })
    }

    /// The path of a module from the root, such as `crate::run::files`.
    fn full_name(&self, at: usize) -> String {
        [&["crate".to_owned()], self.modules[at].path.as_slice()].concat().join("::")
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

    /// Follows `path` from the module `at`; none if it leaves the crate. The modules that it enters go to `trail`.
    fn resolve(&self, at: usize, path: &[String], depth: usize, trail: &mut Vec<usize>) -> Option<Place> {
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
                _ if !rest.is_empty() && child.is_some() => {
                    now = child?;
                    trail.push(now);
                }
                _ if module.own.contains(name) => return Some(Place::ItemOf(now)),
                _ if module.aliases.contains_key(name) => {
                    let meant = [module.aliases[name].as_slice(), rest].concat();
                    return self.resolve(now, &meant, depth + 1, trail);
                }
                _ if child.is_some() => now = child?,
                _ => {
                    let through =
                        module.globs.iter().find_map(|glob| self.through(now, glob, &path[nth..], depth, trail));
                    return through.or((!is_bare).then_some(Place::ItemOf(now)));
                }
            }
            is_bare = false;
        }
        Some(Place::Module(now))
    }

    /// Follows `path` through `use glob::*`, if its first name is surely there.
    fn through(
        &self,
        at: usize,
        glob: &[String],
        path: &[String],
        depth: usize,
        trail: &mut Vec<usize>,
    ) -> Option<Place> {
        let mut entered = Vec::new();
        let place = self.resolve(at, glob, depth + 1, &mut entered)?.module();
        entered.push(place);
        let found = if self.holds(place, &path[0], depth + GLOB_DEPTH) {
            self.resolve(place, path, depth + 1, &mut entered)
        } else {
            None
        };
        if found.is_some() {
            trail.append(&mut entered);
        }
        found
    }

    /// Whether a module has a name of its own, imports it by name, or surely imports it by a glob.
    fn holds(&self, at: usize, name: &str, depth: usize) -> bool {
        let module = &self.modules[at];
        module.own.contains(name)
            || module.aliases.contains_key(name)
            || module.children.contains_key(name)
            || module.globs.iter().any(|glob| {
                let place = self.resolve(at, glob, depth, &mut Vec::new());
                place.is_some_and(|place| self.holds(place.module(), name, depth + GLOB_DEPTH))
            })
    }
}

impl Module {
    fn add_item(&mut self, item: &syn::Item, is_whole: bool) {
        for import in imports(item, is_whole) {
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
