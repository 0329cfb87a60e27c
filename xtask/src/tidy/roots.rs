//! Which files are the roots of crates. Owns reading a `Cargo.toml` as cargo reads it; knows not what is in a root.
//!
//! Tests, examples and benches are test code: their files are no crates of ours.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::tree::Tree;

/// The folder of the shim, and a root in it that cargo takes for an example: its `build.rs` compiles that file into what
/// the suite carries, so it is no test code.
const PRELOAD: (&str, &str) = ("conformance/shim/", "preload/lib.rs");

/// The root files of the crate in `folder`, which ends with `/` or is empty: its library, its programs, its build script.
/// A root that the manifest names need not be there.
pub(super) fn of(tree: &Tree, folder: &str) -> Vec<String> {
    let source = tree.get(&format!("{folder}Cargo.toml")).unwrap_or_default();
    let manifest: Table = source.parse().unwrap_or_default();
    let Some(package) = manifest.get("package").and_then(Value::as_table) else { return Vec::new() };
    let is_there = |file: &str| tree.get(&format!("{folder}{file}")).is_some();
    let mut roots = BTreeSet::new();
    match manifest.get("lib").and_then(|lib| lib.get("path")?.as_str()) {
        Some(path) => _ = roots.insert(path.to_owned()),
        None => roots.extend(Some("src/lib.rs".to_owned()).filter(|file| is_there(file))),
    }
    match package.get("build") {
        Some(Value::String(path)) => _ = roots.insert(path.clone()),
        Some(Value::Boolean(false)) => {}
        _ => roots.extend(Some("build.rs".to_owned()).filter(|file| is_there(file))),
    }
    if package.get("autobins").and_then(Value::as_bool) != Some(false) {
        let files = tree.files().filter_map(|(path, _)| path.strip_prefix(folder));
        roots.extend(files.filter(|file| is_program(file)).map(str::to_owned));
    }
    for program in manifest.get("bin").and_then(Value::as_array).into_iter().flatten() {
        let name = program.get("name").and_then(Value::as_str).unwrap_or_default();
        let usual = [format!("src/bin/{name}.rs"), format!("src/bin/{name}/main.rs"), "src/main.rs".to_owned()];
        let path = program.get("path").and_then(Value::as_str).map(str::to_owned);
        roots.extend(path.or_else(|| usual.into_iter().find(|file| is_there(file))));
    }
    if folder == PRELOAD.0 {
        roots.insert(PRELOAD.1.to_owned());
    }
    roots.into_iter().map(|file| format!("{folder}{file}")).collect()
}

/// Whether cargo takes a file for the root of a program without being told.
fn is_program(file: &str) -> bool {
    let below = file.strip_prefix("src/bin/").unwrap_or_default();
    file == "src/main.rs"
        || below.strip_suffix(".rs").is_some_and(|name| !name.contains('/'))
        || below.strip_suffix("/main.rs").is_some_and(|name| !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(manifest: &str, files: &[&str]) -> Vec<String> {
        let mut tree = vec![("a/Cargo.toml", manifest)];
        tree.extend(files.iter().map(|file| (*file, "")));
        of(&Tree::of(&tree), "a/")
    }

    #[test]
    fn roots_are_those_of_cargo() {
        let files = [
            "a/benches/a.rs",
            "a/build.rs",
            "a/examples/a.rs",
            "a/src/bin/one.rs",
            "a/src/bin/two/main.rs",
            "a/src/bin/two/other.rs",
            "a/src/lib.rs",
            "a/src/main.rs",
            "a/src/other.rs",
            "a/tests/a.rs",
        ];
        let usual = ["a/build.rs", "a/src/bin/one.rs", "a/src/bin/two/main.rs", "a/src/lib.rs", "a/src/main.rs"];
        assert_eq!(roots("[package]\nname = \"a\"\n", &files), usual);
        let told = "[package]\nname = \"a\"\nautobins = false\nbuild = \"make.rs\"\n[lib]\npath = \"l.rs\"\n[[bin]]\nname \
                    = \"b\"\npath = \"b.rs\"\n[[bin]]\nname = \"one\"\n[[example]]\nname = \"e\"\npath = \"e.rs\"\n";
        assert_eq!(roots(told, &files), ["a/b.rs", "a/l.rs", "a/make.rs", "a/src/bin/one.rs"]);
        assert_eq!(roots("[package]\nbuild = false\n", &["a/build.rs"]), [""; 0]);
        assert_eq!(roots("[workspace]\n", &files), [""; 0]);
    }

    #[test]
    fn the_preload_library_is_a_root() {
        let tree = Tree::of(&[("conformance/shim/Cargo.toml", "[package]\nname = \"s\"\n")]);
        assert_eq!(of(&tree, "conformance/shim/"), ["conformance/shim/preload/lib.rs"]);
    }
}
