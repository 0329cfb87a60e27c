//! Replays the committed corpus through the body of each target: what fuzzing once found stays found, on any compiler.

use std::fs;
use std::path::Path;

#[test]
fn the_corpus_of_open_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/open");
    let (mut count, mut len) = (0, 0);
    for entry in fs::read_dir(&folder).expect("the committed corpus") {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        let input = fs::read(&path).expect("an input");
        hurray_fuzz::open(&input);
        (count, len) = (count + 1, len + input.len());
    }
    assert!(count > 0, "the corpus is empty: nothing was replayed");
    assert!(count <= 150 && len <= 300 * 1024, "{count} inputs, {len} bytes: keep the corpus small");
}
