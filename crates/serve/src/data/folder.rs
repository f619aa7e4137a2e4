//! The folder of a campaign as a source of data: its SQLite database and the folders of its findings.

use super::{CoveredAreas, Data, DataError, Dossier, Machine, MachineState, Totals, indexer};
use crate::common::{Common, Trouble};
use crate::time::now;
use campaign::{Statistics, share};
use case::Class;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, UNIX_EPOCH};
use store::shared::{self, MemberEntry, WorkKind};
use store::{
    Browser, CampaignEntry, CampaignState, Days, FacetKind, FindingFilter, FindingOrder, FindingPage, Listed,
    OccurrenceEntry, Position, SeedEntry, Status, StatusChange,
};

/// How often to look for changes.
const POLL: Duration = Duration::from_secs(1);
/// Counting takes at most about one part in this many of the time, however many findings there are.
const RARELY: u32 = 20;
/// How many short parts the whole time has.
const PARTS: u64 = 20_000;
/// The most campaigns in a list, and values of a filter.
const CAMPAIGNS: usize = 200;
const VALUES: usize = 500;
/// A process that the common store has not heard of for so long is silent, in milliseconds. Even one that has nothing to report says
/// that it is there more often.
const SILENCE: u64 = 90_000;

/// The folder of a campaign.
pub struct FolderData {
    shared: Arc<Shared>,
    common: Option<Arc<Common>>,
    watcher: Option<JoinHandle<()>>,
}

/// What is counted over all findings.
#[derive(Default)]
struct Counts {
    totals: Totals,
    /// How many findings of each class were first seen in each short part of the whole time.
    times: BTreeMap<Class, Vec<(u64, u64)>>,
    /// The length of these parts.
    width: u64,
}

struct Shared {
    folder: PathBuf,
    /// Connections that nobody uses now.
    idle: Mutex<Vec<Browser>>,
    /// Counted beside the requests, since counting takes as long as there are findings.
    counts: Mutex<Counts>,
    revision: AtomicU64,
    stop: AtomicBool,
}

impl FolderData {
    /// Opens the folder of a campaign, and begins to watch it.
    pub fn open(folder: &Path) -> Result<FolderData, DataError> {
        let mut browser = Browser::open(folder)?;
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            idle: Mutex::default(),
            counts: Mutex::new(count(&browser)?),
            revision: AtomicU64::new(1),
            stop: AtomicBool::new(false),
        });
        let own = shared.clone();
        let watch = move || own.watch(&mut browser);
        let watcher = thread::Builder::new()
            .name("watcher".to_owned())
            .spawn(watch)
            .map_err(|error| DataError::Store(store::StoreError::Io { path: folder.to_owned(), error }))?;
        Ok(FolderData { shared, common: None, watcher: Some(watcher) })
    }

    /// Opens the mirror of a campaign that several machines share.
    pub fn open_common(common: Arc<Common>) -> Result<FolderData, DataError> {
        let mut data = FolderData::open(common.folder())?;
        data.common = Some(common);
        Ok(data)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Brings what findings can be filtered by up to date, now.
    pub fn refresh(&self) -> Result<(), DataError> {
        let mut browser = Browser::open(&self.shared.folder)?;
        indexer::refresh(&mut browser, &self.shared.folder, &|| false)?;
        *lock(&self.shared.counts) = count(&browser)?;
        Ok(())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Browser) -> Result<T, DataError>) -> Result<T, DataError> {
        let idle = lock(&self.shared.idle).pop();
        let mut browser = match idle {
            Some(browser) => browser,
            None => Browser::open(&self.shared.folder)?,
        };
        let result = act(&mut browser);
        if result.is_ok() {
            lock(&self.shared.idle).push(browser);
        }
        result
    }
}

impl Drop for FolderData {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // A panic there has been printed.
            let _ = watcher.join();
        }
    }
}

impl Shared {
    /// Notices changes, and keeps what is derived up to date.
    fn watch(&self, browser: &mut Browser) {
        let (mut last, mut is_outdated, mut next_count) = (None, true, Instant::now());
        while !self.stop.load(Ordering::Relaxed) {
            let version = browser.version().ok();
            let has_changed = last != version;
            (last, is_outdated) = (version, is_outdated || has_changed);
            let counts_now = is_outdated && Instant::now() >= next_count;
            if counts_now {
                let begun = Instant::now();
                let stopped = || self.stop.load(Ordering::Relaxed);
                let updated = indexer::refresh(browser, &self.folder, &stopped).and_then(|_| count(browser));
                match updated {
                    Ok(counts) => *lock(&self.counts) = counts,
                    Err(error) => tracing::warn!("cannot count the findings: {error}"),
                }
                (is_outdated, next_count) = (false, Instant::now() + begun.elapsed() * RARELY);
            }
            if has_changed || counts_now {
                self.revision.fetch_add(1, Ordering::Relaxed);
            }
            thread::park_timeout(POLL);
        }
    }
}

