//! What a process found and the common store of its campaign does not know yet. It waits in the database of the process's own
//! folder, so that it survives the end of the process; a later process with the same folder delivers it.

use crate::error::StoreError;
use crate::shared::{FindingFile, FindingSummary, NewFinding, Occurrence};
use crate::store::{DATABASE, class, now};
use case::Origin;
use rusqlite::{Connection, OpenFlags, Row, params};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The news of a process for the common store of its campaign. It reads the database of the folder that a
/// [`Store`](crate::Store) with [`Store::spool_for`](crate::Store::spool_for) writes.
pub struct Spool {
    folder: PathBuf,
    database: PathBuf,
    db: Connection,
    campaign: String,
}

/// Part of the news, in the order in which they happened.
#[derive(Debug, Default)]
pub struct Parcel {
    /// Findings that the common store may not have.
    pub findings: Vec<NewFinding>,
    /// More cases of findings.
    pub occurrences: Vec<Occurrence>,
    /// Whether more news wait.
    pub is_cut: bool,
    /// The entries that it is made of.
    entries: Vec<Entry>,
}

impl Parcel {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A case that waits.
#[derive(Debug)]
struct Entry {
    id: i64,
    finding: String,
    signature: String,
}

/// A case that waits, with what its finding needs to be sent.
struct Waiting {
    entry: Entry,
    origin: Origin,
    /// Whether the common store has the finding.
    is_known: bool,
    folder: String,
    summary: FindingSummary,
    age: Duration,
}

impl Spool {
    /// The news for the common campaign with this identity, in a folder that a [`Store`](crate::Store) has opened.
    pub fn open(folder: &Path, campaign: &str) -> Result<Spool, StoreError> {
        let database = folder.join(DATABASE);
        let sql = StoreError::sql(&database);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&database, flags).map_err(&sql)?;
        db.busy_timeout(Duration::from_secs(10)).map_err(&sql)?;
        let campaign = campaign.to_owned();
        Ok(Spool { folder: folder.to_owned(), database: database.clone(), db, campaign })
    }

    /// How many findings have news that wait.
    pub fn waiting(&self) -> Result<u64, StoreError> {
        let count = "SELECT count(DISTINCT finding) FROM outbox WHERE campaign = ?1";
        self.db
            .query_row(count, [&self.campaign], |row| row.get::<_, i64>(0))
            .map(|count| count as u64)
            .map_err(StoreError::sql(&self.database))
    }

    /// The oldest news: at most `most` cases, and findings whose files have about `bytes` together.
    pub fn parcel(&self, most: usize, bytes: usize) -> Result<Parcel, StoreError> {
        let sql = StoreError::sql(&self.database);
        let mut query = self
            .db
            .prepare_cached(
                "SELECT outbox.id, outbox.finding, campaign_seed, strategy, seed_hash, round, case_index,
                     signature, class, title, bug, needs_options, solvers, reduced_bytes, first_seen, folder,
                     EXISTS (SELECT 1 FROM delivered WHERE delivered.campaign = outbox.campaign
                                 AND delivered.finding = outbox.finding)
                 FROM outbox JOIN finding ON finding.id = outbox.finding
                 WHERE outbox.campaign = ?1 ORDER BY outbox.id LIMIT ?2",
            )
            .map_err(&sql)?;
        let waiting: Vec<Waiting> = query
            .query_map(params![self.campaign, most as i64 + 1], waiting)
            .and_then(Iterator::collect)
            .map_err(&sql)?;
        let mut parcel = Parcel::default();
        let mut sent: BTreeSet<String> = BTreeSet::new();
        let mut size = 0;
        for Waiting { entry, origin, is_known, folder, summary, age } in waiting {
            if parcel.entries.len() == most || size > bytes {
                parcel.is_cut = true;
                break;
            }
            let signature = entry.signature.clone();
            if is_known || sent.contains(&signature) {
                parcel.occurrences.push(Occurrence { signature, origin });
            } else {
                let files = files_of(&self.folder.join(folder))?;
                size += files.iter().map(|file| file.content.len()).sum::<usize>();
                sent.insert(signature.clone());
                parcel.findings.push(NewFinding { signature, summary, origin, age, files });
            }
            parcel.entries.push(entry);
        }
        Ok(parcel)
    }

    /// Records that the common store has a parcel, except for the cases of findings with these signatures, whose findings it
    /// does not know.
    pub fn delivered(&mut self, parcel: &Parcel, unknown: &[String]) -> Result<(), StoreError> {
        let sql = StoreError::sql(&self.database);
        let change = self.db.transaction().map_err(&sql)?;
        for Entry { id, finding, signature } in &parcel.entries {
            if unknown.contains(signature) {
                change
                    .prepare_cached("DELETE FROM delivered WHERE campaign = ?1 AND finding = ?2")
                    .and_then(|mut forget| forget.execute(params![self.campaign, finding]))
                    .map_err(&sql)?;
                continue;
            }
            change
                .prepare_cached("DELETE FROM outbox WHERE id = ?1")
                .and_then(|mut delete| delete.execute([id]))
                .map_err(&sql)?;
            change
                .prepare_cached("INSERT OR IGNORE INTO delivered VALUES (?1, ?2)")
                .and_then(|mut insert| insert.execute(params![self.campaign, finding]))
                .map_err(&sql)?;
        }
        change.commit().map_err(&sql)
    }
}

fn waiting(row: &Row<'_>) -> rusqlite::Result<Waiting> {
    let first_seen: i64 = row.get(14)?;
    Ok(Waiting {
        entry: Entry { id: row.get(0)?, finding: row.get(1)?, signature: row.get(7)? },
        origin: Origin {
            campaign_seed: row.get::<_, i64>(2)? as u64,
            strategy: row.get(3)?,
            seed_hash: row.get(4)?,
            round: row.get::<_, i64>(5)? as u64,
            index: row.get::<_, i64>(6)? as u64,
        },
        is_known: row.get(16)?,
        folder: row.get(15)?,
        summary: FindingSummary {
            class: class(&row.get::<_, String>(8)?)?,
            title: row.get(9)?,
            bug: row.get(10)?,
            needs_options: row.get(11)?,
            solvers: row.get(12)?,
            reduced_bytes: row.get::<_, Option<i64>>(13)?.map(|bytes| bytes as u64),
        },
        age: Duration::from_millis((now() - first_seen).max(0) as u64),
    })
}

/// All files of a folder and of those in it, by their relative paths.
pub(crate) fn files_of(folder: &Path) -> Result<Vec<FindingFile>, StoreError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).map_err(StoreError::io(&inner))? {
            let path = entry.map_err(StoreError::io(&inner))?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = fs::read(&path).map_err(StoreError::io(&path))?;
                let relative = path.strip_prefix(folder).unwrap_or(&path);
                files.push(FindingFile { path: relative.display().to_string(), content });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
