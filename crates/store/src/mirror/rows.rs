//! What the database of a mirror knows beside that of a campaign: how far it is, and what the store said last.

use crate::browse::Browser;
use crate::error::StoreError;
use crate::shared::{FindingSummary, MemberEntry, SharedFinding, Totals};
use crate::workflow::StatusChange;
use case::Origin;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// Its tables. Those of a campaign are migrated with every folder; these can be made again at any time.
///
/// `mirror_finding` has what the store said last, so that a change in the folder can be told from one in the store.
pub const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS mirror (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS mirror_finding (
        finding TEXT PRIMARY KEY REFERENCES finding (id),
        files_revision INTEGER NOT NULL,
        files TEXT NOT NULL,
        cases INTEGER NOT NULL,
        summary TEXT NOT NULL,
        merged_into TEXT,
        merge_is_due INTEGER NOT NULL,
        status TEXT NOT NULL,
        changes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS mirror_member (
        member INTEGER PRIMARY KEY,
        entry TEXT NOT NULL,
        statistics TEXT NOT NULL DEFAULT ''
    ) STRICT;
";

/// A revision that no finding of a store has: everything is fetched again.
pub const NEVER: i64 = -1;

/// What the store said last about a finding.
pub struct Known {
    /// The number of the latest change of its files that the folder has.
    pub files_revision: i64,
    /// What identifies these files.
    pub files: String,
    /// How many cases it had when their list was fetched.
    pub cases: u64,
    /// Its description.
    pub summary: String,
    /// The finding that turned out to be the same bug.
    pub merged_into: Option<String>,
    /// Whether the folder does not know that yet.
    pub merge_is_due: bool,
    /// Its status.
    pub status: String,
    /// How many changes of its status there are.
    pub changes: u64,
}

const KNOWN: &str = "files_revision, files, cases, summary, merged_into, merge_is_due, status, changes";

fn known_of(row: &Row<'_>) -> rusqlite::Result<Known> {
    Ok(Known {
        files_revision: row.get(0)?,
        files: row.get(1)?,
        cases: row.get::<_, i64>(2)? as u64,
        summary: row.get(3)?,
        merged_into: row.get(4)?,
        merge_is_due: row.get(5)?,
        status: row.get(6)?,
        changes: row.get::<_, i64>(7)? as u64,
    })
}

/// What the store said last about a finding; `None` if the mirror does not have it.
pub fn known(db: &Connection, finding: &str) -> rusqlite::Result<Option<Known>> {
    db.prepare_cached(&format!("SELECT {KNOWN} FROM mirror_finding WHERE finding = ?1"))?
        .query_row([finding], known_of)
        .optional()
}

/// A value of the mirror.
pub fn value(db: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    db.prepare_cached("SELECT value FROM mirror WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

/// Changes a value of the mirror.
pub fn set_value(db: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO mirror VALUES (?1, ?2)")?.execute([name, value]).map(|_| ())
}

/// The beginning of the names of the values that say that a process has changes that the store does not have.
const WORK: &str = "work ";

/// Notes that a process has changes that the store does not have.
pub fn begin_work(db: &Connection, process: &str) -> rusqlite::Result<()> {
    set_value(db, &format!("{WORK}{process}"), "")
}

/// Notes that a process has no such change any more.
pub fn end_work(db: &Connection, process: &str) -> rusqlite::Result<()> {
    db.execute("DELETE FROM mirror WHERE name = ?1", [format!("{WORK}{process}")]).map(|_| ())
}

/// Notes that no process has any.
pub fn end_all_work(change: &Transaction<'_>) -> rusqlite::Result<()> {
    change.execute("DELETE FROM mirror WHERE substr(name, 1, ?1) = ?2", (WORK.len() as i64, WORK)).map(|_| ())
}

/// Whether a process has, or had when it ended, changes that the store does not have.
pub fn has_work(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM mirror WHERE substr(name, 1, ?1) = ?2")?
        .exists((WORK.len() as i64, WORK))
}

/// A finding with everything that had to be fetched for it.
pub struct Fetched {
    /// The finding.
    pub finding: SharedFinding,
    /// What identifies its files, if they were fetched. They are in the folder.
    pub files: Option<String>,
    /// Its cases, if they were fetched.
    pub cases: Option<Vec<Origin>>,
    /// The changes of its status, the newest first, if they were fetched.
    pub history: Option<Vec<StatusChange>>,
}

/// Enters a finding of the store. What the folder has changed stays, unless the store has changed the same.
pub fn enter(change: &Transaction<'_>, fetched: &Fetched) -> rusqlite::Result<()> {
    let finding = &fetched.finding;
    let known = known(change, &finding.id)?;
    let summary = serde_json::json!(finding.summary).to_string();
    let status = serde_json::json!(finding.status).to_string();
    change
        .prepare_cached(
            "INSERT INTO finding (id, signature, class, title, bug, solvers, count, first_seen, last_seen, folder, needs_options)
             VALUES (?1, ?2, 'crash', '', 0, '[]', ?3, ?4, ?5, ?6, 0)
             ON CONFLICT (id) DO UPDATE SET signature = ?2, count = ?3, first_seen = ?4, last_seen = ?5",
        )?
        .execute(params![
            finding.id,
            finding.signature,
            finding.count as i64,
            finding.first_seen as i64,
            finding.last_seen as i64,
            format!("findings/{}", finding.id),
        ])?;
    if known.as_ref().is_none_or(|known| known.summary != summary) {
        describe(change, &finding.id, &finding.summary)?;
    }
    let merge_is_due = known.as_ref().is_none_or(|known| known.merged_into != finding.merged_into);
    if let Some(cases) = &fetched.cases {
        enter_cases(change, &finding.id, cases)?;
    }
    if let Some(history) = &fetched.history {
        enter_history(change, finding, history)?;
    }
    let fresh = |new: Option<i64>, old: Option<i64>| new.or(old).unwrap_or(0);
    let files_revision = fresh(
        fetched.files.as_ref().map(|_| finding.files_revision as i64),
        known.as_ref().map(|one| one.files_revision),
    );
    let cases = fresh(
        fetched.cases.as_ref().map(|_| finding.count as i64),
        known.as_ref().map(|known| known.cases as i64),
    );
    let changes = fresh(
        fetched.history.as_ref().map(|history| history.len() as i64),
        known.as_ref().map(|known| known.changes as i64),
    );
    let files = fetched.files.clone().or(known.map(|known| known.files)).unwrap_or_default();
    change
        .prepare_cached(
            "INSERT INTO mirror_finding VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (finding) DO UPDATE SET files_revision = ?2, files = ?3, cases = ?4, summary = ?5, merged_into = ?6,
                 merge_is_due = max(merge_is_due, ?7), status = ?8, changes = ?9",
        )?
        .execute(params![
            finding.id,
            files_revision,
            files,
            cases,
            summary,
            finding.merged_into,
            merge_is_due,
            status,
            changes
        ])
        .map(|_| ())
}

fn describe(change: &Transaction<'_>, id: &str, summary: &FindingSummary) -> rusqlite::Result<()> {
    change
        .prepare_cached(
            "UPDATE finding SET class = ?2, title = ?3, bug = ?4, needs_options = ?5, solvers = ?6, reduced_bytes = ?7 WHERE id = ?1",
        )?
        .execute(params![
            id,
            summary.class.name(),
            summary.title,
            summary.bug,
            summary.needs_options,
            summary.solvers,
            summary.reduced_bytes.map(|bytes| bytes as i64)
        ])
        .map(|_| ())
}

fn enter_cases(change: &Transaction<'_>, id: &str, cases: &[Origin]) -> rusqlite::Result<()> {
    let mut insert =
        change.prepare_cached("INSERT OR IGNORE INTO occurrence VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for origin in cases {
        insert.execute(params![
            id,
            origin.campaign_seed as i64,
            origin.strategy,
            origin.seed_hash,
            origin.round as i64,
            origin.index as i64
        ])?;
    }
    Ok(())
}

fn enter_history(
    change: &Transaction<'_>,
    finding: &SharedFinding,
    history: &[StatusChange],
) -> rusqlite::Result<()> {
    let id = &finding.id;
    change.prepare_cached("DELETE FROM workflow_change WHERE finding = ?1")?.execute([id])?;
    change.prepare_cached("DELETE FROM workflow WHERE finding = ?1")?.execute([id])?;
    for old in history.iter().rev() {
        change
            .prepare_cached(
                "INSERT INTO workflow_change (finding, status, detail, changed) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![id, old.status.name(), old.detail, old.changed as i64])?;
    }
    if let Some(now) = history.first() {
        change.prepare_cached("INSERT INTO workflow VALUES (?1, ?2, ?3, ?4)")?.execute(params![
            id,
            now.status.name(),
            now.detail,
            now.changed as i64
        ])?;
    }
    Ok(())
}

/// Merges the findings that the store has merged, as far as the mirror has both.
pub fn merge_due(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let ready = "merge_is_due AND (merged_into IS NULL OR EXISTS (SELECT 1 FROM finding AS other
        WHERE other.id = mirror_finding.merged_into))";
    change.execute(
        &format!(
            "UPDATE finding SET merged_into = (SELECT merged_into FROM mirror_finding WHERE mirror_finding.finding = finding.id)
             WHERE id IN (SELECT finding FROM mirror_finding WHERE {ready})"
        ),
        [],
    )?;
    change.execute(&format!("UPDATE mirror_finding SET merge_is_due = 0 WHERE {ready}"), []).map(|_| ())
}

/// Forgets what the store said, so that all of it counts again.
pub fn forget(change: &Transaction<'_>) -> rusqlite::Result<()> {
    change.execute("UPDATE mirror_finding SET summary = '', merged_into = '', status = ''", [])?;
    set_value(change, "revision", "0")
}

/// Forgets the files of a finding, so that they are fetched again.
pub fn forget_files(change: &Transaction<'_>, finding: &str) -> rusqlite::Result<()> {
    change
        .prepare_cached("UPDATE mirror_finding SET files_revision = ?2, files = '' WHERE finding = ?1")?
        .execute(params![finding, NEVER])
        .map(|_| ())
}

/// The findings of the mirror, with what identifies their files.
pub fn files_of_all(db: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut query = db.prepare_cached("SELECT finding, files FROM mirror_finding ORDER BY finding")?;
    query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Whether a database is that of a mirror.
fn is_mirror(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name = 'mirror'")?.exists([])
}

/// Text of the database that this program wrote as JSON; `None` if another version did.
fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

impl Browser {
    /// The processes that take part in a campaign of several machines, in the order in which they joined; none in the folder of a
    /// campaign of one machine.
    pub fn members(&self) -> Result<Vec<MemberEntry>, StoreError> {
        let read = || {
            if !is_mirror(&self.db)? {
                return Ok(Vec::new());
            }
            let mut query = self.db.prepare_cached("SELECT entry FROM mirror_member ORDER BY member")?;
            let entries = query.query_map([], |row| row.get::<_, String>(0))?;
            entries.filter_map(|entry| entry.map(|entry| parsed(&entry)).transpose()).collect()
        };
        read().map_err(self.sql())
    }

    /// The progress of a campaign of several machines; `None` in the folder of a campaign of one machine.
    pub fn shared_totals(&self) -> Result<Option<Totals>, StoreError> {
        let read = || match is_mirror(&self.db)? {
            true => value(&self.db, "totals"),
            false => Ok(None),
        };
        Ok(read().map_err(self.sql())?.and_then(|text| parsed(&text)))
    }
}
