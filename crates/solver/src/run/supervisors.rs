//! Supervisors between two programs. To start one with its folder takes a millisecond, and so does its end, since what it watches
//! must be gone by then. So a supervisor that has nothing more to do is kept for the next program, and what it still watches dies
//! in the meantime.

use super::RunError;
use super::output::Printed;
use super::supervisor::Supervisor;
use crate::processor;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// How many supervisors may wait for a program.
const MOST: usize = 4;

/// Supervisors that wait for a program. All runners whose settings are clones of each other have the same ones; they end with the
/// last of these settings.
#[derive(Clone, Debug, Default)]
pub struct Supervisors(Arc<Mutex<VecDeque<Supervisor>>>);

impl Supervisors {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<Supervisor>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A supervisor for a program, with a clean folder in `scratch`.
    pub(super) fn lend(&self, scratch: Option<&Path>) -> Result<Lent, RunError> {
        // The first one has had the most time to end what it watched.
        let first = self.waiting().pop_front();
        let reused = first.filter(|waiting| waiting.folder.is_in(scratch)).and_then(prepared);
        let supervisor = reused.map_or_else(|| Supervisor::start(scratch), Ok)?;
        Ok(Lent { supervisor: Some(supervisor), home: self.clone() })
    }
}

/// The supervisor as if it had just been started, once it has ended what it watched; nothing if it is of no more use.
fn prepared(mut supervisor: Supervisor) -> Option<Supervisor> {
    let mut leftovers = Printed::with_room(0);
    if supervisor.is_watching() {
        supervisor.await_report(&mut leftovers, Duration::ZERO).ok()?;
    }
    supervisor.pipes.drain(&mut leftovers).ok()?;
    supervisor.folder.clean().ok()?;
    // What it starts is to run where the caller's other processes do.
    processor::follow(supervisor.pid()).ok()?;
    Some(supervisor)
}

/// A supervisor that goes back when this is dropped.
#[derive(Debug)]
pub(super) struct Lent {
    /// There until then.
    supervisor: Option<Supervisor>,
    home: Supervisors,
}

impl Deref for Lent {
    type Target = Supervisor;

    fn deref(&self) -> &Supervisor {
        let Some(supervisor) = &self.supervisor else { unreachable!("it is taken out at the end only") };
        supervisor
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Supervisor {
        let Some(supervisor) = &mut self.supervisor else { unreachable!("it is taken out at the end only") };
        supervisor
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(supervisor) = self.supervisor.take() else { return };
        if supervisor.is_watching() && supervisor.kill().is_err() {
            return;
        }
        let mut waiting = self.home.waiting();
        if waiting.len() < MOST {
            waiting.push_back(supervisor);
        }
    }
}
