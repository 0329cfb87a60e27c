//! What the shim wrote down: the calls of a program on the file, in their order. Owns the form of the log.

use std::fmt;
use std::str::FromStr;

/// Lines after which the shim writes no more.
const MOST_CALLS: usize = 200_000;

/// The calls of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The calls, in their order.
    pub calls: Vec<Call>,
}

/// One call on the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What it does: `open`, `read`, `write`, `seek`, `size`, `map`, `trim`, `sync`, `close`, `dup`, `copy`.
    pub class: String,
    /// Its number within its class, from 1.
    pub number: u64,
    /// The function of libc.
    pub function: String,
    /// Where in the file, in bytes, where that means something.
    pub offset: Option<u64>,
    /// Bytes asked for, where that means something.
    pub len: u64,
    /// What it returned; below 0 if it failed.
    pub returned: i64,
    /// The number of its error; 0 if it has none.
    pub errno: i32,
    /// What the shim did with it.
    pub how: How,
}

/// What the shim did with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nothing.
    Real,
    /// It was made over fewer bytes than asked for.
    Less,
    /// Other bytes came back.
    Changed,
    /// It was not made, and returned 0.
    Zero,
    /// It was not made, and failed.
    Fail,
    /// It was made, and failed.
    Lost,
}

/// Why nothing can be said of a program from its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncaught {
    /// None of its calls of that class was seen: it goes past libc.
    Nothing(&'static str),
    /// It maps the file, and a map obeys nobody.
    Mapped,
}

impl fmt::Display for Uncaught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncaught::Nothing(class) => write!(f, "none of its {class}s was seen: it does not make them through libc"),
            Uncaught::Mapped => f.write_str("it maps the file, and a map follows no schedule"),
        }
    }
}

impl How {
    const WORDS: [(How, &'static str); 6] = [
        (How::Real, "real"),
        (How::Less, "less"),
        (How::Changed, "changed"),
        (How::Zero, "zero"),
        (How::Fail, "fail"),
        (How::Lost, "lost"),
    ];
}

impl Calls {
    /// Reads a log.
    ///
    /// # Errors
    /// A sentence: a line that is none, or a plan the shim did not understand.
    pub fn parse(log: &str) -> Result<Calls, String> {
        Ok(Calls { calls: log.lines().map(str::parse).collect::<Result<_, _>>()? })
    }

    /// The calls of one class.
    pub fn of<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a Call> {
        self.calls.iter().filter(move |call| call.class == class)
    }

    /// How many there were of one class.
    pub fn count(&self, class: &str) -> u64 {
        self.of(class).count() as u64
    }

    /// The first call of that class which the shim changed.
    pub fn first_changed(&self, class: &str) -> Option<&Call> {
        self.calls.iter().find(|call| call.class == class && call.how != How::Real)
    }

    /// Whether the log is full, and calls may be missing.
    pub fn is_full(&self) -> bool {
        self.calls.len() >= MOST_CALLS
    }

    /// Whether calls of that class are caught, seen from a run without any fault.
    ///
    /// # Errors
    /// They are not.
    pub fn are_caught(&self, class: &'static str) -> Result<(), Uncaught> {
        if self.of("map").any(|call| call.returned >= 0) {
            return Err(Uncaught::Mapped);
        }
        if self.of(class).any(|call| call.returned > 0) { Ok(()) } else { Err(Uncaught::Nothing(class)) }
    }
}

impl FromStr for Call {
    type Err = String;

    fn from_str(line: &str) -> Result<Call, String> {
        let is_none = || format!("`{line}` is no line of the shim's log");
        let words: Vec<&str> = line.split(' ').collect();
        let [class, number, function, offset, len, returned, errno, how] = words[..] else { return Err(is_none()) };
        if class == "plan" {
            return Err(format!("line {number} of the plan is no rule of the shim"));
        }
        let how = How::WORDS.iter().find(|(_, word)| *word == how).ok_or_else(is_none)?.0;
        let offset = if offset == "-" { Ok(None) } else { offset.parse().map(Some) };
        Ok(Call {
            class: class.to_owned(),
            number: number.parse().map_err(|_| is_none())?,
            function: function.to_owned(),
            offset: offset.map_err(|_| is_none())?,
            len: len.parse().map_err(|_| is_none())?,
            returned: returned.parse().map_err(|_| is_none())?,
            errno: errno.parse().map_err(|_| is_none())?,
            how,
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { class, number, function, offset, len, returned, errno, .. } = self;
        write!(f, "{class} {number} ({function}")?;
        if let Some(offset) = offset {
            write!(f, " of {len} bytes at {offset}")?;
        }
        match (returned, errno) {
            (_, 1..) => write!(f, ": error {errno})"),
            _ => write!(f, ": {returned})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_call() {
        let call: Call = "read 3 pread64 64 40 7 0 less".parse().expect("a call");
        assert_eq!((call.offset, call.len, call.returned, call.how), (Some(64), 40, 7, How::Less));
        assert_eq!(call.to_string(), "read 3 (pread64 of 40 bytes at 64: 7)");
        let call: Call = "sync 1 fsync - 0 -1 5 fail".parse().expect("a call");
        assert_eq!((call.offset, call.errno, call.how), (None, 5, How::Fail));
        assert_eq!(call.to_string(), "sync 1 (fsync: error 5)");
    }

    #[test]
    fn what_is_no_line_is_told() {
        for line in ["", "read 3", "read x read 0 0 0 0 real", "read 3 read 0 1 1 0 odd", "read 3 read 0 1 1 0 real 9"]
        {
            assert!(Calls::parse(&format!("{line}\n")).is_err(), "{line:?}");
        }
        assert!(Calls::parse("plan 2 is-no-rule - 0 -1 0 fail").is_err_and(|why| why.contains("line 2")));
    }

    #[test]
    fn a_program_that_cannot_be_bent_is_noticed() {
        let caught = |log: &str| Calls::parse(log).expect("a log").are_caught("read");
        assert_eq!(caught("open 1 open - 0 3 0 real"), Err(Uncaught::Nothing("read")));
        assert_eq!(caught("read 1 read 0 9 0 0 real"), Err(Uncaught::Nothing("read")));
        assert_eq!(caught("read 1 read 0 9 9 0 real"), Ok(()));
        assert_eq!(caught("read 1 read 0 9 9 0 real\nmap 1 mmap 0 9 0 0 real"), Err(Uncaught::Mapped));
        assert_eq!(caught("read 1 read 0 9 9 0 real\nmap 1 mmap 0 9 -1 19 fail"), Ok(()));
    }
}
