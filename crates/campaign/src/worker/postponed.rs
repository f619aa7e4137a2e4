//! Work that can wait: seeds and cases that need the full time limit, and wrong results that are still to be confirmed. It is done
//! between turns, as far as its share of the time permits, and when nothing else is left to do.

use super::{Abort, Worker};
use crate::confirm::Context;
use crate::remake::RunContext;
use crate::time_account::{Purpose, has_result};
use case::{Learned, Origin, SeedIndex, SolverIndex};
use solver::run::Want;
use solver::{Observation, Outcome};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use strategies::{Case, Seed};
use triage::Bug;

/// How many slow cases wait. The oldest is dropped for a new one: there are enough of them.
const MOST_SLOW: usize = 16;
/// How many wrong results wait. Those beyond are counted as not confirmed.
const MOST_UNCONFIRMED: usize = 256;
/// How long a confirmation takes if it is not known.
const USUAL_CONFIRMATION: Duration = Duration::from_millis(500);
/// After so many turns without a case a worker is idle.
const IDLE: u32 = 20;
/// How long a campaign goes on confirming after its end.
const LAST_CONFIRMATIONS: Duration = Duration::from_secs(5);

/// A [`Context`] that can wait.
struct Waiting {
    case: Case,
    run: RunContext,
    seed: Seed,
    dialogue: Vec<Learned>,
    origin: Origin,
    solvers: Vec<SolverIndex>,
    want: Want,
    /// The runs so far.
    seen: Vec<Observation>,
}

impl Waiting {
    fn new(context: &Context<'_>, seen: &[Observation]) -> Waiting {
        Waiting {
            case: context.case.clone(),
            run: context.run,
            seed: context.seed.clone(),
            dialogue: context.dialogue.to_vec(),
            origin: context.origin.clone(),
            solvers: context.solvers.to_vec(),
            want: context.want,
            seen: seen.to_vec(),
        }
    }
}

/// The work that waits.
#[derive(Default)]
pub(super) struct Postponed {
    hard_seeds: VecDeque<(SeedIndex, Waiting)>,
    slow: VecDeque<Waiting>,
    unconfirmed: VecDeque<(Waiting, Vec<Bug>)>,
}

