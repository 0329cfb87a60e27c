//! A C program that makes one call of libc at a time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use hurray_conformance::fault::preload::{Call, How, Library, Plan, Session};
use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use super::{demand, run, skipped};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shim/families.c");
const BEFORE: &[u8] = b"0123456789abcdef";
const AFTER: &[u8] = b"fedcba9876543210";
/// An error nothing but a plan could give here.
const EIO: &str = "errno 5";

const READS: &[&str] = &[
    "read",
    "__read_chk",
    "pread",
    "pread64",
    "__pread_chk",
    "__pread64_chk",
    "readv",
    "preadv",
    "preadv64",
    "preadv2",
    "preadv64v2",
];
const WRITES: &[&str] = &["write", "pwrite", "pwrite64", "writev", "pwritev", "pwritev64", "pwritev2", "pwritev64v2"];
/// The calls that move no bytes, each with its class.
const OTHERS: &[(&str, &[&str])] = &[
    (
        "open",
        &[
            "open",
            "open64",
            "openat",
            "openat64",
            "__open_2",
            "__open64_2",
            "__openat_2",
            "__openat64_2",
            "creat",
            "creat64",
        ],
    ),
    ("seek", &["lseek", "lseek64"]),
    ("trim", &["ftruncate", "ftruncate64", "truncate", "truncate64", "fallocate", "posix_fallocate"]),
    ("sync", &["fsync", "fdatasync"]),
    ("dup", &["dup", "dup2", "dup3"]),
    ("close", &["close"]),
    ("map", &["mmap", "mmap64"]),
    ("size", &["stat", "stat64", "lstat", "lstat64", "fstat", "fstat64", "fstatat", "fstatat64", "statx"]),
];
const COPIES: &[&str] = &["sendfile", "copy_file_range", "splice"];

/// A test of one call: the class it is of, and its name.
type Test = fn(&Bench, &str, &str) -> Result<(), Failed>;

/// The compiled program, and the shim.
struct Bench {
    library: Library,
    dir: TempDir,
}

pub(super) fn trials(library: &Library) -> Vec<Trial> {
    let bench = match compile(library) {
        Ok(bench) => Arc::new(bench),
        Err(why) => return vec![skipped("c", &why)],
    };
    let mut trials = Vec::new();
    let mut add = |name: String, test: Test, class, call: &str| {
        let (bench, call) = (Arc::clone(&bench), call.to_owned());
        trials.push(Trial::test(format!("c::{name}::{call}"), move || test(&bench, class, &call)));
    };
    READS.iter().for_each(|call| add("read".to_owned(), reads, "read", call));
    WRITES.iter().for_each(|call| add("write".to_owned(), writes, "write", call));
    for (class, calls) in OTHERS {
        calls.iter().for_each(|call| add((*class).to_owned(), fails, class, call));
    }
    COPIES.iter().for_each(|call| add("copy".to_owned(), is_refused, "copy", call));
    for (call, test) in [
        ("fread", reads_a_stream as Test),
        ("fread64", reads_a_stream),
        ("fdopen", reads_a_stream),
        ("fwrite", writes_a_stream),
        ("fwrite64", writes_a_stream),
        ("fseek", seeks_in_a_stream),
        ("fileno", has_a_number),
    ] {
        add("stream".to_owned(), test, "read", call);
    }
    add("others".to_owned(), leaves_other_files_alone, "read", "read");
    trials
}

