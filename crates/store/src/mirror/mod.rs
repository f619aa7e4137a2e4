//! The folder of a campaign that a common store keeps: everything that reads and works on a folder works on this one.
//!
//! A [`Mirror`] asks the store for what has changed since the last time. It writes nothing into the store unless it is asked to
//! [push](Mirror::push) what a command has changed in the folder. Several processes may use one mirror: each fills it under a lock.
//! What a process changed and did not push before it ended is forgotten; so is what the system may have lost when it stopped.

mod files;
mod push;
mod rows;
mod statistics;

pub use push::Touched;
pub use statistics::MemberSums;

use crate::browse::Browser;
use crate::error::StoreError;
use crate::record::CampaignState;
use crate::shared::{SharedCampaign, SharedFinding, SharedStore, shown};
use crate::store::{DATABASE, Store};
use case::hash::fnv1a;
use rows::{Fetched, NEVER};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of the campaign in the folder.
pub(crate) const CAMPAIGN: i64 = 1;

/// How many findings to ask for at once.
const BATCH: usize = 100;
/// The list of the cases of a finding is fetched again if it lacks so many of them, one of so many, or if the campaign is over.
const MANY_CASES: u64 = 256;
const SHARE_OF_CASES: u64 = 16;
/// How long to wait for another process that fills the mirror.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(20);
/// How often to fetch the documents of a campaign again.
const DOCUMENTS: Duration = Duration::from_secs(15);

/// The documents that are files of the folder: their kind. Their name is the name of the file.
pub const FILE_DOCUMENT: &str = "file";
/// The kind and the name of the list of known bugs.
pub const KNOWN_DOCUMENT: (&str, &str) = ("known", "list");
/// The list of known bugs in the folder.
pub const KNOWN_FILE: &str = "elenchus-known.json";

/// The folder of a campaign that a common store keeps.
pub struct Mirror {
    folder: PathBuf,
    campaign: SharedCampaign,
    browser: Browser,
    /// Held while this process may have changes that the store does not have.
    working: Option<Work>,
    documents: Option<Instant>,
}

/// What says that this process may have changes that the store does not have.
struct Work {
    /// A name that no other process has.
    name: String,
    /// Every process locks it together with the others.
    _file: File,
}

/// Keeps other processes from filling a mirror.
pub struct MirrorLock {
    _file: File,
}

impl Mirror {
    /// Where the mirror of a campaign is, below the folder `root`.
    pub fn place(root: &Path, url: &str, campaign: &SharedCampaign) -> PathBuf {
        let place =
            format!("{} {} {} {}", without_login(url), campaign.name, campaign.id.0, campaign.started);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = campaign.name.chars().map(plain).take(60).collect();
        root.join("mirrors").join(format!("{}-{:016x}", name.trim_start_matches('.'), fnv1a(&place)))
    }

