//! The published Python package.
use hurray_conformance::shim::Library;
use libtest_mimic::Trial;

pub(super) fn trials(_library: &Library) -> Vec<Trial> {
    Vec::new()
}
