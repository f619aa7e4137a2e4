//! Runs a campaign: starts the workers, keeps the books, and tells whoever listens.

use crate::coverage_map::CoverageMap;
use crate::duplicates::Duplicates;
use crate::event::{Ended, Event, Listener, Snapshot, Summary};
use crate::schedule::{Ledger, Schedule};
use crate::seeds::Pool;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::worker::{Message, Shared, Worker};
use falcon::SolverOptions;
use solver::{RunError, Target};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use store::{Campaign, CampaignState, Position, Progress, Recorded, Store, StoreError, Texts};
use strategies::{Seed, Strategy};
use triage::ModelJudge;

/// How often people and the disk are told how things stand.
const TICK: Duration = Duration::from_millis(100);
const SHOW: Duration = Duration::from_millis(250);
const SAVE: Duration = Duration::from_secs(1);
const SAMPLE: Duration = Duration::from_secs(10);

/// How many scripts are remembered at the least, to skip duplicates.
const REMEMBERED: usize = 2_000_000;

/// Makes the judge of models of one worker.
pub type JudgeMaker<'a> = &'a (dyn Fn() -> Box<dyn ModelJudge> + Sync);

/// All that a campaign needs.
pub struct Plan<'a> {
    /// The settings.
    pub settings: Settings,
    /// The solvers.
    pub targets: Vec<Target>,
    /// The strategies.
    pub strategies: Vec<Arc<dyn Strategy>>,
    /// The seeds.
    pub pool: Pool,
    /// Makes judges of models.
    pub judges: JudgeMaker<'a>,
    /// The options of each solver, in the order of the solvers; empty if no configurations are tried.
    pub options: Vec<SolverOptions>,
}

/// Why a campaign could not go on.
#[derive(Debug)]
pub enum CampaignError {
    /// What was found could not be kept.
    Store(StoreError),
    /// This machine could not run a solver.
    Run(RunError),
    /// There is nothing to begin with.
    NoSeeds,
    /// There is nobody to ask.
    NoSolvers,
    /// There is nothing to make cases with.
    NoStrategies,
    /// The campaign to be resumed was begun with other seeds.
    SeedsChanged,
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CampaignError::Store(error) => error.fmt(f),
            CampaignError::Run(error) => error.fmt(f),
            CampaignError::NoSeeds => f.write_str("there is no seed that can be used"),
            CampaignError::NoSolvers => f.write_str("there is no solver to ask"),
            CampaignError::NoStrategies => f.write_str("there is no strategy to make cases with"),
            CampaignError::SeedsChanged => {
                f.write_str("the seeds are not those that the campaign was begun with")
            }
        }
    }
}

impl std::error::Error for CampaignError {}

impl CampaignError {
    /// What a person can do about it.
    pub fn hint(&self) -> String {
        match self {
            CampaignError::Store(error) => case::Hinted::hint(error).unwrap_or_default(),
            CampaignError::Run(error) => error.hint().to_owned(),
            CampaignError::NoSeeds => {
                "name files or folders with .smt2 scripts, or none at all for the built-in ones".into()
            }
            CampaignError::NoSolvers => "name solvers with --solver, such as --solver z3".into(),
            CampaignError::NoStrategies => "name strategies with --strategy".into(),
            CampaignError::SeedsChanged => {
                "restore them, or begin a new campaign without --resume; all findings are kept".into()
            }
        }
    }
}

impl From<StoreError> for CampaignError {
    fn from(error: StoreError) -> Self {
        CampaignError::Store(error)
    }
}

/// The books of a running campaign.
struct Bookkeeper<'a> {
    plan: &'a Plan<'a>,
    schedule: &'a Schedule,
    own_seeds: &'a [Option<Seed>],
    store: &'a mut Store,
    listener: &'a mut dyn Listener,
    campaign: i64,
    ledger: Ledger,
    statistics: Statistics,
    unfit: Vec<(String, String, String)>,
    /// Time at work before this process.
    before: Duration,
    cases_before: u64,
    started: Instant,
    told_fallbacks: Vec<String>,
}

