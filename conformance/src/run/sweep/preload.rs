//! The worker of one lane under the preload shim.
//!
//! Owns its start, which waits for the first sweep that needs it, and its folder. One process serves all schedules, as
//! long as it survives them.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use super::execution::Preload;
use crate::candidates::{Prepared, Start};
use crate::fault::preload::{Session, Shim};
use crate::run::meter::{Meter, Metered};

/// A worker under the shim, or none yet.
#[derive(Default)]
pub(in crate::run) struct PreloadWorker {
    meter: Meter,
    started: Option<Result<(Session, Metered), String>>,
}

impl PreloadWorker {
    /// What counts its requests.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The worker, started if it is not yet.
    ///
    /// # Errors
    /// Why the calls of this candidate cannot be bent.
    pub(super) fn started(&mut self, candidate: Option<&Prepared>, shim: &Shim) -> Result<Preload<'_>, String> {
        let meter = &self.meter;
        match self.started.get_or_insert_with(|| start(candidate, shim, meter)) {
            Ok((session, transport)) => Ok(Preload { session, transport, refuses_maps: false }),
            Err(why) => Err(why.clone()),
        }
    }
}

fn start(candidate: Option<&Prepared>, shim: &Shim, meter: &Meter) -> Result<(Session, Metered), String> {
    let Some(Start::Worker(launch)) = candidate.map(|candidate| &candidate.start) else {
        return Err("it is no process".to_owned());
    };
    let library = shim.library().map_err(|why| why.to_string())?;
    let session = Session::new(&library).map_err(|error| format!("there is no room for its file: {error}"))?;
    let restarts_left = Arc::new(AtomicU32::new(launch.limits.restart_count));
    let start = Start::Worker(Arc::new(session.launch(launch)));
    let transport = start.start(&restarts_left).map_err(|broken| format!("with the shim, {}", broken.answered))?;
    Ok((session, meter.over(transport)))
}
