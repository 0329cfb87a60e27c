//! The checks of the suite on itself, one mistake at a time.
