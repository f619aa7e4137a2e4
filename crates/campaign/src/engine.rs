//! Runs a campaign: starts the workers and the bookkeeper.

use crate::bookkeeper::{Bookkeeper, Start};
use crate::cluster::{Courier, Desk, Grants, Sharing};
use crate::controls::Controls;
use crate::coverage_map::CoverageMap;
use crate::duplicates::Duplicates;
use crate::error::CampaignError;
use crate::events::{Event, Listener, Summary};
use crate::explanations::Explanations;
use crate::hopeless_seeds::HopelessSeeds;
use crate::ledger::Ledger;
use crate::message::Message;
use crate::operator_reach::OperatorReach;
use crate::reporter::write_reports;
use crate::schedule::{Schedule, TurnOrder};
use crate::seed_preparation::{SeedRun, SeedRuns};
use crate::seeds::Pool;
use crate::settings::{Settings, settings_text};
use crate::statistics::Statistics;
use crate::triage_queue::TriageQueue;
use crate::units::{SeedUse, UnitNumbers};
use crate::worker::{Shared, Worker};
use case::CaseIndex;
use falcon::SolverOptions;
use solver::{Target, install};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::time::Duration;
use store::{Campaign, Position, Spool, Store};
use strategies::{RejectedBy, Seed, Strategy};
use triage::ModelJudge;

/// At least this many scripts are remembered, to skip duplicates.
const REMEMBERED: usize = 2_000_000;

/// How many messages may wait for the bookkeeper. Workers wait for a slow disk instead of filling the memory.
const QUEUE: usize = 64;

/// Makes the model judge of one worker.
pub type JudgeMaker<'a> = &'a (dyn Fn() -> Box<dyn ModelJudge> + Sync);

/// Everything a campaign needs.
pub struct Plan<'a> {
    /// The settings.
    pub settings: Settings,
    /// The solvers.
    pub targets: Vec<Target>,
    /// The strategies.
    pub strategies: Vec<Arc<dyn Strategy>>,
    /// The seeds.
    pub pool: Pool,
    /// Makes model judges.
    pub judges: JudgeMaker<'a>,
    /// The options of each solver, in the order of the solvers; empty if no configurations are tried.
    pub options: Vec<SolverOptions>,
    /// How triage installs solvers; `None` to leave findings as they are.
    pub installer: Option<&'a install::Settings>,
}

/// Runs a campaign to its end. `from` is the campaign to resume. The flag that ends it cleanly is enough for `controls`.
pub fn run<'c>(
    plan: Plan<'_>,
    store: &mut Store,
    from: Option<&Campaign>,
    controls: impl Into<Controls<'c>>,
    listener: &mut dyn Listener,
) -> Result<Summary, CampaignError> {
    run_with(plan, store, from, None, controls.into(), listener)
}

/// Takes part in a campaign that several machines share, until its end or that of this process's part.
pub fn run_shared<'c>(
    plan: Plan<'_>,
    store: &mut Store,
    sharing: Sharing,
    controls: impl Into<Controls<'c>>,
    listener: &mut dyn Listener,
) -> Result<Summary, CampaignError> {
    run_with(plan, store, None, Some(sharing), controls.into(), listener)
}

