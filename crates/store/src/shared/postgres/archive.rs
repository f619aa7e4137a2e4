//! Reads and writes complete campaigns.

use super::connect::Connection;
use super::rows::{number, text};
use super::{findings, jobs, members, start};
use crate::shared::archive::{
    ArchivedBlock, ArchivedCampaign, ArchivedFinding, ArchivedStrategy, Part, ROWS, send,
};
use crate::shared::{
    CampaignId, Document, JobEntry, JobState, MemberEntry, MemberId, MemberSample, SharedSeed,
};
use std::collections::HashMap;
use std::sync::mpsc::SyncSender;
use tokio_postgres::{Error, Row};

/// Sends all parts of a campaign as it is at one moment, until nobody wants more.
pub async fn export(db: &mut Connection, campaign: CampaignId, to: &SyncSender<Part>) -> Result<(), Error> {
    db.client().batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let result = send_all(db, campaign, to).await;
    db.client().batch_execute("ROLLBACK").await?;
    result
}

async fn send_all(db: &mut Connection, campaign: CampaignId, to: &SyncSender<Part>) -> Result<(), Error> {
    let Some(first) = read_campaign(db, campaign).await? else { return Ok(()) };
    if !send(to, Part::Campaign(first)) {
        return Ok(());
    }
    for seeds in start::seeds(db, campaign).await?.chunks(ROWS) {
        if !send(to, Part::Seeds(seeds.to_vec())) {
            return Ok(());
        }
    }
    send(to, Part::Members(members::members(db, campaign).await?));
    send(to, Part::Blocks(blocks(db, campaign).await?));
    for samples in members::samples(db, campaign, 0).await?.chunks(ROWS) {
        send(to, Part::Samples(samples.to_vec()));
    }
    let mut revision = 0;
    loop {
        let some = findings::since(db, campaign, revision, ROWS).await?;
        let Some(last) = some.last() else { break };
        revision = last.revision;
        for finding in some {
            let files = findings::files(db, campaign, &finding.id).await?;
            let cases = findings::cases(db, campaign, &finding.id).await?;
            let mut history = findings::history(db, campaign, &finding.id).await?;
            history.reverse();
            if !send(to, Part::Finding(Box::new(ArchivedFinding { finding, files, cases, history }))) {
                return Ok(());
            }
        }
    }
    for document in members::documents(db, campaign, None, None).await? {
        send(to, Part::Document(document));
    }
    send(to, Part::Jobs(jobs::all(db, campaign).await?));
    send(to, Part::End);
    Ok(())
}

