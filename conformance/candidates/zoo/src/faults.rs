//! Deeds of a process: dying, hanging, flooding. Each stands in place of one line on standard output.
//!
//! Knows no protocol beyond "a line". Every fault that could hurt the machine ends by itself.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A hanging animal gives up after this time, in case nobody ends it.
const PATIENCE: Duration = Duration::from_secs(120);
/// A hungry animal stops here, in case nobody ends it.
const MOST_MEMORY: usize = 4 << 30;
const BITE: usize = 16 << 20;
/// More than any pipe holds, so that a harness which does not drain it stalls.
const FLOOD: usize = 1 << 20;
/// An endless line stops here, in case nobody ends it.
const LONGEST_LINE: usize = 256 << 20;

/// Ends well-behaved, without the line.
pub(crate) fn exit(_line: &[u8], _out: &mut dyn Write) -> io::Result<()> {
    std::process::exit(0)
}

/// Ends by SIGABRT.
pub(crate) fn abort(_line: &[u8], _out: &mut dyn Write) -> io::Result<()> {
    std::process::abort()
}

/// Says nothing, and stays.
pub(crate) fn hang(_line: &[u8], _out: &mut dyn Write) -> io::Result<()> {
    std::thread::sleep(PATIENCE);
    std::process::exit(0)
}

/// Says the line, and then never looks at its input again.
pub(crate) fn stop_reading(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(line)?;
    out.flush()?;
    hang(line, out)
}

/// A library that greets on standard output.
pub(crate) fn junk(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"Loading tensor library, 8 threads\n")?;
    out.write_all(line)
}

/// Half of the line, and the end.
pub(crate) fn half_a_line(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&line[..line.len() / 2])?;
    out.flush()?;
    exit(line, out)
}

/// Half of the line, and silence.
pub(crate) fn half_a_line_and_hang(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&line[..line.len() / 2])?;
    out.flush()?;
    hang(line, out)
}

/// A line that never ends.
pub(crate) fn endless_line(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let piece = vec![b'['; 1 << 16];
    for _ in 0..LONGEST_LINE / piece.len() {
        out.write_all(&piece)?;
    }
    hang(line, out)
}

/// Takes memory, writes to all of it, and never gives it back.
pub(crate) fn eat_memory(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut eaten = Vec::new();
    for bite in 0..MOST_MEMORY / BITE {
        eaten.push(vec![bite as u8 | 1; BITE]);
    }
    out.write_all(line)?;
    drop(eaten);
    Ok(())
}

/// The line, and far more than a pipe holds on standard error.
pub(crate) fn flood_stderr(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let noise = vec![b'x'; FLOOD];
    io::stderr().write_all(&noise)?;
    out.write_all(line)
}

/// Ends, but leaves a child that holds both pipes open.
pub(crate) fn leave_a_child(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    Command::new(std::env::current_exe()?).arg("hangs-at-hello").stdin(Stdio::null()).spawn()?;
    exit(line, out)
}

/// Panics, as a library does that trusts its input.
pub(crate) fn panic(_line: &[u8], _out: &mut dyn Write) -> io::Result<()> {
    panic!("index out of bounds: the len is 0 but the index is 0")
}
