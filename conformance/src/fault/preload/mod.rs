//! Faults on the path of a program: a worker is started with the preload shim (`conformance/shim`), which makes its
//! calls on one file obey a plan and writes them down.
//!
//! Owns the file of the library, starting a worker with it, telling it plans and reading what it wrote down. Knows no
//! vector and no verdict. Where there is no shim (another system, a folder no program loads from) there is a sentence why.

mod calls;
mod library;
mod plan;
mod session;

pub use calls::{Call, Calls, How, Uncaught};
pub use library::{Library, Shim, Unavailable};
pub use plan::Plan;
pub use session::Session;
