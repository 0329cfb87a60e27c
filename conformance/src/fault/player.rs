//! Plays a schedule: what happens to the next operation. Owns the counting of operations and the random numbers.

use hurray_corpus::schedule::{Clause, Lasting, Schedule};

use super::MOST;

/// What happens to one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// At most that many bytes move.
    Move(u64),
    /// None move; a failure of that kind.
    Fail(&'static str),
    /// They move, and a failure is reported.
    Lose,
    /// They move, and that many too many are reported.
    More(u64),
    /// None move, and that is reported.
    Nothing,
}

/// One schedule under way.
#[derive(Clone, Debug)]
pub(super) struct Player {
    clauses: Vec<Clause>,
    /// Operations so far.
    pub(super) count: u64,
    interrupted: u64,
    random: u64,
    /// Whether the failure at a position has come.
    has_failed: bool,
}

impl Player {
    pub(super) fn new(schedule: &Schedule) -> Player {
        let seed = schedule.clauses.iter().find_map(|clause| match clause {
            Clause::Random { seed, .. } => Some(*seed),
            _ => None,
        });
        let clauses = schedule.clauses.clone();
        Player { clauses, count: 0, interrupted: 0, random: seed.unwrap_or(0), has_failed: false }
    }

    /// Whether the bytes of the source are other ones by now.
    pub(super) fn is_changed(&self) -> bool {
        self.clauses.iter().any(|clause| matches!(clause, Clause::ChangeBytes(last) if self.count > *last))
    }

    /// Decides about the next operation, over `len` bytes from `offset` on.
    pub(super) fn next(&mut self, offset: u64, len: u64) -> Act {
        self.count += 1;
        if self.count > MOST {
            return Act::Fail("other");
        }
        if self.is_interrupted() {
            return Act::Fail("interrupted");
        }
        let mut most = len;
        let mut end = None;
        for at in 0..self.clauses.len() {
            let clause = self.clauses[at];
            if let Some(act) = self.harm(clause, offset) {
                // A count that is lost or wrong still belongs to bytes that moved.
                end = end.or(Some(act));
            }
            most = most.min(self.most(clause, offset, len));
        }
        end.unwrap_or(Act::Move(most))
    }

    fn is_interrupted(&mut self) -> bool {
        for clause in &self.clauses {
            match clause {
                Clause::InterruptEvery(n) if self.count.is_multiple_of(*n) => return true,
                Clause::InterruptBeforeEach(n) if self.interrupted < *n => {
                    self.interrupted += 1;
                    return true;
                }
                _ => {}
            }
        }
        self.interrupted = 0;
        false
    }

    /// What the clause does to this operation, if it is not to move fewer bytes.
    fn harm(&mut self, clause: Clause, offset: u64) -> Option<Act> {
        let is_now = |operation: u64, lasting: Lasting| match lasting {
            Lasting::Once => self.count == operation,
            Lasting::Sticky => self.count >= operation,
        };
        match clause {
            Clause::Fail { operation, lasting } if is_now(operation, lasting) => Some(Act::Fail("other")),
            Clause::FailByte { offset: position, lasting } if offset == position => {
                let is_over = self.has_failed && lasting == Lasting::Once;
                self.has_failed = true;
                (!is_over).then_some(Act::Fail("other"))
            }
            Clause::Lose(operation) if self.count == operation => Some(Act::Lose),
            Clause::More { extra, operation } if self.count == operation => Some(Act::More(extra)),
            Clause::Eof(end) if offset >= end => Some(Act::Nothing),
            Clause::ChangeSize { size, operation } if self.count > operation && offset >= size => Some(Act::Nothing),
            Clause::Zero(operation) if self.count == operation => Some(Act::Nothing),
            Clause::Closed(operation) if self.count >= operation => Some(Act::Nothing),
            _ => None,
        }
    }

