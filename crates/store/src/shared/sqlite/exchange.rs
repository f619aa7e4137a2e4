//! The call that workers cause every few seconds.

use super::{Change, blocks, findings, jobs, members};
use crate::shared::{Incoming, MemberId, Outgoing};
use rusqlite::{OptionalExtension, Result, params};

/// Takes in the news of a process and grants it work. `None` if there is no such process.
pub fn exchange(change: &Change<'_>, member: MemberId, news: &Outgoing) -> Result<Option<Incoming>> {
    let hear = "UPDATE member SET seen = ?2, has_left = ?3 WHERE id = ?1 RETURNING campaign";
    let values = params![member.0, change.now, news.leaves];
    let Some(campaign) = change.db.query_row(hear, values, |row| row.get::<_, i64>(0)).optional()? else {
        return Ok(None);
    };
    let mut answer = Incoming { now: change.now as u64, ..Incoming::default() };
    for reported in &news.progress {
        if !blocks::progress(change, campaign, member, reported)? {
            answer.lost.push(reported.block);
        }
    }
    let kept = if news.leaves { &[][..] } else { &news.progress };
    blocks::release(change, campaign, member, kept)?;
    for finding in &news.findings {
        findings::record(change, campaign, finding)?;
    }
    for occurrence in &news.occurrences {
        if !findings::count(change, campaign, &occurrence.signature, &occurrence.origin)? {
            answer.unknown.push(occurrence.signature.clone());
        }
    }
    answer.unknown.sort();
    answer.unknown.dedup();
    if !news.statistics.is_empty() {
        members::keep_statistics(change, member, &news.statistics, news.leaves)?;
    }
    if news.leaves {
        jobs::give_back(change, member)?;
    } else {
        for wish in &news.wishes {
            answer.granted.extend(blocks::grant(change, campaign, member, wish)?);
        }
    }
    answer.exhausted = blocks::exhausted(change, campaign)?;
    answer.finished = blocks::finished(change, campaign)?;
    members::roll_up(change, campaign)?;
    answer.revision = findings::revision(change, campaign)?;
    Ok(Some(answer))
}
