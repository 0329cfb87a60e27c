//! Replays the committed corpus through the body of each target: what fuzzing once found stays found, on any compiler. The
//! corpus is too small to hold composites, so that theirs are taken from the vectors, as mere bytes.

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
        hurray_fuzz::scan(&input);
        (count, len) = (count + 1, len + input.len());
    }
    assert!(count > 0, "the corpus is empty: nothing was replayed");
    assert!(count <= 150 && len <= 300 * 1024, "{count} inputs, {len} bytes: keep the corpus small");
}

#[test]
fn the_files_of_composites_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/files/composite");
    let mut count = 0;
    for noun in fs::read_dir(&folder).expect("the assembled files") {
        for entry in fs::read_dir(noun.expect("an entry").path()).expect("a folder of files") {
            let path = entry.expect("an entry").path();
            println!("{}", path.display());
            hurray_fuzz::open(&fs::read(&path).expect("a file"));
            count += 1;
        }
    }
    assert!(count >= 50, "{count} files: too few composites were tried");
}

/// Every assembled file goes by as it is read by ranges, where it can be read in order at all.
#[test]
fn every_assembled_file_goes_by_as_it_is_read() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/files")];
    let (mut count, mut read) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the assembled files") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            println!("{}", path.display());
            count += 1;
            read += usize::from(hurray_fuzz::scan(&fs::read(&path).expect("a file")));
        }
    }
    assert!(count > 1000 && read > 400, "{read} of {count} files were read in order: too few to say anything");
}
