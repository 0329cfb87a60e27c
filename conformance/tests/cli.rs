//! The command line from outside: what it answers to wrong use, and the exit codes, which are a contract.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hurray_conformance::candidates::Home;
use hurray_conformance::tool::cli::{self, Exit};
use hurray_corpus::VectorSet;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

fn program(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hurray-conformance"));
    program.args(arguments).output().expect("the program starts")
}

fn ends(arguments: &[&str], code: i32, says: &str) {
    let output = program(arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?} said:\n{said}");
    assert!(said.contains(says), "{arguments:?} does not say {says:?} but:\n{said}");
}

/// Runs the program's own code on a repository made by hand, or on a part of one.
fn in_repository(root: &Path, arguments: &[&str]) -> Exit {
    let arguments = ["hurray-conformance"].iter().chain(arguments).map(Into::into);
    cli::program(arguments, &Home::repository(root))
}

#[test]
fn help_has_examples_and_the_exit_codes() {
    ends(&["--help"], 0, "--command \"python3 my_adapter.py\"");
    ends(&["--help"], 0, "4 nothing ran");
    ends(&["--version"], 0, env!("CARGO_PKG_VERSION"));
}

#[test]
fn wrong_use_is_64_and_says_what_to_do() {
    ends(&["--candidate", "nobody"], 64, "there are reference");
    ends(&["--candidate", "no/such/file.toml"], 64, "no/such/file.toml cannot be read");
    ends(&["--candidate", "reference", "--filter", "[a"], 64, "--filter");
    ends(&["--report", "xml=x"], 64, "json=FILE");
    ends(&["--profile", "singer"], 64, "reader");
    ends(&["--shard", "3/2"], 64, "1/4");
    ends(&["--jobs", "0"], 64, "--jobs");
    ends(&["--command", "\"open"], 64, "open quote");
    ends(&["--odd"], 64, "--odd");
    ends(
        &["--candidate", "reference", "--filter", "bases/*", "--report", "json=/no/such/folder/x"],
        64,
        "cannot be written",
    );
    ends(&["--candidate", "reference", "--filter", "bases/*", "--update-known"], 64, "no list of known failures");
}

#[test]
fn the_program_explains_writes_and_exports() {
    ends(&["explain", "container.trailer.magic-reject"], 0, "container/trailer/magic-last-byte: reject at open");
    ends(&["explain", "container/trailer/magic-last-byte"], 0, "trailer.magic");
    ends(&["explain", "zzz"], 64, "no rule, no vector and no file");
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let model = "[[tensor]]\nname = \"a\"\ntype = \"float32\"\nshape = [2, 2]\ndata = [\"f32[] 1.5 2.0 -1.0 0.25\"]\n";
    fs::write(path("model.toml"), model).expect("a file");
    ends(&["write", &path("model.toml"), &path("out.hrry")], 0, "1 item(s)");
    ends(&["check", &path("out.hrry")], 0, "accept");
    ends(&["explain", &path("out.hrry")], 0, "a.descriptor.type_tag");
    ends(&["write", &path("no-model.toml"), &path("x.hrry")], 64, "no-model.toml");
    fs::write(path("odd.toml"), "[[tensor]]\nname = 1\n").expect("a file");
    ends(&["write", &path("odd.toml"), &path("x.hrry")], 64, "odd.toml");
    assert!(!dir.path().join("x.hrry").exists());
    ends(&["vectors", "export", &path("vectors")], 0, "vectors and their manifest");
    assert!(dir.path().join("vectors/manifest.json").is_file());
    ends(&["check", &path("vectors/files/bases/one-f32.hrry")], 0, "accept");
}

#[test]
fn without_a_command_it_is_conformance() {
    ends(&["conformance", "--candidate", "reference", "--filter", "bases/*"], 0, "verdicts in");
    ends(&["conformance", "--help"], 0, "4 nothing ran");
    ends(&["--candidate", "reference", "check", "x.hrry"], 64, "cannot be used with");
}

#[test]
fn an_adapter_that_does_not_start_is_2() {
    ends(&["--command", "no-such-program-anywhere"], 2, "cannot be started");
    ends(&["--command", "true"], 2, "ended with exit code 0");
}

#[test]
fn nothing_that_ran_is_4_unless_something_else_did() {
    ends(&["--candidate", "reference", "--filter", "no/such/vector"], 4, "nothing ran");
    ends(&["--candidate", "reference", "--profile", "writer", "--filter", "bases/*"], 4, "nothing ran");
    ends(
        &["--candidate", "reference", "--filter", "bases/*", "--profile", "interop", "--profile", "reader"],
        0,
        "not scored",
    );
}

#[test]
fn the_reference_is_as_expected_and_the_report_is_the_same_every_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let report = |name: &str, more: &[&str]| {
        let path = dir.path().join(name);
        let to = format!("json={}", path.display());
        let arguments = [&["--candidate", "reference", "--filter", "kv/*", "--report", to.as_str()], more].concat();
        let output = program(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(path).expect("a report")
    };
    let (one, two, lanes) =
        (report("a", &["--jobs", "1"]), report("b", &["--seed", "1"]), report("c", &["--jobs", "4"]));
    assert!(one.contains("\"id\": \"kv/"), "{one}");
    assert_eq!(one, two);
    assert_eq!(one, lanes);
}

