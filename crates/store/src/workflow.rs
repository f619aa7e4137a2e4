//! What people have decided about a finding.

use crate::browse::Browser;
use crate::error::StoreError;
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

/// How far people are with a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nobody has looked at it.
    #[default]
    New,
    /// Somebody looks at it.
    Triaging,
    /// It can be reported.
    Ready,
    /// It is reported; the detail is the link.
    Filed,
    /// The solver is repaired; the detail is the release.
    Fixed,
    /// It is no bug; the detail is the reason.
    NotABug,
}

impl Status {
    /// All of them, in the order of the work.
    pub const ALL: [Status; 6] =
        [Status::New, Status::Triaging, Status::Ready, Status::Filed, Status::Fixed, Status::NotABug];

    /// The name in the database, in addresses and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Triaging => "triaging",
            Status::Ready => "ready",
            Status::Filed => "filed",
            Status::Fixed => "fixed",
            Status::NotABug => "not-a-bug",
        }
    }

    /// The words for people.
    pub fn words(self) -> &'static str {
        match self {
            Status::Fixed => "fixed in",
            Status::NotABug => "not a bug",
            status => status.name(),
        }
    }

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// What the detail of this status has to be; `None` if it needs none.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Status::Filed => Some("a link to the report"),
            Status::Fixed => Some("the release that has the repair"),
            Status::NotABug => Some("a reason"),
            Status::New | Status::Triaging | Status::Ready => None,
        }
    }
}

/// A change of the status of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusChange {
    /// The new status.
    pub status: Status,
    /// Its link, release or reason; empty if it has none.
    pub detail: String,
    /// When it changed, in milliseconds since 1970; 0 if it never did.
    pub changed: u64,
}

fn read(row: &Row<'_>) -> rusqlite::Result<StatusChange> {
    Ok(StatusChange {
        status: Status::from_name(&row.get::<_, String>(0)?).unwrap_or_default(),
        detail: row.get(1)?,
        changed: row.get::<_, i64>(2)? as u64,
    })
}

impl Browser {
    /// The status of a finding.
    pub fn status(&self, finding: &str) -> Result<StatusChange, StoreError> {
        let query = "SELECT status, detail, changed FROM workflow WHERE finding = ?1";
        let found = self.db.query_row(query, [finding], read).optional().map_err(self.sql())?;
        Ok(found.unwrap_or_default())
    }

    /// All changes of the status of a finding, the newest first.
    pub fn status_history(&self, finding: &str) -> Result<Vec<StatusChange>, StoreError> {
        let query = "SELECT status, detail, changed FROM workflow_change WHERE finding = ?1 ORDER BY id DESC LIMIT 200";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        query.query_map([finding], read).and_then(Iterator::collect).map_err(self.sql())
    }

    /// Changes the status of a finding, and keeps the change in its history.
    pub fn set_status(&mut self, finding: &str, change: &StatusChange) -> Result<(), StoreError> {
        let sql = StoreError::sql(&self.database);
        let transaction = self.db.transaction().map_err(&sql)?;
        let values = params![finding, change.status.name(), change.detail, change.changed as i64];
        transaction
            .execute(
                "INSERT INTO workflow VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (finding) DO UPDATE SET status = ?2, detail = ?3, changed = ?4",
                values,
            )
            .map_err(&sql)?;
        transaction
            .execute(
                "INSERT INTO workflow_change (finding, status, detail, changed) VALUES (?1, ?2, ?3, ?4)",
                values,
            )
            .map_err(&sql)?;
        transaction.commit().map_err(&sql)
    }
}