/// Counts all findings. It takes as long as there are findings, so it is done beside the requests.
fn count(browser: &Browser) -> Result<Counts, store::StoreError> {
    let totals = Totals {
        classes: browser.class_counts()?,
        statuses: browser.status_counts()?,
        newest: browser.newest()?,
        yields: browser.yields()?,
    };
    let Some(newest) = totals.newest else { return Ok(Counts { totals, ..Counts::default() }) };
    let first = browser.campaigns(CAMPAIGNS)?.last().map_or(0, |campaign| campaign.started).min(newest);
    let width = (newest - first) / PARTS + 1;
    let mut times = browser.found_between(first, newest, PARTS)?;
    times.values_mut().flatten().for_each(|(part, _)| *part = first + *part * width);
    Ok(Counts { totals, times, width })
}

/// A lock whose content stays usable after a panic.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The counters of a campaign, from JSON; none if it has not saved any.
fn statistics(text: &str) -> Statistics {
    serde_json::from_str(text).unwrap_or_default()
}

/// A process of a campaign that several machines share. Its times are by the clock of the store.
fn machine(entry: &MemberEntry) -> Machine {
    let state = match () {
        () if entry.left => MachineState::Left,
        () if entry.seen + SILENCE < now() => MachineState::Silent,
        () => MachineState::Working,
    };
    let seconds = entry.seen.saturating_sub(entry.joined) / 1000;
    let takes_part = entry.member.work.contains(&WorkKind::Fuzz);
    Machine {
        name: entry.member.machine.clone(),
        process: Some(entry.member.process),
        workers: Some(entry.member.workers),
        version: Some(entry.member.version.clone()),
        work: entry.member.work.clone(),
        state,
        heartbeat: Some(entry.seen),
        rate: share(statistics(&entry.statistics).cases, seconds).filter(|_| takes_part),
    }
}