#[test]
fn shards_share_the_vectors_out() {
    let count = |shard: &str| {
        let arguments = ["--candidate", "reference", "--profile", "io", "--shard", shard, "--report", "json=-"];
        let report: serde_json::Value = serde_json::from_slice(&program(&arguments).stdout).expect("a report");
        report["candidates"][0]["results"].as_array().map_or(0, Vec::len)
    };
    let (whole, one, two) = (count("1/1"), count("1/2"), count("2/2"));
    assert!(two > 0 && one >= two && one + two == whole, "{one} + {two} are not {whole}");
}

#[test]
fn a_broken_recipe_is_3() {
    let dir = tempfile::tempdir().expect("a folder");
    let bases = dir.path().join("vectors/bases");
    fs::create_dir_all(&bases).expect("a folder");
    fs::write(bases.join("odd.toml"), "why = 1").expect("a file");
    assert_eq!(in_repository(dir.path(), &["--candidate", "reference"]), Exit::SuiteBroken);
}

/// An interrupt ends the workers too: they are in process groups of their own.
#[test]
fn an_interrupt_leaves_no_worker_behind() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("worker.pid");
    let command = format!("sh -c 'echo $$ > {}; exec sleep 600'", file.display());
    let mut program = Command::new(env!("CARGO_BIN_EXE_hurray-conformance"));
    let mut running = program.args(["--command", &command]).stderr(Stdio::null()).spawn().expect("the program starts");
    let worker = within_seconds(20, || fs::read_to_string(&file).ok()?.trim().parse().ok().and_then(Pid::from_raw));
    let worker = worker.expect("the worker starts");
    kill_process(Pid::from_child(&running), Signal::INT).expect("the program runs");
    let status = within_seconds(20, || running.try_wait().expect("it was started"));
    assert_eq!(status.and_then(|status| status.code()), Some(130));
    assert!(within_seconds(20, || test_kill_process(worker).is_err().then_some(())).is_some(), "the worker lives on");
}

fn within_seconds<T>(seconds: u64, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + Duration::from_secs(seconds);
    loop {
        match look() {
            None if Instant::now() < end => thread::sleep(Duration::from_millis(20)),
            seen => return seen,
        }
    }
}

#[test]
fn the_worst_exit_code_wins() {
    let both = ["--candidate", "reference", "--command", "true", "--filter", "bases/*"];
    ends(&both, 2, "reference");
}

/// `check -` over `begin`, and behind it over zeros without end if `endless`: its exit code and what it said.
fn check_stream(begin: &[u8], endless: bool, more: &[&str]) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hurray-conformance"));
    program.args(["check", "-"]).args(more).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = program.spawn().expect("the program starts");
    let (mut pipe, begin) = (running.stdin.take().expect("a pipe"), begin.to_vec());
    let feed = thread::spawn(move || {
        let mut is_open = pipe.write_all(&begin).is_ok();
        while endless && is_open {
            is_open = pipe.write_all(&[0; 1 << 16]).is_ok();
        }
    });
    let status = within_seconds(60, || running.try_wait().expect("it was started"));
    if status.is_none() {
        running.kill().expect("it runs");
    }
    let output = running.wait_with_output().expect("what it said");
    feed.join().expect("the pipe is closed");
    (status.and_then(|status| status.code()), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn what_comes_from_a_pipe_is_judged_in_the_same_form() {
    let set = VectorSet::embedded().expect("the vectors");
    let bytes = |id: &str| set.get(id).expect(id).bytes.to_vec();
    let (code, said) = check_stream(&bytes("bases/three-pages"), false, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with("-: accept") && said.contains("without seeking"), "{said}");
    let (code, said) = check_stream(&bytes("container/flags/crc-one-more"), false, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("-: reject at scan") && said.contains("container.flags.crc-mismatch-reject"), "{said}");
    assert!(said.contains("at offset") && !said.contains("save it"), "{said}");
    let (code, said) = check_stream(&bytes("sequential/files/data-swapped"), false, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("-: undecided at scan") && said.contains("save it to a file"), "{said}");
    let (code, said) = check_stream(b"", false, &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, report[0]["rule"].as_str()), (Some(1), Some("container.safety.min-file")));
    ends(&["check", "--help"], 0, "cat model.hrry | hurray-conformance check -");
}

#[test]
fn an_endless_pipe_is_given_up() {
    let (code, said) = check_stream(b"", true, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("container.header.magic"), "{said}");
    let set = VectorSet::embedded().expect("the vectors");
    let header = &set.get("bases/one-page").expect("a base").bytes[..64];
    let (code, said) = check_stream(header, true, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("undecided at scan") && said.contains("save it to a file"), "{said}");
}
