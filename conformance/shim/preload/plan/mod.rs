//! The words of a plan, and what they make of one call. Pure: no call is made here, no memory asked for.
//!
//! One rule a line: the class of calls it is for, what it does, its numbers. `#` starts a remark. The rules are told in
//! `README.md`.

use crate::libc;

/// Rules of one plan.
const MOST_RULES: usize = 16;

/// What a call does to a file. Calls are numbered within their class, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Opening it.
    Open,
    /// Bytes out of it.
    Read,
    /// Bytes into it.
    Write,
    /// Another position.
    Seek,
    /// A look at its size.
    Size,
    /// Mapping it.
    Map,
    /// Another length.
    Trim,
    /// Bytes on their way to the disk.
    Sync,
    /// Closing it.
    Close,
    /// Another number for it.
    Dup,
    /// Bytes between two files within the system.
    Copy,
}

impl Class {
    /// Every class, in the order of their declaration.
    const ALL: [Class; 11] = [
        Class::Open,
        Class::Read,
        Class::Write,
        Class::Seek,
        Class::Size,
        Class::Map,
        Class::Trim,
        Class::Sync,
        Class::Close,
        Class::Dup,
        Class::Copy,
    ];
    /// How many there are.
    #[cfg(not(test))]
    pub(crate) const COUNT: usize = Class::ALL.len();

    /// Its word in plans and logs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Open => "open",
            Class::Read => "read",
            Class::Write => "write",
            Class::Seek => "seek",
            Class::Size => "size",
            Class::Map => "map",
            Class::Trim => "trim",
            Class::Sync => "sync",
            Class::Close => "close",
            Class::Dup => "dup",
            Class::Copy => "copy",
        }
    }

    fn moves_bytes(self) -> bool {
        matches!(self, Class::Read | Class::Write)
    }
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// At most that many bytes a call.
    Limit(u64),
    /// That many bytes fewer than asked for, and at least one.
    Short(u64),
    /// Between one byte and that many, by a seed.
    Random { seed: u64, most: u64 },
    /// No call goes across that offset.
    Split(u64),
    /// Behind that call, there is no byte at that offset or after it.
    Eof { offset: u64, after: u64 },
    /// Of that many calls, the last is interrupted.
    Interrupt(u64),
    /// That many interruptions before each call that is made.
    Before(u64),
    /// That call moves nothing and says 0; and every one after it, if sticky.
    Zero { at: u64, sticky: bool },
    /// That call fails; and every one after it, if sticky.
    Fail { at: u64, errno: i32, sticky: bool },
    /// No call moves the byte at that offset: the one that begins there fails; the first, or each, if sticky.
    FailByte { offset: u64, errno: i32, sticky: bool },
    /// That call moves its bytes, and fails all the same.
    Lose { at: u64, errno: i32 },
    /// Once that many bytes were moved, every call fails.
    Full { len: u64, errno: i32 },
    /// After that call, other bytes than the file's.
    Change(u64),
}

#[derive(Clone, Copy, Debug)]
struct Rule {
    class: Class,
    action: Action,
}

/// A plan. The empty one changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    rules: [Option<Rule>; MOST_RULES],
}

/// One call to decide on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) class: Class,
    /// Its number within its class.
    pub(crate) at: u64,
    /// Where in the file; 0 where that means nothing.
    pub(crate) offset: u64,
    /// How many bytes; 0 where that means nothing.
    pub(crate) len: u64,
    /// Bytes that calls of its class have moved so far.
    pub(crate) moved_len: u64,
    /// Whether one of its class has failed for its offset.
    pub(crate) has_failed: bool,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is made, over at most that many bytes.
    Take(u64),
    /// As [`Step::Take`], and the bytes that come back are turned around.
    Change(u64),
    /// It is not made, and says 0.
    Zero,
    /// It is not made, and fails.
    Fail(i32),
    /// As [`Step::Fail`], for its offset.
    FailByte(i32),
    /// It is made, and fails.
    Lose(i32),
}

