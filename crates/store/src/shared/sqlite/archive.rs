//! Reads and writes complete campaigns.

use super::rows::{FINDING, finding as read_finding, number};
use super::{Change, findings, jobs, members, start};
use crate::shared::archive::{
    ArchivedBlock, ArchivedCampaign, ArchivedFinding, ArchivedStrategy, Part, ROWS, send,
};
use crate::shared::{CampaignId, JobEntry, JobState, MemberEntry, MemberId, SharedFinding};
use crate::workflow::StatusChange;
use rusqlite::{OptionalExtension, Result, Row, params};
use std::collections::HashMap;
use std::sync::mpsc::SyncSender;

/// Sends all parts of a campaign, until nobody wants more.
pub fn export(change: &Change<'_>, campaign: CampaignId, to: &SyncSender<Part>) -> Result<()> {
    let Some(first) = read_campaign(change, campaign)? else { return Ok(()) };
    if !send(to, Part::Campaign(first)) {
        return Ok(());
    }
    for seeds in start::seeds(change, campaign)?.chunks(ROWS) {
        if !send(to, Part::Seeds(seeds.to_vec())) {
            return Ok(());
        }
    }
    send(to, Part::Members(members::members(change, campaign)?));
    send(to, Part::Blocks(blocks(change, campaign)?));
    for samples in members::samples(change, campaign, 0)?.chunks(ROWS) {
        send(to, Part::Samples(samples.to_vec()));
    }
    let query = format!("SELECT {FINDING} FROM finding WHERE campaign = ?1 ORDER BY number");
    let mut query = change.db.prepare(&query)?;
    for finding in query.query_map([campaign.0], read_finding)? {
        if !send(to, Part::Finding(Box::new(with_parts(change, campaign, finding?)?))) {
            return Ok(());
        }
    }
    let mut query = change
        .db
        .prepare("SELECT kind, name, revision, body FROM document WHERE campaign = ?1 ORDER BY kind, name")?;
    for document in query.query_map([campaign.0], super::documents::read)? {
        send(to, Part::Document(document?));
    }
    send(to, Part::Jobs(jobs::all(change, campaign)?));
    send(to, Part::End);
    Ok(())
}

fn read_campaign(change: &Change<'_>, campaign: CampaignId) -> Result<Option<ArchivedCampaign>> {
    let query = "SELECT name, revision FROM campaign WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, number(row, 1)?));
    let Some((name, revision)) = change.db.query_row(query, [campaign.0], read).optional()? else {
        return Ok(None);
    };
    let Some(campaign) = start::campaign(change, &name)? else { return Ok(None) };
    let query =
        "SELECT next_turn, last_grant, done, cases, digest FROM strategy WHERE campaign = ?1 ORDER BY place";
    let read = |row: &Row<'_>| {
        Ok(ArchivedStrategy {
            next_turn: number(row, 0)?,
            last_grant: number(row, 1)?,
            done: number(row, 2)?,
            cases: number(row, 3)?,
            digest: number(row, 4)?,
        })
    };
    let strategies = change.db.prepare(query)?.query_map([campaign.id.0], read)?.collect::<Result<_>>()?;
    Ok(Some(ArchivedCampaign { campaign, revision, strategies }))
}

fn blocks(change: &Change<'_>, campaign: CampaignId) -> Result<Vec<ArchivedBlock>> {
    let query = "SELECT strategy, grant_number, first_turn, end_turn, done, cases, digest, member, lease_end
        FROM block WHERE campaign = ?1 ORDER BY strategy, grant_number";
    let read = |row: &Row<'_>| {
        Ok(ArchivedBlock {
            strategy: number(row, 0)? as usize,
            grant: number(row, 1)?,
            first: number(row, 2)?,
            end: number(row, 3)?,
            done: number(row, 4)?,
            cases: number(row, 5)?,
            digest: number(row, 6)?,
            member: row.get::<_, Option<i64>>(7)?.map(MemberId),
            lease_end: number(row, 8)?,
        })
    };
    change.db.prepare(query)?.query_map([campaign.0], read)?.collect()
}

fn with_parts(change: &Change<'_>, campaign: CampaignId, finding: SharedFinding) -> Result<ArchivedFinding> {
    let files = findings::files(change, campaign, &finding.id)?;
    let cases = findings::cases(change, campaign, &finding.id)?;
    let mut history = findings::history(change, campaign, &finding.id)?;
    history.reverse();
    Ok(ArchivedFinding { finding, files, cases, history })
}

