//! Notes for the user from threads beside the workers.

use std::sync::{Arc, Mutex, PoisonError};

/// Notes that wait until somebody shows them.
#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    /// Leaves a note.
    pub fn put(&self, note: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// Takes all notes.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
