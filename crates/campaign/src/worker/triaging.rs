//! Triage of findings between turns: a finding is reduced, so that it can be read, and compared with the others by what is left.

use super::{Abort, Worker};
use crate::confirm::Context;
use crate::explanations::WrongCase;
use crate::known_solvers::KnownSolvers;
use crate::message::Message;
use crate::time_account::Purpose;
use case::{Class, WitnessIndex};
use solver::run::Limits;
use std::time::{Duration, Instant};
use triage::automatic::{Failure, Identity, TriagedFinding, triage_finding};
use triage::{Bug, Subject};

/// How long a reduction may take. What is left is done by `elenchus triage`.
const MOST: Duration = Duration::from_secs(20);

impl Worker<'_> {
    /// Triages the next finding. Returns whether there was one.
    pub(super) fn triage_next(&mut self) -> Result<bool, Abort> {
        let Some(installer) = self.shared.installer else { return Ok(false) };
        let Some(subject) = self.shared.triage_queue.pop() else { return Ok(false) };
        let started = Instant::now();
        let source = KnownSolvers { targets: self.shared.targets, installer };
        let should_stop = || self.should_stop() || started.elapsed() > MOST;
        let limits = Limits { wall: 2 * self.shared.settings.limits().wall, ..self.shared.settings.limits() };
        // A finding that fresh processes do not show again stays as it is.
        let triaged = triage_finding(&subject, limits, &source, &should_stop).ok();
        let solver = subject.predicate.clauses.first().map_or("", |clause| &clause.spec);
        self.solver_pool.charge_time(Purpose::Triage, solver, started.elapsed());
        if let Some(triaged) = triaged {
            self.add_explanation(&subject, &triaged);
            self.send(Message::Triaged { id: subject.origin, triaged: Box::new(triaged) })?;
        }
        Ok(true)
    }

    /// Remembers what a triaged finding explains. An option or a crash may be part of the reason, so such findings explain nothing.
    fn add_explanation(&self, subject: &Subject, triaged: &TriagedFinding) {
        let Identity { failure, options, operators, .. } = &triaged.identity;
        let suspects = subject.finding.iter().flat_map(|stored| stored.finding.suspects());
        if *failure == Failure::Answer && options.is_empty() {
            let suspects = suspects.map(|run| run.id.clone()).collect();
            let numbers = operators.iter().map(|name| self.shared.operator_reach.number(name));
            if let Some(numbers) = numbers.collect() {
                self.shared.explanations.add(subject.origin.clone(), suspects, numbers);
            }
        }
    }

    /// The finding that explains a bug, if any.
    pub(super) fn explanation(&mut self, context: &Context<'_>, bug: &Bug) -> Option<String> {
        let concerns = bug.class.is_about_answers() || bug.class == Class::InvalidModel;
        if !concerns || self.shared.settings.has_fixed_order() {
            return None;
        }
        let operators = &self.scanner.scan(&context.case.text).operators;
        self.suspects.record_wrong(operators);
        let id = |suspect: &WitnessIndex| self.solver_pool.target(context.solvers[suspect.get()]).id.clone();
        let suspects = bug.suspects.iter().map(id).collect();
        let case = WrongCase { suspects: &suspects, operators };
        self.shared.explanations.explain(&case, |operators| self.suspects.frequency(operators))
    }
}
