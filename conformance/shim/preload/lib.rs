//! A library for `LD_PRELOAD`: the calls of a program on *one* file obey a plan and are written down; every other call
//! goes through untouched.
//!
//! Owns how a call is caught, bent and logged. Knows nothing of the file format, of the suite, or of what a plan is
//! good for: it depends on libc alone, and on no crate. What it is told and what it tells stands in `README.md`.
//!
//! | file | owns |
//! |---|---|
//! | `plan` | the words of a plan, and what they make of one call |
//! | `state` | what was told from outside, the plan in force, the numbers of calls so far |
//! | `target` | whether a descriptor or a path is the file |
//! | `log` | one line a call |
//! | `libc` | what is declared of libc |
//! | `real` | the functions of libc behind ours |
//! | `transfer`, `simple` | one caught call from beginning to end |
//! | `hooks` | the functions that stand in front of libc's |
//! | `stdio` | streams, whose own calls inside libc cannot be caught |
//!
//! Everything here may run before libc is ready, in any thread, and between a program's own call and its look at
//! `errno`. So nothing here asks for memory, nothing panics, and `errno` is what the program would have seen.
#![cfg(all(
    target_os = "linux",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64")
))]
// Its tests make no call, so that much of what is declared of libc is of no use to them.
#![cfg_attr(test, allow(dead_code))]

mod libc;
mod plan;

#[cfg(not(test))]
mod errno;
#[cfg(not(test))]
mod hooks;
#[cfg(not(test))]
mod log;
#[cfg(not(test))]
mod real;
#[cfg(not(test))]
mod simple;
#[cfg(not(test))]
mod state;
#[cfg(not(test))]
mod stdio;
#[cfg(not(test))]
mod target;
#[cfg(not(test))]
mod transfer;
