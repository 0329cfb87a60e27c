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
use crate::transport::{Broken, Transport as _};

/// A worker under the shim, or none yet.
pub(in crate::run) struct PreloadWorker {
    meter: Meter,
    /// Shared with the other lanes of the candidate.
    restarts_left: Arc<AtomicU32>,
    started: Option<Result<Started, NotStarted>>,
}

/// The fields drop in this order: the worker ends before its folder goes.
struct Started {
    transport: Metered,
    session: Session,
}

/// Why there is no worker under the shim.
#[derive(Clone, Debug)]
pub(super) enum NotStarted {
    /// The suite has no shim, or no room for its files.
    Suite(String),
    /// The candidate does not start with the shim.
    Candidate(String),
}

impl PreloadWorker {
    /// No worker yet. Restarts are taken from that budget.
    pub(in crate::run) fn new(restarts_left: Arc<AtomicU32>) -> Self {
        PreloadWorker { meter: Meter::default(), restarts_left, started: None }
    }

    /// Why the worker cannot be asked any more, if so.
    pub(in crate::run) fn broken(&self) -> Option<Broken> {
        self.started.as_ref()?.as_ref().ok()?.transport.broken().cloned()
    }

    /// What counts its requests.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The worker, started if it is not yet.
    ///
    /// # Errors
    /// Why the calls of this candidate cannot be bent.
    pub(super) fn started(&mut self, candidate: Option<&Prepared>, shim: &Shim) -> Result<Preload<'_>, NotStarted> {
        let (meter, restarts_left) = (&self.meter, &self.restarts_left);
        match self.started.get_or_insert_with(|| start(candidate, shim, meter, restarts_left)) {
            Ok(Started { session, transport }) => Ok(Preload { session, transport, refuses_maps: false }),
            Err(why) => Err(why.clone()),
        }
    }
}

fn start(
    candidate: Option<&Prepared>,
    shim: &Shim,
    meter: &Meter,
    restarts_left: &Arc<AtomicU32>,
) -> Result<Started, NotStarted> {
    let Some(Start::Worker(launch)) = candidate.map(|candidate| &candidate.start) else {
        return Err(NotStarted::Candidate("it is no process".to_owned()));
    };
    let library = shim.library().map_err(|why| NotStarted::Suite(why.to_string()))?;
    let session =
        Session::new(&library).map_err(|error| NotStarted::Suite(format!("there is no room for its file: {error}")))?;
    let start = Start::Worker(Arc::new(session.launch(launch)));
    let transport = start.start(restarts_left);
    let transport = transport.map_err(|broken| NotStarted::Candidate(format!("with the shim, {}", broken.answered)))?;
    Ok(Started { transport: meter.over(transport), session })
}
