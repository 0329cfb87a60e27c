//! The published Python package, which takes a path and nothing else: its reads and writes obey as well.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use hurray_conformance::candidates::Home;
use hurray_conformance::fault::preload::{Library, Plan, Session};
use libtest_mimic::{Failed, Trial};

use super::{PATIENCE, Ran, demand, repository, skipped};

/// Writes the file, or reads it, whenever it is told to, and says in one line how that went.
const PROGRAM: &str = "
import sys, numpy, hurray
tensor = hurray.from_numpy(numpy.arange(64, dtype=numpy.float32))
for word in sys.stdin:
    try:
        if word == 'write\\n':
            hurray.save(sys.argv[1], {'a': tensor, 'b': tensor}, kv={'k': 'v'})
            print('saved', flush=True)
        else:
            seen = sorted(hurray.load(sys.argv[1]).items())
            print(*(name + numpy.from_dlpack(tensor).tobytes().hex() for name, tensor in seen), flush=True)
    except Exception as error:
        print('error', flush=True)
";
/// Calls of one reading or writing stay far below.
const MANY: u64 = 1000;

/// A test over one watched file.
type Test = fn(&mut Script) -> Result<(), Failed>;

struct Bench {
    library: Library,
    python: PathBuf,
}

pub(super) fn trials(library: &Library) -> Vec<Trial> {
    let python = match std::env::var_os("HURRAY_PYHURRAY_PYTHON") {
        Some(python) => PathBuf::from(python),
        None => Home::repository(&repository()).state.join("pyhurray/venv/bin/python"),
    };
    if !python.exists() {
        return vec![skipped("python", "no pyhurray; run `cargo xtask conformance --candidate pyhurray` once")];
    }
    let tests: [(&str, Test); 4] = [
        ("short-reads-and-writes", short_reads_and_writes),
        ("each-failing-write", each_failing_write),
        ("each-failing-read", each_failing_read),
        ("a-full-disk", a_full_disk),
    ];
    let trial = |(name, test): (&str, Test)| {
        let bench = Bench { library: library.clone(), python: python.clone() };
        Trial::test(format!("python::{name}"), move || test(&mut Script::new(&bench)?))
    };
    tests.into_iter().map(trial).collect()
}

/// The program over one watched file, and what it does without fault. One process for all plans.
struct Script {
    session: Session,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The file that is written.
    good: Vec<u8>,
    /// What is said to be in it.
    said: String,
}

impl Script {
    fn new(bench: &Bench) -> Result<Script, Failed> {
        let session = Session::new(&bench.library)?;
        let mut command = Command::new(&bench.python);
        command.args(["-c", PROGRAM]).arg(session.target()).envs(session.environment());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".into());
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut script = Script { session, child, input, lines, good: Vec::new(), said: String::new() };
        let wrote = script.write("")?;
        script.good = wrote.left.clone().unwrap_or_default();
        demand(wrote.said == "saved" && wrote.calls.are_caught("write").is_ok(), "writes, and is seen", &wrote)?;
        let read = script.read("")?;
        script.said = read.said.clone();
        demand(read.said.starts_with("a00") && read.calls.are_caught("read").is_ok(), "reads, and is seen", &read)?;
        Ok(script)
    }

    fn ask(&mut self, word: &str, plan: &str, before: &[u8]) -> Result<Ran, Failed> {
        self.session.put(before)?;
        self.session.begin(&Plan::none().with(plan))?;
        writeln!(self.input, "{word}")?;
        let said = self.lines.recv_timeout(PATIENCE).map_err(|_| format!("it ended, or hangs, under `{plan}`"))?;
        Ok(Ran { said, calls: self.session.calls()?, left: self.session.bytes() })
    }

    fn write(&mut self, plan: &str) -> Result<Ran, Failed> {
        self.ask("write", plan, b"")
    }

    fn read(&mut self, plan: &str) -> Result<Ran, Failed> {
        let good = self.good.clone();
        self.ask("read", plan, &good)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nothing comes out differently, and it was really byte by byte.
fn short_reads_and_writes(script: &mut Script) -> Result<(), Failed> {
    let read = script.read("read limit 1\nread interrupt 3")?;
    let is_bent = read.calls.count("read") > 500 && read.calls.of("read").all(|call| call.returned <= 1);
    demand(read.said == script.said && is_bent, "byte by byte, interrupted", &read)?;
    let wrote = script.write("write limit 7\nwrite interrupt 3")?;
    let is_bent = wrote.calls.count("write") > 500 && wrote.calls.of("write").all(|call| call.returned <= 7);
    demand(wrote.left.as_ref() == Some(&script.good) && is_bent, "seven bytes at a time, interrupted", &wrote)
}

/// Whichever write fails: it says so, and what it leaves is a part of the file, not all of it.
fn each_failing_write(script: &mut Script) -> Result<(), Failed> {
    for number in 1..MANY {
        let wrote = script.write(&format!("write fail {number} ENOSPC once"))?;
        let Some(failed) = wrote.calls.first_changed("write").cloned() else {
            let is_whole = wrote.said == "saved" && wrote.left.as_ref() == Some(&script.good);
            return demand(is_whole && number > 5, "no write failed", &wrote);
        };
        let left = wrote.left.clone().unwrap_or_default();
        let is_part = script.good.starts_with(&left) && left.len() < script.good.len();
        demand(wrote.said == "error" && failed.number == number && is_part, "a write failed", &wrote)?;
    }
    Err("it never comes to an end".into())
}

/// Whichever read fails: it says so.
fn each_failing_read(script: &mut Script) -> Result<(), Failed> {
    for number in 1..MANY {
        let read = script.read(&format!("read fail {number} EIO sticky"))?;
        if read.calls.first_changed("read").is_none() {
            return demand(read.said == script.said && number > 5, "no read failed", &read);
        }
        demand(read.said == "error", "a read failed", &read)?;
    }
    Err("it never comes to an end".into())
}

/// The disk is full in the middle of a write: the bytes before are there, and it says that they are not all.
fn a_full_disk(script: &mut Script) -> Result<(), Failed> {
    let half = script.good.len() / 2;
    let wrote = script.write(&format!("write full {half} ENOSPC"))?;
    let is_half = wrote.left.as_deref() == script.good.get(..half);
    demand(wrote.said == "error" && is_half, "full", &wrote)
}
