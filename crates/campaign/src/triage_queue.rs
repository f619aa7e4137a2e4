//! Findings that wait for triage: reduction, and comparison with the others.

use case::Class;
use std::sync::{Mutex, PoisonError};
use triage::Subject;

/// The findings that wait.
#[derive(Default)]
pub struct TriageQueue(Mutex<Vec<Subject>>);

impl TriageQueue {
    /// Adds a finding.
    pub fn push(&self, subject: Subject) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(subject);
    }

    /// Takes the most severe finding, the oldest of these.
    pub fn pop(&self) -> Option<Subject> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let severity =
            |at: &usize| waiting[*at].finding.as_ref().map_or(Class::WrongLabel, |one| one.listed.class);
        let next = (0..waiting.len()).min_by_key(severity)?;
        Some(waiting.remove(next))
    }
}
