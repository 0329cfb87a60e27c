//! Sinks of mutants of writers: one that keeps everything for later, and one that loses what is not taken at once.
//!
//! Owns these sinks and nothing else.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// Keeps every byte.
pub(super) struct Kept(pub(super) Rc<RefCell<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(src);
        Ok(src.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says that everything was taken.
pub(super) struct Lossy(pub(super) Box<dyn io::Write>);

impl io::Write for Lossy {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        // What the sink left is gone.
        self.0.write(src).map(|_| src.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