async fn read_campaign(db: &mut Connection, campaign: CampaignId) -> Result<Option<ArchivedCampaign>, Error> {
    let query = "SELECT name, revision FROM elenchus.campaign WHERE id = $1";
    let rows = db.query(query, &[&campaign.0]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Some(found) = start::campaigns(db, Some(row.get(0))).await?.pop() else { return Ok(None) };
    let query = "SELECT next_turn, last_grant, done, cases, digest FROM elenchus.strategy WHERE campaign = $1 ORDER BY place";
    let read = |row: &Row| ArchivedStrategy {
        next_turn: number(row, 0),
        last_grant: number(row, 1),
        done: number(row, 2),
        cases: number(row, 3),
        digest: number(row, 4),
    };
    let strategies = db.query(query, &[&campaign.0]).await?.iter().map(read).collect();
    Ok(Some(ArchivedCampaign { campaign: found, revision: number(row, 1), strategies }))
}

async fn blocks(db: &mut Connection, campaign: CampaignId) -> Result<Vec<ArchivedBlock>, Error> {
    let query = "SELECT strategy, grant_number, first_turn, end_turn, done, cases, digest, member, lease_end
        FROM elenchus.block WHERE campaign = $1 ORDER BY strategy, grant_number";
    let read = |row: &Row| ArchivedBlock {
        strategy: row.get::<_, i32>(0) as usize,
        grant: number(row, 1),
        first: number(row, 2),
        end: number(row, 3),
        done: number(row, 4),
        cases: number(row, 5),
        digest: number(row, 6),
        member: row.get::<_, Option<i64>>(7).map(MemberId),
        lease_end: number(row, 8),
    };
    Ok(db.query(query, &[&campaign.0]).await?.iter().map(read).collect())
}

/// Writes a campaign in one transaction. `None`, and nothing is written, if its end is missing.
pub async fn import(
    db: &mut Connection,
    parts: &mut dyn Iterator<Item = Part>,
) -> Result<Option<CampaignId>, Error> {
    db.client().batch_execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0").await?;
    let result = take_all(db, parts).await;
    let end = if matches!(result, Ok(Some(_))) { "COMMIT" } else { "ROLLBACK" };
    db.client().batch_execute(end).await?;
    result
}

async fn take_all(
    db: &mut Connection,
    parts: &mut dyn Iterator<Item = Part>,
) -> Result<Option<CampaignId>, Error> {
    let Some(Part::Campaign(first)) = parts.next() else { return Ok(None) };
    let campaign = insert_campaign(db, &first).await?;
    let mut members = HashMap::new();
    let mut seeds = 0;
    for part in parts {
        match part {
            Part::Campaign(_) => return Ok(None),
            Part::Seeds(some) => {
                insert_seeds(db, campaign, seeds, &some).await?;
                seeds += some.len();
            }
            Part::Members(all) => {
                for member in &all {
                    members.insert(member.id, insert_member(db, campaign, member).await?);
                }
            }
            Part::Blocks(all) => {
                for block in &all {
                    let member = block.member.and_then(|member| members.get(&member).copied());
                    insert_block(db, campaign, block, member).await?;
                }
            }
            Part::Samples(some) => insert_samples(db, &members, &some).await?,
            Part::Finding(finding) => insert_finding(db, campaign, &finding).await?,
            Part::Document(document) => insert_document(db, campaign, &document).await?,
            Part::Jobs(all) => {
                for job in &all {
                    insert_job(db, campaign, job).await?;
                }
            }
            Part::End => return Ok(Some(campaign)),
        }
    }
    Ok(None)
}

async fn insert_campaign(db: &mut Connection, archived: &ArchivedCampaign) -> Result<CampaignId, Error> {
    let campaign = &archived.campaign;
    let query = "INSERT INTO elenchus.campaign (name, seed, settings, requirements, started, finished, revision, rolled_up)
        VALUES ($1, $2, $3, $4, $5, $6, $7, elenchus.now_ms()) RETURNING id";
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 7] = [
        &campaign.name,
        &(campaign.seed as i64),
        &campaign.settings,
        &campaign.requirements,
        &(campaign.started as i64),
        &campaign.finished,
        &(archived.revision as i64),
    ];
    let id: i64 = db.query_one(query, &values).await?.get(0);
    for (place, (entry, strategy)) in campaign.strategies.iter().zip(&archived.strategies).enumerate() {
        let query = "INSERT INTO elenchus.strategy (campaign, place, name, turns, next_turn, last_grant, done, cases, digest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        db.query(
            query,
            &[
                &id,
                &(place as i32),
                &entry.name,
                &entry.turns.map(|turns| turns as i64),
                &(strategy.next_turn as i64),
                &(strategy.last_grant as i64),
                &(strategy.done as i64),
                &(strategy.cases as i64),
                &(strategy.digest as i64),
            ],
        )
        .await?;
    }
    Ok(CampaignId(id))
}

async fn insert_seeds(
    db: &mut Connection,
    campaign: CampaignId,
    first: usize,
    seeds: &[SharedSeed],
) -> Result<(), Error> {
    let query = "INSERT INTO elenchus.seed (campaign, number, hash, name, facts, text)
        SELECT $1, $2 + s.place - 1, s.hash, s.name, s.facts, s.text
        FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS s (hash, name, facts, text, place)";
    let column =
        |read: fn(&SharedSeed) -> &str| seeds.iter().map(|seed| text(read(seed))).collect::<Vec<_>>();
    db.query(
        query,
        &[
            &campaign.0,
            &(first as i64),
            &column(|seed| &seed.hash),
            &column(|seed| &seed.name),
            &column(|seed| &seed.facts),
            &column(|seed| &seed.text),
        ],
    )
    .await
    .map(|_| ())
}

async fn insert_member(db: &mut Connection, campaign: CampaignId, entry: &MemberEntry) -> Result<i64, Error> {
    let query = "INSERT INTO elenchus.member
            (campaign, machine, process, workers, version, work, joined, seen, has_left, statistics)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id";
    let member = &entry.member;
    let row = db
        .query_one(
            query,
            &[
                &campaign.0,
                &text(&member.machine),
                &i64::from(member.process),
                &i64::from(member.workers),
                &text(&member.version),
                &serde_json::json!(member.work).to_string(),
                &(entry.joined as i64),
                &(entry.seen as i64),
                &entry.left,
                &text(&entry.statistics),
            ],
        )
        .await?;
    Ok(row.get(0))
}

async fn insert_block(
    db: &mut Connection,
    campaign: CampaignId,
    block: &ArchivedBlock,
    member: Option<i64>,
) -> Result<(), Error> {
    let query = "INSERT INTO elenchus.block
            (campaign, strategy, grant_number, first_turn, end_turn, done, cases, digest, member, lease_end)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    db.query(
        query,
        &[
            &campaign.0,
            &(block.strategy as i32),
            &(block.grant as i64),
            &(block.first as i64),
            &(block.end as i64),
            &(block.done as i64),
            &(block.cases as i64),
            &(block.digest as i64),
            &member,
            &(block.lease_end as i64),
        ],
    )
    .await
    .map(|_| ())
}

