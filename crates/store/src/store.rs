//! The folder of a campaign: a database and a folder for each finding.

use crate::error::StoreError;
use crate::record::{
    Campaign, CampaignState, Listed, ListedSolver, Merged, Position, Progress, Recorded, Texts, TriageResult,
};
use crate::{folder, schema};
use case::hash::fnv1a;
use case::{Class, Finding, Origin, Severity};
use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub(crate) const DATABASE: &str = "elenchus.db";

/// The folder of a campaign. When a method returns, its changes are on disk and survive a crash of the process.
pub struct Store {
    folder: PathBuf,
    database: PathBuf,
    db: Connection,
    /// The identity of the database file: device and number.
    identity: Option<(u64, u64)>,
    /// The common campaign that learns of all cases of findings, if machines share it.
    spools_for: Option<String>,
    /// Held by the one process that fuzzes into the folder.
    _lock: Option<File>,
}

impl Store {
    /// Opens the folder for fuzzing, and creates it if necessary. Only one process at a time can hold it.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let lock = lock(folder)?;
        let database = folder.join(DATABASE);
        if is_empty(&database) && !folder::all(&folder.join("findings"))?.is_empty() {
            // A new database would forget the findings, and their folders would be overwritten.
            return Err(StoreError::Lost { path: database });
        }
        Store::open_locked(folder, lock)
    }

    /// Opens the folder that this process has locked.
    pub(crate) fn open_locked(folder: &Path, lock: File) -> Result<Store, StoreError> {
        let findings = folder.join("findings");
        fs::create_dir_all(&findings).map_err(StoreError::io(&findings))?;
        let mut store = Store::connect(folder, Some(lock))?;
        schema::migrate(&mut store.db, &store.database)?;
        folder::clean(&findings)?;
        Ok(store)
    }

    /// The folder of the campaign that a folder belongs to: itself, or the one above its `findings`.
    pub fn campaign_folder(folder: &Path) -> Option<PathBuf> {
        let folder = if folder.ends_with("findings") { folder.join("..") } else { folder.to_owned() };
        folder.join(DATABASE).is_file().then_some(folder)
    }

    /// Opens the folder of an existing campaign for reading. The campaign may be running.
    pub fn open_existing(folder: &Path) -> Result<Store, StoreError> {
        let database = folder.join(DATABASE);
        if !database.is_file() {
            return Err(StoreError::Missing { path: folder.to_owned() });
        }
        if is_empty(&database) {
            return Err(StoreError::Foreign { path: database, detail: "it is empty".to_owned() });
        }
        let mut store = Store::connect(folder, None)?;
        schema::migrate(&mut store.db, &store.database)?;
        Ok(store)
    }

    fn connect(folder: &Path, lock: Option<File>) -> Result<Store, StoreError> {
        let database = folder.join(DATABASE);
        let sql = StoreError::sql(&database);
        let db = Connection::open_with_flags(
            &database,
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(&sql)?;
        db.busy_timeout(Duration::from_secs(10)).map_err(&sql)?;
        // This is the first statement, so it fails if the file is not a database or the disk is full.
        db.pragma_update(None, "journal_mode", "WAL").map_err(&sql)?;
        db.pragma_update(None, "synchronous", "FULL").map_err(&sql)?;
        let identity = identity(&database);
        Ok(Store {
            folder: folder.to_owned(),
            database: database.clone(),
            db,
            identity,
            spools_for: None,
            _lock: lock,
        })
    }

    /// Fails if the database file is not there any more: what is written to it then is lost.
    fn check_presence(&self) -> Result<(), StoreError> {
        match identity(&self.database) == self.identity {
            true => Ok(()),
            false => Err(StoreError::Removed { path: self.folder.clone() }),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// From now on, keeps every case that shows a finding until a [`Spool`](crate::Spool) has delivered it to the common campaign
    /// with this identity.
    pub fn spool_for(&mut self, campaign: &str) {
        self.spools_for = Some(campaign.to_owned());
    }

    /// Begins a campaign.
    pub fn begin(&mut self, seed: u64, settings: &str) -> Result<i64, StoreError> {
        let sql = StoreError::sql(&self.database);
        self.db
            .execute(
                "INSERT INTO campaign (seed, settings, state, started) VALUES (?1, ?2, 'running', ?3)",
                params![seed as i64, settings, now()],
            )
            .map_err(&sql)?;
        Ok(self.db.last_insert_rowid())
    }

    /// The latest campaign.
    pub fn last_campaign(&self) -> Result<Option<Campaign>, StoreError> {
        let sql = StoreError::sql(&self.database);
        let read = |row: &Row<'_>| {
            Ok(Campaign {
                id: row.get(0)?,
                seed: row.get::<_, i64>(1)? as u64,
                settings: row.get(2)?,
                state: CampaignState::from_word(&row.get::<_, String>(3)?),
                started: row.get::<_, i64>(4)? as u64,
                progress: Progress {
                    turns: numbers(&row.get::<_, String>(5)?),
                    elapsed: row.get::<_, i64>(6)? as u64,
                    totals: row.get(7)?,
                    workers: Vec::new(),
                },
            })
        };
        let columns = "id, seed, settings, state, started, turns, elapsed, totals";
        let query = format!("SELECT {columns} FROM campaign ORDER BY id DESC LIMIT 1");
        let Some(mut campaign) = self.db.query_row(&query, [], read).optional().map_err(&sql)? else {
            return Ok(None);
        };
        let mut positions = self
            .db
            .prepare(
                "SELECT unit, strategy, seed_hash, round, case_index FROM position WHERE campaign = ?1 ORDER BY worker",
            )
            .map_err(&sql)?;
        campaign.progress.workers =
            positions.query_map([campaign.id], position).and_then(Iterator::collect).map_err(&sql)?;
        Ok(Some(campaign))
    }

    /// Saves the progress of a campaign.
    pub fn save(&mut self, id: i64, state: CampaignState, progress: &Progress) -> Result<(), StoreError> {
        self.check_presence()?;
        let sql = StoreError::sql(&self.database);
        let change = self.db.transaction().map_err(&sql)?;
        change
            .execute(
                "UPDATE campaign SET state = ?2, turns = ?3, elapsed = ?4, totals = ?5 WHERE id = ?1",
                params![id, state.word(), list(&progress.turns), progress.elapsed as i64, progress.totals],
            )
            .map_err(&sql)?;
        change.execute("DELETE FROM position WHERE campaign = ?1", [id]).map_err(&sql)?;
        for (worker, position) in progress.workers.iter().enumerate() {
            change
                .prepare_cached("INSERT INTO position VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
                .and_then(|mut insert| {
                    insert.execute(params![
                        id,
                        worker as i64,
                        position.unit as i64,
                        position.strategy,
                        position.seed_hash,
                        position.round as i64,
                        position.index as i64
                    ])
                })
                .map_err(&sql)?;
        }
        change.commit().map_err(&sql)
    }

    /// Stores a sample of the statistics, `elapsed` milliseconds into the campaign.
    pub fn sample(&mut self, campaign: i64, elapsed: u64, body: &str) -> Result<(), StoreError> {
        self.db
            .execute(
                "INSERT OR REPLACE INTO sample VALUES (?1, ?2, ?3)",
                params![campaign, elapsed as i64, body],
            )
            .map(|_| ())
            .map_err(StoreError::sql(&self.database))
    }

    /// The samples of a campaign, in order: milliseconds and body.
    pub fn samples(&self, campaign: i64) -> Result<Vec<(u64, String)>, StoreError> {
        let sql = StoreError::sql(&self.database);
        let mut query = self
            .db
            .prepare("SELECT elapsed, body FROM sample WHERE campaign = ?1 ORDER BY elapsed")
            .map_err(&sql)?;
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?));
        query.query_map([campaign], read).and_then(Iterator::collect).map_err(&sql)
    }

    /// The hashes of seeds that no solver of a setup answers.
    pub fn hopeless_seeds(&self, setup: &str) -> Result<BTreeSet<String>, StoreError> {
        let sql = StoreError::sql(&self.database);
        let mut query =
            self.db.prepare("SELECT seed_hash FROM hopeless_seed WHERE setup = ?1").map_err(&sql)?;
        query.query_map([setup], |row| row.get(0)).and_then(Iterator::collect).map_err(&sql)
    }

    /// Adds seeds that no solver of a setup answers.
    pub fn add_hopeless_seeds(&mut self, setup: &str, hashes: &[String]) -> Result<(), StoreError> {
        let sql = StoreError::sql(&self.database);
        let change = self.db.transaction().map_err(&sql)?;
        for hash in hashes {
            change
                .execute("INSERT OR IGNORE INTO hopeless_seed VALUES (?1, ?2)", params![setup, hash])
                .map_err(&sql)?;
        }
        change.commit().map_err(&sql)
    }

    /// Records a finding: its folder first, then its entry. When this returns, it may be shown.
    pub fn record(&mut self, finding: &Finding, texts: Texts<'_>) -> Result<Recorded, StoreError> {
        self.check_presence()?;
        match self.again(&finding.signature.key(), &finding.origin)? {
            Some(known) => Ok(known),
            // The folder may have gone meanwhile, which says more than the file that could not be written.
            None => self.insert(finding, texts).map_err(|error| self.check_presence().err().unwrap_or(error)),
        }
    }

    /// Records what triage has found out about a finding.
    pub fn triaged(&mut self, id: &str, result: TriageResult<'_>) -> Result<(), StoreError> {
        self.db
            .execute(
                "UPDATE finding SET class = ?2, title = ?3, bug = ?4, reduced_bytes = ?5, needs_options = ?6,
                     merged_into = NULL
                 WHERE id = ?1",
                params![
                    id,
                    result.class.name(),
                    result.title,
                    result.class.is_bug(),
                    result.reduced_bytes as i64,
                    result.needs_options
                ],
            )
            .map(|_| ())
            .map_err(StoreError::sql(&self.database))
    }

    /// Merges a finding, with all that were merged into it, into another.
    pub fn merge(&mut self, pair: &Merged) -> Result<(), StoreError> {
        self.db
            .execute(
                "UPDATE finding SET merged_into = ?2 WHERE id = ?1 OR merged_into = ?1",
                params![pair.id, pair.into],
            )
            .map(|_| ())
            .map_err(StoreError::sql(&self.database))
    }

    /// Counts one more case of the finding with this name.
    pub fn count_case(&mut self, id: &str, origin: &Origin) -> Result<Recorded, StoreError> {
        self.count(id.to_owned(), origin)
    }

    /// Counts one more case of the finding with this signature; `None` if there is none.
    pub fn again(&mut self, signature: &str, origin: &Origin) -> Result<Option<Recorded>, StoreError> {
        let known: Option<String> = self
            .db
            .query_row("SELECT id FROM finding WHERE signature = ?1", [signature], |row| row.get(0))
            .optional()
            .map_err(StoreError::sql(&self.database))?;
        known.map(|id| self.count(id, origin)).transpose()
    }

    fn insert(&mut self, finding: &Finding, texts: Texts<'_>) -> Result<Recorded, StoreError> {
        let id = self.free_id(finding)?;
        folder::write(&self.folder.join("findings"), &id, finding, texts)?;
        self.enter(&id, finding, now())?;
        Ok(Recorded::New { id })
    }

    /// Makes the entry of a finding whose folder is there.
    pub(crate) fn enter(&mut self, id: &str, finding: &Finding, seen: i64) -> Result<(), StoreError> {
        let sql = StoreError::sql(&self.database);
        let solvers: Vec<(&str, &str, &str)> =
            finding.runs.iter().map(|run| (&*run.id, &*run.name, &*run.version)).collect();
        let change = self.db.transaction().map_err(&sql)?;
        change
            .execute(
                "INSERT INTO finding (id, signature, class, title, bug, solvers, count, first_seen, last_seen, folder,
                                      needs_options)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7, ?8, ?9)",
                params![
                    id,
                    finding.signature.key(),
                    finding.class.name(),
                    finding.title(),
                    finding.class.is_bug(),
                    serde_json::json!(solvers).to_string(),
                    seen,
                    format!("findings/{id}"),
                    finding.suspects().any(|run| !run.options.is_empty())
                ],
            )
            .map_err(&sql)?;
        occurrence(&change, id, &finding.origin).map_err(&sql)?;
        spool(&change, self.spools_for.as_deref(), id, &finding.origin).map_err(&sql)?;
        change.commit().map_err(&sql)
    }

    /// What is wrong with the database, by its own check.
    pub(crate) fn damage(&self) -> Result<Option<String>, StoreError> {
        let check = |row: &Row<'_>| row.get::<_, String>(0);
        let found = self.db.query_row("PRAGMA integrity_check(1)", [], check);
        let found = found.map_err(StoreError::sql(&self.database))?;
        Ok((found != "ok").then_some(found))
    }

    fn count(&mut self, id: String, origin: &Origin) -> Result<Recorded, StoreError> {
        let sql = StoreError::sql(&self.database);
        let change = self.db.transaction().map_err(&sql)?;
        let fresh = occurrence(&change, &id, origin).map_err(&sql)?;
        // Another common campaign may have the same case, and the common store knows what it has.
        spool(&change, self.spools_for.as_deref(), &id, origin).map_err(&sql)?;
        if !fresh {
            change.commit().map_err(&sql)?;
            return Ok(Recorded::Repeated { id });
        }
        let count: i64 = change
            .query_row(
                "UPDATE finding SET count = count + 1, last_seen = ?2 WHERE id = ?1 RETURNING count",
                params![id, now()],
                |row| row.get(0),
            )
            .map_err(&sql)?;
        change.commit().map_err(&sql)?;
        Ok(Recorded::Again { id, count: count as u64 })
    }

    /// A free name for a finding: its class and as many digits of its signature's hash as it takes to be unique.
    fn free_id(&self, finding: &Finding) -> Result<String, StoreError> {
        let hash = format!("{:016x}", fnv1a(&finding.signature.key()));
        for digits in [6, 8, 12, 16] {
            let id = format!("{}-{}", finding.class, &hash[..digits]);
            let taken = self
                .db
                .query_row("SELECT 1 FROM finding WHERE id = ?1", [&id], |_| Ok(()))
                .optional()
                .map_err(StoreError::sql(&self.database))?;
            if taken.is_none() {
                return Ok(id);
            }
        }
        Ok(format!("{}-{hash}-{}", finding.class, now()))
    }

    /// The findings, the most severe first, then by when they were first seen. Those that were merged into others are omitted.
    pub fn findings(&self) -> Result<Vec<Listed>, StoreError> {
        let mut findings = self.all_findings()?;
        findings.retain(|finding| finding.merged_into.is_none());
        Ok(findings)
    }

    /// All findings, also those that were merged into others.
    pub fn all_findings(&self) -> Result<Vec<Listed>, StoreError> {
        let sql = StoreError::sql(&self.database);
        let columns = "id, class, title, signature, bug, solvers, first_seen, last_seen, folder, reduced_bytes, merged_into,
            (SELECT sum(count) FROM finding AS other WHERE other.id = finding.id OR other.merged_into = finding.id), needs_options";
        let mut query = self
            .db
            .prepare(&format!("SELECT {columns} FROM finding ORDER BY first_seen, id"))
            .map_err(&sql)?;
        let read = |row: &Row<'_>| {
            let class = class(&row.get::<_, String>(1)?)?;
            Ok(Listed {
                id: row.get(0)?,
                class,
                severity: Severity::of(class, row.get(12)?),
                title: row.get(2)?,
                signature: row.get(3)?,
                bug: row.get(4)?,
                solvers: solvers(&row.get::<_, String>(5)?)?,
                first_seen: row.get::<_, i64>(6)? as u64,
                last_seen: row.get::<_, i64>(7)? as u64,
                folder: row.get(8)?,
                reduced_bytes: row.get::<_, Option<i64>>(9)?.map(|bytes| bytes as u64),
                merged_into: row.get(10)?,
                count: row.get::<_, i64>(11)? as u64,
            })
        };
        let mut all: Vec<Listed> = query.query_map([], read).and_then(Iterator::collect).map_err(&sql)?;
        all.sort_by_key(|finding| finding.severity);
        Ok(all)
    }

    /// The only finding whose name is `id`, or whose name or hash begins with it.
    pub fn find(&self, id: &str) -> Result<Listed, StoreError> {
        let all = self.all_findings()?;
        if let Some(exact) = all.iter().find(|finding| finding.id == id) {
            return Ok(exact.clone());
        }
        let matches = |finding: &&Listed| {
            let digits = finding.id.rsplit('-').next().unwrap_or_default();
            !id.is_empty() && (finding.id.starts_with(id) || digits.starts_with(id))
        };
        let mut matching: Vec<Listed> = all.iter().filter(matches).cloned().collect();
        match matching.len() {
            1 => Ok(matching.remove(0)),
            _ => Err(StoreError::NoSuchFinding {
                id: id.to_owned(),
                candidates: matching.into_iter().map(|finding| finding.id).collect(),
            }),
        }
    }

    /// Reads the folder of a finding: the finding, its case and its seed.
    pub fn read(&self, listed: &Listed) -> Result<(Finding, String, String), StoreError> {
        folder::read(&self.folder.join(&listed.folder))
    }
}

