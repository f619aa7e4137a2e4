//! The campaigns of a folder, and their statistics over time.

use super::Browser;
use crate::error::StoreError;
use crate::record::{CampaignState, Position};
use crate::store::position;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

/// A campaign in the list of campaigns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CampaignEntry {
    /// Its number in this folder.
    pub id: i64,
    /// Its seed.
    pub seed: u64,
    /// Its state.
    pub state: CampaignState,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// Milliseconds of work so far.
    pub elapsed: u64,
    /// Its settings, as JSON that the campaign crate defines.
    pub settings: String,
}

const COLUMNS: &str = "id, seed, state, started, elapsed, settings";

fn entry(row: &Row<'_>) -> rusqlite::Result<CampaignEntry> {
    Ok(CampaignEntry {
        id: row.get(0)?,
        seed: row.get::<_, i64>(1)? as u64,
        state: CampaignState::from_word(&row.get::<_, String>(2)?),
        started: row.get::<_, i64>(3)? as u64,
        elapsed: row.get::<_, i64>(4)? as u64,
        settings: row.get(5)?,
    })
}

impl Browser {
    /// The campaigns of the folder, the latest first, at most `limit`.
    pub fn campaigns(&self, limit: usize) -> Result<Vec<CampaignEntry>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM campaign ORDER BY id DESC LIMIT ?1");
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        query.query_map([limit as i64], entry).and_then(Iterator::collect).map_err(self.sql())
    }

    /// The campaign with this number.
    pub fn campaign(&self, id: i64) -> Result<Option<CampaignEntry>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM campaign WHERE id = ?1");
        self.db.query_row(&query, [id], entry).optional().map_err(self.sql())
    }

    /// The counters of a campaign as they were last saved, as JSON that the campaign crate defines.
    pub fn totals(&self, campaign: i64) -> Result<String, StoreError> {
        let query = "SELECT totals FROM campaign WHERE id = ?1";
        let found = self.db.query_row(query, [campaign], |row| row.get(0)).optional().map_err(self.sql())?;
        Ok(found.unwrap_or_default())
    }

    /// Where each worker of a campaign is.
    pub fn positions(&self, campaign: i64) -> Result<Vec<Position>, StoreError> {
        let query = "SELECT unit, strategy, seed_hash, round, case_index FROM position WHERE campaign = ?1 ORDER BY worker";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        query.query_map([campaign], position).and_then(Iterator::collect).map_err(self.sql())
    }

    /// At most `points` samples of a campaign between two times, evenly spread: milliseconds and body. Since counters only grow, the
    /// samples between them need not be read: each point is one step down an index.
    pub fn samples_between(
        &self,
        campaign: i64,
        from: u64,
        to: u64,
        points: usize,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let query = "SELECT elapsed, body FROM sample WHERE campaign = ?1 AND elapsed BETWEEN ?2 AND ?3 ORDER BY elapsed LIMIT 1";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let step = (to.saturating_sub(from) / points.max(1) as u64).max(1);
        let (mut samples, mut next) = (Vec::new(), from);
        while next <= to {
            let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?));
            let found: Option<(u64, String)> = query
                .query_row(params![campaign, next as i64, to as i64], read)
                .optional()
                .map_err(self.sql())?;
            let Some((elapsed, body)) = found else { break };
            // The next point of the grid after this sample: a gap costs one step, however long it is.
            next = from + ((elapsed - from) / step + 1) * step;
            samples.push((elapsed, body));
        }
        Ok(samples)
    }
}