async fn insert_samples(
    db: &mut Connection,
    members: &HashMap<MemberId, i64>,
    samples: &[MemberSample],
) -> Result<(), Error> {
    let query = "INSERT INTO elenchus.sample (member, at, statistics)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])";
    let known = || samples.iter().filter_map(|sample| Some((members.get(&sample.member)?, sample)));
    let ids: Vec<i64> = known().map(|(member, _)| *member).collect();
    let times: Vec<i64> = known().map(|(_, sample)| sample.at as i64).collect();
    let texts: Vec<_> = known().map(|(_, sample)| text(&sample.statistics)).collect();
    db.query(query, &[&ids, &times, &texts]).await.map(|_| ())
}

async fn insert_finding(
    db: &mut Connection,
    campaign: CampaignId,
    archived: &ArchivedFinding,
) -> Result<(), Error> {
    let query = "WITH new AS (
            INSERT INTO elenchus.finding (campaign, id, signature, class, title, bug, needs_options, solvers, reduced_bytes,
                count, first_seen, last_seen, merged_into, status, status_detail, status_changed, revision, files_revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) RETURNING number
        ), files AS (
            INSERT INTO elenchus.finding_file (finding, path, content)
            SELECT new.number, f.path, f.content FROM new, unnest($19::text[], $20::bytea[]) AS f (path, content)
        ), cases AS (
            INSERT INTO elenchus.occurrence (finding, campaign_seed, strategy, seed_hash, round, case_index)
            SELECT new.number, c.* FROM new, unnest($21::bigint[], $22::text[], $23::text[], $24::bigint[], $25::bigint[]) AS c
        )
        INSERT INTO elenchus.status_change (finding, status, detail, changed)
        SELECT new.number, h.status, h.detail, h.changed
        FROM new, unnest($26::text[], $27::text[], $28::bigint[]) WITH ORDINALITY AS h (status, detail, changed, place)
        ORDER BY h.place";
    let finding = &archived.finding;
    let summary = &finding.summary;
    let (files, cases, history) = (&archived.files, &archived.cases, &archived.history);
    db.query(
        query,
        &[
            &campaign.0,
            &finding.id,
            &text(&finding.signature),
            &summary.class.name(),
            &text(&summary.title),
            &summary.bug,
            &summary.needs_options,
            &text(&summary.solvers),
            &summary.reduced_bytes.map(|bytes| bytes as i64),
            &(finding.count as i64),
            &(finding.first_seen as i64),
            &(finding.last_seen as i64),
            &finding.merged_into,
            &finding.status.status.name(),
            &text(&finding.status.detail),
            &(finding.status.changed as i64),
            &(finding.revision as i64),
            &(finding.files_revision as i64),
            &files.iter().map(|file| text(&file.path)).collect::<Vec<_>>(),
            &files.iter().map(|file| &*file.content).collect::<Vec<_>>(),
            &cases.iter().map(|case| case.campaign_seed as i64).collect::<Vec<_>>(),
            &cases.iter().map(|case| text(&case.strategy)).collect::<Vec<_>>(),
            &cases.iter().map(|case| text(&case.seed_hash)).collect::<Vec<_>>(),
            &cases.iter().map(|case| case.round as i64).collect::<Vec<_>>(),
            &cases.iter().map(|case| case.index as i64).collect::<Vec<_>>(),
            &history.iter().map(|decision| decision.status.name()).collect::<Vec<_>>(),
            &history.iter().map(|decision| text(&decision.detail)).collect::<Vec<_>>(),
            &history.iter().map(|decision| decision.changed as i64).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(|_| ())
}

async fn insert_document(
    db: &mut Connection,
    campaign: CampaignId,
    document: &Document,
) -> Result<(), Error> {
    let query =
        "INSERT INTO elenchus.document (campaign, kind, name, revision, body) VALUES ($1, $2, $3, $4, $5)";
    let revision = document.revision as i64;
    let (kind, name) = (text(&document.kind), text(&document.name));
    db.query(query, &[&campaign.0, &kind, &name, &revision, &document.body]).await.map(|_| ())
}

async fn insert_job(db: &mut Connection, campaign: CampaignId, job: &JobEntry) -> Result<(), Error> {
    let query = "SELECT elenchus.restore_job($1, $2, $3, $4, $5, $6, $7, $8)";
    db.query(
        query,
        &[
            &campaign.0,
            &job.kind.name(),
            &text(&job.subject),
            &text(&job.detail),
            &job.priority,
            &(job.attempts as i32),
            &(job.state == JobState::GivenUp),
            &text(&job.failure),
        ],
    )
    .await
    .map(|_| ())
}
