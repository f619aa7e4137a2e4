//! Reuses supervisor processes.
//!
//! Starting a supervisor with its folder takes a millisecond, and so does its end, which waits for what it watches. An idle
//! supervisor is therefore kept for the next program, and the previous program dies in the meantime.

use super::error::RunError;
use super::output::Printed;
use super::supervisor::Supervisor;
use crate::affinity;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The maximal number of idle supervisors.
const MAX_IDLE: usize = 4;

/// Idle supervisors. Clones share them; they end with the last clone.
#[derive(Clone, Debug, Default)]
pub struct Supervisors(Arc<Mutex<VecDeque<Supervisor>>>);

impl Supervisors {
    fn idle(&self) -> MutexGuard<'_, VecDeque<Supervisor>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A supervisor for a program, with an empty folder in `scratch`. It is a new one unless `reuse` is set.
    pub(super) fn lend(&self, scratch: Option<&Path>, reuse: bool) -> Result<Lent, RunError> {
        // The first one has had the most time to end its program.
        let first = if reuse { self.idle().pop_front() } else { None };
        let reused = first.filter(|idle| idle.folder.is_in(scratch)).and_then(prepared);
        let supervisor = reused.map_or_else(|| Supervisor::start(scratch), Ok)?;
        Ok(Lent { supervisor: Some(supervisor), home: reuse.then(|| self.clone()) })
    }
}

/// The supervisor in its initial state, once its program has ended. `None` if it cannot be used again.
fn prepared(mut supervisor: Supervisor) -> Option<Supervisor> {
    let mut leftovers = Printed::with_room(0);
    if supervisor.is_watching() {
        supervisor.await_report(&mut leftovers, Duration::ZERO).ok()?;
    }
    supervisor.pipes.drain(&mut leftovers).ok()?;
    supervisor.folder.clean().ok()?;
    // Its programs run on the same cores as the caller's other processes.
    affinity::share_with(supervisor.pid()).ok()?;
    Some(supervisor)
}

/// A supervisor that becomes idle when this value is dropped.
#[derive(Debug)]
pub(super) struct Lent {
    /// Present until the value is dropped.
    supervisor: Option<Supervisor>,
    /// Where it returns to, if it is reused.
    home: Option<Supervisors>,
}

impl Deref for Lent {
    type Target = Supervisor;

    fn deref(&self) -> &Supervisor {
        let Some(supervisor) = &self.supervisor else { unreachable!("it is taken only on drop") };
        supervisor
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Supervisor {
        let Some(supervisor) = &mut self.supervisor else { unreachable!("it is taken only on drop") };
        supervisor
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(supervisor) = self.supervisor.take() else { return };
        if supervisor.is_watching() && supervisor.kill().is_err() {
            return;
        }
        let Some(home) = &self.home else { return };
        let mut idle = home.idle();
        if idle.len() < MAX_IDLE {
            idle.push_back(supervisor);
        }
    }
}