fn run_with(
    mut plan: Plan<'_>,
    store: &mut Store,
    from: Option<&Campaign>,
    sharing: Option<Sharing>,
    controls: Controls<'_>,
    listener: &mut dyn Listener,
) -> Result<Summary, CampaignError> {
    let own_seeds: Vec<Option<Seed>> = plan.strategies.iter().map(|strategy| strategy.own_seed()).collect();
    check(&mut plan, &own_seeds, from.is_some())?;
    let progress = from.map(|campaign| campaign.progress.clone()).unwrap_or_default();
    let next_case = |position: &Position| (position.unit, CaseIndex(position.index as usize));
    let open = progress.workers.iter().map(next_case).collect();
    let mut ledger = Ledger { open, ..Ledger::new(plan.strategies.len()) };
    ledger.turns.iter_mut().zip(&progress.turns).for_each(|(turn, begun)| *turn = *begun);
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
    let stop: Arc<AtomicBool> = Arc::default();
    let seed_uses = plan.strategies.iter().map(|strategy| SeedUse::of(strategy.as_ref())).collect();
    let numbers = UnitNumbers::new(plan.pool.seeds.len(), seed_uses);
    let order = if plan.settings.has_fixed_order() { TurnOrder::Fixed } else { TurnOrder::Earned };
    let schedule = Schedule::new(numbers.clone(), order, &ledger);
    let desk = sharing.as_ref().map(|sharing| {
        let grants = Grants::new(numbers, sharing.turns.clone(), plan.settings.jobs, stop.clone());
        Desk::new(grants, sharing.notes.clone())
    });
    let courier = match (sharing, &desk) {
        (Some(Sharing { store: common, campaign, member, identity, .. }), Some(desk)) => {
            store.spool_for(&identity);
            Some(Courier::new(common, campaign, member, Spool::open(store.folder(), &identity)?, desk))
        }
        _ => None,
    };
    let started = AtomicU64::new(statistics.cases);
    let duplicates = Duplicates::new(REMEMBERED);
    let coverage_map = CoverageMap::new(store.folder());
    let hopeless_seeds = HopelessSeeds::read(&plan.targets, &plan.settings, &plan.pool.seeds, store)?;
    let seed_runs = SeedRuns::default();
    for &seed in hopeless_seeds.known() {
        seed_runs.record(seed, SeedRun::unanswered());
    }
    let operator_reach = OperatorReach::open(&plan.targets, store.folder(), campaign);
    for name in operator_reach.foreign() {
        plan.strategies.iter().for_each(|strategy| strategy.operator_rejected(name, RejectedBy::All));
    }
    let unrecorded = AtomicUsize::new(0);
    let (triage_queue, report_queue) = (TriageQueue::default(), TriageQueue::default());
    let time_left = AtomicU64::new(u64::MAX);
    let explanations = Explanations::default();
    let installer =
        plan.installer.map(|settings| install::Settings { cancel: stop.clone(), ..settings.clone() });
    let shared = Shared {
        settings: &plan.settings,
        targets: &plan.targets,
        seeds: &plan.pool.seeds,
        strategies: &plan.strategies,
        options: &plan.options,
        coverage_map: &coverage_map,
        operator_reach: &operator_reach,
        schedule: match &desk {
            Some(desk) => &desk.grants,
            None => &schedule,
        },
        desk: desk.as_ref(),
        duplicates: &duplicates,
        seed_runs: &seed_runs,
        hopeless_seeds: &hopeless_seeds,
        unrecorded: &unrecorded,
        triage_queue: &triage_queue,
        report_queue: &report_queue,
        explanations: &explanations,
        installer: installer.as_ref(),
        started: &started,
        time_left: &time_left,
        stop: &stop,
        pause: controls.pause,
        rules: plan.settings.rules(),
    };
    let elapsed = Duration::from_millis(progress.elapsed);
    let start = Start { campaign, ledger, statistics, elapsed };
    let out = store.folder().to_owned();
    let (reports, written) = channel();
    let mut bookkeeper = Bookkeeper::new(&shared, &own_seeds, start, store, listener, written);
    if installer.is_some() {
        bookkeeper.resume_triage()?;
    }
    let (sender, receiver) = sync_channel(QUEUE);
    let ended = std::thread::scope(|scope| {
        if let Some(installer) = shared.installer {
            let shared = &shared;
            scope.spawn(move || write_reports(shared, installer, &out, &reports));
        }
        if let Some(courier) = courier {
            scope.spawn(move || courier.run());
        }
        for number in 0..plan.settings.jobs {
            let (sender, shared, judges) = (sender.clone(), &shared, plan.judges);
            scope.spawn(move || match Worker::new(number, shared, judges(), sender.clone()) {
                Ok(worker) => worker.run(),
                Err(error) => {
                    // Without a receiver the campaign is already ending for another reason.
                    let _ = sender.send(Message::Failed(error));
                }
            });
        }
        drop(sender);
        let ended = bookkeeper.listen(&receiver, controls);
        stop.store(true, Ordering::Relaxed);
        drop(receiver);
        bookkeeper.hand_over();
        ended
    });
    bookkeeper.close(ended)
}

/// Checks that a plan can run and completes its settings.
fn check(plan: &mut Plan<'_>, own_seeds: &[Option<Seed>], resumed: bool) -> Result<(), CampaignError> {
    require_parts(&plan.pool, &plan.targets, &plan.strategies)?;
    plan.settings.jobs = plan.settings.jobs.max(1);
    let fingerprint = plan.pool.fingerprint_with(own_seeds.iter().flatten().map(|seed| seed.hash));
    if resumed && plan.settings.fingerprint != fingerprint {
        return Err(CampaignError::SeedsChanged);
    }
    plan.settings.fingerprint = fingerprint;
    Ok(())
}

/// Checks that nothing is missing without which a campaign has nothing to do.
pub(crate) fn require_parts(
    pool: &Pool,
    targets: &[Target],
    strategies: &[Arc<dyn Strategy>],
) -> Result<(), CampaignError> {
    if pool.seeds.is_empty() && strategies.iter().any(|strategy| strategy.own_seed().is_none()) {
        return Err(CampaignError::NoSeeds);
    }
    if targets.is_empty() {
        return Err(CampaignError::NoSolvers);
    }
    if strategies.is_empty() {
        return Err(CampaignError::NoStrategies);
    }
    Ok(())
}
