//! The layout of the file, and its migrations.

use crate::error::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Marks the file as ours ("Elsh" in ASCII), so that we never write to the database of another program.
const APPLICATION: i64 = 0x456c_7368;

/// The steps from each version of the layout to the next, from an empty file on. Add a step for a change: a released step never
/// changes.
const STEPS: [&str; 1] = [include_str!("layout_1.sql")];

/// Brings the file at `path` to the newest layout. Several processes may do so at once.
pub fn migrate(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let sql = StoreError::sql(path);
    if version(db, path)? == STEPS.len() {
        return Ok(());
    }
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&sql)?;
    // Another process may have migrated it while this one waited.
    let done = version(&change, path)?;
    for step in &STEPS[done..] {
        change.execute_batch(step).map_err(&sql)?;
    }
    change.pragma_update(None, "application_id", APPLICATION).map_err(&sql)?;
    change.pragma_update(None, "user_version", STEPS.len() as i64).map_err(&sql)?;
    change.commit().map_err(&sql)
}

/// The version of the layout of a file that is ours or empty.
fn version(db: &Connection, path: &Path) -> Result<usize, StoreError> {
    let sql = StoreError::sql(path);
    let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(&sql)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(&sql)?;
    let tables: i64 =
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(&sql)?;
    let fresh = application == 0 && version == 0 && tables == 0;
    if application != APPLICATION && !fresh {
        let detail = "it is not the common store of a campaign".to_owned();
        return Err(StoreError::Foreign { path: path.to_owned(), detail });
    }
    match usize::try_from(version) {
        Ok(done) if done <= STEPS.len() => Ok(done),
        _ => Err(StoreError::TooNew { path: path.to_owned(), version }),
    }
}
