//! The layout of the database, and its migrations.

use crate::error::StoreError;
use rusqlite::Connection;
use std::path::Path;

/// Marks the file as ours ("Elen" in ASCII), so that we never write to the database of another program.
const APPLICATION: i64 = 0x456c_656e;

/// The oldest layout that can be migrated. Version 1 listed findings whose folders kept evidence as sentences.
const OLDEST: i64 = 2;

/// The steps from each version of the layout to the next, from [`OLDEST`] on. Add a step for a change: a released step never
/// changes.
const STEPS: [&str; 6] = [
    "
    CREATE TABLE campaign (
        id INTEGER PRIMARY KEY,
        seed INTEGER NOT NULL,
        settings TEXT NOT NULL,
        state TEXT NOT NULL,
        started INTEGER NOT NULL,
        next_unit INTEGER NOT NULL DEFAULT 0,
        elapsed INTEGER NOT NULL DEFAULT 0,
        totals TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE position (
        campaign INTEGER NOT NULL REFERENCES campaign (id),
        worker INTEGER NOT NULL,
        unit INTEGER NOT NULL,
        strategy TEXT NOT NULL,
        seed_hash TEXT NOT NULL,
        round INTEGER NOT NULL,
        case_index INTEGER NOT NULL,
        PRIMARY KEY (campaign, worker)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding (
        id TEXT PRIMARY KEY,
        signature TEXT NOT NULL UNIQUE,
        class TEXT NOT NULL,
        title TEXT NOT NULL,
        bug INTEGER NOT NULL,
        solvers TEXT NOT NULL,
        count INTEGER NOT NULL,
        first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL,
        folder TEXT NOT NULL
    ) STRICT;
    CREATE TABLE occurrence (
        finding TEXT NOT NULL REFERENCES finding (id),
        campaign_seed INTEGER NOT NULL,
        strategy TEXT NOT NULL,
        seed_hash TEXT NOT NULL,
        round INTEGER NOT NULL,
        case_index INTEGER NOT NULL,
        PRIMARY KEY (finding, campaign_seed, strategy, seed_hash, round, case_index)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sample (
        campaign INTEGER NOT NULL REFERENCES campaign (id),
        elapsed INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (campaign, elapsed)
    ) STRICT, WITHOUT ROWID;
",
    "
    ALTER TABLE campaign DROP COLUMN next_unit;
    ALTER TABLE campaign ADD COLUMN turns TEXT NOT NULL DEFAULT '';
",
    "
    CREATE TABLE hopeless_seed (
        setup TEXT NOT NULL,
        seed_hash TEXT NOT NULL,
        PRIMARY KEY (setup, seed_hash)
    ) STRICT, WITHOUT ROWID;
",
    "
    ALTER TABLE finding ADD COLUMN needs_options INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE finding ADD COLUMN reduced_bytes INTEGER;
    ALTER TABLE finding ADD COLUMN merged_into TEXT REFERENCES finding (id);
",
    "
    ALTER TABLE finding ADD COLUMN severity INTEGER GENERATED ALWAYS AS (
        CASE class
            WHEN 'wrong-unsat' THEN 0
            WHEN 'wrong-sat' THEN 1
            WHEN 'contradiction' THEN 2
            WHEN 'state-leak' THEN 2
            WHEN 'wrong-rewrite' THEN 3
            WHEN 'wrong-optimum' THEN 4
            WHEN 'wrong-consequence' THEN 5
            WHEN 'invalid-core' THEN 8
            WHEN 'invalid-proof' THEN 8
            WHEN 'wrong-value' THEN 7
            WHEN 'repeated-model' THEN 7
            WHEN 'wrong-printing' THEN 11
            WHEN 'performance' THEN 12
            WHEN 'wrong-label' THEN 13
            WHEN 'incompleteness' THEN 14
            WHEN 'crash' THEN iif(needs_options, 10, 6)
            WHEN 'invalid-model' THEN iif(needs_options, 9, 7)
            ELSE 99
        END) VIRTUAL;
    CREATE INDEX finding_by_severity ON finding (severity, first_seen, id) WHERE merged_into IS NULL;
    CREATE INDEX finding_by_time ON finding (first_seen, class, bug) WHERE merged_into IS NULL;
    CREATE INDEX finding_by_last_time ON finding (last_seen, id) WHERE merged_into IS NULL;
    CREATE INDEX finding_by_class ON finding (class) WHERE merged_into IS NULL;
    CREATE INDEX finding_merged ON finding (merged_into) WHERE merged_into IS NOT NULL;
    CREATE INDEX occurrence_by_seed ON occurrence (seed_hash, strategy);
    CREATE TABLE facet (
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        finding TEXT NOT NULL REFERENCES finding (id),
        PRIMARY KEY (kind, value, finding)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX facet_by_finding ON facet (finding);
    CREATE TABLE facet_state (
        finding TEXT PRIMARY KEY REFERENCES finding (id),
        stamp TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE workflow (
        finding TEXT PRIMARY KEY REFERENCES finding (id),
        status TEXT NOT NULL,
        detail TEXT NOT NULL,
        changed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX workflow_by_status ON workflow (status);
    CREATE TABLE workflow_change (
        id INTEGER PRIMARY KEY,
        finding TEXT NOT NULL REFERENCES finding (id),
        status TEXT NOT NULL,
        detail TEXT NOT NULL,
        changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX workflow_change_by_finding ON workflow_change (finding, id);
",
    "
    CREATE TABLE outbox (
        id INTEGER PRIMARY KEY,
        campaign TEXT NOT NULL,
        finding TEXT NOT NULL REFERENCES finding (id),
        campaign_seed INTEGER NOT NULL,
        strategy TEXT NOT NULL,
        seed_hash TEXT NOT NULL,
        round INTEGER NOT NULL,
        case_index INTEGER NOT NULL,
        UNIQUE (campaign, finding, campaign_seed, strategy, seed_hash, round, case_index)
    ) STRICT;
    CREATE TABLE delivered (
        campaign TEXT NOT NULL,
        finding TEXT NOT NULL REFERENCES finding (id),
        PRIMARY KEY (campaign, finding)
    ) STRICT, WITHOUT ROWID;
",
];

/// Brings the database at `path` to the newest layout.
pub fn migrate(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let sql = StoreError::sql(path);
    let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(&sql)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(&sql)?;
    let tables: i64 =
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(&sql)?;
    let fresh = application == 0 && version == 0 && tables == 0;
    if application != APPLICATION && !fresh {
        let detail = "another program has written it".to_owned();
        return Err(StoreError::Foreign { path: path.to_owned(), detail });
    }
    if version != 0 && version < OLDEST {
        let (found, expected) = (version as u64, OLDEST as u64);
        return Err(StoreError::OtherFormat { path: path.to_owned(), found, expected });
    }
    let done = usize::try_from((version - OLDEST + 1).max(0)).unwrap_or(usize::MAX);
    if done > STEPS.len() {
        return Err(StoreError::TooNew { path: path.to_owned(), version });
    }
    if done == STEPS.len() {
        return Ok(());
    }
    let change = db.transaction().map_err(&sql)?;
    for step in &STEPS[done..] {
        change.execute_batch(step).map_err(&sql)?;
    }
    change.pragma_update(None, "application_id", APPLICATION).map_err(&sql)?;
    change.pragma_update(None, "user_version", OLDEST - 1 + STEPS.len() as i64).map_err(&sql)?;
    change.commit().map_err(&sql)
}
