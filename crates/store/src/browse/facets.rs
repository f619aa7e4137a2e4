//! The values that findings can be filtered by. They are derived from the folders of findings, beside the campaign.

use super::Browser;
use crate::error::StoreError;
use rusqlite::{Row, params};
use serde::Serialize;
use std::collections::BTreeMap;

/// What findings can be filtered by besides their own columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FacetKind {
    /// A solver that was asked, such as `z3@5.4.0`.
    Solver,
    /// A theory of the script.
    Theory,
    /// An operator of the script.
    Operator,
    /// A release that shows the bug.
    Release,
    /// The strategy that made the case.
    Strategy,
    /// The name of the seed.
    Seed,
}

impl FacetKind {
    /// All of them.
    pub const ALL: [FacetKind; 6] = [
        FacetKind::Solver,
        FacetKind::Theory,
        FacetKind::Operator,
        FacetKind::Release,
        FacetKind::Strategy,
        FacetKind::Seed,
    ];

    /// The name in the database, in addresses and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FacetKind::Solver => "solver",
            FacetKind::Theory => "theory",
            FacetKind::Operator => "operator",
            FacetKind::Release => "release",
            FacetKind::Strategy => "strategy",
            FacetKind::Seed => "seed",
        }
    }
}

/// The values of one finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// The finding.
    pub finding: String,
    /// What it looked like when they were derived.
    pub stamp: String,
    /// The values.
    pub values: Vec<(FacetKind, String)>,
}

/// A finding whose values have to be derived again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// Its name.
    pub id: String,
    /// Its folder, relative to the folder of the campaign.
    pub folder: String,
    /// What it looks like now.
    pub stamp: String,
}

/// What a finding looks like: it changes when triage does.
const STAMP: &str = "class || ' ' || coalesce(reduced_bytes, -1)";

impl Browser {
    /// The values of a kind that occur, in order, at most `limit`. One step down the index for each.
    pub fn facet_values(&self, kind: FacetKind, limit: usize) -> Result<Vec<String>, StoreError> {
        let query = "WITH RECURSIVE found (value) AS (
                SELECT min(value) FROM facet WHERE kind = ?1
                UNION ALL
                SELECT (SELECT min(value) FROM facet WHERE kind = ?1 AND value > found.value)
                FROM found WHERE found.value IS NOT NULL
            ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ?2";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let read = |row: &Row<'_>| row.get(0);
        query
            .query_map(params![kind.name(), limit as i64], read)
            .and_then(Iterator::collect)
            .map_err(self.sql())
    }

    /// The values of a finding.
    pub fn facets_of(&self, finding: &str) -> Result<Vec<(String, String)>, StoreError> {
        let query = "SELECT kind, value FROM facet WHERE finding = ?1 ORDER BY kind, value";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        query.query_map([finding], read).and_then(Iterator::collect).map_err(self.sql())
    }

    /// Findings whose values were never derived, or before triage changed them; at most `limit`.
    pub fn outdated(&self, limit: usize) -> Result<Vec<Outdated>, StoreError> {
        let query = format!(
            "SELECT id, folder, {STAMP} FROM finding LEFT JOIN facet_state ON facet_state.finding = finding.id
             WHERE stamp IS NULL OR stamp <> {STAMP} LIMIT ?1"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let read = |row: &Row<'_>| Ok(Outdated { id: row.get(0)?, folder: row.get(1)?, stamp: row.get(2)? });
        query.query_map([limit as i64], read).and_then(Iterator::collect).map_err(self.sql())
    }

    /// The most recent of the reduced findings of which no release is known yet: bisection may have finished meanwhile.
    pub fn without_releases(&self, limit: usize) -> Result<Vec<Outdated>, StoreError> {
        let query = format!(
            "SELECT id, folder, {STAMP} FROM finding WHERE merged_into IS NULL AND reduced_bytes IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM facet WHERE facet.finding = finding.id AND kind = 'release')
             ORDER BY last_seen DESC LIMIT ?1"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let read = |row: &Row<'_>| Ok(Outdated { id: row.get(0)?, folder: row.get(1)?, stamp: row.get(2)? });
        query.query_map([limit as i64], read).and_then(Iterator::collect).map_err(self.sql())
    }

    /// How many findings each strategy has with each solver; those that were merged into others are not counted.
    pub fn yields(&self) -> Result<BTreeMap<(String, String), u64>, StoreError> {
        let query = "SELECT one.value, other.value, count(*) FROM facet AS one
            JOIN facet AS other ON other.finding = one.finding AND other.kind = 'solver'
            JOIN finding ON finding.id = one.finding
            WHERE one.kind = 'strategy' AND merged_into IS NULL GROUP BY one.value, other.value";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let read = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?), row.get::<_, i64>(2)? as u64));
        query.query_map([], read).and_then(Iterator::collect).map_err(self.sql())
    }

    /// Replaces the values of findings.
    pub fn set_facets(&mut self, all: &[Facets]) -> Result<(), StoreError> {
        let sql = StoreError::sql(&self.database);
        let change = self.db.transaction().map_err(&sql)?;
        for facets in all {
            change.execute("DELETE FROM facet WHERE finding = ?1", [&facets.finding]).map_err(&sql)?;
            for (kind, value) in &facets.values {
                change
                    .prepare_cached("INSERT OR IGNORE INTO facet VALUES (?1, ?2, ?3)")
                    .and_then(|mut insert| insert.execute(params![kind.name(), value, facets.finding]))
                    .map_err(&sql)?;
            }
            change
                .execute(
                    "INSERT OR REPLACE INTO facet_state VALUES (?1, ?2)",
                    params![facets.finding, facets.stamp],
                )
                .map_err(&sql)?;
        }
        change.commit().map_err(&sql)
    }
}
