//! Works on a unit: opens the seed or continues with it, makes the cases, and runs them in batches.

use super::batch::Pending;
use super::guard::guarded;
use super::lives::{Life, first_round};
use super::{Abort, Worker};
use crate::budget::Source;
use crate::confirm::Context;
use crate::message::Message;
use crate::operator_reach::Scan;
use crate::questions::PoolQuestioner;
use crate::remake::RunContext;
use crate::replay::random_for;
use crate::seed_preparation::{Asked, SeedPreparation};
use crate::strategy_scores::TurnResult;
use crate::time_account::{Purpose, has_result};
use crate::units::Unit;
use case::hash::fnv1a;
use case::{CaseIndex, Origin};
use solver::{Observation, Outcome};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use strategies::{Case, Seed, Unchanged};

/// How often a worker reports its counters.
const REPORT: Duration = Duration::from_millis(200);

/// What a strategy is charged for a turn that has to wait, so that others get their turn.
const POSTPONED: Duration = Duration::from_millis(250);

/// How long an idle worker waits before it looks again.
const WAIT: Duration = Duration::from_millis(10);

/// Why a turn has no cases.
enum NoTurn {
    /// The strategy cannot use the seed.
    Unsuitable(String),
    /// The seed needs answers for which there is no time now.
    Postponed,
}