/// Compiles the program; a compiler that is there and fails is no reason to skip, so its words show in each test.
fn compile(library: &Library) -> Result<Bench, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let compiled = Command::new("cc").args(["-O1", "-o"]).arg(dir.path().join("families")).arg(SOURCE).output();
    match compiled {
        Err(error) => Err(format!("no C compiler `cc`: {error}")),
        Ok(output) if output.status.success() => Ok(Bench { library: library.clone(), dir }),
        Ok(output) => panic!("{SOURCE} does not compile: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

impl Bench {
    fn session(&self) -> Result<Session, Failed> {
        Ok(Session::new(&self.library)?)
    }

    fn program(&self, call: &str, file: &Path) -> Command {
        let mut command = Command::new(self.dir.path().join("families"));
        command.arg(call).arg(file);
        command
    }

    fn run(&self, session: &mut Session, call: &str, plan: &str) -> Result<super::Ran, Failed> {
        let file = session.target();
        run(session, &Plan::none().with(plan), BEFORE, &mut self.program(call, &file))
    }
}

/// Every call of that class was made by that function.
fn all_by(ran: &super::Ran, class: &str, call: &str) -> bool {
    ran.calls.count(class) > 0 && ran.calls.of(class).all(|found| found.function == call)
}

fn reads(bench: &Bench, class: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let ran = bench.run(&mut session, call, "")?;
    demand(ran.said == "data 0123456789abcdef" && all_by(&ran, class, call), "unbent", &ran)?;
    let ran = bench.run(&mut session, call, "read limit 3\nread interrupt 2")?;
    let is_bent = ran.calls.of(class).all(|found| found.returned <= 3) && ran.calls.count(class) >= 11;
    demand(ran.said == "data 0123456789abcdef" && is_bent, "three bytes at a time, interrupted", &ran)?;
    let ran = bench.run(&mut session, call, "read split 5")?;
    let offsets: Vec<u64> = ran.calls.of(class).filter_map(|found| found.offset).take(2).collect();
    demand(offsets.first() == Some(&0) && offsets.get(1) == Some(&5), "split at 5", &ran)?;
    let ran = bench.run(&mut session, call, "read limit 4\nread fail 3 EIO once")?;
    demand(ran.said == EIO && ran.calls.count(class) == 3, "the third fails", &ran)?;
    let ran = bench.run(&mut session, call, "read lose 1 EINTR")?;
    demand(ran.said == "data 0123456789abcdef" && ran.calls.count(class) == 2, "lost and made again", &ran)?;
    let ran = bench.run(&mut session, call, "read eof 5 0")?;
    demand(ran.said == "data 01234", "an early end", &ran)?;
    let ran = bench.run(&mut session, call, "read limit 8\nread change 1")?;
    demand(ran.said.starts_with("data 01234567") && !ran.said.contains('8'), "other bytes after the first", &ran)
}

fn writes(bench: &Bench, class: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let ran = bench.run(&mut session, call, "write limit 3\nwrite before 2")?;
    let is_bent = ran.calls.of(class).all(|found| found.returned <= 3) && ran.calls.count(class) >= 18;
    let is_whole = ran.left.as_deref() == Some(AFTER);
    demand(is_whole && is_bent && all_by(&ran, class, call), "three bytes at a time, interrupted", &ran)?;
    let ran = bench.run(&mut session, call, "write full 5 28")?;
    demand(ran.said == "errno 28" && ran.left.as_deref() == Some(&AFTER[..5]), "full after five", &ran)?;
    let ran = bench.run(&mut session, call, "write limit 4\nwrite zero 2 sticky")?;
    demand(ran.left.as_deref() == Some(&AFTER[..4]), "closed after four", &ran)?;
    let ran = bench.run(&mut session, call, "write lose 1 EINTR")?;
    demand(ran.left.as_deref() == Some(AFTER) && ran.calls.count(class) == 2, "lost and made again", &ran)?;
    let ran = bench.run(&mut session, call, "write lose 1 EIO")?;
    let is_lost = ran.calls.first_changed(class).is_some_and(|found| found.how == How::Lost);
    demand(ran.said == EIO && ran.left.as_deref() == Some(AFTER) && is_lost, "taken, and an error", &ran)
}

fn fails(bench: &Bench, class: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let of_it = |ran: &super::Ran| ran.calls.of(class).filter(|found| found.function == call).count();
    let ran = bench.run(&mut session, call, "")?;
    demand(ran.said == "ok" && of_it(&ran) == 1, "unbent", &ran)?;
    // Which of its class it is, should the program make others too.
    let number = ran.calls.of(class).find(|found| found.function == call).map_or(0, |found| found.number);
    let ran = bench.run(&mut session, call, &format!("{class} fail {number} EIO once"))?;
    demand(ran.said == EIO && of_it(&ran) == 1, "it fails", &ran)
}

fn is_refused(bench: &Bench, class: &str, call: &str) -> Result<(), Failed> {
    let ran = bench.run(&mut bench.session()?, call, "")?;
    demand(ran.said == "errno 22" && all_by(&ran, class, call), "refused", &ran)
}

fn reads_a_stream(bench: &Bench, class: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let ran = bench.run(&mut session, call, "read limit 3")?;
    let is_bent = ran.calls.of(class).all(|found| found.returned <= 3) && ran.calls.count(class) >= 6;
    demand(ran.said == "data 0123456789abcdef" && is_bent && all_by(&ran, class, "fread"), "a stream", &ran)?;
    let ran = bench.run(&mut session, call, "read fail 1 EIO sticky")?;
    demand(ran.said == EIO, "a stream that fails", &ran)
}

fn writes_a_stream(bench: &Bench, _: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let ran = bench.run(&mut session, call, "write limit 3")?;
    let is_whole = ran.said == "ok" && ran.left.as_deref() == Some(AFTER);
    demand(is_whole && ran.calls.count("write") == 6 && all_by(&ran, "write", "fwrite"), "a stream", &ran)?;
    let ran = bench.run(&mut session, call, "write full 5 ENOSPC")?;
    demand(ran.said == "errno 28" && ran.left.as_deref() == Some(&AFTER[..5]), "full after five", &ran)?;
    let ran = bench.run(&mut session, call, "close fail 1 EIO once")?;
    demand(ran.said == EIO, "a close that fails", &ran)
}

fn seeks_in_a_stream(bench: &Bench, _: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let ran = bench.run(&mut session, call, "")?;
    demand(ran.said == "data abcdef" && ran.calls.of("seek").any(|found| found.function == call), "unbent", &ran)?;
    let ran = bench.run(&mut session, call, "seek fail 1 EIO sticky")?;
    demand(ran.said == EIO, "a seek that fails", &ran)
}

fn has_a_number(bench: &Bench, _: &str, call: &str) -> Result<(), Failed> {
    let ran = bench.run(&mut bench.session()?, call, "")?;
    demand(ran.said == "size 16" && ran.calls.count("size") == 1, "a stream has its descriptor", &ran)
}

/// A plan is for one file.
fn leaves_other_files_alone(bench: &Bench, _: &str, call: &str) -> Result<(), Failed> {
    let mut session = bench.session()?;
    let other: PathBuf = bench.dir.path().join("other");
    std::fs::write(&other, BEFORE)?;
    let plan = Plan::none().with("read fail 1 EIO sticky").with("open fail 1 EIO sticky");
    let ran = run(&mut session, &plan, BEFORE, &mut bench.program(call, &other))?;
    let calls: Vec<&Call> = ran.calls.calls.iter().collect();
    demand(ran.said == "data 0123456789abcdef" && calls.is_empty(), "another file", &ran)
}