impl Data for FolderData {
    fn name(&self) -> String {
        if let Some(common) = &self.common {
            return common.name().to_owned();
        }
        let folder = &self.shared.folder;
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        absolute
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    fn revision(&self) -> u64 {
        let common = self.common.as_ref().map_or(0, |common| common.revision());
        self.shared.revision.load(Ordering::Relaxed) + common
    }

    fn campaigns(&self) -> Result<Vec<CampaignEntry>, DataError> {
        self.with(|browser| Ok(browser.campaigns(CAMPAIGNS)?))
    }

    fn campaign(&self, id: i64) -> Result<CampaignEntry, DataError> {
        let found = self.with(|browser| Ok(browser.campaign(id)?))?;
        found.ok_or_else(|| DataError::Missing(format!("campaign {id}")))
    }

    fn totals(&self, campaign: i64) -> Result<Statistics, DataError> {
        self.with(|browser| Ok(statistics(&browser.totals(campaign)?)))
    }

    fn samples(
        &self,
        campaign: i64,
        from: u64,
        to: u64,
        points: usize,
    ) -> Result<Vec<(u64, Statistics)>, DataError> {
        self.with(|browser| {
            let found = browser.samples_between(campaign, from, to, points)?;
            Ok(found.into_iter().map(|(elapsed, text)| (elapsed, statistics(&text))).collect())
        })
    }

    fn positions(&self, campaign: i64) -> Result<Vec<Position>, DataError> {
        self.with(|browser| Ok(browser.positions(campaign)?))
    }

    fn machines(&self) -> Result<Vec<Machine>, DataError> {
        let members = self.with(|browser| Ok(browser.members()?))?;
        if !members.is_empty() {
            let mut machines: Vec<Machine> = MemberEntry::processes(members).iter().map(machine).collect();
            machines.sort_by_key(|machine| (machine.state, Reverse(machine.heartbeat)));
            return Ok(machines);
        }
        let folder = &self.shared.folder;
        // The process that fuzzes holds this lock, and gives it back however it ends.
        let working = File::open(folder.join("lock")).is_ok_and(|file| file.try_lock_shared().is_err());
        let saved = ["elenchus.db-wal", "elenchus.db"].iter().filter_map(|name| {
            let time = std::fs::metadata(folder.join(name)).ok()?.modified().ok()?;
            Some(time.duration_since(UNIX_EPOCH).ok()?.as_millis() as u64)
        });
        let runs = self.campaigns()?.first().is_some_and(|last| last.state == CampaignState::Running);
        Ok(vec![Machine {
            name: "this machine".to_owned(),
            process: None,
            workers: None,
            version: None,
            work: Vec::new(),
            state: if working && runs { MachineState::Working } else { MachineState::NotWorking },
            heartbeat: saved.max().filter(|_| working && runs),
            rate: None,
        }])
    }

    fn shared_totals(&self) -> Result<Option<shared::Totals>, DataError> {
        self.with(|browser| Ok(browser.shared_totals()?))
    }

    fn join(&self) -> Option<String> {
        self.common.as_ref().map(|common| common.join().to_owned())
    }

    fn trouble(&self) -> Option<Trouble> {
        self.common.as_ref().and_then(|common| common.trouble())
    }

    fn counts(&self) -> Result<Totals, DataError> {
        Ok(lock(&self.shared.counts).totals.clone())
    }

    fn found_between(&self, from: u64, to: u64, parts: u64) -> Result<Days, DataError> {
        let width = (to.saturating_sub(from) / parts.max(1) + 1).max(1);
        let counts = lock(&self.shared.counts);
        // A short time has few findings, which are counted exactly.
        if counts.width == 0 || width < 4 * counts.width {
            drop(counts);
            return self.with(|browser| Ok(browser.found_between(from, to, parts)?));
        }
        let mut days = Days::new();
        for (class, times) in &counts.times {
            let mut sums: BTreeMap<u64, u64> = BTreeMap::new();
            // A part that begins a little before belongs to the time, as far as can be told.
            let within = times.iter().filter(|(time, _)| time + counts.width > from && *time <= to);
            within.for_each(|(time, count)| {
                *sums.entry(time.saturating_sub(from) / width).or_default() += count
            });
            if !sums.is_empty() {
                days.insert(*class, sums.into_iter().collect());
            }
        }
        Ok(days)
    }

    fn page(
        &self,
        filter: &FindingFilter,
        order: FindingOrder,
        offset: u64,
        limit: u64,
    ) -> Result<FindingPage, DataError> {
        self.with(|browser| Ok(browser.page(filter, order, offset, limit)?))
    }

    fn facet_values(&self, kind: FacetKind) -> Result<Vec<String>, DataError> {
        self.with(|browser| Ok(browser.facet_values(kind, VALUES)?))
    }

    fn finding(&self, id: &str) -> Result<(Listed, Status), DataError> {
        let found = self.with(|browser| Ok(browser.finding(id)?))?;
        found.ok_or_else(|| DataError::Missing(format!("finding `{id}`")))
    }

    fn dossier(&self, id: &str) -> Result<Dossier, DataError> {
        let (listed, _) = self.finding(id)?;
        self.with(|browser| Ok(Dossier::read(browser, &self.shared.folder, listed)?))
    }

    fn occurrences(
        &self,
        id: &str,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, Vec<OccurrenceEntry>), DataError> {
        self.with(|browser| Ok(browser.occurrences(id, offset, limit)?))
    }

    fn set_status(&self, id: &str, change: &StatusChange) -> Result<(), DataError> {
        self.finding(id)?;
        match &self.common {
            Some(common) => common.set_status(id, change),
            None => self.with(|browser| Ok(browser.set_status(id, change)?)),
        }
    }

    fn seeds(&self, offset: u64, limit: u64) -> Result<(u64, Vec<(SeedEntry, String)>), DataError> {
        self.with(|browser| {
            let (total, seeds) = browser.seeds(offset, limit)?;
            let named = |seed: SeedEntry| {
                let facets = browser.facets_of(&seed.example)?;
                let name = facets.into_iter().find(|(kind, _)| kind == FacetKind::Seed.name());
                let name = name.map_or_else(|| seed.hash.clone(), |(_, name)| name);
                Ok((seed, name))
            };
            Ok((total, seeds.into_iter().map(named).collect::<Result<_, DataError>>()?))
        })
    }

    fn covered_areas(&self) -> Result<Vec<CoveredAreas>, DataError> {
        Ok(CoveredAreas::of_campaign(&self.shared.folder))
    }
}
