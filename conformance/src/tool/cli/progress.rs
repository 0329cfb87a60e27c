//! A progress bar, where somebody looks.

use std::sync::Mutex;
use std::sync::PoisonError;

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::Progress;

/// A bar on standard error; hidden where that is no terminal.
pub(super) struct Bar(Mutex<ProgressBar>);

impl Bar {
    pub(super) fn new() -> Bar {
        Bar(Mutex::new(ProgressBar::hidden()))
    }

    fn bar(&self) -> ProgressBar {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Progress for Bar {
    fn begin(&self, candidate: &str, count: usize) {
        let bar = ProgressBar::new(count as u64).with_message(candidate.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec}") {
            bar.set_style(style);
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bar;
    }

    fn advance(&self) {
        self.bar().inc(1);
    }

    fn end(&self) {
        self.bar().finish_and_clear();
    }
}
