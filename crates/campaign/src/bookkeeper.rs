//! The bookkeeper of a campaign: stores findings and progress, and reports to the listener.

use crate::cluster::Desk;
use crate::controls::{Controls, Stopwatch};
use crate::error::CampaignError;
use crate::events::{Ended, Event, Listener, Snapshot, Summary, UnusableSeed};
use crate::ledger::Ledger;
use crate::message::Message;
use crate::operator_reach::{OperatorCount, OperatorSample, SolverOperators};
use crate::reporter::Reported;
use crate::statistics::Statistics;
use crate::triage_queue::Unreduced;
use crate::worker::Shared;
use case::{AskedScript, CaseIndex, Finding, SeedIndex, StrategyIndex};
use solver::run::plain_script;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use store::{CampaignState, Listed, Merged, Position, Progress, Recorded, Store, Texts};
use strategies::Seed;
use triage::automatic::{TriagedFinding, merge_alike, record_triaged, releases_of};
use triage::releases::Releases;
use triage::{StoredFinding, Subject, as_asked};

/// How often to check the limits, show the state, save the progress and keep a sample for plots.
const TICK: Duration = Duration::from_millis(100);
const SHOW: Duration = Duration::from_millis(250);
const SAVE: Duration = Duration::from_secs(1);
const SAMPLE: Duration = Duration::from_secs(10);

/// Something that is done at regular intervals.
struct Timer {
    interval: Duration,
    last: Instant,
}

impl Timer {
    fn new(interval: Duration) -> Timer {
        Timer { interval, last: Instant::now() }
    }

    /// Whether the interval has passed; if so, the next one begins.
    fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.interval;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

/// The time since a moment in milliseconds since 1970.
fn since(milliseconds: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_millis(milliseconds))
}

/// The state that a bookkeeper starts from.
pub struct Start {
    /// The number of the campaign in the database.
    pub campaign: i64,
    /// Which units are done.
    pub ledger: Ledger,
    /// The counters.
    pub statistics: Statistics,
    /// The running time so far.
    pub elapsed: Duration,
}

/// Receives the messages of all workers.
pub struct Bookkeeper<'a> {
    shared: &'a Shared<'a>,
    own_seeds: &'a [Option<Seed>],
    store: &'a mut Store,
    listener: &'a mut dyn Listener,
    campaign: i64,
    ledger: Ledger,
    statistics: Statistics,
    unusable_seeds: Vec<UnusableSeed>,
    new_findings: BTreeSet<String>,
    /// The releases that show each finding, in a few words.
    releases: BTreeMap<String, String>,
    /// Running time before this process.
    elapsed_before: Duration,
    cases_before: u64,
    running: Stopwatch,
    /// Solvers whose fallback has been reported, and external generators with a reported problem.
    reported_fallbacks: BTreeSet<String>,
    /// What the reporter has done.
    reports: Receiver<Reported>,
}

