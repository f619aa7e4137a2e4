//! Hides known bugs from a listener.

use crate::events::{Event, Listener};
use triage::known::KnownBugs;

/// A listener that does not receive known bugs.
pub struct NewOnly<'a> {
    /// The list.
    pub known: &'a KnownBugs,
    /// Receives everything else.
    pub listener: &'a mut dyn Listener,
}

impl Listener for NewOnly<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Found(listed) if self.known.repeated(listed).is_some() => {}
            event => self.listener.event(event),
        }
    }
}
