//! The state of a common store: its campaigns, who works on them, and what waits.

use case::table::{align, counted};
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::StoreError;
use store::shared::{JobEntry, JobState, MemberEntry, SharedStore, Totals, shown};

/// A process that the store has not heard of for so long is shown as silent.
const SILENCE: Duration = Duration::from_secs(60);
/// At most so many processes and failed jobs are listed.
const LISTED: usize = 50;

/// The state of a common store.
#[derive(Debug, Serialize)]
pub struct StoreStatus {
    /// Its URL without the password.
    pub store: String,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Its campaigns, the latest first.
    pub campaigns: Vec<CampaignStatus>,
}

/// The state of a campaign.
#[derive(Debug, Serialize)]
pub struct CampaignStatus {
    /// Its name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// Whether all of its work is done.
    pub finished: bool,
    /// Its strategies.
    pub strategies: Vec<String>,
    /// Its progress.
    pub totals: Totals,
    /// Its processes, in the order in which they joined.
    pub members: Vec<MemberEntry>,
    /// The jobs that failed too often.
    pub failed: Vec<FailedJob>,
}

/// A job that failed too often.
#[derive(Debug, Serialize)]
pub struct FailedJob {
    /// The kind of work.
    pub kind: &'static str,
    /// What it is about.
    pub subject: String,
    /// Why it failed.
    pub why: String,
}

impl StoreStatus {
    /// Asks a store about all campaigns, or about the one with a name.
    pub fn read(
        shared: &mut dyn SharedStore,
        url: &str,
        name: Option<&str>,
    ) -> Result<StoreStatus, StoreError> {
        let campaigns = match name {
            Some(name) => vec![crate::place::find_campaign(shared, url, Some(name))?],
            None => shared.campaigns()?,
        };
        let mut all = Vec::new();
        for campaign in campaigns {
            let members = MemberEntry::processes(shared.members(campaign.id)?);
            let failed = shared.jobs(campaign.id)?.into_iter().filter(|job| job.state == JobState::GivenUp);
            all.push(CampaignStatus {
                totals: shared.totals(campaign.id)?,
                members,
                failed: failed.map(FailedJob::of).collect(),
                strategies: campaign.strategies.into_iter().map(|strategy| strategy.name).collect(),
                name: campaign.name,
                seed: campaign.seed,
                started: campaign.started,
                finished: campaign.finished,
            });
        }
        Ok(StoreStatus { store: shown(url), bytes: shared.size()?, campaigns: all })
    }

    /// The state for people.
    pub fn lines(&self) -> Vec<String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        if self.campaigns.is_empty() {
            return vec![format!("{} has no campaign", self.store)];
        }
        let mut lines = vec![format!("{}, {}", self.store, megabytes(self.bytes))];
        for campaign in &self.campaigns {
            lines.push(String::new());
            lines.extend(campaign.lines(now));
        }
        lines
    }
}

impl FailedJob {
    fn of(job: JobEntry) -> FailedJob {
        FailedJob { kind: job.kind.name(), subject: job.subject, why: job.failure }
    }
}

impl CampaignStatus {
    fn lines(&self, now: Duration) -> Vec<String> {
        let Totals { cases, held, findings, .. } = &self.totals;
        let state = if self.finished { "finished" } else { "not finished" };
        let mut lines = vec![format!(
            "{}: {state}, started {} ago; {}, {}, {} held",
            self.name,
            ago(now, self.started),
            counted(*cases, "case"),
            counted(*findings, "finding"),
            counted(*held, "block")
        )];
        let (left, here): (Vec<&MemberEntry>, Vec<_>) = self.members.iter().partition(|entry| entry.left);
        let mut rows = Vec::new();
        for entry in here.iter().take(LISTED) {
            let member = &entry.member;
            let age = now.saturating_sub(Duration::from_millis(entry.seen));
            let work: Vec<&str> = member.work.iter().map(|kind| kind.name()).collect();
            let state = if age > SILENCE { "silent" } else { "works" };
            rows.push(vec![
                format!("  {}", member.machine),
                member.process.to_string(),
                counted(member.workers, "worker"),
                work.join(","),
                format!("{state}, seen {} ago", ago(now, entry.seen)),
            ]);
        }
        lines.extend(align(&rows));
        if !left.is_empty() || here.len() > LISTED {
            let more = here.len().saturating_sub(LISTED);
            lines.push(format!("  {} left, {more} more work", left.len()).replace(", 0 more work", ""));
        }
        for count in self.totals.jobs.iter().filter(|count| count.waiting + count.running + count.failed > 0)
        {
            let (waiting, running, failed) = (count.waiting, count.running, count.failed);
            lines.push(format!("  {}: {waiting} waiting, {running} running, {failed} failed", count.kind));
        }
        let failed = self.failed.iter().take(LISTED);
        lines.extend(failed.map(|job| {
            format!("  {} {} failed: {}", job.kind, job.subject, case::text::first_line(&job.why))
        }));
        lines
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// How long ago a time is, in milliseconds since 1970, in the largest unit that fits.
fn ago(now: Duration, time: u64) -> String {
    let seconds = now.saturating_sub(Duration::from_millis(time)).as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}