    /// Opens the mirror of a campaign below the folder `root`, as it was left. `url` names the store.
    pub fn open(root: &Path, url: &str, campaign: &SharedCampaign) -> Result<Mirror, StoreError> {
        let folder = Mirror::place(root, url, campaign);
        fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
        let _lock = lock(&folder)?;
        let browser = match opened(&folder) {
            // Everything is in the common store.
            Err(StoreError::Foreign { .. } | StoreError::Lost { .. } | StoreError::Missing { .. }) => {
                remove_content(&folder)?;
                opened(&folder)?
            }
            opened => opened?,
        };
        browser.db.pragma_update(None, "synchronous", "NORMAL").map_err(browser.sql())?;
        let mut mirror =
            Mirror { folder, campaign: campaign.clone(), browser, working: None, documents: None };
        mirror.sql(|db| {
            db.execute_batch(rows::TABLES)?;
            db.execute(
                "INSERT OR IGNORE INTO campaign (id, seed, settings, state, started) VALUES (?1, ?2, ?3, 'running', ?4)",
                (CAMPAIGN, campaign.seed as i64, &campaign.settings, campaign.started as i64),
            )
        })?;
        mirror.recover()?;
        Ok(mirror)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The campaign.
    pub fn campaign(&self) -> &SharedCampaign {
        &self.campaign
    }

    /// Keeps other processes from filling the mirror.
    pub fn lock(&self) -> Result<MirrorLock, StoreError> {
        Ok(MirrorLock { _file: lock(&self.folder)? })
    }

    /// Brings everything that has changed in the common store into the folder. Returns whether anything had.
    pub fn update(
        &mut self,
        shared: &mut dyn SharedStore,
        sums: &mut dyn MemberSums,
    ) -> Result<bool, StoreError> {
        let lock = self.lock()?;
        self.update_locked(shared, sums, &lock)
    }

    /// As [`update`](Self::update), for a process that has the lock.
    pub fn update_locked(
        &mut self,
        shared: &mut dyn SharedStore,
        sums: &mut dyn MemberSums,
        _: &MirrorLock,
    ) -> Result<bool, StoreError> {
        self.recover()?;
        if let Some(campaign) =
            shared.campaign(&self.campaign.name)?.filter(|found| found.id == self.campaign.id)
        {
            self.campaign = campaign;
        }
        let findings = self.update_findings(shared)?;
        let statistics = self.update_statistics(shared, sums)?;
        let documents = self.update_documents(shared)?;
        Ok(findings || statistics || documents)
    }

    fn update_findings(&mut self, shared: &mut dyn SharedStore) -> Result<bool, StoreError> {
        let mut is_changed = false;
        loop {
            let revision = self.sql(|db| rows::value(db, "revision"))?;
            let revision: u64 = revision.and_then(|text| text.parse().ok()).unwrap_or(0);
            let findings = shared.findings_since(self.campaign.id, revision, BATCH)?;
            let Some(last) = findings.iter().map(|finding| finding.revision).max() else {
                return Ok(is_changed);
            };
            let count = findings.len();
            let mut fetched = Vec::new();
            for finding in findings {
                fetched.push(self.fetch(shared, finding)?);
            }
            self.change(|change| {
                fetched.iter().try_for_each(|one| rows::enter(change, one))?;
                rows::merge_due(change)?;
                rows::set_value(change, "revision", &last.to_string())
            })?;
            is_changed = true;
            if count < BATCH || last <= revision {
                return Ok(true);
            }
        }
    }

    /// Fetches what has changed about a finding. Its files are in the folder afterwards.
    fn fetch(&self, shared: &mut dyn SharedStore, finding: SharedFinding) -> Result<Fetched, StoreError> {
        if !files::is_plain_name(&finding.id) {
            let detail = format!("a finding of the store has the name `{}`", finding.id);
            return Err(StoreError::Foreign { path: self.folder.clone(), detail });
        }
        let known = self.sql(|db| rows::known(db, &finding.id))?;
        let (id, own) = (self.campaign.id, &finding.id);
        let has_files =
            known.as_ref().map_or(NEVER, |known| known.files_revision) == finding.files_revision as i64;
        let files = match has_files {
            true => None,
            false => {
                let files = shared.files(id, own)?;
                files::write(&self.folder.join("findings").join(own), &files)?;
                Some(files::digest(&files))
            }
        };
        let lacks = finding.count.saturating_sub(known.as_ref().map_or(0, |known| known.cases));
        let may_lack = match self.campaign.finished || finding.count <= MANY_CASES {
            true => 0,
            false => finding.count / SHARE_OF_CASES,
        };
        let cases = if lacks > may_lack { Some(shared.cases(id, own)?) } else { None };
        let status = serde_json::json!(finding.status).to_string();
        let is_new_status = match &known {
            Some(known) => known.status != status,
            None => finding.status.changed != 0,
        };
        let history = if is_new_status { Some(shared.history(id, own)?) } else { None };
        Ok(Fetched { finding, files, cases, history })
    }

    fn update_documents(&mut self, shared: &mut dyn SharedStore) -> Result<bool, StoreError> {
        if self.documents.is_some_and(|at| at.elapsed() < DOCUMENTS) {
            return Ok(false);
        }
        let mut written = shared.documents(self.campaign.id, FILE_DOCUMENT)?;
        if let Some(mut known) = shared.document(self.campaign.id, KNOWN_DOCUMENT.0, KNOWN_DOCUMENT.1)? {
            KNOWN_FILE.clone_into(&mut known.name);
            written.push(known);
        }
        for document in &written {
            // A file of the mirror itself must stay.
            if files::is_plain_name(&document.name) && document.name.ends_with(".json") {
                files::replace(&self.folder.join(&document.name), &document.body)?;
            }
        }
        self.documents = Some(Instant::now());
        Ok(!written.is_empty())
    }

    /// Forgets what a process changed and did not push before it ended, and what the system may have lost when it stopped.
    fn recover(&mut self) -> Result<(), StoreError> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let (last_boot, has_work) = self.sql(|db| Ok((rows::value(db, "boot")?, rows::has_work(db)?)))?;
        let was_left = has_work && self.nobody_works()?;
        if was_left || last_boot.as_ref().is_some_and(|last| *last != boot) {
            let all = self.sql(rows::files_of_all)?;
            let mut changed = Vec::new();
            for (id, known) in all {
                if files::digest(&files::read(&self.folder.join("findings").join(&id))?) != known {
                    changed.push(id);
                }
            }
            self.change(|change| {
                changed.iter().try_for_each(|id| rows::forget_files(change, id))?;
                rows::forget(change)?;
                rows::end_all_work(change)
            })?;
        }
        if last_boot.is_none_or(|last| last != boot) {
            self.sql(|db| rows::set_value(db, "boot", &boot))?;
        }
        Ok(())
    }

