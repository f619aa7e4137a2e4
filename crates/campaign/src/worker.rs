//! One worker: takes units of work, makes cases, asks its own solvers, judges, and reports. It shares nothing hot.

mod after_others;
mod batch;
mod configured;
mod core_pinning;
mod cores;
mod coverage_queue;

use crate::confirm::{Confirmation, Context, confirm};
use crate::coverage_map::CoverageMap;
use crate::duplicates::{Duplicates, hash};
use crate::prepare::Prepared;
use crate::questions::{Conversation, Interview};
use crate::run_modes::Ways;
use crate::schedule::{Schedule, Unit};
use crate::seed_budget::SeedBudget;
use crate::settings::Settings;
use crate::solver_pool::SolverPool;
use crate::statistics::Statistics;
use batch::Waiting;
use case::{Class, Finding, Origin};
use core_pinning::CorePinning;
use coverage_queue::CoverageQueue;
use falcon::{Policy, SolverOptions};
use solver::run::history::Transcript;
use solver::{Observation, Outcome, RunError, RunMode, Target};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use strategies::{Case, Mutator, Random, Recorded, Seed, Step, Strategy, Unchanged};
use triage::{Bug, ModelJudge, Rules};

/// How often a worker reports what it counted.
const REPORT: Duration = Duration::from_millis(200);

/// A turn is twice as long as the one before it, so often.
const LONGEST_TURN: u64 = 3;

/// What workers tell the one who keeps the books. The messages of one worker arrive in order, so that a finding is
/// kept before the case that showed it counts as done.
pub enum Message {
    /// What was counted since the last report, with the place that was reached.
    Counted {
        /// The unit.
        unit: u64,
        /// Its first case that is not done.
        index: u64,
        /// The counters.
        statistics: Box<Statistics>,
    },
    /// The unit is done.
    Done {
        /// The unit.
        unit: u64,
    },
    /// Something wrong, confirmed.
    Found {
        /// The finding.
        finding: Box<Finding>,
        /// The script.
        case: String,
        /// The seed.
        seed: Arc<str>,
    },
    /// One more case of something that this worker has reported before.
    Again {
        /// Its signature.
        signature: String,
        /// The case.
        origin: Origin,
    },
    /// A strategy cannot use a seed.
    Unfit {
        /// The strategy's place.
        strategy: usize,
        /// The seed's place; nothing for a seed of the strategy's own.
        seed: Option<usize>,
        /// Why not.
        reason: String,
    },
    /// This machine cannot run solvers any more: the campaign must stop.
    Failed(RunError),
}

/// What all workers see.
pub struct Shared<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The solvers.
    pub targets: &'a [Target],
    /// The seeds, in order.
    pub seeds: &'a [Seed],
    /// The strategies.
    pub strategies: &'a [Arc<dyn Strategy>],
    /// The options of each solver; empty if no configurations are tried.
    pub options: &'a [SolverOptions],
    /// What has been reached.
    pub coverage_map: &'a CoverageMap,
    /// What to do next.
    pub schedule: &'a Schedule,
    /// Which scripts have been asked.
    pub duplicates: &'a Duplicates,
    /// How many cases have been begun, over all resumptions.
    pub begun: &'a AtomicU64,
    /// Set when workers shall stop after the case in hand.
    pub stop: &'a AtomicBool,
    /// What is too slow.
    pub rules: Rules,
}

/// A worker.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    solver_pool: SolverPool,
    judge: Box<dyn ModelJudge>,
    report: SyncSender<Message>,
    counted: Statistics,
    reported: Instant,
    seed_budget: SeedBudget,
    run_modes: Ways,
    /// Seeds with what their strategies learned about them, by strategy and seed.
    prepared: BTreeMap<(usize, usize), Prepared>,
    /// What reached something new.
    coverage_queue: CoverageQueue,
    /// Chooses configurations.
    policy: Policy<'a>,
    /// Signatures as seen warm, with the signatures under which they were confirmed.
    confirmed: BTreeMap<String, String>,
    /// How often the histories of bugs with a signature were looked into.
    histories: BTreeMap<String, u32>,
    /// What the processes were told that ran the case in hand between push and pop, by the solver's place.
    told: BTreeMap<usize, Transcript>,
    core_pinning: CorePinning,
}

/// Why a worker leaves a unit before its end.
enum Leave {
    /// It was asked to stop, or nobody listens any more.
    Stop,
    /// This machine cannot run solvers.
    Failed(RunError),
}

