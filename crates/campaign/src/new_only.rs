//! Hides known bugs from a listener.

use crate::events::{Event, Listener};
use std::path::PathBuf;
use triage::known::KnownBugs;

/// A listener that does not receive known bugs. Crashes are known at once, others after triage.
pub struct NewOnly<'a> {
    known: &'a KnownBugs,
    listener: &'a mut dyn Listener,
    folder: PathBuf,
}

impl<'a> NewOnly<'a> {
    /// A listener that receives all but the bugs of the list.
    pub fn new(known: &'a KnownBugs, listener: &'a mut dyn Listener) -> NewOnly<'a> {
        NewOnly { known, listener, folder: PathBuf::new() }
    }
}

impl Listener for NewOnly<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Found(listed) if self.known.repeated(listed).is_some() => return,
            Event::Triaged(listed) if listed.merged_into.is_none() => {
                if let Some(bug) = self.known.repeated_in(&self.folder.join(&listed.folder), listed) {
                    let note = format!("{} is a known bug: {}", listed.id, bug.link);
                    return self.listener.event(&Event::Note(note));
                }
            }
            Event::Started { folder, .. } => self.folder.clone_from(folder),
            _ => {}
        }
        self.listener.event(event);
    }
}
