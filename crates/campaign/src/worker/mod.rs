//! One worker: takes units of work, makes cases, runs its own solvers, judges and reports. Workers share nothing hot.

mod batch;
mod configured;
mod core_pinning;
mod coverage_queue;
mod forms;
mod from_scratch;
mod guard;
mod history_bugs;
mod judge;
mod lives;
mod named_options;
mod own_reading;
mod postponed;
mod proofs;
mod question_limits;
mod queued_seeds;
mod references;
mod self_contradiction;
mod shared;
mod statements;
mod tactics;
mod triaging;
mod unit;
mod unsat_cores;

pub use shared::Shared;

use crate::budget::{Allowance, OperatorCosts, RunModes, SeedBudget, Slack, StatementLimits};
use crate::made_cases::MadeCases;
use crate::message::Message;
use crate::operator_reach::Scanner;
use crate::seed_preparation::SeedPreparation;
use crate::settings::proof_checker;
use crate::solver_pool::SolverPool;
use crate::statistics::Statistics;
use crate::strategy_scores::TurnResult;
use crate::suspects::Suspects;
use crate::time_account::Purpose;
use case::{CaseIndex, Origin, SeedIndex, SolverIndex, StrategyIndex};
use core_pinning::CorePinning;
use coverage_queue::CoverageQueue;
use falcon::Policy;
use lives::Lives;
use postponed::Postponed;
use solver::run::history::Transcript;
use solver::{Profile, ProofChecker, RunError};
use statements::AnsweredQuestions;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use triage::ModelJudge;

/// How often a paused worker looks whether the campaign goes on.
const PAUSE_TICK: Duration = Duration::from_millis(50);

/// A worker.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    solver_pool: SolverPool,
    judge: Box<dyn ModelJudge>,
    bookkeeper: SyncSender<Message>,
    /// Counters since the last message.
    counted: Statistics,
    /// Finds the operators of cases.
    scanner: Scanner,
    reported: Instant,
    seed_budget: SeedBudget,
    /// What the operators of cases without a seed cost.
    operator_costs: OperatorCosts,
    /// Which operators bugs come with.
    suspects: Suspects,
    run_modes: RunModes,
    /// What is spent on work besides cases, and that work as far as it had to wait.
    allowance: Allowance,
    postponed: Postponed,
    /// How often it has confirmed wrong results, or failed to.
    confirmations: u32,
    /// What the current turn has brought.
    turn: TurnResult,
    /// How many turns in a row made no new case.
    idle_turns: u32,
    /// The cases that it has made.
    made: MadeCases,
    /// The origins of the cases of the current batch that showed a bug.
    hits: Vec<Origin>,
    /// Strategies that wait for the next turn of a seed.
    lives: Lives,
    /// How often solvers answered the questions of oracles.
    answered_questions: AnsweredQuestions,
    statement_limits: StatementLimits,
    /// Seeds about which no question gets an answer.
    silent_seeds: BTreeSet<SeedIndex>,
    /// The seeds that a strategy could not use. Later turns say nothing new about them.
    unusable: BTreeSet<(StrategyIndex, Option<SeedIndex>)>,
    /// The answers to strategies' questions about seeds.
    preparations: BTreeMap<(StrategyIndex, SeedIndex), SeedPreparation>,
    coverage_queue: CoverageQueue,
    /// Chooses configurations.
    policy: Policy<'a>,
    /// Signatures seen warm, with the signatures under which they were confirmed.
    confirmed: BTreeMap<String, String>,
    /// How often bugs with a signature were searched for the scripts before them.
    history_searches: BTreeMap<String, u32>,
    /// The transcripts of the incremental processes that ran the current case.
    transcripts: BTreeMap<SolverIndex, Transcript>,
    core_pinning: CorePinning,
    /// How long it has been paused.
    paused: Duration,
    /// The profile of each solver's release.
    profiles: Vec<Profile>,
    /// The user's checker of proofs.
    proof_checker: Option<ProofChecker>,
}

/// Why a worker abandons a unit.
enum Abort {
    /// The campaign is ending.
    Stop,
    /// This machine cannot run solvers.
    Failed(RunError),
}

impl From<RunError> for Abort {
    fn from(error: RunError) -> Abort {
        Abort::Failed(error)
    }
}