impl Worker<'_> {
    /// Whether a purpose has some of its share of the time left. If all cases must be the same in every run, nothing that they
    /// depend on is limited.
    pub(super) fn permits(&self, purpose: Purpose) -> bool {
        let may_shape_cases = !matches!(purpose, Purpose::Performance | Purpose::Triage);
        (may_shape_cases && self.shared.settings.is_deterministic())
            || self.allowance.permits(purpose, self.solver_pool.account())
    }

    /// Whether strategies have made no case for so long that there is nothing better to do than what has to wait otherwise.
    pub(super) fn is_idle(&self) -> bool {
        self.idle_turns >= IDLE
    }

    /// Postpones a seed that a solver did not answer at first look. If another one did, there is an answer to compare with, and the
    /// seed comes first. Returns false if it has waited before.
    pub(super) fn postpone_seed(
        &mut self,
        index: SeedIndex,
        context: &Context<'_>,
        seen: &[Observation],
    ) -> bool {
        if !self.shared.seed_runs.postpone(index) {
            return false;
        }
        let (waiting, queue) = (Waiting::new(context, seen), &mut self.postponed.hard_seeds);
        match seen.iter().any(has_result) {
            true => queue.push_front((index, waiting)),
            false => queue.push_back((index, waiting)),
        }
        true
    }

    /// Postpones a case that only one solver did not answer: it may be far too slow, which is worth knowing, or wrong.
    pub(super) fn postpone_slow(&mut self, context: &Context<'_>, seen: &[Observation]) {
        let settings = self.shared.settings;
        let mut late = seen.iter().filter(|observation| observation.outcome == Outcome::Timeout);
        let (Some(slow), None) = (late.next(), late.next()) else { return };
        let answered = |observation: &&Observation| {
            observation.outcome == Outcome::Answered && !observation.answers.is_empty()
        };
        let others_answered = seen.len() > 1 && seen.iter().filter(answered).count() == seen.len() - 1;
        if settings.performance && others_answered && slow.wall < settings.limits().wall {
            if self.postponed.slow.len() >= MOST_SLOW {
                self.postponed.slow.pop_front();
            }
            self.postponed.slow.push_back(Waiting::new(context, seen));
        }
    }

    /// Postpones the confirmation of wrong results.
    pub(super) fn postpone_confirmation(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) {
        if self.postponed.unconfirmed.len() >= MOST_UNCONFIRMED {
            self.counted.unconfirmed += bugs.len() as u64;
        } else {
            self.postponed.unconfirmed.push_back((Waiting::new(context, seen), bugs));
        }
    }

    /// Does some of the work for which there is time now.
    pub(super) fn run_postponed(&mut self) -> Result<(), Abort> {
        if self.permits(Purpose::Confirmation) {
            self.confirm_next()?;
        }
        while self.must_confirm_now() && self.confirm_next()? {}
        if self.permits(Purpose::HardSeeds) || self.is_idle() {
            self.run_next_hard_seed()?;
        }
        if self.permits(Purpose::Performance) {
            self.run_next_slow()?;
        }
        Ok(())
    }

    /// Whether the time that is left is only just enough to confirm what waits: a wrong result at hand is worth more than another case.
    fn must_confirm_now(&self) -> bool {
        let one = match self.confirmations {
            0 => USUAL_CONFIRMATION,
            number => self.confirmation_time() / number,
        };
        let left = Duration::from_millis(self.shared.time_left.load(Ordering::Relaxed));
        !self.should_stop() && left <= one * self.postponed.unconfirmed.len() as u32
    }

    /// Does the rest of the work, now that there is nothing else to do, wrong results first. A campaign that has to stop only confirms
    /// what it can in a few seconds.
    pub(super) fn finish_postponed(&mut self) -> Result<(), Abort> {
        while !self.should_stop() && (self.confirm_next()? || self.run_next_hard_seed()?) {}
        while !self.should_stop() && self.permits(Purpose::Performance) && self.run_next_slow()? {}
        let until = Instant::now() + LAST_CONFIRMATIONS;
        while (!self.should_stop() || Instant::now() < until) && self.confirm_next()? {}
        self.triage_rest()?;
        if self.should_stop() {
            self.merge_explained()?;
        }
        for (_, bugs) in std::mem::take(&mut self.postponed.unconfirmed) {
            self.counted.unconfirmed += bugs.len() as u64;
        }
        Ok(())
    }

    /// Runs the next hard seed with the full time limit. Returns whether there was one.
    fn run_next_hard_seed(&mut self) -> Result<bool, Abort> {
        let Some((index, waiting)) = self.postponed.hard_seeds.pop_front() else { return Ok(false) };
        self.charged(Purpose::HardSeeds, |worker| {
            let seen = worker.run_late(&waiting)?;
            worker.remember_seed_run(index, &waiting.solvers, &seen);
            worker.shared.seed_runs.end_wait(index);
            if !seen.iter().any(has_result) {
                worker.shared.hopeless_seeds.add(index);
            }
            let context = worker.context(&waiting);
            if !worker.judge_runs(&context, &seen)? {
                worker.run_verbatim(&context, &seen)?;
            }
            Ok(true)
        })
    }

    /// Runs the next slow case with the full time limit. Returns whether there was one.
    fn run_next_slow(&mut self) -> Result<bool, Abort> {
        let Some(waiting) = self.postponed.slow.pop_back() else { return Ok(false) };
        self.charged(Purpose::Performance, |worker| {
            let seen = worker.run_late(&waiting)?;
            worker.judge_runs(&worker.context(&waiting), &seen)?;
            Ok(true)
        })
    }

    /// Confirms the next wrong results. Returns whether there were any.
    fn confirm_next(&mut self) -> Result<bool, Abort> {
        let Some((waiting, bugs)) = self.postponed.unconfirmed.pop_front() else { return Ok(false) };
        self.transcripts.clear();
        let context = self.context(&waiting);
        // Others of the same bug may have been confirmed meanwhile.
        let bugs = self.without_known(&context, bugs)?;
        if !bugs.is_empty() {
            self.confirm_unknown(&context, bugs, &waiting.seen)?;
        }
        Ok(true)
    }

    /// The runs of a case in which each solver that did not answer had the full time limit.
    fn run_late(&mut self, waiting: &Waiting) -> Result<Vec<Observation>, Abort> {
        let most = self.shared.settings.limits().wall;
        let mut seen = waiting.seen.clone();
        for (&solver, observation) in waiting.solvers.iter().zip(&mut seen) {
            if observation.outcome == Outcome::Timeout {
                *observation = self.solver_pool.run_warm(solver, &waiting.case.text, most)?;
            }
        }
        Ok(seen)
    }

    fn context<'a>(&self, waiting: &'a Waiting) -> Context<'a>
    where
        Self: 'a,
    {
        let Waiting { case, run, seed, dialogue, origin, solvers, want, .. } = waiting;
        let signature_files = &self.shared.settings.signature_files;
        Context { case, run: *run, seed, dialogue, origin, solvers, want: *want, signature_files }
    }
}
