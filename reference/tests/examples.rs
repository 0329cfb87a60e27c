//! The examples run to their end.

#![allow(dead_code, reason = "an example has a `main` that no test calls")]

#[path = "../examples/composite.rs"]
mod composite;
#[path = "../examples/read_by_range.rs"]
mod read_by_range;
#[path = "../examples/sans_io_file.rs"]
mod sans_io_file;
#[path = "../examples/write_forward.rs"]
mod write_forward;

#[test]
fn a_file_is_read_by_range() {
    read_by_range::run(None).unwrap();
}

#[test]
fn a_file_is_written_forwards() {
    write_forward::run().unwrap();
}

#[test]
fn a_composite_is_written_and_read() {
    composite::run().unwrap();
}

#[test]
fn a_file_on_disk_is_read_in_two_ways() {
    sans_io_file::run().unwrap();
}