impl<'a> Worker<'a> {
    /// The worker with a number, on the thread that calls this, which reports to `report`.
    pub fn new(
        number: usize,
        shared: &'a Shared<'a>,
        judge: Box<dyn ModelJudge>,
        report: SyncSender<Message>,
    ) -> Result<Worker<'a>, RunError> {
        let settings = shared.settings;
        // Before any process is started, since they stay with who started them.
        let core_pinning = CorePinning::take(number, settings.jobs);
        let solver_pool = SolverPool::new(shared.targets, settings)?;
        Ok(Worker {
            shared,
            solver_pool,
            judge,
            report,
            counted: Statistics::default(),
            reported: Instant::now(),
            seed_budget: SeedBudget::default(),
            run_modes: Ways::new(settings.mode(), settings.asks_inside(), settings.cases.is_some()),
            prepared: BTreeMap::new(),
            coverage_queue: CoverageQueue::default(),
            policy: Policy::new(settings.policy(), shared.options),
            confirmed: BTreeMap::new(),
            histories: BTreeMap::new(),
            told: BTreeMap::new(),
            core_pinning,
        })
    }

    /// Works until there is nothing left to do or it is asked to stop.
    pub fn work(mut self) {
        while !self.shared.stop.load(Ordering::Relaxed) {
            let Some(unit) = self.shared.schedule.next() else { break };
            match self.unit(&unit) {
                Ok(()) => {}
                Err(Leave::Stop) => break,
                Err(Leave::Failed(error)) => {
                    let _ = self.report.send(Message::Failed(error));
                    break;
                }
            }
        }
    }

    fn unit(&mut self, unit: &Unit) -> Result<(), Leave> {
        self.leave_crowded_seat()?;
        self.work_on_found(unit)?;
        let strategy = &self.shared.strategies[unit.strategy];
        let name = strategy.name();
        let prepared = self.prepared(unit)?;
        let seed = &*prepared;
        let random = Random::from_parts(&[self.shared.settings.seed, hash(name), seed.hash, unit.round]);
        let mut mutator = match guarded(|| strategy.open(seed, random)) {
            Ok(Ok(mutator)) => mutator,
            Ok(Err(unfit)) => return self.unfit(unit, unfit.to_string()),
            Err(panic) => return self.unfit(unit, panic),
        };
        let mut new_cases = 0;
        let turn = strategy.cases_per_turn(self.budget(unit));
        let mut conversation = Conversation::default();
        let mut waiting: Vec<Waiting> = Vec::new();
        for index in 0..turn {
            let case = match guarded(|| self.next_case(mutator.as_mut(), &mut conversation)) {
                Ok(Ok(Some(case))) => case,
                Ok(Ok(None)) => break,
                Ok(Err(leave)) => return Err(leave),
                Err(panic) => {
                    self.take_up(unit, seed, &conversation, &mut waiting)?;
                    return self.unfit(unit, panic);
                }
            };
            if index < unit.from {
                // It was run before a resumption. What comes back to it is not new.
                self.shared.duplicates.is_new(hash(&case.text));
                continue;
            }
            if self.is_to_leave() {
                // What waits has not been asked: it comes again with a resumption.
                self.flush(unit, waiting.first().map_or(index, |first| first.origin.index))?;
                return Err(Leave::Stop);
            }
            if !self.shared.duplicates.is_new(hash(&case.text)) {
                self.counted.duplicates += 1;
                continue;
            }
            new_cases += 1;
            if !self.may_begin() {
                self.take_up(unit, seed, &conversation, &mut waiting)?;
                self.flush(unit, index)?;
                return Err(Leave::Stop);
            }
            // It was made all the same: what is asked may depend on the machine, but never what is made. Who asks for a number
            // of cases gets them all.
            if self.shared.settings.cases.is_none() && self.seed_budget.passes_over(unit.seed) {
                self.counted.passed_over += 1;
                self.counted.digest = self.counted.digest.wrapping_add(hash(&case.text));
                continue;
            }
            let origin = self.origin(name, seed, unit.round, index);
            waiting.push(Waiting::new(case, origin, conversation.answers.len()));
            if waiting.len() >= self.at_once(unit.seed) {
                self.take_up(unit, seed, &conversation, &mut waiting)?;
                if self.reported.elapsed() >= REPORT {
                    self.flush(unit, index + 1)?;
                }
            }
        }
        self.take_up(unit, seed, &conversation, &mut waiting)?;
        self.flush(unit, turn)?;
        self.shared.schedule.finish(unit, new_cases);
        self.send(Message::Done { unit: unit.number })
    }

    /// The numbers that make a case again.
    fn origin(&self, strategy: &str, seed: &Seed, round: u64, index: u64) -> Origin {
        Origin {
            campaign_seed: self.shared.settings.seed,
            strategy: strategy.to_owned(),
            seed_hash: format!("{:016x}", seed.hash),
            round,
            index,
        }
    }

    /// The next case of a seed; what its strategy asks in between is put to the solvers.
    fn next_case(
        &mut self,
        mutator: &mut dyn Mutator,
        conversation: &mut Conversation,
    ) -> Result<Option<Case>, Leave> {
        let case =
            mutator.next_case_with(&mut Interview { solver_pool: &mut self.solver_pool, conversation });
        match conversation.failed.take() {
            Some(error) => Err(Leave::Failed(error)),
            None => Ok(case),
        }
    }

    /// The seed with what its strategy wanted to know about it. A wrong answer to the seed itself is a finding already.
    fn prepared(&mut self, unit: &Unit) -> Result<Arc<Seed>, Leave> {
        let strategy = &self.shared.strategies[unit.strategy];
        let Some(place) = unit.seed else {
            // What a strategy works from may change with what it has shown.
            return Ok(Arc::new(strategy.own_seed().unwrap_or_else(|| Seed::new("nothing", ""))));
        };
        let original = &self.shared.seeds[place];
        let want = self.shared.settings.want();
        let key = (unit.strategy, place);
        let mut prepared = self.prepared.remove(&key).unwrap_or_else(|| Prepared::new(original));
        while let Some(asked) =
            prepared.ask(strategy.as_ref(), unit.round, &mut self.solver_pool, want).map_err(Leave::Failed)?
        {
            if asked.is_seed {
                let origin = self.origin(Unchanged::NAME, original, 0, 0);
                let context = Context {
                    case: &asked.case,
                    seed: original,
                    dialogue: &[],
                    origin: &origin,
                    places: &asked.places,
                    want,
                    signature_files: &self.shared.settings.signature_files,
                };
                self.judged(&context, &asked.seen)?;
            }
        }
        let seed = prepared.seed(unit.round);
        self.prepared.insert(key, prepared);
        Ok(seed)
    }

    /// How many cases each strategy makes of a seed in a turn. At first many seeds have few cases each, later turns are longer: what is
    /// asked in one go costs less.
    fn budget(&self, unit: &Unit) -> u64 {
        let usual = self.shared.settings.budget;
        let growth = if unit.seed.is_some() { 1 << unit.round.min(LONGEST_TURN) } else { 1 };
        usual.saturating_mul(growth)
    }

    /// Whether one more case may be run under the limit on cases.
    fn may_begin(&self) -> bool {
        let begun = self.shared.begun.fetch_add(1, Ordering::Relaxed);
        self.shared.settings.cases.is_none_or(|limit| begun < limit)
    }

    /// Whether it is to leave what it has begun. Once all cases of a limited number have begun, they are asked, too.
    fn is_to_leave(&self) -> bool {
        let begun = self.shared.begun.load(Ordering::Relaxed);
        let all_begun = self.shared.settings.cases.is_some_and(|limit| begun > limit);
        self.shared.stop.load(Ordering::Relaxed) && !all_begun
    }

    fn unfit(&mut self, unit: &Unit, reason: String) -> Result<(), Leave> {
        let name = self.shared.strategies[unit.strategy].name();
        self.counted.strategies.entry(name.to_owned()).or_default().unfit += 1;
        if unit.round == 0 {
            self.send(Message::Unfit { strategy: unit.strategy, seed: unit.seed, reason })?;
        }
        self.flush(unit, self.budget(unit))?;
        self.shared.schedule.finish(unit, 0);
        self.send(Message::Done { unit: unit.number })
    }

    /// Gives the one solver that ran out of the short time all the time there is, where the others knew the answer: it may be
    /// far too slow, which is worth knowing, or wrong. Answers whether it did.
    fn look_again(&mut self, case: &Case, places: &[usize], seen: &mut [Observation]) -> Result<bool, Leave> {
        let most = self.shared.settings.limits().wall;
        let mut late = (0..seen.len()).filter(|&at| seen[at].outcome == Outcome::Timeout);
        let (Some(at), None) = (late.next(), late.next()) else { return Ok(false) };
        let others_know = seen.len() > 1
            && seen.iter().enumerate().all(|(other, observation)| {
                other == at || observation.outcome == Outcome::Answered && !observation.answers.is_empty()
            });
        let wanted = self.shared.settings.performance && seen[at].wall < most;
        if !wanted || !others_know || !self.seed_budget.may_look_again() {
            return Ok(false);
        }
        seen[at] = self.solver_pool.run_warm(places[at], &case.text, most).map_err(Leave::Failed)?;
        Ok(true)
    }

    /// Judges what solvers did, and tells what is wrong.
    fn judged(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<(), Leave> {
        let witnesses = self.solver_pool.witnesses(context.places, seen);
        // Who is slow between push and pop only is not slow as people use it.
        let apart = seen.iter().any(|observation| observation.mode != RunMode::Incremental);
        let rules = Rules { performance: self.shared.rules.performance && apart, ..self.shared.rules };
        let verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        if verdict.bugs.is_empty() { Ok(()) } else { self.bugs(context, &verdict.bugs, seen) }
    }

    fn bugs(&mut self, context: &Context<'_>, bugs: &[Bug], seen: &[Observation]) -> Result<(), Leave> {
        let mut unknown = Vec::new();
        for bug in bugs {
            match self.confirmed.get(&bug.signature.key()).cloned() {
                Some(signature) => {
                    self.hit(context, false);
                    self.send(Message::Again { signature, origin: context.origin.clone() })?;
                }
                None => unknown.push(bug.clone()),
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let mut left = self.confirmed_and_told(context, unknown, seen)?;
        if let Some(case) = inside_push(context.case, seen).filter(|_| !left.is_empty()) {
            left = self.confirmed_and_told(&Context { case: &case, ..*context }, left, seen)?;
        }
        left = self.after_others(context, left, seen)?;
        self.counted.unrepeatable += left.len() as u64;
        Ok(())
    }

    /// Tells the bugs that fresh processes show too; gives back the others.
    fn confirmed_and_told(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<Vec<Bug>, Leave> {
        let rules = self.shared.rules;
        let judge = self.judge.as_mut();
        let results =
            confirm(context, &bugs, seen, &mut self.solver_pool, judge, &rules).map_err(Leave::Failed)?;
        let mut left = Vec::new();
        for (bug, result) in bugs.into_iter().zip(results) {
            match result {
                Confirmation::Confirmed(finding) => {
                    // State left by other scripts explains itself only once, and a bare signal nothing: the next case may be another one.
                    if finding.class != Class::StateLeak && !bug.signature.is_bare_signal() {
                        self.confirmed.insert(bug.signature.key(), finding.signature.key());
                    }
                    self.hit(context, true);
                    let (case, seed) = (context.case.text.clone(), context.seed.text.clone());
                    self.send(Message::Found { finding, case, seed })?;
                }
                Confirmation::NotRepeated => left.push(bug),
            }
        }
        Ok(left)
    }

    fn hit(&mut self, context: &Context<'_>, new: bool) {
        let name = &context.origin.strategy;
        self.counted.hits += 1;
        self.counted.strategies.entry(name.clone()).or_default().hits += 1;
        if let Some(strategy) = self.shared.strategies.iter().find(|strategy| strategy.name() == name) {
            strategy.found_bug(context.case, new);
        }
    }

    fn flush(&mut self, unit: &Unit, index: u64) -> Result<(), Leave> {
        let now = Instant::now();
        self.counted.busy += now.duration_since(self.reported).as_micros() as u64;
        self.counted.solving += self.solver_pool.take_solving().as_micros() as u64;
        self.reported = now;
        let statistics = Box::new(std::mem::take(&mut self.counted));
        self.send(Message::Counted { unit: unit.number, index, statistics })
    }

    /// Sends a message; nobody listening means that the campaign is over.
    fn send(&self, message: Message) -> Result<(), Leave> {
        self.report.send(message).map_err(|_| Leave::Stop)
    }
}

/// Runs a part of a strategy: a mistake in it costs one seed, not the campaign, and is told.
fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        format!("a mistake in the strategy itself, please report it: {text}")
    })
}

/// A case as the incremental core of a solver gets it in a process of its own, if it was asked so at all.
fn inside_push(case: &Case, seen: &[Observation]) -> Option<Case> {
    seen.iter().find(|observation| observation.mode == RunMode::Incremental)?;
    let text = solver::run::inside_push(&case.text)?;
    let step = Step { action: "ask inside".into(), before: String::new(), after: "(push 1)".to_owned() };
    Some(Case { text, lineage: case.lineage.iter().cloned().chain([step]).collect(), ..case.clone() })
}

/// Makes the case at `index` again.
pub fn case_again(
    strategy: &dyn Strategy,
    seed: &Seed,
    campaign_seed: u64,
    round: u64,
    index: u64,
) -> Result<Option<Case>, String> {
    let random = Random::from_parts(&[campaign_seed, hash(strategy.name()), seed.hash, round]);
    let mut mutator: Box<dyn Mutator> = strategy.open(seed, random).map_err(|unfit| unfit.to_string())?;
    let mut recorded = Recorded::new(&seed.dialogue);
    for _ in 0..index {
        if mutator.next_case_with(&mut recorded).is_none() {
            return Ok(None);
        }
    }
    Ok(mutator.next_case_with(&mut recorded))
}
