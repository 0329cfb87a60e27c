//! `cargo xtask conformance`: the program `hurray-conformance` on this repository's vectors and candidates, which it
//! builds first.

use std::path::Path;

use hurray_conformance::candidates::Home;
use hurray_conformance::tool::cli::{self, ConformanceArgs, Exit};

/// What `--help` shows last.
pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask conformance                                       reference and hurray-io
  cargo xtask conformance --candidate pyhurray                  makes its own virtual environment first
  cargo xtask conformance --command \"python3 my_adapter.py\"     your implementation
  cargo xtask conformance --command \"python3 my_adapter.py\" --verify-adapter
  cargo xtask conformance --candidate reference --profile reader --filter 'kv/*'
  cargo xtask conformance --report terminal --report json=target/report.json

Exit codes:
  0 as expected   1 a candidate fails   2 an adapter is broken
  3 the suite is broken, or could not run a case   4 nothing ran   64 wrong usage; the highest wins";

/// Runs the suite on the repository.
pub(crate) fn run(root: &Path, args: &ConformanceArgs) -> Exit {
    cli::conformance(args, &Home::repository(root))
}
