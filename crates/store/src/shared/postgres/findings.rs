//! Findings, their cases and their files.

use super::connect::Connection;
use super::rows::{finding as read, origin, status, text};
use crate::shared::{CampaignId, FindingFile, FindingUpdate, SharedFinding};
use crate::workflow::StatusChange;
use case::Origin;
use tokio_postgres::{Error, Row};

/// The findings that changed after a revision.
pub async fn since(
    db: &mut Connection,
    campaign: CampaignId,
    revision: u64,
    limit: usize,
) -> Result<Vec<SharedFinding>, Error> {
    let query = "SELECT id, signature, class, title, bug, needs_options, solvers, reduced_bytes,
            count + (SELECT coalesce(sum(u.cases), 0)::bigint FROM elenchus.uncounted AS u
                WHERE u.campaign = f.campaign AND u.finding = f.number),
            first_seen, last_seen, merged_into, status, status_detail, status_changed, revision, files_revision
        FROM elenchus.finding AS f WHERE campaign = $1 AND revision > $2 ORDER BY revision LIMIT $3";
    let revision = i64::try_from(revision).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(db.query(query, &[&campaign.0, &revision, &limit]).await?.iter().map(read).collect())
}

/// The files of a finding.
pub async fn files(
    db: &mut Connection,
    campaign: CampaignId,
    finding: &str,
) -> Result<Vec<FindingFile>, Error> {
    let query = "SELECT f.path, f.content FROM elenchus.finding_file AS f JOIN elenchus.finding AS o ON o.number = f.finding
        WHERE o.campaign = $1 AND o.id = $2 ORDER BY f.path COLLATE \"C\"";
    let read = |row: &Row| FindingFile { path: row.get(0), content: row.get(1) };
    Ok(db.query(query, &[&campaign.0, &finding]).await?.iter().map(read).collect())
}

/// The cases that showed a finding.
pub async fn cases(db: &mut Connection, campaign: CampaignId, finding: &str) -> Result<Vec<Origin>, Error> {
    let query = "SELECT c.campaign_seed, c.strategy, c.seed_hash, c.round, c.case_index
        FROM elenchus.occurrence AS c JOIN elenchus.finding AS o ON o.number = c.finding
        WHERE o.campaign = $1 AND o.id = $2
        ORDER BY c.strategy COLLATE \"C\", c.seed_hash COLLATE \"C\", c.round, c.case_index, c.campaign_seed";
    let read = |row: &Row| origin(row, 0);
    Ok(db.query(query, &[&campaign.0, &finding]).await?.iter().map(read).collect())
}

/// The changes of the status of a finding, the newest first.
pub async fn history(
    db: &mut Connection,
    campaign: CampaignId,
    finding: &str,
) -> Result<Vec<StatusChange>, Error> {
    let query = "SELECT c.status, c.detail, c.changed
        FROM elenchus.status_change AS c JOIN elenchus.finding AS o ON o.number = c.finding
        WHERE o.campaign = $1 AND o.id = $2 ORDER BY c.id DESC";
    let read = |row: &Row| status(row, 0);
    Ok(db.query(query, &[&campaign.0, &finding]).await?.iter().map(read).collect())
}

/// Changes a finding. False if there is none with this name.
pub async fn update(
    db: &mut Connection,
    campaign: CampaignId,
    update: &FindingUpdate,
) -> Result<bool, Error> {
    let summary = update.summary.as_ref();
    let title = summary.map(|summary| text(&summary.title));
    let solvers = summary.map(|summary| text(&summary.solvers));
    let into = update.merged_into.as_ref().map(|into| into.as_deref().unwrap_or_default());
    let decision = update.status.as_ref();
    let detail = decision.map(|decision| text(&decision.detail));
    let paths: Option<Vec<&str>> =
        update.files.as_ref().map(|files| files.iter().map(|file| &*file.path).collect());
    let contents: Option<Vec<&[u8]>> =
        update.files.as_ref().map(|files| files.iter().map(|file| &*file.content).collect());
    let query = "SELECT elenchus.update_finding($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    let row = db
        .query_one(
            query,
            &[
                &campaign.0,
                &update.id,
                &summary.map(|summary| summary.class.name()),
                &title,
                &summary.map(|summary| summary.bug),
                &summary.map(|summary| summary.needs_options),
                &solvers,
                &summary.and_then(|summary| summary.reduced_bytes).map(|bytes| bytes as i64),
                &into,
                &decision.map(|decision| decision.status.name()),
                &detail,
                &decision.map_or(0, |decision| decision.changed as i64),
                &paths,
                &contents,
            ],
        )
        .await?;
    Ok(row.get(0))
}