impl Plan {
    /// The empty plan.
    pub(crate) const fn empty() -> Plan {
        Plan { rules: [None; MOST_RULES] }
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// The number of the first line that is no rule, from 1, or of the first rule too many.
    pub(crate) fn parse(text: &str) -> Result<Plan, u64> {
        let mut plan = Plan::empty();
        let mut free = plan.rules.iter_mut();
        for (line, number) in text.lines().zip(1u64..) {
            let rule = line.split('#').next().unwrap_or("").trim();
            if rule.is_empty() {
                continue;
            }
            let place = free.next().ok_or(number)?;
            *place = Some(Rule::parse(rule).ok_or(number)?);
        }
        Ok(plan)
    }

    /// What becomes of `call`. Of several rules that fit, an error goes before an end, an end before fewer bytes.
    pub(crate) fn step(&self, call: &Call) -> Step {
        let mut limit = call.len;
        let mut strongest = None;
        for rule in self.rules.iter().flatten().filter(|rule| rule.class == call.class) {
            match rule.action.effect(call) {
                None => {}
                Some(Step::Take(len)) => limit = limit.min(len),
                Some(step) if strongest.is_none_or(|other| rank(step) > rank(other)) => strongest = Some(step),
                Some(_) => {}
            }
        }
        match strongest {
            Some(Step::Change(_)) => Step::Change(limit),
            Some(step) => step,
            None => Step::Take(limit),
        }
    }
}

fn rank(step: Step) -> u8 {
    match step {
        Step::Take(_) => 0,
        Step::Change(_) => 1,
        Step::Zero => 2,
        Step::Lose(_) | Step::FailByte(_) | Step::Fail(_) => 3,
    }
}

impl Action {
    /// What it makes of one call; nothing if it does not fit.
    fn effect(&self, call: &Call) -> Option<Step> {
        let reaches = |at: u64, sticky: bool| call.at == at || (sticky && call.at > at);
        match *self {
            Action::Limit(most) => Some(Step::Take(most)),
            Action::Short(fewer) => Some(Step::Take(call.len.saturating_sub(fewer).max(1))),
            Action::Random { seed, most } => Some(Step::Take(1 + mixed(seed.wrapping_add(call.at)) % most)),
            Action::Split(offset) => (call.offset < offset).then(|| Step::Take(offset - call.offset)),
            Action::Eof { after, .. } if call.at <= after => None,
            Action::Eof { offset, .. } if call.offset >= offset => Some(Step::Zero),
            Action::Eof { offset, .. } => Some(Step::Take(offset - call.offset)),
            Action::Interrupt(every) => call.at.is_multiple_of(every).then_some(Step::Fail(libc::EINTR)),
            Action::Before(count) => {
                (!call.at.is_multiple_of(count.saturating_add(1))).then_some(Step::Fail(libc::EINTR))
            }
            Action::Zero { at, sticky } => reaches(at, sticky).then_some(Step::Zero),
            Action::Fail { at, errno, sticky } => reaches(at, sticky).then_some(Step::Fail(errno)),
            Action::FailByte { sticky: false, .. } if call.has_failed => None,
            Action::FailByte { offset, errno, .. } if call.offset == offset => Some(Step::FailByte(errno)),
            Action::FailByte { offset, .. } => (call.offset < offset).then(|| Step::Take(offset - call.offset)),
            Action::Lose { at, errno } => (call.at == at).then_some(Step::Lose(errno)),
            Action::Full { len, errno } if call.moved_len >= len => Some(Step::Fail(errno)),
            Action::Full { len, .. } => Some(Step::Take(len - call.moved_len)),
            Action::Change(after) => (call.at > after).then_some(Step::Change(call.len)),
        }
    }
}

impl Rule {
    fn parse(line: &str) -> Option<Rule> {
        let mut words = line.split_ascii_whitespace();
        let class = words.next()?;
        let class = Class::ALL.into_iter().find(|known| known.name() == class)?;
        let action = words.next()?;
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        let action = match action {
            "limit" => Action::Limit(number().filter(|most| *most > 0)?),
            "short" => Action::Short(number()?),
            "random" => Action::Random { seed: number()?, most: number().filter(|most| *most > 0)? },
            "split" => Action::Split(number()?),
            "eof" if class == Class::Read => Action::Eof { offset: number()?, after: number()? },
            "change" if class == Class::Read => Action::Change(number()?),
            // Every call interrupted would never end.
            "interrupt" => Action::Interrupt(number().filter(|every| *every > 1)?),
            "before" => Action::Before(number()?),
            "zero" => Action::Zero { at: number()?, sticky: sticky(words.next())? },
            "fail" => Action::Fail { at: number()?, errno: errno(words.next()?)?, sticky: sticky(words.next())? },
            "fail-byte" => {
                Action::FailByte { offset: number()?, errno: errno(words.next()?)?, sticky: sticky(words.next())? }
            }
            "lose" => Action::Lose { at: number()?, errno: errno(words.next()?)? },
            "full" => Action::Full { len: number()?, errno: errno(words.next()?)? },
            _ => return None,
        };
        let fits =
            class.moves_bytes() || matches!(action, Action::Fail { .. } | Action::Interrupt(_) | Action::Before(_));
        (fits && words.next().is_none()).then_some(Rule { class, action })
    }
}

fn sticky(word: Option<&str>) -> Option<bool> {
    match word? {
        "once" => Some(false),
        "sticky" => Some(true),
        _ => None,
    }
}

/// The number of an error, by name or as it is.
fn errno(word: &str) -> Option<i32> {
    Some(match word {
        "EACCES" => libc::EACCES,
        "EAGAIN" => libc::EAGAIN,
        "EBADF" => libc::EBADF,
        "EDQUOT" => libc::EDQUOT,
        "EFBIG" => libc::EFBIG,
        "EINTR" => libc::EINTR,
        "EINVAL" => libc::EINVAL,
        "EIO" => libc::EIO,
        "EMFILE" => libc::EMFILE,
        "ENODEV" => libc::ENODEV,
        "ENOMEM" => libc::ENOMEM,
        "ENOSPC" => libc::ENOSPC,
        "EPERM" => libc::EPERM,
        "EROFS" => libc::EROFS,
        "ESTALE" => libc::ESTALE,
        "ETIMEDOUT" => libc::ETIMEDOUT,
        number => number.parse().ok().filter(|errno| *errno > 0)?,
    })
}

/// SplitMix64 of one number.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