/// Records that a case showed a finding; false if that was recorded before.
fn occurrence(db: &Connection, finding: &str, origin: &Origin) -> rusqlite::Result<bool> {
    let changed = db.execute(
        "INSERT OR IGNORE INTO occurrence VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            finding,
            origin.campaign_seed as i64,
            origin.strategy,
            origin.seed_hash,
            origin.round as i64,
            origin.index as i64
        ],
    )?;
    Ok(changed > 0)
}

/// Keeps a case of a finding for a common campaign, if there is one.
fn spool(db: &Connection, campaign: Option<&str>, finding: &str, origin: &Origin) -> rusqlite::Result<()> {
    let Some(campaign) = campaign else { return Ok(()) };
    db.execute(
        "INSERT OR IGNORE INTO outbox (campaign, finding, campaign_seed, strategy, seed_hash, round, case_index)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            campaign,
            finding,
            origin.campaign_seed as i64,
            origin.strategy,
            origin.seed_hash,
            origin.round as i64,
            origin.index as i64
        ],
    )
    .map(|_| ())
}

/// How long to wait for a lock. A process that was forked while the folder was open holds it until it starts its program.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Locks the folder of a campaign for this process.
pub(crate) fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let lock = File::create(&path).map_err(StoreError::io(&path))?;
    let until = Instant::now() + LOCK_PATIENCE;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(StoreError::io(path)(error)),
        }
    }
}

