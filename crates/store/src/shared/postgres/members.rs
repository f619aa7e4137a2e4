//! The processes of a campaign, its progress and its documents.

use super::connect::Connection;
use super::jobs;
use super::rows::{number, text};
use crate::shared::{CampaignId, Document, Member, MemberEntry, MemberId, MemberSample, Totals};
use tokio_postgres::{Error, Row};

/// Adds a process. `None` if there is no such campaign.
pub async fn enter(
    db: &mut Connection,
    campaign: CampaignId,
    member: &Member,
) -> Result<Option<MemberId>, Error> {
    let query = "INSERT INTO elenchus.member (campaign, machine, process, workers, version, work, joined, seen)
        SELECT id, $2, $3, $4, $5, $6, elenchus.now_ms(), elenchus.now_ms() FROM elenchus.campaign WHERE id = $1
        RETURNING id";
    let work = serde_json::json!(member.work).to_string();
    let (process, workers) = (i64::from(member.process), i64::from(member.workers));
    let rows =
        db.query(query, &[&campaign.0, &member.machine, &process, &workers, &member.version, &work]).await?;
    Ok(rows.first().map(|row| MemberId(row.get(0))))
}

/// The processes of a campaign.
pub async fn members(db: &mut Connection, campaign: CampaignId) -> Result<Vec<MemberEntry>, Error> {
    let query = "SELECT id, machine, process, workers, version, work, joined, seen, has_left, statistics
        FROM elenchus.member WHERE campaign = $1 ORDER BY id";
    let read = |row: &Row| MemberEntry {
        id: MemberId(row.get(0)),
        member: Member {
            machine: row.get(1),
            process: number(row, 2) as u32,
            workers: number(row, 3) as u32,
            version: row.get(4),
            // Kinds that a newer version knows do not matter to this one.
            work: serde_json::from_str(row.get(5)).unwrap_or_default(),
        },
        joined: number(row, 6),
        seen: number(row, 7),
        left: row.get(8),
        statistics: row.get(9),
    };
    Ok(db.query(query, &[&campaign.0]).await?.iter().map(read).collect())
}

/// The statistics of all processes from a time on.
pub async fn samples(
    db: &mut Connection,
    campaign: CampaignId,
    from: u64,
) -> Result<Vec<MemberSample>, Error> {
    let query = "SELECT s.member, s.at, s.statistics FROM elenchus.sample AS s
        JOIN elenchus.member AS m ON m.id = s.member
        WHERE m.campaign = $1 AND s.at >= $2 ORDER BY s.at, s.member";
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let read =
        |row: &Row| MemberSample { member: MemberId(row.get(0)), at: number(row, 1), statistics: row.get(2) };
    Ok(db.query(query, &[&campaign.0, &from]).await?.iter().map(read).collect())
}

/// The progress of a campaign.
pub async fn totals(db: &mut Connection, campaign: CampaignId) -> Result<Totals, Error> {
    let query = "WITH parts AS (
            SELECT place, done, cases, digest, 0 AS held FROM elenchus.strategy WHERE campaign = $1
            UNION ALL
            SELECT strategy, done - first_turn, cases, digest,
                CASE WHEN member IS NOT NULL AND lease_end >= elenchus.now_ms() THEN 1 ELSE 0 END
            FROM elenchus.block WHERE campaign = $1
        ), turns AS (SELECT place, sum(done)::bigint AS done FROM parts GROUP BY place)
        SELECT coalesce(sum(cases), 0)::bigint, elenchus.wrapped(coalesce(sum(digest), 0)), coalesce(sum(held), 0)::bigint,
            (SELECT coalesce(array_agg(done ORDER BY place), '{}') FROM turns),
            (SELECT count(*) FROM elenchus.finding WHERE campaign = $1)
        FROM parts";
    let row = db.query_one(query, &[&campaign.0]).await?;
    Ok(Totals {
        cases: number(&row, 0),
        digest: number(&row, 1),
        held: number(&row, 2),
        turns: row.get::<_, Vec<i64>>(3).into_iter().map(|turns| turns as u64).collect(),
        findings: number(&row, 4),
        jobs: jobs::counts(db, campaign).await?,
    })
}

/// The documents of a campaign: of a kind, and with a name, if these are given.
pub async fn documents(
    db: &mut Connection,
    campaign: CampaignId,
    kind: Option<&str>,
    name: Option<&str>,
) -> Result<Vec<Document>, Error> {
    let query = "SELECT kind, name, revision, body FROM elenchus.document
        WHERE campaign = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR name = $3) ORDER BY kind, name";
    let read = |row: &Row| Document {
        kind: row.get(0),
        name: row.get(1),
        revision: number(row, 2),
        body: row.get(3),
    };
    Ok(db.query(query, &[&campaign.0, &kind, &name]).await?.iter().map(read).collect())
}

/// Writes a document, if it still has the revision that the caller knows.
pub async fn put_document(
    db: &mut Connection,
    campaign: CampaignId,
    document: &Document,
) -> Result<bool, Error> {
    let query = match document.revision {
        0 => {
            "INSERT INTO elenchus.document (campaign, kind, name, revision, body) VALUES ($1, $2, $3, $4::bigint + 1, $5)
             ON CONFLICT DO NOTHING RETURNING 1"
        }
        _ => {
            "UPDATE elenchus.document SET revision = $4::bigint + 1, body = $5
             WHERE campaign = $1 AND kind = $2 AND name = $3 AND revision = $4::bigint RETURNING 1"
        }
    };
    let revision = document.revision as i64;
    let rows = db
        .query(query, &[&campaign.0, &text(&document.kind), &text(&document.name), &revision, &document.body])
        .await?;
    Ok(!rows.is_empty())
}
