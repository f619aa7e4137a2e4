//! Campaigns, and what is fixed when they start.

use super::connect::Connection;
use super::rows::{number, text};
use crate::shared::{CampaignId, NewCampaign, SharedCampaign, SharedSeed, StrategyEntry};
use tokio_postgres::Error;

/// The campaign with a name, or all of them, the latest first.
pub async fn campaigns(db: &mut Connection, name: Option<&str>) -> Result<Vec<SharedCampaign>, Error> {
    let query = "SELECT c.id, c.name, c.seed, c.settings, c.requirements, c.started, c.finished,
            coalesce(array_agg(s.name ORDER BY s.place) FILTER (WHERE s.name IS NOT NULL), '{}'),
            coalesce(array_agg(s.turns ORDER BY s.place) FILTER (WHERE s.name IS NOT NULL), '{}')
        FROM elenchus.campaign AS c LEFT JOIN elenchus.strategy AS s ON s.campaign = c.id
        WHERE $1::text IS NULL OR c.name = $1 GROUP BY c.id ORDER BY c.started DESC, c.id DESC";
    let rows = db.query(query, &[&name]).await?;
    let read = |row: tokio_postgres::Row| SharedCampaign {
        id: CampaignId(row.get(0)),
        name: row.get(1),
        seed: number(&row, 2),
        settings: row.get(3),
        requirements: row.get(4),
        started: number(&row, 5),
        finished: row.get(6),
        strategies: std::iter::zip(row.get::<_, Vec<String>>(7), row.get::<_, Vec<Option<i64>>>(8))
            .map(|(name, turns)| StrategyEntry { name, turns: turns.map(|turns| turns as u64) })
            .collect(),
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Starts a campaign, unless there is one with its name.
pub async fn create(db: &mut Connection, new: &NewCampaign) -> Result<(), Error> {
    let names: Vec<&str> = new.strategies.iter().map(|strategy| &*strategy.name).collect();
    let turns: Vec<Option<i64>> =
        new.strategies.iter().map(|strategy| strategy.turns.map(|turns| turns as i64)).collect();
    let column =
        |read: fn(&SharedSeed) -> &str| new.seeds.iter().map(|seed| text(read(seed))).collect::<Vec<_>>();
    let query = "WITH new AS (
            INSERT INTO elenchus.campaign (name, seed, settings, requirements, started)
            VALUES ($1, $2, $3, $4, elenchus.now_ms()) ON CONFLICT (name) DO NOTHING RETURNING id
        ), strategies AS (
            INSERT INTO elenchus.strategy (campaign, place, name, turns)
            SELECT new.id, s.place - 1, s.name, s.turns
            FROM new, unnest($5::text[], $6::bigint[]) WITH ORDINALITY AS s (name, turns, place)
        )
        INSERT INTO elenchus.seed (campaign, number, hash, name, facts, text)
        SELECT new.id, s.place - 1, s.hash, s.name, s.facts, s.text
        FROM new, unnest($7::text[], $8::text[], $9::text[], $10::text[]) WITH ORDINALITY
            AS s (hash, name, facts, text, place)";
    db.query(
        query,
        &[
            &new.name,
            &(new.seed as i64),
            &new.settings,
            &new.requirements,
            &names,
            &turns,
            &column(|seed| &seed.hash),
            &column(|seed| &seed.name),
            &column(|seed| &seed.facts),
            &column(|seed| &seed.text),
        ],
    )
    .await
    .map(|_| ())
}

/// The seeds of a campaign.
pub async fn seeds(db: &mut Connection, campaign: CampaignId) -> Result<Vec<SharedSeed>, Error> {
    let query = "SELECT hash, name, facts, text FROM elenchus.seed WHERE campaign = $1 ORDER BY number";
    let read = |row: tokio_postgres::Row| SharedSeed {
        hash: row.get(0),
        name: row.get(1),
        facts: row.get(2),
        text: row.get(3),
    };
    Ok(db.query(query, &[&campaign.0]).await?.into_iter().map(read).collect())
}
