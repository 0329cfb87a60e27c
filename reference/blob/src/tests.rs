//! Bytes as they are, files that change under the map, and the signal of a page that is gone.

use std::io::Write;

use super::*;

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn read(blob: &Blob, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut dst = vec![0xAA; len];
    let count = blob.read_at(offset, &mut dst)?;
    dst.truncate(count);
    Ok(dst)
}

#[test]
fn mapped_and_owned_bytes_are_read_alike() {
    let bytes: Vec<u8> = (0..10_000_u32).map(|at| at as u8).collect();
    let file = file(&bytes);
    let mapped = Blob::open(file.path()).unwrap();
    let owned = Blob::owned(bytes.clone());
    assert_eq!((mapped.is_mapped(), owned.is_mapped()), (true, false));
    for blob in [&mapped, &owned] {
        assert_eq!((blob.len(), blob.is_empty()), (10_000, false));
        assert_eq!(read(blob, 4095, 3).unwrap(), bytes[4095..4098]);
        assert_eq!(read(blob, 9_998, 100).unwrap(), bytes[9_998..]);
        for offset in [10_000, 10_001, u64::MAX] {
            assert_eq!(read(blob, offset, 4).unwrap(), [0; 0]);
        }
        assert_eq!(read(blob, 0, 0).unwrap(), [0; 0]);
    }
}

#[test]
fn an_empty_file_is_owned() {
    let blob = Blob::open(file(&[]).path()).unwrap();
    assert_eq!((blob.is_mapped(), blob.is_empty(), read(&blob, 0, 9).unwrap().len()), (false, true, 0));
    assert_eq!(Blob::open("/no/such/file").unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_file_that_is_cut_gives_an_error_and_no_data() {
    let file = file(&[7; 10_000]);
    // Clocks of files are coarse: what happens at once may have one time.
    file.as_file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let blob = Blob::open(file.path()).unwrap();
    assert_eq!(read(&blob, 0, 4).unwrap(), [7; 4]);
    // In the middle of a page: the rest of the page would read as zeros.
    file.as_file().set_len(5_000).unwrap();
    for offset in [0, 4_998, 5_000, 9_000] {
        assert_eq!(read(&blob, offset, 4).unwrap_err().kind(), ErrorKind::UnexpectedEof, "{offset}");
    }
    // As long as before again, but of zeros.
    file.as_file().set_len(10_000).unwrap();
    assert_eq!(read(&blob, 9_000, 4).unwrap_err().kind(), ErrorKind::InvalidData);
}

/// Within a page that stays, the bytes that are gone read as zeros: the look behind the copy finds that out.
#[test]
fn a_file_that_changes_during_the_copy_gives_an_error() {
    let file = file(&[7; 10_000]);
    file.as_file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let Blob(Inner::Mapped(mapped)) = Blob::open(file.path()).unwrap() else { panic!("not mapped") };
    let mut dst = [0xAA; 4];
    mapped.read(4_998, &mut dst, || {}).unwrap();
    assert_eq!(dst, [7; 4]);
    let cut = mapped.read(4_998, &mut dst, || file.as_file().set_len(5_000).unwrap());
    assert_eq!(cut.unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

/// Cuts the file after the look at its length, as if it had happened in that moment. Runs in a process of its own.
#[cfg(unix)]
#[test]
fn child_that_copies_a_page_that_is_gone() {
    let Some(path) = std::env::var_os("HURRAY_BLOB_CHILD") else { return };
    let Blob(Inner::Mapped(mapped)) = Blob::open(&path).unwrap() else { panic!("not mapped") };
    let cut = || File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    let mut dst = [0; 4];
    let read = mapped.read(8_192, &mut dst, cut);
    println!("copied {dst:?}, {read:?}");
}

#[cfg(unix)]
#[test]
fn a_page_that_is_gone_ends_the_process_by_a_signal_and_hands_out_nothing() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    let file = file(&[7; 3 * 4096]);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::child_that_copies_a_page_that_is_gone", "--nocapture", "--test-threads=1"])
        .env("HURRAY_BLOB_CHILD", file.path())
        .output()
        .unwrap();
    // Number 7 on Linux, 10 on the systems that come from BSD.
    assert!(matches!(output.status.signal(), Some(7 | 10)), "{:?}", output.status);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("copied"), "{output:?}");
}
