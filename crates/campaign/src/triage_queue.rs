//! Findings that wait for a step of triage.

use case::Class;
use std::sync::{Mutex, PoisonError};

/// Findings that wait, each with its class.
pub struct TriageQueue<T>(Mutex<Vec<(Class, T)>>);

impl<T> Default for TriageQueue<T> {
    fn default() -> TriageQueue<T> {
        TriageQueue(Mutex::default())
    }
}

impl<T> TriageQueue<T> {
    /// Adds a finding.
    pub fn push(&self, class: Class, finding: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((class, finding));
    }

    /// Takes the most severe finding, the oldest of these.
    pub fn pop(&self) -> Option<T> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = (0..waiting.len()).min_by_key(|&at| waiting[at].0)?;
        Some(waiting.remove(next).1)
    }
}
