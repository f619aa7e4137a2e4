//! Campaigns, and what is fixed when they start.

use super::Change;
use super::rows::number;
use crate::shared::{CampaignId, NewCampaign, SharedCampaign, SharedSeed, StrategyEntry};
use rusqlite::{OptionalExtension, Result, Row, params};

const COLUMNS: &str = "id, name, seed, settings, requirements, started, finished";

/// All campaigns, the latest first.
pub fn campaigns(change: &Change<'_>) -> Result<Vec<SharedCampaign>> {
    let mut query =
        change.db.prepare(&format!("SELECT {COLUMNS} FROM campaign ORDER BY started DESC, id DESC"))?;
    let found: Vec<SharedCampaign> = query.query_map([], read)?.collect::<Result<_>>()?;
    found.into_iter().map(|campaign| with_strategies(change, campaign)).collect()
}

/// The campaign with a name.
pub fn campaign(change: &Change<'_>, name: &str) -> Result<Option<SharedCampaign>> {
    let query = format!("SELECT {COLUMNS} FROM campaign WHERE name = ?1");
    let found = change.db.query_row(&query, [name], read).optional()?;
    found.map(|campaign| with_strategies(change, campaign)).transpose()
}

fn read(row: &Row<'_>) -> Result<SharedCampaign> {
    Ok(SharedCampaign {
        id: CampaignId(row.get(0)?),
        name: row.get(1)?,
        seed: number(row, 2)?,
        settings: row.get(3)?,
        requirements: row.get(4)?,
        strategies: Vec::new(),
        started: number(row, 5)?,
        finished: row.get(6)?,
    })
}

fn with_strategies(change: &Change<'_>, mut campaign: SharedCampaign) -> Result<SharedCampaign> {
    let mut query =
        change.db.prepare_cached("SELECT name, turns FROM strategy WHERE campaign = ?1 ORDER BY place")?;
    let read = |row: &Row<'_>| {
        let turns = row.get::<_, Option<i64>>(1)?.map(|turns| turns as u64);
        Ok(StrategyEntry { name: row.get(0)?, turns })
    };
    campaign.strategies = query.query_map([campaign.id.0], read)?.collect::<Result<_>>()?;
    Ok(campaign)
}

/// Starts a campaign, unless there is one with its name.
pub fn create(change: &Change<'_>, new: &NewCampaign) -> Result<SharedCampaign> {
    if let Some(existing) = campaign(change, &new.name)? {
        return Ok(existing);
    }
    change.db.execute(
        "INSERT INTO campaign (name, seed, settings, requirements, started) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![new.name, new.seed as i64, new.settings, new.requirements, change.now],
    )?;
    let id = CampaignId(change.db.last_insert_rowid());
    for (place, strategy) in new.strategies.iter().enumerate() {
        change.db.execute(
            "INSERT INTO strategy (campaign, place, name, turns) VALUES (?1, ?2, ?3, ?4)",
            params![id.0, place as i64, strategy.name, strategy.turns.map(|turns| turns as i64)],
        )?;
    }
    for (place, seed) in new.seeds.iter().enumerate() {
        insert_seed(change, id, place, seed)?;
    }
    Ok(SharedCampaign {
        id,
        name: new.name.clone(),
        seed: new.seed,
        settings: new.settings.clone(),
        requirements: new.requirements.clone(),
        strategies: new.strategies.clone(),
        started: change.now as u64,
        finished: false,
    })
}

/// Adds a seed to a campaign.
pub fn insert_seed(change: &Change<'_>, campaign: CampaignId, place: usize, seed: &SharedSeed) -> Result<()> {
    let mut insert = change.db.prepare_cached("INSERT INTO seed VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    insert.execute(params![campaign.0, place as i64, seed.hash, seed.name, seed.facts, seed.text]).map(|_| ())
}

/// The seeds of a campaign.
pub fn seeds(change: &Change<'_>, campaign: CampaignId) -> Result<Vec<SharedSeed>> {
    let query = "SELECT hash, name, facts, text FROM seed WHERE campaign = ?1 ORDER BY number";
    let read = |row: &Row<'_>| {
        Ok(SharedSeed { hash: row.get(0)?, name: row.get(1)?, facts: row.get(2)?, text: row.get(3)? })
    };
    change.db.prepare(query)?.query_map([campaign.0], read)?.collect()
}
