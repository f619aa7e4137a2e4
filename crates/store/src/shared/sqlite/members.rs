//! The processes of a campaign, and their statistics.

use super::Change;
use super::rows::{kinds, number};
use crate::shared::{CampaignId, Member, MemberEntry, MemberId, MemberSample};
use rusqlite::{OptionalExtension, Result, Row, params};

/// Adds a process. `None` if there is no such campaign.
pub fn enter(change: &Change<'_>, campaign: CampaignId, member: &Member) -> Result<Option<MemberId>> {
    let query = "SELECT 1 FROM campaign WHERE id = ?1";
    if change.db.query_row(query, [campaign.0], |_| Ok(())).optional()?.is_none() {
        return Ok(None);
    }
    change.db.execute(
        "INSERT INTO member (campaign, machine, process, workers, version, work, joined, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
        params![
            campaign.0,
            member.machine,
            member.process,
            member.workers,
            member.version,
            serde_json::json!(member.work).to_string(),
            change.now
        ],
    )?;
    Ok(Some(MemberId(change.db.last_insert_rowid())))
}

/// The processes of a campaign.
pub fn members(change: &Change<'_>, campaign: CampaignId) -> Result<Vec<MemberEntry>> {
    let query = "SELECT id, machine, process, workers, version, work, joined, seen, has_left, statistics
        FROM member WHERE campaign = ?1 ORDER BY id";
    let read = |row: &Row<'_>| {
        Ok(MemberEntry {
            id: MemberId(row.get(0)?),
            member: Member {
                machine: row.get(1)?,
                process: row.get(2)?,
                workers: row.get(3)?,
                version: row.get(4)?,
                work: kinds(row, 5)?,
            },
            joined: number(row, 6)?,
            seen: number(row, 7)?,
            left: row.get(8)?,
            statistics: row.get(9)?,
        })
    };
    change.db.prepare(query)?.query_map([campaign.0], read)?.collect()
}

/// The statistics of all processes from a time on.
pub fn samples(change: &Change<'_>, campaign: CampaignId, from: u64) -> Result<Vec<MemberSample>> {
    let query = "SELECT member, at, sample.statistics FROM sample JOIN member ON member.id = member
        WHERE campaign = ?1 AND at >= ?2 ORDER BY at, member";
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let read = |row: &Row<'_>| {
        Ok(MemberSample { member: MemberId(row.get(0)?), at: number(row, 1)?, statistics: row.get(2)? })
    };
    change.db.prepare(query)?.query_map([campaign.0, from], read)?.collect()
}

/// Keeps the statistics that a process sent. There is a sample of them now and then, and a last one.
pub fn keep_statistics(change: &Change<'_>, member: MemberId, statistics: &str, leaves: bool) -> Result<()> {
    change.db.execute("UPDATE member SET statistics = ?2 WHERE id = ?1", params![member.0, statistics])?;
    let last: Option<i64> =
        change.db.query_row("SELECT max(at) FROM sample WHERE member = ?1", [member.0], |row| row.get(0))?;
    if !leaves
        && last.is_some_and(|last| last > change.now - super::milliseconds(change.options.sample_pause))
    {
        return Ok(());
    }
    let insert = "INSERT OR REPLACE INTO sample VALUES (?1, ?2, ?3)";
    change.db.execute(insert, params![member.0, change.now, statistics]).map(|_| ())
}

const HOUR: i64 = 60 * 60 * 1000;

/// Removes old samples, at most once an hour: of a day ago, one in ten minutes stays; of a week ago, one in an hour. The latest of
/// each time stays, since statistics are sums.
pub fn roll_up(change: &Change<'_>, campaign: i64) -> Result<()> {
    let due = change.db.execute(
        "UPDATE campaign SET rolled_up = ?2 WHERE id = ?1 AND rolled_up <= ?2 - ?3",
        [campaign, change.now, HOUR],
    )?;
    if due == 0 {
        return Ok(());
    }
    for (age, step) in [(24 * HOUR, HOUR / 6), (7 * 24 * HOUR, HOUR)] {
        change.db.execute(
            "DELETE FROM sample WHERE at < ?2 - ?3 AND member IN (SELECT id FROM member WHERE campaign = ?1)
                 AND EXISTS (SELECT 1 FROM sample AS later WHERE later.member = sample.member
                     AND later.at > sample.at AND later.at / ?4 = sample.at / ?4)",
            [campaign, change.now, age, step],
        )?;
    }
    Ok(())
}
