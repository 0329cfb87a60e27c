//! What the crates of the repository depend on, and what their sources call it. Owns reading the tables of manifests;
//! knows not what a crate may depend on.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::tree::Tree;

/// One line of a manifest.
#[derive(Debug, PartialEq)]
pub(super) struct Dependency {
    /// Its name in the manifest, by which sources name it.
    pub(super) key: String,
    /// The package, renames resolved.
    pub(super) package: String,
    pub(super) is_for_tests: bool,
}

/// The packages that sources name otherwise, by the name in sources; both with `_`.
pub(super) type Renames = BTreeMap<String, String>;

/// What the crate in `folder`, which ends with `/` or is empty, depends on.
pub(super) fn of(tree: &Tree, folder: &str) -> Vec<Dependency> {
    let manifest = manifest(tree, folder);
    let shared = shared(tree, folder);
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let mut found = Vec::new();
    for table in targets.filter_map(Value::as_table).chain([&manifest]) {
        for (kind, is_for_tests) in [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            let listed = table.get(kind).and_then(Value::as_table).into_iter().flatten();
            found.extend(listed.map(|(key, value)| Dependency {
                key: key.clone(),
                package: package(key, value, &shared),
                is_for_tests,
            }));
        }
    }
    found
}

/// What the sources of the crate in `folder` call otherwise than its package.
pub(super) fn renames(tree: &Tree, folder: &str) -> Renames {
    let mut renames = Renames::new();
    let mut add = |name: &str, package: &str| {
        let (name, package) = (name.replace('-', "_"), package.replace('-', "_"));
        if name != package {
            renames.insert(name, package);
        }
    };
    // A library of ours may be called otherwise than its package.
    for folder in tree.crates() {
        let manifest = manifest(tree, folder);
        if let (Some(library), Some(package)) = (name_in(&manifest, "lib"), name_in(&manifest, "package")) {
            add(library, package);
        }
    }
    for dependency in of(tree, folder) {
        add(&dependency.key, &dependency.package);
    }
    renames
}

/// The folder of the crate that a file belongs to.
pub(super) fn owner<'a>(tree: &'a Tree, path: &str) -> Option<&'a str> {
    tree.crates().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.len())
}

fn package(key: &str, value: &Value, shared: &Table) -> String {
    let is_shared = value.get("workspace").and_then(Value::as_bool) == Some(true);
    let value = if is_shared { shared.get(key) } else { Some(value) };
    value.and_then(|value| value.get("package")?.as_str()).unwrap_or(key).to_owned()
}

/// The `[workspace.dependencies]` that hold for the crate in `folder`: those of the nearest workspace at or above it.
fn shared(tree: &Tree, folder: &str) -> Table {
    let mut above: Vec<&str> = tree.crates().filter(|other| folder.starts_with(other)).collect();
    above.sort_by_key(|other| std::cmp::Reverse(other.len()));
    let workspace = above.into_iter().find_map(|other| manifest(tree, other).remove("workspace"));
    workspace.and_then(|workspace| workspace.get("dependencies")?.as_table().cloned()).unwrap_or_default()
}

fn name_in<'a>(manifest: &'a Table, table: &str) -> Option<&'a str> {
    manifest.get(table)?.get("name")?.as_str()
}

fn manifest(tree: &Tree, folder: &str) -> Table {
    tree.get(&format!("{folder}Cargo.toml")).and_then(|source| source.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_are_resolved_through_the_nearest_workspace() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace.dependencies]\nh = { package = \"far-one\", path = \"x\" }\nplain = \"1\"\n"),
            (
                "a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nh.workspace = true\nplain = { workspace = true }\n\
                 [target.'cfg(unix)'.dev-dependencies]\nown = { package = \"near\", version = \"1\" }\n",
            ),
            (
                "b/Cargo.toml",
                "[package]\nname = \"b-b\"\n[lib]\nname = \"other\"\n[workspace.dependencies]\nh = \"1\"\n",
            ),
            ("b/c/Cargo.toml", "[package]\nname = \"c\"\n[dependencies]\nh.workspace = true\n"),
        ]);
        let packages = |folder| of(&tree, folder).into_iter().map(|found| found.package).collect::<Vec<_>>();
        assert_eq!(packages("a/"), ["near", "far-one", "plain"]);
        assert_eq!(packages("b/c/"), ["h"]);
        let renames = |folder| renames(&tree, folder).into_iter().collect::<Vec<_>>();
        let pair = |name: &str, package: &str| (name.to_owned(), package.to_owned());
        assert_eq!(renames("a/"), [pair("h", "far_one"), pair("other", "b_b"), pair("own", "near")]);
        assert_eq!(renames("b/c/"), [pair("other", "b_b")]);
        assert_eq!(owner(&tree, "b/c/src/lib.rs"), Some("b/c/"));
    }
}
