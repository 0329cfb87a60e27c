//! `--verify-adapter`: what is missing in an adapter, in place of the conformance run. Owns the exit code and nothing else.

use crate::support::interrupt;
use crate::tool::adapter_check::{adapters_value, print_adapter, verify};

use super::args::{ConformanceArgs, ReportTo};
use super::output::write_value;
use super::{Exit, Ready, complain};

impl Ready {
    /// Verifies every adapter: [`Exit::AdapterBroken`] if anything is missing in one.
    pub(super) fn verify(&self, args: &ConformanceArgs) -> Exit {
        let mut found = Vec::new();
        for candidate in &self.candidates {
            found.push(verify(&self.set, &self.files, candidate, self.selection.seed));
            if interrupt::is_requested() {
                return Exit::Interrupted;
            }
        }
        let is_complete = found.iter().all(|found| found.is_complete());
        let exit = if is_complete { Exit::Expected } else { Exit::AdapterBroken };
        for report in args.reports() {
            let written = match report {
                ReportTo::Terminal => {
                    let mut out = anstream::stdout();
                    // A closed pipe is the reader's wish.
                    let _ = found.iter().try_for_each(|found| print_adapter(found, &mut out));
                    Ok(())
                }
                ReportTo::Json(path) => write_value(path, &adapters_value(&self.set, &found)),
                ReportTo::Junit(_) | ReportTo::Html(_) => {
                    Err("--verify-adapter reports to `terminal` and `json=FILE`; there is no score yet".to_owned())
                }
            };
            if let Err(sentence) = written {
                complain(&sentence);
                return exit.max(Exit::Usage);
            }
        }
        exit
    }
}