impl<'a> Worker<'a> {
    /// The worker with a number, on the calling thread.
    pub fn new(
        number: usize,
        shared: &'a Shared<'a>,
        judge: Box<dyn ModelJudge>,
        bookkeeper: SyncSender<Message>,
    ) -> Result<Worker<'a>, RunError> {
        let settings = shared.settings;
        let started = Instant::now();
        // Processes inherit the core, so this comes before any of them starts.
        let core_pinning = CorePinning::acquire(number, settings.jobs, shared.targets);
        let solver_pool = SolverPool::new(shared.targets, settings)?;
        let profiles: Vec<Profile> =
            shared.targets.iter().map(|target| target.profile.at(&target.version)).collect();
        Ok(Worker {
            shared,
            solver_pool,
            judge,
            bookkeeper,
            counted: Statistics::default(),
            scanner: shared.operator_reach.scanner(),
            reported: started,
            seed_budget: SeedBudget::new(shared.hopeless_seeds.known()),
            operator_costs: OperatorCosts::default(),
            suspects: Suspects::default(),
            run_modes: RunModes::new(settings.run_mode_policy()),
            allowance: Allowance::new(settings.shares),
            postponed: Postponed::default(),
            confirmations: 0,
            turn: TurnResult::default(),
            idle_turns: 0,
            made: MadeCases::default(),
            hits: Vec::new(),
            lives: Lives::default(),
            answered_questions: AnsweredQuestions::default(),
            statement_limits: StatementLimits::default(),
            silent_seeds: BTreeSet::new(),
            unusable: BTreeSet::new(),
            preparations: BTreeMap::new(),
            coverage_queue: CoverageQueue::default(),
            policy: Policy::new(settings.seed, settings.measures_coverage(), shared.options),
            confirmed: BTreeMap::new(),
            history_searches: BTreeMap::new(),
            transcripts: BTreeMap::new(),
            core_pinning,
            paused: Duration::ZERO,
            profiles,
            proof_checker: proof_checker(settings),
        })
    }

    /// Works until there is nothing left to do or the campaign ends.
    pub fn run(mut self) {
        let worked = match self.run_units() {
            Ok(()) | Err(Abort::Stop) => self.finish_postponed(),
            failed => failed,
        };
        if let Err(Abort::Failed(error)) = worked {
            // Without a receiver the campaign is already ending.
            let _ = self.bookkeeper.send(Message::Failed(error));
        }
        let rest = self.take_counted();
        // Without a receiver nobody wants them.
        let _ = self.bookkeeper.send(Message::Ending { statistics: rest });
    }

    fn run_units(&mut self) -> Result<(), Abort> {
        loop {
            self.wait_while_paused();
            if self.shared.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(unit) = self.shared.schedule.next() else { break };
            self.run_unit(&unit)?;
        }
        Ok(())
    }

    /// Waits until the campaign goes on or ends. The pause counts as nobody's time.
    fn wait_while_paused(&mut self) {
        if !self.shared.pause.load(Ordering::Relaxed) {
            return;
        }
        let began = Instant::now();
        while self.shared.pause.load(Ordering::Relaxed) && !self.shared.stop.load(Ordering::Relaxed) {
            std::thread::sleep(PAUSE_TICK);
        }
        let pause = began.elapsed();
        self.reported += pause;
        self.allowance.skip_pause(pause);
        self.paused += pause;
    }

    /// Sends the counters, and how far a unit is.
    fn flush(&mut self, unit: u64, next_case: CaseIndex) -> Result<(), Abort> {
        let statistics = self.take_counted();
        self.send(Message::Progress { unit, next_case, statistics })
    }

    /// The counters since the last call.
    fn take_counted(&mut self) -> Box<Statistics> {
        let now = Instant::now();
        self.counted.busy += now.duration_since(self.reported).as_micros() as u64;
        let account = self.solver_pool.take_account();
        self.allowance.record(&account);
        self.counted.time.add(&account);
        self.counted.machine_dependent += self.solver_pool.take_machine_dependent();
        self.reported = now;
        Box::new(std::mem::take(&mut self.counted))
    }

    /// The time limit of another run of a case whose plain run took so long.
    fn limit_after(&self, slack: Slack, took: Duration) -> Duration {
        match self.shared.settings.fixed_timeout {
            true => self.shared.settings.limits().wall,
            false => slack.limit(took),
        }
    }

    /// How long this worker has been confirming.
    fn confirmation_time(&self) -> Duration {
        let spent = self.allowance.spent(Purpose::Confirmation, self.solver_pool.account());
        Duration::from_micros(spent.total())
    }

    /// Does some work and charges its runs of solvers to a purpose.
    fn charged<T>(&mut self, purpose: Purpose, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.solver_pool.charge_to(purpose);
        let done = work(self);
        self.solver_pool.charge_to(before);
        done
    }

    /// Sends a message. Without a receiver the campaign is over.
    fn send(&self, message: Message) -> Result<(), Abort> {
        if matches!(message, Message::Finding { .. }) {
            self.shared.unrecorded.fetch_add(1, Ordering::Relaxed);
        }
        self.bookkeeper.send(message).map_err(|_| Abort::Stop)
    }
}