/// Writes a campaign. `None` if its end is missing.
pub fn import(change: &Change<'_>, parts: &mut dyn Iterator<Item = Part>) -> Result<Option<CampaignId>> {
    let Some(Part::Campaign(first)) = parts.next() else { return Ok(None) };
    let campaign = insert_campaign(change, &first)?;
    let mut members = HashMap::new();
    let mut seeds = 0;
    for part in parts {
        match part {
            Part::Campaign(_) => return Ok(None),
            Part::Seeds(some) => {
                for seed in &some {
                    start::insert_seed(change, campaign, seeds, seed)?;
                    seeds += 1;
                }
            }
            Part::Members(all) => {
                for member in &all {
                    members.insert(member.id, insert_member(change, campaign, member)?);
                }
            }
            Part::Blocks(all) => {
                for block in &all {
                    let member = block.member.and_then(|member| members.get(&member).copied());
                    insert_block(change, campaign, block, member)?;
                }
            }
            Part::Samples(some) => {
                for sample in some {
                    let Some(member) = members.get(&sample.member) else { continue };
                    let values = params![member, sample.at as i64, sample.statistics];
                    change.db.prepare_cached("INSERT INTO sample VALUES (?1, ?2, ?3)")?.execute(values)?;
                }
            }
            Part::Finding(finding) => insert_finding(change, campaign, &finding)?,
            Part::Document(document) => {
                let (revision, kind) = (document.revision as i64, document.kind);
                let values = params![campaign.0, kind, document.name, revision, document.body];
                change.db.execute("INSERT INTO document VALUES (?1, ?2, ?3, ?4, ?5)", values)?;
            }
            Part::Jobs(all) => all.iter().try_for_each(|job| insert_job(change, campaign, job))?,
            Part::End => return Ok(Some(campaign)),
        }
    }
    Ok(None)
}

fn insert_campaign(change: &Change<'_>, archived: &ArchivedCampaign) -> Result<CampaignId> {
    let campaign = &archived.campaign;
    change.db.execute(
        "INSERT INTO campaign (name, seed, settings, requirements, started, finished, revision, rolled_up)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            campaign.name,
            campaign.seed as i64,
            campaign.settings,
            campaign.requirements,
            campaign.started as i64,
            campaign.finished,
            archived.revision as i64,
            change.now
        ],
    )?;
    let id = change.db.last_insert_rowid();
    for (place, (entry, strategy)) in campaign.strategies.iter().zip(&archived.strategies).enumerate() {
        change.db.execute(
            "INSERT INTO strategy VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                id,
                place as i64,
                entry.name,
                entry.turns.map(|turns| turns as i64),
                strategy.next_turn as i64,
                strategy.last_grant as i64,
                strategy.done as i64,
                strategy.cases as i64,
                strategy.digest as i64
            ],
        )?;
    }
    Ok(CampaignId(id))
}

fn insert_member(change: &Change<'_>, campaign: CampaignId, entry: &MemberEntry) -> Result<i64> {
    let member = &entry.member;
    change.db.execute(
        "INSERT INTO member (campaign, machine, process, workers, version, work, joined, seen, has_left, statistics)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            campaign.0,
            member.machine,
            member.process,
            member.workers,
            member.version,
            serde_json::json!(member.work).to_string(),
            entry.joined as i64,
            entry.seen as i64,
            entry.left,
            entry.statistics
        ],
    )?;
    Ok(change.db.last_insert_rowid())
}

fn insert_block(
    change: &Change<'_>,
    campaign: CampaignId,
    block: &ArchivedBlock,
    member: Option<i64>,
) -> Result<()> {
    let values = params![
        campaign.0,
        block.strategy as i64,
        block.grant as i64,
        block.first as i64,
        block.end as i64,
        block.done as i64,
        block.cases as i64,
        block.digest as i64,
        member,
        block.lease_end as i64
    ];
    change
        .db
        .execute("INSERT INTO block VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", values)
        .map(|_| ())
}

fn insert_finding(change: &Change<'_>, campaign: CampaignId, archived: &ArchivedFinding) -> Result<()> {
    let finding = &archived.finding;
    let summary = &finding.summary;
    change.db.execute(
        &format!(
            "INSERT INTO finding (campaign, {FINDING})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)"
        ),
        params![
            campaign.0,
            finding.id,
            finding.signature,
            summary.class.name(),
            summary.title,
            summary.bug,
            summary.needs_options,
            summary.solvers,
            summary.reduced_bytes.map(|bytes| bytes as i64),
            finding.count as i64,
            finding.first_seen as i64,
            finding.last_seen as i64,
            finding.merged_into,
            finding.status.status.name(),
            finding.status.detail,
            finding.status.changed as i64,
            finding.revision as i64,
            finding.files_revision as i64
        ],
    )?;
    let number = change.db.last_insert_rowid();
    findings::insert_files(change, number, &archived.files)?;
    for case in &archived.cases {
        findings::occurrence(change, number, case)?;
    }
    archived.history.iter().try_for_each(|decision| insert_decision(change, number, decision))
}

fn insert_decision(change: &Change<'_>, finding: i64, decision: &StatusChange) -> Result<()> {
    let values = params![finding, decision.status.name(), decision.detail, decision.changed as i64];
    let insert = "INSERT INTO status_change (finding, status, detail, changed) VALUES (?1, ?2, ?3, ?4)";
    change.db.execute(insert, values).map(|_| ())
}

fn insert_job(change: &Change<'_>, campaign: CampaignId, job: &JobEntry) -> Result<()> {
    let values = params![
        campaign.0,
        job.kind.name(),
        job.subject,
        job.detail,
        job.priority,
        job.attempts,
        job.state == JobState::GivenUp,
        job.failure
    ];
    change
        .db
        .execute(
            "INSERT INTO job (campaign, kind, subject, detail, priority, attempts, given_up, failure)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            values,
        )
        .map(|_| ())
}
