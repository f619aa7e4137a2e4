//! The courier: the thread that exchanges news with the common store. Nobody waits for it.

use super::desk::{Call, Desk};
use super::outage::{Outage, findings};
use std::time::{Duration, Instant, SystemTime};
use store::shared::{BlockProgress, CampaignId, MemberEntry, MemberId, Outgoing, SharedStore, WorkKind};
use store::{Parcel, Spool, StoreError};

/// The time between two exchanges.
const INTERVAL: Duration = Duration::from_secs(2);

/// The time before the next exchange if more news wait.
const SOON: Duration = Duration::from_millis(50);

/// How often to look how many processes there are.
const CENSUS: Duration = Duration::from_secs(30);

/// A process that was not heard of for so long does not count.
const SILENT: u64 = 60_000;

/// How many cases and how many bytes of files go to the store at once.
const MOST_CASES: usize = 500;
const MOST_BYTES: usize = 8 << 20;

/// How long a process that ends tries to deliver its last news.
const LAST_ATTEMPTS: Duration = Duration::from_secs(15);

/// Exchanges news with the common store.
pub struct Courier<'a> {
    store: Box<dyn SharedStore>,
    campaign: CampaignId,
    member: MemberId,
    spool: Spool,
    desk: &'a Desk,
    outage: Outage,
    census: Option<Instant>,
    /// What the store knows about the blocks.
    known: Vec<BlockProgress>,
    /// Statistics that were not delivered.
    statistics: String,
}

/// What an exchange brought.
struct Exchanged {
    /// Whether more news wait.
    is_cut: bool,
    /// Whether there is new work.
    has_work: bool,
}

impl<'a> Courier<'a> {
    /// A courier of a process.
    pub fn new(
        store: Box<dyn SharedStore>,
        campaign: CampaignId,
        member: MemberId,
        spool: Spool,
        desk: &'a Desk,
    ) -> Courier<'a> {
        let (outage, census, known) = (Outage::default(), None, Vec::new());
        Courier { store, campaign, member, spool, desk, outage, census, known, statistics: String::new() }
    }

    /// Exchanges news until the desk is closed, then delivers the rest.
    pub fn run(mut self) {
        let (mut pause, mut answers_hunger) = (Duration::ZERO, false);
        loop {
            if self.desk.wait(pause, answers_hunger) == Call::Closing {
                break;
            }
            (pause, answers_hunger) = match self.exchange(false) {
                Ok(Exchanged { is_cut: true, .. }) => (SOON, false),
                Ok(Exchanged { has_work, .. }) => (INTERVAL, has_work),
                Err(pause) => (pause, false),
            };
        }
        self.deliver_rest();
    }

    /// Delivers what is left, and leaves the campaign.
    fn deliver_rest(&mut self) {
        let until = Instant::now() + LAST_ATTEMPTS;
        loop {
            match self.exchange(true) {
                Ok(Exchanged { is_cut: false, .. }) => return,
                Ok(_) => {}
                Err(pause) if Instant::now() + pause < until => std::thread::sleep(pause),
                Err(_) => break,
            }
        }
        let waiting = findings(self.spool.waiting().unwrap_or_default());
        self.desk.notes.put(format!(
            "{waiting} for the store; the next run of this campaign with the same folder delivers what is left"
        ));
    }

    /// Exchanges news once. If it fails, returns how long to wait.
    fn exchange(&mut self, leaves: bool) -> Result<Exchanged, Duration> {
        let began = Instant::now();
        let done = self.try_exchange(leaves);
        self.desk.count_exchange(began.elapsed());
        match done {
            Ok(exchanged) => {
                self.outage.ended(SystemTime::now()).into_iter().for_each(|note| self.desk.notes.put(note));
                Ok(exchanged)
            }
            Err(error) => {
                tracing::info!("exchange with the store: {error}");
                let waiting = self.spool.waiting().unwrap_or_default();
                let (pause, note) = self.outage.failed(&error.to_string(), waiting, SystemTime::now());
                note.into_iter().for_each(|note| self.desk.notes.put(note));
                Err(pause)
            }
        }
    }

    fn try_exchange(&mut self, leaves: bool) -> Result<Exchanged, StoreError> {
        // Whatever counts as done here was found before, so what was found is read after this.
        let progress = self.desk.grants.progress();
        let parcel = self.spool.parcel(MOST_CASES, MOST_BYTES)?;
        // As long as findings wait, no turn counts as done: it may be theirs.
        let progress = if parcel.is_cut { self.held_back(&progress) } else { progress };
        let statistics = self.desk.take_statistics();
        if !statistics.is_empty() {
            self.statistics = statistics;
        }
        let Parcel { findings, occurrences, .. } = &parcel;
        let news = Outgoing {
            progress,
            findings: findings.clone(),
            occurrences: occurrences.clone(),
            statistics: self.statistics.clone(),
            wishes: if leaves { Vec::new() } else { self.desk.grants.wishes() },
            leaves: leaves && !parcel.is_cut,
        };
        let answer = self.store.exchange(self.member, &news)?;
        self.statistics.clear();
        if !parcel.is_empty() {
            self.spool.delivered(&parcel, &answer.unknown)?;
        }
        self.desk.grants.receive(&news.progress, &answer);
        self.known = news.progress;
        let is_cut = parcel.is_cut || !answer.unknown.is_empty();
        if !leaves && self.census.is_none_or(|last| last.elapsed() >= CENSUS) {
            self.count_members(answer.now)?;
        }
        Ok(Exchanged { is_cut, has_work: !answer.granted.is_empty() })
    }

    /// Progress as the store knows it.
    fn held_back(&self, progress: &[BlockProgress]) -> Vec<BlockProgress> {
        let known = |now: &BlockProgress| {
            let known = self.known.iter().find(|known| known.block == now.block).copied();
            known.unwrap_or(BlockProgress { done: now.block.first, cases: 0, digest: 0, ..*now })
        };
        progress.iter().map(known).collect()
    }

    fn count_members(&mut self, now: u64) -> Result<(), StoreError> {
        let members = self.store.members(self.campaign)?;
        let fuzzes = |entry: &&MemberEntry| {
            entry.member.work.contains(&WorkKind::Fuzz) && !entry.left && entry.seen + SILENT >= now
        };
        let alive = members.iter().filter(fuzzes).count();
        self.desk.grants.set_members(alive as u64);
        self.census = Some(Instant::now());
        Ok(())
    }
}
