//! Works on a unit: prepares the seed, makes the cases, and runs them in batches.

use super::batch::Pending;
use super::guard::guarded;
use super::{Abort, Worker};
use crate::confirm::Context;
use crate::message::Message;
use crate::questions::{PoolQuestioner, QuestionLog};
use crate::replay::random_for;
use crate::schedule::Unit;
use crate::seed_preparation::SeedPreparation;
use case::hash::fnv1a;
use case::{CaseIndex, Origin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use strategies::{Case, Mutator, Seed, Unchanged};

/// How often a worker reports its counters.
const REPORT: Duration = Duration::from_millis(200);

/// Turns double in length this many times.
const DOUBLINGS: u64 = 3;

impl Worker<'_> {
    /// Runs all cases of a unit.
    pub(super) fn run_unit(&mut self, unit: &Unit) -> Result<(), Abort> {
        self.leave_crowded_core()?;
        self.run_queued_seed(unit)?;
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let prepared = self.prepare(unit)?;
        let seed = &*prepared;
        let random = random_for(self.shared.settings.seed, strategy.as_ref(), seed, unit.round);
        let mut mutator = match guarded(|| strategy.open(seed, random)) {
            Ok(Ok(mutator)) => mutator,
            Ok(Err(unsuitable)) => return self.reject_seed(unit, unsuitable.to_string()),
            Err(panic) => return self.reject_seed(unit, panic),
        };
        let mut new_cases = 0;
        let turn = strategy.cases_per_turn(self.turn_length(unit)) as usize;
        let mut questions = QuestionLog::default();
        let mut pending: Vec<Pending> = Vec::new();
        for index in CaseIndex::all(turn) {
            let case = match guarded(|| self.next_case(mutator.as_mut(), &mut questions)) {
                Ok(Ok(Some(case))) => case,
                Ok(Ok(None)) => break,
                Ok(Err(abort)) => return Err(abort),
                Err(panic) => {
                    self.run_pending(unit, seed, &questions, &mut pending)?;
                    return self.reject_seed(unit, panic);
                }
            };
            let hash = fnv1a(&case.text);
            if index < unit.first_case {
                // It ran before the resumption, so a later copy of it is a duplicate.
                self.shared.duplicates.insert(hash);
                continue;
            }
            if self.should_stop() {
                // Pending cases have not run: a resumption makes them again.
                self.flush(unit.number, pending.first().map_or(index, Pending::index))?;
                return Err(Abort::Stop);
            }
            if !self.shared.duplicates.insert(hash) {
                self.counted.duplicates += 1;
                continue;
            }
            new_cases += 1;
            if !self.may_start_case() {
                self.run_pending(unit, seed, &questions, &mut pending)?;
                self.flush(unit.number, index)?;
                return Err(Abort::Stop);
            }
            // The case counts even if it is skipped: which cases run may depend on the machine, but not which are made. With a
            // limit on cases all of them run.
            if self.shared.settings.cases.is_none() && self.seed_budget.skips(unit.seed) {
                self.counted.skipped += 1;
                self.counted.digest = self.counted.digest.wrapping_add(hash);
                continue;
            }
            let origin = self.origin(strategy.name(), seed, unit.round, index);
            pending.push(Pending::new(strategy.as_ref(), case, origin, &questions));
            if pending.len() >= self.batch_size(unit.seed) {
                self.run_pending(unit, seed, &questions, &mut pending)?;
                if self.reported.elapsed() >= REPORT {
                    self.flush(unit.number, CaseIndex(index.get() + 1))?;
                }
            }
        }
        self.run_pending(unit, seed, &questions, &mut pending)?;
        self.flush(unit.number, CaseIndex(turn))?;
        self.shared.schedule.finish(unit, new_cases);
        self.send(Message::UnitDone { unit: unit.number })
    }

    /// The numbers that make a case again.
    pub(super) fn origin(&self, strategy: &str, seed: &Seed, round: u64, case: CaseIndex) -> Origin {
        Origin {
            campaign_seed: self.shared.settings.seed,
            strategy: strategy.to_owned(),
            seed_hash: format!("{:016x}", seed.hash),
            round,
            index: case.get() as u64,
        }
    }

    /// The next case of a seed. The solvers answer the strategy's questions.
    pub(super) fn next_case(
        &mut self,
        mutator: &mut dyn Mutator,
        log: &mut QuestionLog,
    ) -> Result<Option<Case>, Abort> {
        let case = mutator.next_case_with(&mut PoolQuestioner { solver_pool: &mut self.solver_pool, log });
        match log.failed.take() {
            Some(error) => Err(Abort::Failed(error)),
            None => Ok(case),
        }
    }

    /// The seed with the answers to its strategy's questions. A wrong answer to the seed itself is already a finding.
    fn prepare(&mut self, unit: &Unit) -> Result<Arc<Seed>, Abort> {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let Some(index) = unit.seed else {
            // A strategy's own seed may change with its findings.
            return Ok(Arc::new(strategy.own_seed().unwrap_or_else(|| Seed::new("nothing", ""))));
        };
        let original = &self.shared.seeds[index.get()];
        let want = self.shared.settings.want();
        let key = (unit.strategy, index);
        let mut preparation =
            self.preparations.remove(&key).unwrap_or_else(|| SeedPreparation::new(original));
        while let Some(answered) =
            preparation.ask(strategy.as_ref(), unit.round, &mut self.solver_pool, want)?
        {
            if answered.is_seed {
                let origin = self.origin(Unchanged::NAME, original, 0, CaseIndex(0));
                let context = Context {
                    case: &answered.case,
                    seed: original,
                    dialogue: &[],
                    origin: &origin,
                    solvers: &answered.solvers,
                    want,
                    signature_files: &self.shared.settings.signature_files,
                };
                self.judge_runs(&context, &answered.seen)?;
            }
        }
        let seed = preparation.seed(unit.round);
        self.preparations.insert(key, preparation);
        Ok(seed)
    }

    /// How many cases a strategy makes of a seed in a turn. At first many seeds get few cases each. Later turns are longer, since
    /// longer batches cost less.
    fn turn_length(&self, unit: &Unit) -> u64 {
        let growth = if unit.seed.is_some() { 1 << unit.round.min(DOUBLINGS) } else { 1 };
        self.shared.settings.budget.saturating_mul(growth)
    }

    /// Starts another case, if the limit on cases permits it.
    pub(super) fn may_start_case(&self) -> bool {
        let started = self.shared.started.fetch_add(1, Ordering::Relaxed);
        self.shared.settings.cases.is_none_or(|limit| started < limit)
    }

    /// Whether to abandon the unit. If the limit on cases is reached, the cases that have started still run.
    pub(super) fn should_stop(&self) -> bool {
        let started = self.shared.started.load(Ordering::Relaxed);
        let all_started = self.shared.settings.cases.is_some_and(|limit| started > limit);
        self.shared.stop.load(Ordering::Relaxed) && !all_started
    }

    /// Finishes a unit whose strategy cannot use the seed.
    fn reject_seed(&mut self, unit: &Unit, reason: String) -> Result<(), Abort> {
        let name = self.shared.strategies[unit.strategy.get()].name();
        self.counted.strategies.entry(name.to_owned()).or_default().unusable += 1;
        if unit.round == 0 {
            self.send(Message::UnusableSeed { strategy: unit.strategy, seed: unit.seed, reason })?;
        }
        self.flush(unit.number, CaseIndex(self.turn_length(unit) as usize))?;
        self.shared.schedule.finish(unit, 0);
        self.send(Message::UnitDone { unit: unit.number })
    }

    /// Unpins the worker if its core is busy with other processes.
    fn leave_crowded_core(&mut self) -> Result<(), Abort> {
        if self.core_pinning.is_crowded() && self.core_pinning.release() {
            // Running processes would stay on the core.
            self.solver_pool.restart()?;
        }
        Ok(())
    }
}
