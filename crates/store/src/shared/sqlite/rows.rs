//! Reads columns that need more than a conversion.

use crate::shared::{FindingSummary, SharedFinding, WorkKind};
use crate::workflow::{Status, StatusChange};
use case::Class;
use rusqlite::types::Type;
use rusqlite::{Error, Result, Row};

/// The columns that [`finding`] reads.
pub const FINDING: &str =
    "id, signature, class, title, bug, needs_options, solvers, reduced_bytes, count, first_seen, last_seen,
    merged_into, status, status_detail, status_changed, revision, files_revision";

/// Reads a finding.
pub fn finding(row: &Row<'_>) -> Result<SharedFinding> {
    Ok(SharedFinding {
        id: row.get(0)?,
        signature: row.get(1)?,
        summary: FindingSummary {
            class: word(row, 2, Class::from_name)?,
            title: row.get(3)?,
            bug: row.get(4)?,
            needs_options: row.get(5)?,
            solvers: row.get(6)?,
            reduced_bytes: row.get::<_, Option<i64>>(7)?.map(|bytes| bytes as u64),
        },
        count: number(row, 8)?,
        first_seen: number(row, 9)?,
        last_seen: number(row, 10)?,
        merged_into: row.get(11)?,
        status: StatusChange {
            status: word(row, 12, Status::from_name)?,
            detail: row.get(13)?,
            changed: number(row, 14)?,
        },
        revision: number(row, 15)?,
        files_revision: number(row, 16)?,
    })
}

/// A number without a sign, which the database keeps as the signed number with the same bits.
pub fn number(row: &Row<'_>, column: usize) -> Result<u64> {
    row.get::<_, i64>(column).map(|number| number as u64)
}

/// A word of a fixed list.
pub fn word<T>(row: &Row<'_>, column: usize, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
    let text: String = row.get(column)?;
    read(&text).ok_or_else(|| {
        let detail = format!("`{text}` is not known to this version");
        Error::FromSqlConversionFailure(column, Type::Text, detail.into())
    })
}

/// A kind of work.
pub fn kind(row: &Row<'_>, column: usize) -> Result<WorkKind> {
    word(row, column, |name| name.parse().ok())
}

/// A JSON list of kinds of work.
pub fn kinds(row: &Row<'_>, column: usize) -> Result<Vec<WorkKind>> {
    word(row, column, |list| serde_json::from_str(list).ok())
}
