//! What the crates say of themselves. Owns what a registry has to be told.

use crate::process;
use std::io;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// A crate, as `cargo metadata` describes it.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// Registries it may go to: none of them if the list is empty, any of them if there is no list.
    publish: Option<Vec<String>>,
    description: Option<String>,
    license: Option<String>,
    repository: Option<String>,
    readme: Option<String>,
    keywords: Vec<String>,
    categories: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

impl Package {
    /// The name of its folder and, with `.crate` behind it, of its file.
    pub(super) fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// What it does not say and a registry has to be told.
    pub(super) fn lacks(&self) -> Vec<String> {
        let is_told = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        let fields = [
            ("description", is_told(&self.description)),
            ("license", is_told(&self.license)),
            ("repository", is_told(&self.repository)),
            ("readme", is_told(&self.readme)),
            // A registry takes five at most of each.
            ("keywords", (1..=5).contains(&self.keywords.len())),
            ("categories", (1..=5).contains(&self.categories.len())),
        ];
        let lacking = fields.iter().filter(|(_, is_told)| !is_told);
        lacking.map(|(field, _)| format!("{}: it has no `{field}`", self.name)).collect()
    }
}

/// The crates of the repository that may be published.
///
/// # Errors
/// Cargo cannot be started or asked.
pub(super) fn publishable(root: &Path) -> io::Result<Vec<Package>> {
    let mut command = Command::new(process::cargo());
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root);
    let text = process::said(&mut command, 0)?.map_err(io::Error::other)?;
    let metadata: Metadata = serde_json::from_str(&text)?;
    let is_publishable = |package: &Package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
    Ok(metadata.packages.into_iter().filter(is_publishable).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_told_is_named() {
        let text = r#"{"name": "x", "version": "1.0.0", "publish": null, "description": "d", "license": "MIT",
            "repository": null, "readme": "README.md", "keywords": ["a"], "categories": []}"#;
        let package: Package = serde_json::from_str(text).expect("a package");
        assert_eq!(package.lacks(), ["x: it has no `repository`", "x: it has no `categories`"]);
        assert_eq!(package.stem(), "x-1.0.0");
    }

    #[test]
    fn programs_of_the_repository_alone_are_not_published() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let packages = publishable(root).expect("the crates");
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        assert!(names.contains(&"hurray-conformance") && names.contains(&"hurray-shim"), "{names:?}");
        assert!(!names.iter().any(|name| ["xtask", "hurray-mutants", "hurray-fuzz"].contains(name)), "{names:?}");
    }
}
