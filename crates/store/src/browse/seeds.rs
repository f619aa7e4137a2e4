//! What each seed contributed.

use super::Browser;
use crate::error::StoreError;
use rusqlite::Row;
use serde::Serialize;

/// What a seed contributed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeedEntry {
    /// The hash of its text.
    pub hash: String,
    /// The findings that its cases showed; merged ones count as the finding that stands for them.
    pub findings: u64,
    /// The cases that showed them.
    pub cases: u64,
    /// The strategies that made these cases, separated by commas.
    pub strategies: String,
    /// A finding of it, which knows its name.
    pub example: String,
}

impl Browser {
    /// The seeds whose cases showed findings, those with the most findings first, and how many there are.
    pub fn seeds(&self, offset: u64, limit: u64) -> Result<(u64, Vec<SeedEntry>), StoreError> {
        let total: i64 = self
            .db
            .query_row("SELECT count(DISTINCT seed_hash) FROM occurrence", [], |row| row.get(0))
            .map_err(self.sql())?;
        let query = format!(
            "SELECT seed_hash, count(DISTINCT coalesce(merged_into, id)), count(*), group_concat(DISTINCT strategy), min(finding)
             FROM occurrence JOIN finding ON finding.id = occurrence.finding
             GROUP BY seed_hash ORDER BY 2 DESC, 3 DESC, 1 LIMIT {limit} OFFSET {offset}"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let read = |row: &Row<'_>| {
            Ok(SeedEntry {
                hash: row.get(0)?,
                findings: row.get::<_, i64>(1)? as u64,
                cases: row.get::<_, i64>(2)? as u64,
                strategies: row.get(3)?,
                example: row.get(4)?,
            })
        };
        let found = query.query_map([], read).and_then(Iterator::collect).map_err(self.sql())?;
        Ok((total as u64, found))
    }
}