/// Runs a campaign to its end. `from` is the state to go on from. Setting `interrupt` ends it cleanly.
pub fn run(
    mut plan: Plan<'_>,
    store: &mut Store,
    from: Option<&Campaign>,
    interrupt: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<Summary, CampaignError> {
    let own_seeds: Vec<Option<Seed>> = plan.strategies.iter().map(|strategy| strategy.own_seed()).collect();
    let needs_seeds: Vec<bool> = own_seeds.iter().map(Option::is_none).collect();
    if plan.pool.seeds.is_empty() && needs_seeds.contains(&true) {
        return Err(CampaignError::NoSeeds);
    }
    if plan.targets.is_empty() {
        return Err(CampaignError::NoSolvers);
    }
    if plan.strategies.is_empty() {
        return Err(CampaignError::NoStrategies);
    }
    plan.settings.jobs = plan.settings.jobs.max(1);
    let fingerprint = plan.pool.fingerprint_with(own_seeds.iter().flatten().map(|seed| seed.hash));
    if from.is_some() && plan.settings.fingerprint != fingerprint {
        return Err(CampaignError::SeedsChanged);
    }
    plan.settings.fingerprint = fingerprint;
    let progress = from.map(|campaign| campaign.progress.clone()).unwrap_or_default();
    let open = progress.workers.iter().map(|position| (position.unit, position.index)).collect();
    let ledger = Ledger { next: progress.next_unit, open };
    let statistics: Statistics = serde_json::from_str(&progress.totals).unwrap_or_default();
    let campaign = match from {
        Some(campaign) => campaign.id,
        None => store.begin(plan.settings.seed, &settings_text(&plan.settings))?,
    };
    listener.event(&Event::Started {
        folder: store.folder().to_owned(),
        seed: plan.settings.seed,
        targets: plan.targets.iter().map(|target| target.id.clone()).collect(),
        strategies: plan.strategies.iter().map(|strategy| strategy.name().to_owned()).collect(),
        seeds: plan.pool.seeds.len(),
        resumed: from.is_some(),
    });
    let schedule = Schedule::new(plan.pool.seeds.len(), &needs_seeds, &ledger);
    let begun = AtomicU64::new(statistics.cases + statistics.unasked + statistics.passed_over);
    let mut books = Bookkeeper {
        plan: &plan,
        schedule: &schedule,
        own_seeds: &own_seeds,
        store,
        listener,
        campaign,
        ledger,
        before: Duration::from_millis(progress.elapsed),
        cases_before: statistics.cases,
        statistics,
        unfit: Vec::new(),
        started: Instant::now(),
        told_fallbacks: Vec::new(),
    };
    books.run(&begun, interrupt)
}

/// The settings as they are kept.
pub fn settings_text(settings: &Settings) -> String {
    serde_json::to_string(settings).unwrap_or_default()
}

impl Bookkeeper<'_> {
    fn run(&mut self, begun: &AtomicU64, interrupt: &AtomicBool) -> Result<Summary, CampaignError> {
        let plan = self.plan;
        let duplicates = Duplicates::new(REMEMBERED);
        let coverage_map = CoverageMap::new(self.store.folder());
        let stop = AtomicBool::new(false);
        let shared = Shared {
            settings: &plan.settings,
            targets: &plan.targets,
            seeds: &plan.pool.seeds,
            strategies: &plan.strategies,
            options: &plan.options,
            coverage_map: &coverage_map,
            schedule: self.schedule,
            duplicates: &duplicates,
            begun,
            stop: &stop,
            rules: plan.settings.rules(),
        };
        // Bounded: workers wait for a slow disk instead of piling up what it cannot take.
        let (sender, receiver) = sync_channel(64);
        let ended = std::thread::scope(|scope| {
            for number in 0..plan.settings.jobs {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || match Worker::new(number, shared, (plan.judges)(), sender.clone()) {
                    Ok(worker) => worker.work(),
                    Err(error) => {
                        // If nobody listens any more, the campaign ends for another reason.
                        let _ = sender.send(Message::Failed(error));
                    }
                });
            }
            drop(sender);
            let ended = self.listen(&receiver, &stop, begun, interrupt);
            stop.store(true, Ordering::Relaxed);
            drop(receiver);
            ended
        });
        let state = match &ended {
            Ok(Ended::Interrupted) | Err(_) => CampaignState::Stopped,
            Ok(_) => CampaignState::Finished,
        };
        let saved = self.save(state);
        let ended = ended?;
        saved?;
        let snapshot = self.snapshot()?;
        self.listener.event(&Event::Progress(Box::new(snapshot.clone())));
        Ok(Summary { ended, snapshot, unfit: std::mem::take(&mut self.unfit) })
    }

    /// Takes in what workers report, until all of them are done.
    fn listen(
        &mut self,
        receiver: &Receiver<Message>,
        stop: &AtomicBool,
        begun: &AtomicU64,
        interrupt: &AtomicBool,
    ) -> Result<Ended, CampaignError> {
        let mut ended = Ended::Exhausted;
        let (mut shown, mut saved, mut sampled) = (Instant::now(), Instant::now(), Instant::now());
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(message) => self.take(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(ended),
            }
            if !stop.load(Ordering::Relaxed) {
                let over = self
                    .plan
                    .settings
                    .time
                    .map(Duration::from_millis)
                    .is_some_and(|time| self.elapsed() >= time);
                let all = self.plan.settings.cases.is_some_and(|cases| begun.load(Ordering::Relaxed) > cases);
                let why = if interrupt.load(Ordering::Relaxed) {
                    Some(Ended::Interrupted)
                } else if over {
                    Some(Ended::Time)
                } else {
                    all.then_some(Ended::Cases)
                };
                if let Some(why) = why {
                    ended = why;
                    stop.store(true, Ordering::Relaxed);
                }
            }
            if shown.elapsed() >= SHOW {
                let snapshot = self.snapshot()?;
                self.listener.event(&Event::Progress(Box::new(snapshot)));
                shown = Instant::now();
            }
            if saved.elapsed() >= SAVE {
                self.save(CampaignState::Running)?;
                saved = Instant::now();
            }
            if sampled.elapsed() >= SAMPLE {
                let body = serde_json::to_string(&self.statistics).unwrap_or_default();
                self.store.sample(self.campaign, self.elapsed().as_millis() as u64, &body)?;
                sampled = Instant::now();
            }
        }
    }

    fn take(&mut self, message: Message) -> Result<(), CampaignError> {
        match message {
            Message::Counted { unit, index, statistics } => {
                self.ledger.reached(unit, index);
                self.statistics.add(&statistics);
                self.tell_fallbacks();
            }
            Message::Done { unit } => self.ledger.done(unit),
            Message::Found { finding, case, seed } => {
                let recorded = self.store.record(&finding, Texts { case: &case, seed: &seed })?;
                if let Recorded::New { id } = &recorded {
                    let listed = self.store.find(id)?;
                    self.listener.event(&Event::Found(Box::new(listed)));
                }
            }
            Message::Again { signature, origin } => {
                self.store.again(&signature, &origin)?;
            }
            Message::Unfit { strategy, seed, reason } => {
                let name = self.seed(strategy, seed).map_or_else(String::new, |seed| seed.name.clone());
                self.unfit.push((self.plan.strategies[strategy].name().to_owned(), name, reason));
            }
            Message::Failed(error) => return Err(CampaignError::Run(error)),
        }
        Ok(())
    }

    /// A seed of the pool, or a strategy's own.
    fn seed(&self, strategy: usize, place: Option<usize>) -> Option<&Seed> {
        match place {
            Some(place) => self.plan.pool.seeds.get(place),
            None => self.own_seeds[strategy].as_ref(),
        }
    }

    /// Says once for each solver that it cannot be kept warm.
    fn tell_fallbacks(&mut self) {
        for (id, tally) in &self.statistics.targets {
            if !tally.fallback.is_empty() && !self.told_fallbacks.contains(id) {
                self.told_fallbacks.push(id.clone());
                let note = format!("{id} is started anew for some scripts: {}", tally.fallback);
                self.listener.event(&Event::Note(note));
            }
        }
    }

    fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    fn snapshot(&self) -> Result<Snapshot, CampaignError> {
        let settings = &self.plan.settings;
        Ok(Snapshot {
            elapsed: self.elapsed(),
            this_run: (self.started.elapsed(), self.statistics.cases - self.cases_before),
            statistics: self.statistics.clone(),
            time: settings.time.map(Duration::from_millis),
            cases: settings.cases,
            jobs: settings.jobs,
            seeds: self.plan.pool.seeds.len(),
            findings: self.store.findings()?,
        })
    }

    fn save(&mut self, state: CampaignState) -> Result<(), CampaignError> {
        let position = |(&number, &index): (&u64, &u64)| {
            let unit = self.schedule.unit(number, index);
            Position {
                unit: number,
                strategy: self.plan.strategies[unit.strategy].name().to_owned(),
                seed_hash: self
                    .seed(unit.strategy, unit.seed)
                    .map_or_else(String::new, |seed| format!("{:016x}", seed.hash)),
                round: unit.round,
                index,
            }
        };
        let progress = Progress {
            next_unit: self.ledger.next,
            workers: self.ledger.open.iter().map(position).collect(),
            elapsed: self.elapsed().as_millis() as u64,
            totals: serde_json::to_string(&self.statistics).unwrap_or_default(),
        };
        Ok(self.store.save(self.campaign, state, &progress)?)
    }
}

impl case::Hinted for CampaignError {
    fn hint(&self) -> Option<String> {
        Some(CampaignError::hint(self))
    }
}
