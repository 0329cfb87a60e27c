//! Whether a program writes its file forward.
//!
//! Owns that judgement. It must not know how the calls were caught.

use hurray_spec::Rule;

use super::execution::WRITE;
use crate::fault::preload::Calls;
use crate::judge::{Fault, Outcome, Verdict};

/// Requires that no write goes back behind one before it.
pub(super) fn forward(calls: &Calls) -> Verdict {
    let (mut end, mut count) = (0, 0);
    for call in calls.of(WRITE) {
        let (Some(offset), Ok(len @ 1..)) = (call.offset, u64::try_from(call.returned)) else { continue };
        count += 1;
        if offset < end {
            let expected = format!("write {count} at byte {end} or behind it");
            let verdict = Verdict::bad(Fault::Wrong, None, expected, format!("{len} bytes at byte {offset}"));
            return Verdict { offset: Some(offset), breaks: vec![Rule::ContainerWriterForwardOnly], ..verdict };
        }
        end = offset.saturating_add(len);
    }
    Verdict::good(Outcome::Passed, "bytes in the order of the file", format!("{count} writes, none of them back"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_behind_another_is_forward_and_one_before_it_is_not() {
        let judged = |log: &str| forward(&Calls::parse(log).expect("a log"));
        // A hole is zeros; what failed or took nothing was not written.
        let sound = "open 1 open - 0 3 0 real\nwrite 1 write 0 64 64 0 real\nwrite 2 pwrite 96 8 8 0 real\n\
                     write 3 write 0 8 -1 5 real\nwrite 4 write 104 9 0 0 real\nwrite 5 write 104 9 9 0 real\n";
        assert_eq!((judged(sound).outcome, judged(sound).fault), (Outcome::Passed, None));
        let back = judged(&format!("{sound}write 6 pwrite 12 4 4 0 real\n"));
        assert_eq!((back.fault, back.offset), (Some(Fault::Wrong), Some(12)));
        assert_eq!(back.breaks, [Rule::ContainerWriterForwardOnly]);
    }
}
