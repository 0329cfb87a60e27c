//! Rebuilds the crate when a recipe is added: the recipes are built into the program.

fn main() {
    println!("cargo:rerun-if-changed=../vectors");
    println!("cargo:rerun-if-changed=build.rs");
}