    /// Whether no process has changes that the store does not have.
    fn nobody_works(&self) -> Result<bool, StoreError> {
        match working_file(&self.folder)?.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(StoreError::io(&self.folder)(error)),
        }
    }

    /// Asks the database.
    fn sql<T>(
        &self,
        ask: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        ask(&self.browser.db).map_err(self.browser.sql())
    }

    /// Changes the database.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let sql = StoreError::sql(&self.browser.database);
        let transaction = self.browser.db.transaction().map_err(&sql)?;
        let result = change(&transaction).map_err(&sql)?;
        transaction.commit().map_err(&sql)?;
        Ok(result)
    }

    fn state(&self, works: bool) -> CampaignState {
        match (self.campaign.finished, works) {
            (true, _) => CampaignState::Finished,
            (false, true) => CampaignState::Running,
            (false, false) => CampaignState::Stopped,
        }
    }
}

/// The URL of a store without who logs in how, and without options.
fn without_login(url: &str) -> String {
    let shown = shown(url);
    let place = shown.split('?').next().unwrap_or_default();
    match (place.split_once("://"), place.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        // Relative paths mean other files in other folders.
        _ => match place.strip_prefix("sqlite:").map(std::path::absolute) {
            Some(Ok(path)) => format!("sqlite:{}", path.display()),
            _ => place.to_owned(),
        },
    }
}

fn opened(folder: &Path) -> Result<Browser, StoreError> {
    if !folder.join(DATABASE).is_file() {
        Store::open(folder)?;
    }
    Browser::open(folder)
}

/// Removes what a mirror consists of, but not its locks: others may hold them.
fn remove_content(folder: &Path) -> Result<(), StoreError> {
    let findings = folder.join("findings");
    match fs::remove_dir_all(&findings) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(StoreError::io(findings)(error));
        }
        _ => {}
    }
    for suffix in ["", "-wal", "-shm"] {
        let file = folder.join(format!("{DATABASE}{suffix}"));
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::io(file)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("mirror.lock");
    let file = File::create(&path).map_err(StoreError::io(&path))?;
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(StoreError::io(path)(error)),
        }
    }
}

/// The file that every process locks together with the others while it has changes that the store does not have.
fn working_file(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("working.lock");
    File::create(&path).map_err(StoreError::io(path))
}

#[cfg(test)]
mod tests {
    use super::without_login;

    #[test]
    fn a_mirror_does_not_depend_on_who_logs_in() {
        for (url, expected) in [
            ("postgres://me:secret@host/db?sslmode=require", "postgres://host/db"),
            ("postgres://you@host/db", "postgres://host/db"),
            ("postgres://host/db", "postgres://host/db"),
            ("sqlite:/a/b.db", "sqlite:/a/b.db"),
            ("sqlite:/a/b.db?job-lease=1s", "sqlite:/a/b.db"),
        ] {
            assert_eq!(without_login(url), expected);
        }
    }
}
