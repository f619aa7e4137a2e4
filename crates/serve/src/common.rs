//! A campaign that several machines share. Pages show its mirror, which a thread keeps up to date. What people decide goes to the
//! common store at once, and what they ask for into its queue.

use crate::data::DataError;
use crate::time::now;
use campaign::place::CommonPlace;
use case::text::shell_quoted;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use store::shared::{FindingUpdate, JobEntry, NewJob, WorkKind, shown};
use store::{StatusChange, StoreError};
use triage::TriageError;
use triage::known::KnownBug;

/// How often to ask the store for news, and the longest pause after an error.
const POLL: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_secs(30);

/// A campaign in a common store.
pub struct Common {
    shared: Arc<Shared>,
    follower: Option<JoinHandle<()>>,
}

struct Shared {
    folder: PathBuf,
    name: String,
    join: String,
    place: Mutex<CommonPlace>,
    /// The jobs that are not done, as the store said last.
    jobs: Mutex<Vec<JobEntry>>,
    trouble: Mutex<Option<Trouble>>,
    revision: AtomicU64,
    stop: AtomicBool,
}

/// The common store cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// Why.
    pub why: String,
}

impl Common {
    /// Follows a campaign.
    pub fn follow(place: CommonPlace) -> io::Result<Common> {
        let shared = Arc::new(Shared {
            folder: place.mirror.folder().to_owned(),
            name: place.mirror.campaign().name.clone(),
            join: join_command(&place.url, &place.mirror.campaign().name),
            place: Mutex::new(place),
            jobs: Mutex::default(),
            trouble: Mutex::default(),
            revision: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        });
        let own = shared.clone();
        let follower = thread::Builder::new().name("follower".to_owned()).spawn(move || own.follow())?;
        Ok(Common { shared, follower: Some(follower) })
    }

    /// The folder that has what the store has.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// The name of the campaign.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The command by which another machine takes part.
    pub fn join(&self) -> &str {
        &self.shared.join
    }

    /// A number that changes when the jobs or the connection do.
    pub fn revision(&self) -> u64 {
        self.shared.revision.load(Ordering::Relaxed)
    }

    /// Why the pages are not up to date, if they are not.
    pub fn trouble(&self) -> Option<Trouble> {
        lock(&self.shared.trouble).clone()
    }

    /// The jobs that are not done.
    pub fn jobs(&self) -> Vec<JobEntry> {
        lock(&self.shared.jobs).clone()
    }

    /// Changes the status of a finding.
    pub fn set_status(&self, id: &str, change: &StatusChange) -> Result<(), DataError> {
        let update =
            FindingUpdate { id: id.to_owned(), status: Some(change.clone()), ..FindingUpdate::default() };
        let mut place = lock(&self.shared.place);
        let campaign = place.mirror.campaign().id;
        place.shared.update_finding(campaign, &update)?;
        // The page that is shown next has it.
        place.update()?;
        Ok(())
    }

    /// Puts a job about a finding into the queue.
    pub fn add_job(&self, kind: WorkKind, finding: &str, detail: &str) -> Result<(), StoreError> {
        // What somebody waits for goes before what follows from findings by itself.
        let job = NewJob { kind, subject: finding.to_owned(), detail: detail.to_owned(), priority: i32::MIN };
        let mut place = lock(&self.shared.place);
        let campaign = place.mirror.campaign().id;
        place.shared.add_jobs(campaign, &[job])?;
        *lock(&self.shared.jobs) = place.shared.jobs(campaign)?;
        Ok(())
    }

    /// Adds a bug to the list of known bugs of the campaign.
    pub fn add_known(&self, bug: &KnownBug) -> Result<(), TriageError> {
        lock(&self.shared.place).change_known(&mut |known| {
            known.add(bug.clone());
            Ok(())
        })
    }
}

impl Drop for Common {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(follower) = self.follower.take() {
            follower.thread().unpark();
            // A panic there has been printed.
            let _ = follower.join();
        }
    }
}

impl Shared {
    /// Keeps the mirror up to date.
    fn follow(&self) {
        let mut pause = POLL;
        while !self.stop.load(Ordering::Relaxed) {
            match self.ask() {
                Ok(jobs) => {
                    pause = POLL;
                    let had_trouble = lock(&self.trouble).take().is_some();
                    let mut known = lock(&self.jobs);
                    if had_trouble || *known != jobs {
                        *known = jobs;
                        self.revision.fetch_add(1, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    pause = (pause * 2).min(LONGEST);
                    let why = error.to_string();
                    let mut trouble = lock(&self.trouble);
                    let since = trouble.as_ref().map_or_else(now, |trouble| trouble.since);
                    *trouble = Some(Trouble { since, why });
                    self.revision.fetch_add(1, Ordering::Relaxed);
                }
            }
            thread::park_timeout(pause);
        }
    }

    /// Brings the mirror up to date. Returns the jobs that were not done before: the results of the others are in the mirror.
    fn ask(&self) -> Result<Vec<JobEntry>, StoreError> {
        let mut place = lock(&self.place);
        if lock(&self.trouble).is_some() {
            place.reconnect()?;
        }
        let campaign = place.mirror.campaign().id;
        let jobs = place.shared.jobs(campaign)?;
        place.update()?;
        Ok(jobs)
    }
}

/// The command by which a machine takes part. It has no password, since all users of a machine can read command lines.
fn join_command(url: &str, campaign: &str) -> String {
    let url = shown(url).replacen(":***@", "@", 1);
    let url = match url.split_once('?') {
        Some((place, query)) => {
            let kept: Vec<&str> = query.split('&').filter(|pair| !pair.ends_with("=***")).collect();
            if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) }
        }
        None => url,
    };
    format!("elenchus fuzz --store {} --campaign {}", shell_quoted(&url), shell_quoted(campaign))
}

/// A lock whose content stays usable after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::join_command;

    #[test]
    fn the_command_to_join_has_no_password() {
        for (url, expected) in [
            (
                "postgres://me:secret@host/db",
                "elenchus fuzz --store postgres://me@host/db --campaign nightly",
            ),
            ("postgres://me@host/db", "elenchus fuzz --store postgres://me@host/db --campaign nightly"),
            (
                "postgres://me@host/db?password=x&sslmode=require",
                "elenchus fuzz --store 'postgres://me@host/db?sslmode=require' --campaign nightly",
            ),
            ("sqlite:/a b.db", "elenchus fuzz --store 'sqlite:/a b.db' --campaign nightly"),
        ] {
            assert_eq!(join_command(url, "nightly"), expected);
        }
    }
}
