//! What a person starts: the command line, the check of an adapter, the check of a file.
//!
//! Owns the words of the commands. A verdict is made below, in `judge` and `run`.

pub mod adapter_check;
pub mod cli;
pub mod inspect;
