//! Reads and writes values that need more than a conversion.

use crate::shared::{FindingSummary, SharedFinding};
use crate::workflow::{Status, StatusChange};
use case::{Class, Origin};
use std::borrow::Cow;
use tokio_postgres::Row;

/// A number without a sign, which the database keeps as the signed number with the same bits.
pub fn number(row: &Row, column: usize) -> u64 {
    row.get::<_, i64>(column) as u64
}

/// A text as the database accepts it: PostgreSQL has no texts with a zero byte.
pub fn text(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// Reads a finding from the columns of `findings::since`. A word that a newer version wrote counts as the most general one.
pub fn finding(row: &Row) -> SharedFinding {
    SharedFinding {
        id: row.get(0),
        signature: row.get(1),
        summary: FindingSummary {
            class: Class::from_name(row.get(2)).unwrap_or(Class::Crash),
            title: row.get(3),
            bug: row.get(4),
            needs_options: row.get(5),
            solvers: row.get(6),
            reduced_bytes: row.get::<_, Option<i64>>(7).map(|bytes| bytes as u64),
        },
        count: number(row, 8),
        first_seen: number(row, 9),
        last_seen: number(row, 10),
        merged_into: row.get(11),
        status: status(row, 12),
        revision: number(row, 15),
        files_revision: number(row, 16),
    }
}

/// Reads a decision from three columns.
pub fn status(row: &Row, first: usize) -> StatusChange {
    StatusChange {
        status: Status::from_name(row.get(first)).unwrap_or_default(),
        detail: row.get(first + 1),
        changed: number(row, first + 2),
    }
}

/// Reads a case from five columns.
pub fn origin(row: &Row, first: usize) -> Origin {
    Origin {
        campaign_seed: number(row, first),
        strategy: row.get(first + 1),
        seed_hash: row.get(first + 2),
        round: number(row, first + 3),
        index: number(row, first + 4),
    }
}