impl Worker<'_> {
    /// Runs all cases of a unit.
    pub(super) fn run_unit(&mut self, unit: &Unit) -> Result<(), Abort> {
        self.leave_crowded_core()?;
        self.run_postponed()?;
        self.triage_next()?;
        self.run_queued_seed(unit)?;
        let started = Instant::now();
        let (confirming, paused) = (self.confirmation_time(), self.paused);
        (self.turn, self.made) = Default::default();
        match self.life(unit)? {
            Ok(life) => self.run_turn(unit, life)?,
            Err(NoTurn::Postponed) => self.postpone_turn(),
            Err(NoTurn::Unsuitable(reason)) => {
                if self.unusable.insert((unit.strategy, unit.seed)) {
                    self.reject_seed(unit, reason)?;
                }
            }
        }
        self.idle_turns = if self.turn.new_cases == 0 { self.idle_turns + 1 } else { 0 };
        // Confirming a bug is no reason to give its strategy less time, and neither is a pause.
        let others = self.confirmation_time() - confirming + (self.paused - paused);
        let took = started.elapsed().saturating_sub(others);
        let took = if self.turn.postponed { took.max(POSTPONED) } else { took };
        self.flush(unit.number, CaseIndex(self.turn_length(unit) as usize))?;
        self.shared.schedule.finish(unit, &TurnResult { took, ..self.turn });
        self.send(Message::UnitDone { unit: unit.number, made: self.made })
    }

    /// Counts a turn that has to wait. If there is nothing else to do, another worker runs the seed that this one waits for.
    fn postpone_turn(&mut self) {
        self.counted.postponed += 1;
        self.turn.postponed = true;
        if self.is_idle() {
            std::thread::sleep(WAIT);
        }
    }

    /// Makes and runs the cases of one turn.
    fn run_turn(&mut self, unit: &Unit, mut life: Life) -> Result<(), Abort> {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let source = unit.source();
        let mut pending: Vec<Pending> = Vec::new();
        for index in CaseIndex::all(self.turn_length(unit) as usize) {
            let case = match guarded(|| self.next_case(strategy.name(), &mut life)) {
                Ok(Ok(Some(case))) => case,
                Ok(Ok(None)) => {
                    self.remember_silence(unit.seed, &life.questions);
                    return self.run_pending(unit, &mut life, &mut pending);
                }
                Ok(Err(abort)) => return Err(abort),
                Err(panic) => {
                    self.run_pending(unit, &mut life, &mut pending)?;
                    return self.reject_seed(unit, panic);
                }
            };
            let hash = fnv1a(&case.text);
            self.made.count(unit.number, index, hash);
            if index < unit.first_case {
                // It ran before the resumption, so a later copy of it is a duplicate.
                self.shared.duplicates.insert(hash);
                continue;
            }
            self.wait_while_paused();
            if self.should_stop() {
                // Pending cases have not run: a resumption makes them again.
                self.flush(unit.number, pending.first().map_or(index, |pending| pending.index))?;
                return Err(Abort::Stop);
            }
            if !self.shared.duplicates.insert(hash) {
                self.counted.duplicates += 1;
                continue;
            }
            let supported = self.is_supported(&case);
            self.turn.new_cases += u64::from(supported);
            if supported && !self.may_start_case() {
                self.run_pending(unit, &mut life, &mut pending)?;
                self.flush(unit.number, index)?;
                return Err(Abort::Stop);
            }
            // The case counts even if it is skipped: which cases run may depend on the machine, but not which are made.
            let scan = self.scanner.scan(&case.text).clone();
            if !self.shared.settings.runs_every_case() && self.skips(source, &scan) {
                self.counted.skipped += 1;
                self.counted.digest = self.counted.digest.wrapping_add(hash);
                continue;
            }
            let origin = self.origin(strategy.name(), &life.seed, life.round, life.made - 1);
            pending.push(Pending::new(strategy.as_ref(), index, case, origin, scan, &life.questions));
            if pending.len() >= self.batch_size(source) {
                self.run_pending(unit, &mut life, &mut pending)?;
                if self.reported.elapsed() >= REPORT {
                    self.flush(unit.number, CaseIndex(index.get() + 1))?;
                }
            }
        }
        self.run_pending(unit, &mut life, &mut pending)?;
        let next = unit.round + 1;
        if let Some(seed) = unit.seed
            && first_round(next, strategy.continued_turns()) < next
        {
            self.lives.keep(unit.strategy, seed, unit.round, life);
        }
        Ok(())
    }

    /// Whether to skip a case since cases like it cost too much time.
    fn skips(&mut self, source: Source, scan: &Scan) -> bool {
        match source {
            Source::Seed(_) => self.seed_budget.skips(source),
            Source::Strategy(_) => self.operator_costs.skips(&scan.operators),
        }
    }

    /// The strategy at work on the seed: where it stopped in the last round, or from the start.
    fn life(&mut self, unit: &Unit) -> Result<Result<Life, NoTurn>, Abort> {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let first = first_round(unit.round, strategy.continued_turns());
        let Some(seed) = unit.seed.filter(|_| first < unit.round) else {
            return self.open(unit, unit.round);
        };
        if let Some(life) = self.lives.take(unit.strategy, seed, unit.round) {
            return Ok(Ok(life));
        }
        let mut life = match self.open(unit, first)? {
            Ok(life) => life,
            no_turn => return Ok(no_turn),
        };
        // Another worker had it, or another process: this makes the cases of the earlier rounds again. Solvers are asked only if the
        // cases have to be exactly the same.
        let earlier = (first..unit.round).map(|round| self.turn_length(&Unit { round, ..*unit })).sum();
        for _ in 0..earlier {
            let made = match self.shared.settings.repeatable {
                true => match guarded(|| self.next_case(strategy.name(), &mut life)) {
                    Ok(Err(abort)) => return Err(abort),
                    Ok(Ok(case)) => case.is_some(),
                    Err(_) => false,
                },
                false => guarded(|| life.mutator.next_case()).is_ok_and(|case| {
                    life.made += 1;
                    case.is_some()
                }),
            };
            if !made {
                return self.open(unit, unit.round);
            }
        }
        Ok(Ok(life))
    }

    /// Opens a seed with the random numbers of a round.
    fn open(&mut self, unit: &Unit, round: u64) -> Result<Result<Life, NoTurn>, Abort> {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let Some(seed) = self.prepare(unit)? else { return Ok(Err(NoTurn::Postponed)) };
        let random = random_for(self.shared.settings.seed, strategy.as_ref(), &seed, round);
        Ok(match guarded(|| strategy.open_round(&seed, random, round)) {
            Ok(Ok(mutator)) => {
                let questions = self.question_log(unit.seed);
                Ok(Life { mutator, seed, round, made: 0, questions, buggy: Vec::new() })
            }
            Ok(Err(unsuitable)) => Err(NoTurn::Unsuitable(unsuitable.to_string())),
            Err(panic) => Err(NoTurn::Unsuitable(panic)),
        })
    }

    /// The numbers that make a case again.
    pub(super) fn origin(&self, strategy: &str, seed: &Seed, round: u64, index: u64) -> Origin {
        Origin {
            campaign_seed: self.shared.settings.seed,
            strategy: strategy.to_owned(),
            seed_hash: format!("{:016x}", seed.hash),
            round,
            index,
        }
    }

    /// The next case of a seed. The solvers answer the strategy's questions.
    pub(super) fn next_case(&mut self, strategy: &str, life: &mut Life) -> Result<Option<Case>, Abort> {
        let Life { mutator, questions: log, made, buggy, .. } = life;
        let solver_pool = &mut self.solver_pool;
        let case = mutator.next_case_with(&mut PoolQuestioner { solver_pool, log, buggy });
        *made += 1;
        let rejected = std::mem::take(&mut log.rejected);
        if rejected > 0 {
            let tally = self.counted.strategies.entry(strategy.to_owned()).or_default();
            tally.rejected += rejected;
            if tally.problem.is_empty() {
                tally.problem = log.problem.clone().unwrap_or_default();
            }
        }
        match log.failed.take() {
            Some(error) => Err(Abort::Failed(error)),
            None => Ok(case),
        }
    }

    /// The seed with the answers to its strategy's questions; `None` if there is no time to ask them now, or if the seed has to run with
    /// the full time limit first. A wrong answer to the seed itself is already a finding.
    fn prepare(&mut self, unit: &Unit) -> Result<Option<Arc<Seed>>, Abort> {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        let Some(index) = unit.seed else {
            // A strategy's own seed may change with its findings.
            return Ok(Some(Arc::new(strategy.own_seed().unwrap_or_else(|| Seed::new("nothing", "")))));
        };
        let original = &self.shared.seeds[index.get()];
        if self.shared.seed_runs.is_waiting(index) && strategy.seed_question(original, 0).is_some() {
            return Ok(None);
        }
        let known = self.shared.seed_runs.get(index);
        let limit = self.preparation_limit(known.as_deref());
        let want = self.shared.settings.want();
        let key = (unit.strategy, index);
        // Each life has one more question, so the first turn of a seed does not wait for answers that only later ones need.
        let questions = unit.round / strategy.continued_turns() + 1;
        let mut preparation =
            self.preparations.remove(&key).unwrap_or_else(|| SeedPreparation::new(original));
        let mut asked = Asked::Nothing;
        while preparation.asks_more(questions) {
            let may_ask = self.permits(Purpose::Preparation) || self.is_idle();
            let pool = &mut self.solver_pool;
            asked = preparation.ask(strategy.as_ref(), known.as_deref(), may_ask, limit, pool, want)?;
            match &asked {
                Asked::Solvers(answered) if answered.is_seed => {
                    self.remember_seed_run(index, &answered.solvers, &answered.seen);
                    let origin = self.origin(Unchanged::NAME, original, 0, 0);
                    let context = Context {
                        case: &answered.case,
                        run: RunContext::Alone,
                        seed: original,
                        dialogue: &[],
                        origin: &origin,
                        solvers: &answered.solvers,
                        want,
                        signature_files: &self.shared.settings.signature_files,
                    };
                    self.judge_runs(&context, &answered.seen)?;
                    let is_late = |seen: &Observation| seen.outcome == Outcome::Timeout;
                    if limit < self.shared.settings.limits().wall
                        && !answered.seen.iter().any(has_result)
                        && answered.seen.iter().any(is_late)
                        && self.postpone_seed(index, &context, &answered.seen)
                    {
                        // The strategy asks anew once the seed has run.
                        return Ok(None);
                    }
                }
                Asked::Solvers(_) | Asked::SeedRun => {}
                Asked::Nothing | Asked::NoTime => break,
            }
        }
        let seed = preparation.seed(questions);
        self.preparations.insert(key, preparation);
        Ok((!matches!(asked, Asked::NoTime)).then_some(seed))
    }

    /// How many cases a unit has, at most.
    fn turn_length(&self, unit: &Unit) -> u64 {
        let strategy = &self.shared.strategies[unit.strategy.get()];
        unit.length(strategy.as_ref(), self.shared.settings.budget)
    }

    /// Starts another case, if the limit on cases permits it.
    pub(super) fn may_start_case(&self) -> bool {
        let started = self.shared.started.fetch_add(1, Ordering::Relaxed);
        self.shared.settings.cases.is_none_or(|limit| started < limit)
    }

    /// Whether a solver can run a case. One that none can run does not count.
    pub(super) fn is_supported(&self, case: &Case) -> bool {
        !self.solver_pool.supporting(case).is_empty()
    }

    /// Whether to abandon the unit. If the limit on cases is reached, the cases that have started still run.
    pub(super) fn should_stop(&self) -> bool {
        let started = self.shared.started.load(Ordering::Relaxed);
        let all_started = self.shared.settings.cases.is_some_and(|limit| started > limit);
        self.shared.stop.load(Ordering::Relaxed) && !all_started
    }

    /// Reports that a strategy cannot use a seed.
    fn reject_seed(&mut self, unit: &Unit, reason: String) -> Result<(), Abort> {
        self.send(Message::UnusableSeed { strategy: unit.strategy, seed: unit.seed, reason })
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
