//! How long a request may take. Owns what its ranges add to its time, and that this has an end.

use std::time::{Duration, Instant};

/// What each range or offer adds to the time of its request: a file that comes a byte at a time is tens of thousands.
const PER_EXCHANGE: Duration = Duration::from_millis(1);
/// So many of them do; who asks for ever ends.
const MOST_EXCHANGES: u32 = 60_000;

/// When a request has taken too long.
pub(super) struct Patience {
    pub(super) end: Instant,
    exchange_count: u32,
}

impl Patience {
    pub(super) fn new(start: Instant, limit: Duration) -> Patience {
        Patience { end: start + limit, exchange_count: 0 }
    }

    /// A range was served, or an offer answered.
    pub(super) fn exchanged(&mut self) {
        if self.exchange_count < MOST_EXCHANGES {
            self.exchange_count += 1;
            self.end += PER_EXCHANGE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_adds_a_little_time_and_endless_ranges_no_more() {
        let start = Instant::now();
        let mut patience = Patience::new(start, Duration::from_secs(10));
        for _ in 0..30_000 {
            patience.exchanged();
        }
        assert_eq!(patience.end - start, Duration::from_secs(40));
        for _ in 0..100_000 {
            patience.exchanged();
        }
        assert_eq!(patience.end - start, Duration::from_secs(70));
    }
}
