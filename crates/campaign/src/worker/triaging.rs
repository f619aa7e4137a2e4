//! Triage of findings between turns: a finding is reduced, so that it can be read, and compared with the others by what is left.

use super::{Abort, Worker};
use crate::confirm::Context;
use crate::explanations::WrongCase;
use crate::known_solvers::KnownSolvers;
use crate::message::Message;
use crate::time_account::Purpose;
use crate::triage_queue::Unreduced;
use case::{Class, Evidence, WitnessIndex};
use solver::run::Limits;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use store::Merged;
use triage::automatic::{Failure, Identity, TriagedFinding, triage_finding};
use triage::{Bug, Subject};

/// How long a campaign without a time limit goes on reducing when it has nothing else to do, whatever the share of triage.
const LAST_REDUCTIONS: Duration = Duration::from_secs(60);

/// How long to wait for the bookkeeper before looking again.
const SHORTLY: Duration = Duration::from_millis(1);

impl Worker<'_> {
    /// Triages a finding that no other explains, if one waits for which there is time.
    pub(super) fn triage_next(&mut self) -> Result<(), Abort> {
        let room = self.allowance.room(Purpose::Triage, self.solver_pool.account());
        self.triage_within(room).map(|_| ())
    }

    /// Triages the next finding that is likely to take no longer and that no other explains, or begins to. Returns whether there was one.
    fn triage_within(&mut self, room: Duration) -> Result<bool, Abort> {
        let Some(installer) = self.shared.installer else { return Ok(false) };
        let Some(mut unreduced) = self.next_unexplained(room)? else { return Ok(false) };
        let subject = &unreduced.subject;
        let started = Instant::now();
        let source = KnownSolvers { targets: self.shared.targets, installer };
        let should_stop = || self.should_stop() || started.elapsed() > unreduced.time();
        let limits = Limits { wall: 2 * self.shared.settings.limits().wall, ..self.shared.settings.limits() };
        let triaged = triage_finding(subject, limits, &source, &should_stop).ok();
        let solver = subject.predicate.clauses.first().map_or("", |clause| &clause.spec);
        self.solver_pool.charge_time(Purpose::Triage, solver, started.elapsed());
        // A finding that fresh processes do not show again stays as it is.
        let Some(triaged) = triaged.map(Box::new).or_else(|| unreduced.so_far.take()) else {
            return Ok(true);
        };
        if triaged.finished || unreduced.is_last() {
            self.add_explanation(subject, &triaged);
            self.send(Message::Triaged { id: unreduced.subject.origin, triaged })?;
        } else {
            unreduced.continue_with(triaged);
            self.shared.triage_queue.add(unreduced);
        }
        Ok(true)
    }

    /// Triages the findings that are left, also those that the bookkeeper is about to record. If the campaign ends at a certain time, all
    /// that is left until then is for this.
    pub(super) fn triage_rest(&mut self) -> Result<(), Abort> {
        let started = Instant::now();
        let has_time = |worker: &Self| {
            worker.shared.settings.time.is_some()
                || started.elapsed() < LAST_REDUCTIONS
                || worker.permits(Purpose::Triage)
        };
        while !self.should_stop() && has_time(self) {
            let is_complete = self.shared.unrecorded.load(Ordering::Acquire) == 0;
            if !self.triage_within(Duration::MAX)? {
                if is_complete {
                    break;
                }
                std::thread::sleep(SHORTLY);
            }
        }
        Ok(())
    }

    /// The next finding that waits for triage and that no triaged one explains. Those before it are merged.
    fn next_unexplained(&mut self, room: Duration) -> Result<Option<Unreduced>, Abort> {
        let cost = |unreduced: &Unreduced| Some(unreduced.estimate()).filter(|cost| *cost <= room);
        while let Some(unreduced) = self.shared.triage_queue.pop_cheapest(cost) {
            match self.explanation_of_finding(&unreduced.subject) {
                Some(into) => self.send(Message::Merged(Merged { id: unreduced.subject.origin, into }))?,
                None => return Ok(Some(unreduced)),
            }
        }
        Ok(None)
    }

    /// Merges all findings that a triaged one explains, which takes no time.
    pub(super) fn merge_explained(&mut self) -> Result<(), Abort> {
        for unreduced in self.shared.triage_queue.take_all() {
            match self.explanation_of_finding(&unreduced.subject) {
                Some(into) => self.send(Message::Merged(Merged { id: unreduced.subject.origin, into }))?,
                None => self.shared.triage_queue.add(unreduced),
            }
        }
        Ok(())
    }

    /// Remembers what a triaged finding explains. A finding that needs options, or a crash, explains nothing: its operators are only part
    /// of the cause.
    fn add_explanation(&self, subject: &Subject, triaged: &TriagedFinding) {
        let Identity { failure, options, operators, .. } = &triaged.identity;
        let own_check = *failure == Failure::Other(Class::InvalidModel);
        if !options.is_empty() || !(own_check || *failure == Failure::Answer) {
            return;
        }
        let suspects = subject.finding.iter().flat_map(|stored| stored.finding.suspects());
        let suspects = suspects.map(|run| run.id.clone()).collect();
        let numbers = operators.iter().map(|name| self.shared.operator_reach.number(name));
        if let Some(operators) = numbers.collect() {
            self.shared
                .explanations
                .add(subject.origin.clone(), WrongCase { suspects, operators, own_check });
        }
    }

    /// The finding that explains a bug, if any.
    pub(super) fn explanation(&mut self, context: &Context<'_>, bug: &Bug) -> Option<String> {
        let id = |suspect: &WitnessIndex| self.solver_pool.target(context.solvers[suspect.get()]).id.clone();
        let suspects = bug.suspects.iter().map(id).collect();
        let case = self.wrong_case(bug.class, suspects, &bug.evidence, &context.case.text)?;
        self.suspects.record_wrong(&case.operators);
        self.shared.explanations.record_wrong(&case.operators);
        self.explain(&case)
    }

    /// The finding that explains another one, which was found before the first was reduced.
    fn explanation_of_finding(&mut self, subject: &Subject) -> Option<String> {
        let finding = &subject.finding.as_ref()?.finding;
        let suspects = finding.suspects().map(|run| run.id.clone()).collect();
        let case = self.wrong_case(finding.class, suspects, &finding.evidence, &subject.script)?;
        self.explain(&case)
    }

    fn explain(&self, case: &WrongCase) -> Option<String> {
        self.shared.explanations.explain(case, |operators| self.suspects.frequency(operators))
    }

    /// A case as explanations see it; `None` if they do not apply to it.
    fn wrong_case(
        &mut self,
        class: Class,
        suspects: BTreeSet<String>,
        evidence: &[Evidence],
        script: &str,
    ) -> Option<WrongCase> {
        let concerns = class.is_about_answers() || class == Class::InvalidModel;
        if !concerns || self.shared.settings.has_fixed_order() {
            return None;
        }
        let own_check = evidence.iter().all(|evidence| matches!(evidence, Evidence::OwnCheck { .. }));
        Some(WrongCase { suspects, operators: self.scanner.scan(script).operators.clone(), own_check })
    }
}
