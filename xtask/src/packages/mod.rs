//! `cargo xtask packages`: what a registry would get, outside the repository. Every publishable crate is packaged, unpacked and
//! built there, and the program from the packages has to find what the program of the repository finds.
//!
//! Owns what a package has to hold. Nothing is published, and nothing is fetched.

mod build;
mod metadata;
mod usage;

use std::io;
use std::path::Path;

use metadata::Package;

/// Packages, builds and tries; true if there is nothing to object to.
///
/// # Errors
/// A command cannot be started, or a folder cannot be read or written.
pub(crate) fn run(root: &Path) -> io::Result<bool> {
    let packages = metadata::publishable(root)?;
    let mut faults: Vec<String> = packages.iter().flat_map(Package::lacks).collect();
    if packages.is_empty() {
        faults.push("no crate is publishable".to_owned());
    }
    // Outside the repository: what lies beside a package there must not help it.
    let dir = tempfile::Builder::new().prefix("hurray-packages-").tempdir()?;
    let target = build::target(root);
    if faults.is_empty() && build::package(root, &target, &packages)? {
        for package in &packages {
            faults.extend(build::unpack(&target, package, dir.path())?);
        }
    } else {
        faults.push("the crates cannot be packaged".to_owned());
    }
    if faults.is_empty() {
        match build::build(root, &target, &packages, dir.path())? {
            Some(program) => faults.extend(usage::compare(root, &program, dir.path())?),
            None => faults.push("the packages do not build without the repository".to_owned()),
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    println!("packages: {} crates, {} findings", packages.len(), faults.len());
    Ok(faults.is_empty())
}