/// Whether a file is absent or empty.
fn is_empty(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |data| data.len() == 0)
}

/// The device and number of a file, which no other file has.
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// The solvers in a column of the database.
fn solvers(column: &str) -> rusqlite::Result<Vec<ListedSolver>> {
    let read: Vec<(String, String, String)> = serde_json::from_str(column)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(5, Type::Text, error.into()))?;
    Ok(read.into_iter().map(|(id, name, version)| ListedSolver { id, name, version }).collect())
}

/// The class with this name in the database.
pub(crate) fn class(name: &str) -> rusqlite::Result<Class> {
    Class::from_name(name)
        .ok_or_else(|| rusqlite::Error::InvalidColumnName(format!("`{name}` is not a class of findings")))
}

/// Numbers as text, separated by spaces.
fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

/// The numbers of a [`list`].
fn numbers(list: &str) -> Vec<u64> {
    list.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// Reads the position of a worker from its unit, strategy, seed, round and case.
pub(crate) fn position(row: &Row<'_>) -> rusqlite::Result<Position> {
    Ok(Position {
        unit: row.get::<_, i64>(0)? as u64,
        strategy: row.get(1)?,
        seed_hash: row.get(2)?,
        round: row.get::<_, i64>(3)? as u64,
        index: row.get::<_, i64>(4)? as u64,
    })
}
