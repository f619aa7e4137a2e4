//! Changes of findings.

use super::Change;
use super::findings::{insert_files, next_revision};
use crate::shared::{CampaignId, FindingSummary, FindingUpdate};
use crate::workflow::StatusChange;
use rusqlite::{OptionalExtension, Result, Row, params};

/// Changes a finding. False if there is none with this name.
pub fn update(change: &Change<'_>, campaign: CampaignId, update: &FindingUpdate) -> Result<bool> {
    let query = "SELECT number FROM finding WHERE campaign = ?1 AND id = ?2";
    let values = params![campaign.0, update.id];
    let found: Option<i64> = change.db.query_row(query, values, |row| row.get(0)).optional()?;
    let Some(number) = found else { return Ok(false) };
    let revision = next_revision(change, campaign.0)?;
    change.db.execute("UPDATE finding SET revision = ?2 WHERE number = ?1", [number, revision])?;
    if let Some(summary) = &update.summary {
        describe(change, number, summary)?;
    }
    match &update.merged_into {
        Some(Some(into)) => merge(change, campaign.0, &update.id, into)?,
        Some(None) => {
            change.db.execute("UPDATE finding SET merged_into = NULL WHERE number = ?1", [number])?;
        }
        None => {}
    }
    if let Some(decision) = &update.status {
        decide(change, number, decision)?;
    }
    if let Some(files) = &update.files {
        let update = "UPDATE finding SET files_revision = revision WHERE number = ?1";
        change.db.execute(update, [number])?;
        change.db.execute("DELETE FROM finding_file WHERE finding = ?1", [number])?;
        insert_files(change, number, files)?;
    }
    Ok(true)
}

fn describe(change: &Change<'_>, number: i64, summary: &FindingSummary) -> Result<()> {
    let values = params![
        number,
        summary.class.name(),
        summary.title,
        summary.bug,
        summary.needs_options,
        summary.solvers,
        summary.reduced_bytes.map(|bytes| bytes as i64)
    ];
    change
        .db
        .execute(
            "UPDATE finding SET class = ?2, title = ?3, bug = ?4, needs_options = ?5, solvers = ?6, reduced_bytes = ?7
             WHERE number = ?1",
            values,
        )
        .map(|_| ())
}

/// Merges a finding, with all that were merged into it, into another or what that was merged into. So there are no chains.
fn merge(change: &Change<'_>, campaign: i64, finding: &str, into: &str) -> Result<()> {
    let query = "SELECT merged_into FROM finding WHERE campaign = ?1 AND id = ?2";
    let read = |row: &Row<'_>| row.get::<_, Option<String>>(0);
    let next: Option<Option<String>> =
        change.db.query_row(query, params![campaign, into], read).optional()?;
    let Some(next) = next else { return Ok(()) };
    let end = next.unwrap_or_else(|| into.to_owned());
    // Somebody has merged them the other way round.
    if end == finding {
        return Ok(());
    }
    let affected = "SELECT number FROM finding WHERE campaign = ?1 AND (id = ?2 OR merged_into = ?2)";
    let affected: Vec<i64> = change
        .db
        .prepare(affected)?
        .query_map(params![campaign, finding], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for number in affected {
        let revision = next_revision(change, campaign)?;
        let update = "UPDATE finding SET merged_into = ?2, revision = ?3 WHERE number = ?1";
        change.db.execute(update, params![number, end, revision])?;
    }
    Ok(())
}

/// Changes the status of a finding. The repetition of a decision adds nothing to its history.
fn decide(change: &Change<'_>, number: i64, decision: &StatusChange) -> Result<()> {
    let changed = if decision.changed == 0 { change.now } else { decision.changed as i64 };
    let values = params![number, decision.status.name(), decision.detail, changed];
    let fresh = change.db.execute(
        "UPDATE finding SET status = ?2, status_detail = ?3, status_changed = ?4
         WHERE number = ?1 AND (status, status_detail) <> (?2, ?3)",
        values,
    )?;
    if fresh > 0 {
        change.db.execute(
            "INSERT INTO status_change (finding, status, detail, changed) VALUES (?1, ?2, ?3, ?4)",
            values,
        )?;
    }
    Ok(())
}