    /// Most bytes that the clause lets move.
    fn most(&mut self, clause: Clause, offset: u64, len: u64) -> u64 {
        let until = |position: u64| if offset < position { position - offset } else { len };
        match clause {
            Clause::Limit(n) => n,
            Clause::Short(n) => len.saturating_sub(n).max(1),
            Clause::Split(position) | Clause::FailByte { offset: position, .. } | Clause::Eof(position) => {
                until(position)
            }
            Clause::ChangeSize { size, operation } if self.count > operation => until(size),
            Clause::Random { max, .. } => 1 + self.roll() % max,
            _ => len,
        }
    }

    /// The next random number: the generator of Knuth's MMIX, its upper half.
    fn roll(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(text: &str, operations: &[(u64, u64)]) -> Vec<Act> {
        let mut player = Player::new(&text.parse().expect(text));
        operations.iter().map(|(offset, len)| player.next(*offset, *len)).collect()
    }

    const THREE: [(u64, u64); 3] = [(0, 10), (10, 10), (20, 10)];

    #[test]
    fn fewer_bytes_move() {
        use Act::Move;
        assert_eq!(acts("limit 4", &THREE[..1]), [Move(4)]);
        assert_eq!(acts("short 4", &[(0, 10), (6, 4), (9, 1)]), [Move(6), Move(1), Move(1)]);
        assert_eq!(acts("split 13", &[(10, 10), (13, 7), (0, 13), (20, 1)]), [Move(3), Move(7), Move(13), Move(1)]);
        let random = acts("random seed=7 max=3", &[(0, 100); 50]);
        assert!((1..=3).all(|n| random.contains(&Move(n))) && random.len() == 50);
        assert_eq!(acts("limit 4; split 2", &THREE[..1]), [Move(2)]);
    }

    #[test]
    fn operations_fail_once_or_for_ever() {
        let (good, bad) = (Act::Move(10), Act::Fail("other"));
        assert_eq!(acts("fail 2 once", &THREE), [good, bad, good]);
        assert_eq!(acts("fail 2 sticky", &THREE), [good, bad, bad]);
        assert_eq!(acts("lose 2", &THREE), [good, Act::Lose, good]);
        assert_eq!(acts("more 3 at 2", &THREE), [good, Act::More(3), good]);
        assert_eq!(acts("zero 2", &THREE), [good, Act::Nothing, good]);
        assert_eq!(acts("closed 2", &THREE), [good, Act::Nothing, Act::Nothing]);
        assert_eq!(acts("fail byte 4 once", &[(0, 10), (4, 6), (4, 6)]), [Act::Move(4), bad, Act::Move(6)]);
        assert_eq!(acts("fail byte 4 sticky", &[(4, 6), (4, 6), (5, 5)]), [bad, bad, Act::Move(5)]);
    }

    #[test]
    fn interruptions_come_in_between() {
        let (good, bad) = (Act::Move(10), Act::Fail("interrupted"));
        assert_eq!(acts("interrupt every 2", &THREE), [good, bad, good]);
        assert_eq!(acts("interrupt 2 before each", &[THREE[0]; 4]), [bad, bad, good, bad]);
    }

    #[test]
    fn a_source_ends_early_or_later_on() {
        let good = Act::Move(10);
        assert_eq!(acts("eof 15", &THREE), [good, Act::Move(5), Act::Nothing]);
        assert_eq!(
            acts("change size 15 after 2", &[(20, 10), (0, 10), (10, 10), (20, 10)]),
            [good, good, Act::Move(5), Act::Nothing]
        );
        let mut player = Player::new(&"change bytes after 1".parse().expect("a schedule"));
        let changed: Vec<bool> =
            THREE.iter().map(|(offset, len)| (player.next(*offset, *len), player.is_changed()).1).collect();
        assert_eq!(changed, [false, true, true]);
    }

    #[test]
    fn nobody_goes_on_for_ever() {
        let mut player = Player::new(&Schedule::default());
        player.count = MOST;
        assert_eq!(player.next(0, 1), Act::Fail("other"));
    }
}
