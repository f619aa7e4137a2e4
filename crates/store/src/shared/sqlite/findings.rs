//! Findings, their cases and their files.

use super::rows::{FINDING, finding as read, number, word};
use super::{Change, jobs};
use crate::shared::naming::names;
use crate::shared::{CampaignId, FindingFile, NewFinding, NewJob, SharedFinding};
use crate::workflow::{Status, StatusChange};
use case::Origin;
use rusqlite::{OptionalExtension, Result, Row, params};

/// The latest change of a finding of a campaign.
pub fn revision(change: &Change<'_>, campaign: i64) -> Result<u64> {
    change.db.query_row("SELECT revision FROM campaign WHERE id = ?1", [campaign], |row| number(row, 0))
}

/// The number of a new change.
pub fn next_revision(change: &Change<'_>, campaign: i64) -> Result<i64> {
    let query = "UPDATE campaign SET revision = revision + 1 WHERE id = ?1 RETURNING revision";
    change.db.prepare_cached(query)?.query_row([campaign], |row| row.get(0))
}

/// Records a finding, or counts its case if another process has made it before.
pub fn record(change: &Change<'_>, campaign: i64, new: &NewFinding) -> Result<()> {
    if count(change, campaign, &new.signature, &new.origin)? {
        return Ok(());
    }
    let seen = change.now - super::milliseconds(new.age);
    let mut id = None;
    for name in names(new) {
        let query = "SELECT 1 FROM finding WHERE campaign = ?1 AND id = ?2";
        if change.db.query_row(query, params![campaign, name], |_| Ok(())).optional()?.is_none() {
            id = Some(name);
            break;
        }
    }
    let revision = next_revision(change, campaign)?;
    let id = id.unwrap_or_else(|| format!("{}-{revision}", names(new)[3]));
    change.db.execute(
        "INSERT INTO finding (campaign, id, signature, class, title, bug, needs_options, solvers, reduced_bytes,
             count, first_seen, last_seen, revision, files_revision)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?10, ?11, ?11)",
        params![
            campaign,
            id,
            new.signature,
            new.summary.class.name(),
            new.summary.title,
            new.summary.bug,
            new.summary.needs_options,
            new.summary.solvers,
            new.summary.reduced_bytes.map(|bytes| bytes as i64),
            seen,
            revision
        ],
    )?;
    let number = change.db.last_insert_rowid();
    occurrence(change, number, &new.origin)?;
    insert_files(change, number, &new.files)?;
    match new.summary.bug {
        true => jobs::add(change, CampaignId(campaign), &NewJob::reduction(&id, &new.summary)),
        false => Ok(()),
    }
}

/// Counts a case of a finding. False if there is no such finding.
pub fn count(change: &Change<'_>, campaign: i64, signature: &str, origin: &Origin) -> Result<bool> {
    let query = "SELECT number FROM finding WHERE campaign = ?1 AND signature = ?2";
    let found: Option<i64> = change
        .db
        .prepare_cached(query)?
        .query_row(params![campaign, signature], |row| row.get(0))
        .optional()?;
    let Some(number) = found else { return Ok(false) };
    if occurrence(change, number, origin)? {
        let revision = next_revision(change, campaign)?;
        change
            .db
            .prepare_cached(
                "UPDATE finding SET count = count + 1, last_seen = max(last_seen, ?2), revision = ?3 WHERE number = ?1",
            )?
            .execute([number, change.now, revision])?;
    }
    Ok(true)
}

/// Records that a case showed a finding. False if that was recorded before.
pub fn occurrence(change: &Change<'_>, finding: i64, origin: &Origin) -> Result<bool> {
    let mut insert =
        change.db.prepare_cached("INSERT OR IGNORE INTO occurrence VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let changed = insert.execute(params![
        finding,
        origin.strategy,
        origin.seed_hash,
        origin.round as i64,
        origin.index as i64,
        origin.campaign_seed as i64
    ])?;
    Ok(changed > 0)
}

/// Writes the files of a finding.
pub fn insert_files(change: &Change<'_>, finding: i64, files: &[FindingFile]) -> Result<()> {
    let mut insert = change.db.prepare_cached("INSERT OR REPLACE INTO finding_file VALUES (?1, ?2, ?3)")?;
    files.iter().try_for_each(|file| insert.execute(params![finding, file.path, file.content]).map(|_| ()))
}

/// The findings that changed after a revision.
pub fn since(
    change: &Change<'_>,
    campaign: CampaignId,
    revision: u64,
    limit: usize,
) -> Result<Vec<SharedFinding>> {
    let query = format!(
        "SELECT {FINDING} FROM finding WHERE campaign = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let revision = i64::try_from(revision).unwrap_or(i64::MAX);
    change.db.prepare_cached(&query)?.query_map([campaign.0, revision, limit], read)?.collect()
}

/// The files of a finding.
pub fn files(change: &Change<'_>, campaign: CampaignId, finding: &str) -> Result<Vec<FindingFile>> {
    let query = "SELECT path, content FROM finding_file JOIN finding ON finding.number = finding
        WHERE campaign = ?1 AND id = ?2 ORDER BY path";
    let read = |row: &Row<'_>| Ok(FindingFile { path: row.get(0)?, content: row.get(1)? });
    change.db.prepare_cached(query)?.query_map(params![campaign.0, finding], read)?.collect()
}

/// The cases that showed a finding.
pub fn cases(change: &Change<'_>, campaign: CampaignId, finding: &str) -> Result<Vec<Origin>> {
    let query = "SELECT campaign_seed, strategy, seed_hash, round, case_index
        FROM occurrence JOIN finding ON finding.number = finding WHERE campaign = ?1 AND id = ?2
        ORDER BY strategy, seed_hash, round, case_index, campaign_seed";
    let read = |row: &Row<'_>| {
        Ok(Origin {
            campaign_seed: number(row, 0)?,
            strategy: row.get(1)?,
            seed_hash: row.get(2)?,
            round: number(row, 3)?,
            index: number(row, 4)?,
        })
    };
    change.db.prepare_cached(query)?.query_map(params![campaign.0, finding], read)?.collect()
}

/// The changes of the status of a finding, the newest first.
pub fn history(change: &Change<'_>, campaign: CampaignId, finding: &str) -> Result<Vec<StatusChange>> {
    let query = "SELECT c.status, c.detail, c.changed FROM status_change AS c JOIN finding ON finding.number = c.finding
        WHERE campaign = ?1 AND finding.id = ?2 ORDER BY c.id DESC";
    let read = |row: &Row<'_>| {
        Ok(StatusChange {
            status: word(row, 0, Status::from_name)?,
            detail: row.get(1)?,
            changed: number(row, 2)?,
        })
    };
    change.db.prepare_cached(query)?.query_map(params![campaign.0, finding], read)?.collect()
}
