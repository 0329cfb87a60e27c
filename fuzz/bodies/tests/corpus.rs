//! Replays the committed corpus through the body of each target: what fuzzing once found stays found, on any compiler.

use std::fs;
use std::path::Path;

#[test]
fn the_corpus_of_open_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/open");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the committed corpus") {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        hurray_fuzz::open(&fs::read(&path).expect("an input"));
        count += 1;
    }
    assert!(count > 0, "the corpus is empty: nothing was replayed");
}