impl<'a> Bookkeeper<'a> {
    /// A bookkeeper that continues from a state.
    pub fn new(
        shared: &'a Shared<'a>,
        own_seeds: &'a [Option<Seed>],
        start: Start,
        store: &'a mut Store,
        listener: &'a mut dyn Listener,
        reports: Receiver<Reported>,
    ) -> Bookkeeper<'a> {
        Bookkeeper {
            shared,
            own_seeds,
            store,
            listener,
            campaign: start.campaign,
            ledger: start.ledger,
            elapsed_before: start.elapsed,
            cases_before: start.statistics.cases,
            statistics: start.statistics,
            unusable_seeds: Vec::new(),
            running: Stopwatch::start(Instant::now()),
            new_findings: BTreeSet::new(),
            releases: BTreeMap::new(),
            reported_fallbacks: BTreeSet::new(),
            reports,
        }
    }

    /// Continues the triage of the findings that are in the folder already.
    pub fn resume_triage(&mut self) -> Result<(), CampaignError> {
        for listed in self.store.findings()? {
            let folder = self.store.folder().join(&listed.folder);
            if let Some(releases) = releases_of(self.store.folder(), &listed) {
                self.releases.insert(listed.id, releases.range());
            } else if TriagedFinding::saved(&folder).is_some_and(|triaged| triaged.finished) {
                self.shared.report_queue.push(listed.class, listed.id);
            } else {
                let (finding, case, _) = self.store.read(&listed)?;
                self.queue_for_triage(&listed, finding, case);
            }
        }
        Ok(())
    }

    /// Receives messages until all workers are done.
    pub fn listen(
        &mut self,
        receiver: &Receiver<Message>,
        controls: Controls<'_>,
    ) -> Result<Ended, CampaignError> {
        let mut ended = Ended::Exhausted;
        let (mut show, mut save, mut sample) = (Timer::new(SHOW), Timer::new(SAVE), Timer::new(SAMPLE));
        loop {
            self.running.set_paused(controls.pause.load(Ordering::Relaxed), Instant::now());
            match receiver.recv_timeout(TICK) {
                Ok(message) => self.receive(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(self.end_of_all(ended)),
            }
            self.receive_reports()?;
            self.receive_notes();
            if let Some(time) = self.shared.settings.time {
                let left = Duration::from_millis(time).saturating_sub(self.elapsed());
                self.shared.time_left.store(left.as_millis() as u64, Ordering::Relaxed);
            }
            if !self.shared.stop.load(Ordering::Relaxed)
                && let Some(reason) = self.reason_to_end(controls)
            {
                ended = reason;
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            if show.is_due() {
                self.show()?;
            }
            if save.is_due() {
                self.count_operators();
                self.count_sharing();
                self.save(CampaignState::Running)?;
            }
            if sample.is_due() {
                self.shared.operator_reach.save();
                self.shared.coverage_map.save_areas();
                let body = serde_json::to_string(&self.statistics).unwrap_or_default();
                self.store.sample(self.campaign, self.elapsed().as_millis() as u64, &body)?;
                if let Some(desk) = self.shared.desk {
                    desk.put_statistics(body);
                }
            }
        }
    }

    /// Leaves the last statistics for the other machines, if there are any. The workers are done.
    pub fn hand_over(&mut self) {
        let Some(desk) = self.shared.desk else { return };
        self.count_operators();
        self.count_sharing();
        desk.put_statistics(serde_json::to_string(&self.statistics).unwrap_or_default());
        desk.close();
    }

    /// Why the campaign ended. A part of a shared campaign that has no work left may have seen the end of all work.
    fn end_of_all(&self, ended: Ended) -> Ended {
        match (ended, self.shared.desk) {
            (Ended::Exhausted, Some(desk)) if desk.grants.is_finished() => Ended::Complete,
            _ => ended,
        }
    }

    fn count_sharing(&mut self) {
        self.statistics.sharing = self.shared.desk.map(Desk::tally).unwrap_or_default();
    }

    /// Shows what the courier has to say.
    fn receive_notes(&mut self) {
        for note in self.shared.desk.into_iter().flat_map(|desk| desk.notes.take()) {
            self.listener.event(&Event::Note(note));
        }
    }

    /// Saves and shows the final state.
    pub fn close(mut self, ended: Result<Ended, CampaignError>) -> Result<Summary, CampaignError> {
        let state = match &ended {
            Ok(Ended::Interrupted) | Err(_) => CampaignState::Stopped,
            Ok(_) => CampaignState::Finished,
        };
        self.count_operators();
        self.shared.operator_reach.save();
        self.shared.coverage_map.save_areas();
        self.count_sharing();
        self.receive_notes();
        let received = self.receive_reports();
        let unfinished = self.record_unfinished();
        let saved = self.save(state);
        let remembered = self.shared.hopeless_seeds.save(self.shared.seeds, self.store);
        let ended = ended?;
        received?;
        unfinished?;
        saved?;
        remembered?;
        let snapshot = self.show()?;
        let operators = self.operators()?;
        let (unusable_seeds, new_findings) = (self.unusable_seeds, self.new_findings);
        Ok(Summary { ended, snapshot, new_findings, unusable_seeds, operators })
    }

    fn count_operators(&mut self) {
        let counts = self.shared.operator_reach.counts();
        self.statistics.operators = counts.map(|(id, count)| (id.to_owned(), count)).collect();
    }

    /// The operators that each solver was asked about, over time and now.
    fn operators(&self) -> Result<Vec<SolverOperators>, CampaignError> {
        let mut samples = Statistics::over_time(self.store.samples(self.campaign)?);
        samples.push((self.elapsed().as_millis() as u64, self.statistics.clone()));
        let of_solver = |(id, not_asked): (&str, Vec<String>)| {
            let sample = |(elapsed, statistics): &(u64, Statistics)| {
                let OperatorCount { operators, pairs, .. } = *statistics.operators.get(id)?;
                Some(OperatorSample { seconds: elapsed / 1000, operators, pairs })
            };
            let count = self.statistics.operators.get(id).copied().unwrap_or_default();
            let series = samples.iter().filter_map(sample).collect();
            SolverOperators { solver: id.to_owned(), count, not_asked, series }
        };
        Ok(self.shared.operator_reach.not_asked().map(of_solver).collect())
    }

    /// Why the campaign should end now, if it should.
    fn reason_to_end(&self, controls: Controls<'_>) -> Option<Ended> {
        let settings = self.shared.settings;
        let time = settings.time.map(Duration::from_millis);
        if controls.interrupt.load(Ordering::Relaxed) {
            return Some(Ended::Interrupted);
        }
        if time.is_some_and(|time| self.elapsed() >= time) {
            return Some(Ended::Time);
        }
        let started = self.shared.started.load(Ordering::Relaxed);
        settings.cases.is_some_and(|cases| started > cases).then_some(Ended::Cases)
    }

    fn receive(&mut self, message: Message) -> Result<(), CampaignError> {
        match message {
            Message::Progress { unit, next_case, statistics } => {
                if self.shared.desk.is_none() {
                    self.ledger.advance(unit, next_case);
                }
                self.statistics.add(&statistics);
                self.report_fallbacks();
            }
            Message::Ending { statistics } => self.statistics.add(&statistics),
            Message::UnitDone { unit, made } => match self.shared.desk {
                Some(desk) => desk.grants.done(unit, made),
                None => self.ledger.finish(unit),
            },
            Message::Finding { finding, run, case, seed } => {
                let ran_plain = finding.runs.iter().any(|run| run.asked == AskedScript::Plain);
                let plain = ran_plain.then(|| plain_script(&case));
                let texts = Texts { case: &case, seed: &seed, plain: plain.as_deref() };
                let recorded = self.store.record(&finding, texts)?;
                if let Recorded::New { id } = &recorded {
                    if finding.class.is_bug() {
                        *self.statistics.bugs_by_run.entry(run).or_default() += 1;
                    }
                    self.new_findings.insert(id.clone());
                    let listed = self.store.find(id)?;
                    self.queue_for_triage(&listed, *finding, case);
                    self.listener.event(&Event::Found(Box::new(listed)));
                }
                self.shared.unrecorded.fetch_sub(1, Ordering::Release);
            }
            Message::Triaged { id, triaged } => {
                let listed = self.record_triaged(&id, &triaged)?;
                if listed.merged_into.is_none() {
                    self.shared.report_queue.push(listed.class, id);
                }
            }
            Message::Merged(Merged { id, into }) => {
                let into = self.store.find(&into)?;
                let into = into.merged_into.unwrap_or(into.id);
                self.store.merge(&Merged { id: id.clone(), into })?;
                self.listener.event(&Event::Triaged(Box::new(self.store.find(&id)?)));
            }
            Message::Duplicate { signature, origin } => {
                self.store.again(&signature, &origin)?;
            }
            Message::Explained { finding, origin } => {
                self.store.count_case(&finding, &origin)?;
            }
            Message::UnusableSeed { strategy, seed, reason } => {
                let seed = self.seed(strategy, seed).map_or_else(String::new, |seed| seed.name.clone());
                let strategy = self.strategy_name(strategy);
                let same = |one: &UnusableSeed| one.strategy == strategy && one.seed == seed;
                if !self.unusable_seeds.iter().any(same) {
                    self.statistics.strategies.entry(strategy.clone()).or_default().unusable += 1;
                    self.unusable_seeds.push(UnusableSeed { strategy, seed, reason });
                }
            }
            Message::Failed(error) => return Err(CampaignError::Run(error)),
        }
        Ok(())
    }

    fn record_triaged(&mut self, id: &str, triaged: &TriagedFinding) -> Result<Listed, CampaignError> {
        let listed = record_triaged(self.store, id, triaged)?;
        self.listener.event(&Event::Triaged(Box::new(listed.clone())));
        Ok(listed)
    }

    /// Records what triage has made of findings for which there is no time any more.
    fn record_unfinished(&mut self) -> Result<(), CampaignError> {
        for Unreduced { subject, so_far, .. } in self.shared.triage_queue.take_all() {
            if let Some(triaged) = so_far {
                self.record_triaged(&subject.origin, &triaged)?;
            }
        }
        Ok(())
    }

    /// Shows what the reporter has done, and merges findings that turn out to be one bug by their releases.
    fn receive_reports(&mut self) -> Result<(), CampaignError> {
        while let Ok(Reported { id, report, took }) = self.reports.try_recv() {
            self.statistics.reports.time += took.as_micros() as u64;
            let Ok(report) = report else { continue };
            self.statistics.reports.written += 1;
            let finding = Box::new(self.store.find(&id)?);
            let range = report.releases.as_ref().map(Releases::range);
            self.releases.extend(range.map(|range| (id.clone(), range)));
            let releases = report.releases.as_ref().map(Releases::sentence);
            self.listener.event(&Event::Reported { finding, releases });
            let mut merged = Vec::new();
            merge_alike(self.store, &mut |pair| merged.push(pair.id.clone()))?;
            for id in merged {
                self.listener.event(&Event::Triaged(Box::new(self.store.find(&id)?)));
            }
        }
        Ok(())
    }

    /// Adds a new bug to those that wait for triage, if a plain run can show it. Candidates are left to `elenchus triage`: every test
    /// of a slow case takes seconds.
    fn queue_for_triage(&self, listed: &Listed, finding: Finding, case: String) {
        let Some(predicate) = finding.predicate.clone().filter(|_| listed.bug) else { return };
        let folder = self.store.folder().join(&listed.folder);
        let script = as_asked(&finding, case);
        let finding = Some(StoredFinding { listed: listed.clone(), finding, folder });
        let subject = Subject { script, predicate, origin: listed.id.clone(), model: None, finding };
        self.shared.triage_queue.add(Unreduced::new(subject));
    }

    /// A seed of the pool, or a strategy's own.
    fn seed(&self, strategy: StrategyIndex, seed: Option<SeedIndex>) -> Option<&Seed> {
        match seed {
            Some(seed) => self.shared.seeds.get(seed.get()),
            None => self.own_seeds[strategy.get()].as_ref(),
        }
    }

    fn strategy_name(&self, strategy: StrategyIndex) -> String {
        self.shared.strategies[strategy.get()].name().to_owned()
    }

    /// Reports once for each solver that it cannot be kept warm, and for each external generator that not all of its output is used.
    fn report_fallbacks(&mut self) {
        for (id, tally) in &self.statistics.targets {
            if !tally.fallback.is_empty() && self.reported_fallbacks.insert(id.clone()) {
                let note = format!("{id} is restarted for some scripts: {}", tally.fallback);
                self.listener.event(&Event::Note(note));
            }
        }
        for (name, tally) in &self.statistics.strategies {
            if tally.rejected > 0 && self.reported_fallbacks.insert(name.clone()) {
                let problem = case::text::collapsed(&tally.problem);
                self.listener.event(&Event::Note(format!("{name}: not used: {problem}")));
            }
        }
    }

    fn elapsed(&self) -> Duration {
        self.elapsed_before + self.this_run()
    }

    /// The running time since this process started.
    fn this_run(&self) -> Duration {
        self.running.elapsed(Instant::now())
    }

    fn show(&mut self) -> Result<Snapshot, CampaignError> {
        let snapshot = self.snapshot()?;
        self.listener.event(&Event::Progress(Box::new(snapshot.clone())));
        Ok(snapshot)
    }

    fn snapshot(&self) -> Result<Snapshot, CampaignError> {
        let settings = self.shared.settings;
        let findings = self.store.findings()?;
        Ok(Snapshot {
            elapsed: self.elapsed(),
            this_run: (self.this_run(), self.statistics.cases - self.cases_before),
            statistics: self.statistics.clone(),
            time: settings.time.map(Duration::from_millis),
            cases: settings.cases,
            jobs: settings.jobs,
            seeds: self.shared.seeds.len(),
            last_find: findings.iter().map(|finding| finding.first_seen).max().map(since),
            paused: self.running.is_paused(),
            releases: self.releases.clone(),
            findings,
        })
    }

    fn save(&mut self, state: CampaignState) -> Result<(), CampaignError> {
        let position = |(&number, &next_case): (&u64, &CaseIndex)| {
            let unit = self.shared.schedule.unit(number, next_case);
            let seed = self.seed(unit.strategy, unit.seed);
            Position {
                unit: number,
                strategy: self.strategy_name(unit.strategy),
                seed_hash: seed.map_or_else(String::new, |seed| format!("{:016x}", seed.hash)),
                round: unit.round,
                index: next_case.get() as u64,
            }
        };
        let progress = Progress {
            turns: self.ledger.turns.clone(),
            workers: self.ledger.open.iter().map(position).collect(),
            elapsed: self.elapsed().as_millis() as u64,
            totals: serde_json::to_string(&self.statistics).unwrap_or_default(),
        };
        Ok(self.store.save(self.campaign, state, &progress)?)
    }
}
