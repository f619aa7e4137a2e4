//! Blocks: who does which turns.

use super::Change;
use super::jobs;
use super::rows::number;
use crate::shared::{Block, BlockProgress, CampaignId, MemberId, Totals, Wish};
use rusqlite::{OptionalExtension, Result, Row, params};

/// A block that is not done, as the store keeps it.
struct Kept {
    first: u64,
    end: u64,
    done: u64,
    cases: u64,
    digest: u64,
    grant: u64,
}

const KEPT: &str = "first_turn, end_turn, done, cases, digest, grant_number";

fn read(row: &Row<'_>) -> Result<Kept> {
    Ok(Kept {
        first: number(row, 0)?,
        end: number(row, 1)?,
        done: number(row, 2)?,
        cases: number(row, 3)?,
        digest: number(row, 4)?,
        grant: number(row, 5)?,
    })
}

/// Takes in the progress of a block. False if the process has lost it.
pub fn progress(
    change: &Change<'_>,
    campaign: i64,
    member: MemberId,
    reported: &BlockProgress,
) -> Result<bool> {
    let block = reported.block;
    let key = params![campaign, block.strategy as i64, block.grant as i64];
    let query =
        format!("SELECT {KEPT} FROM block WHERE campaign = ?1 AND strategy = ?2 AND grant_number = ?3");
    let Some(mut kept) = change.db.prepare_cached(&query)?.query_row(key, read).optional()? else {
        // If the process has done all of it, this may be the repetition of a report.
        return Ok(reported.done >= block.end);
    };
    // A message that was on its way for long reports less than a later one.
    if reported.done > kept.done {
        kept.done = reported.done.min(kept.end);
        kept.cases = reported.cases;
        kept.digest = reported.digest;
    }
    if kept.done == kept.end {
        count(change, campaign, block.strategy, &kept)?;
        let delete = "DELETE FROM block WHERE campaign = ?1 AND strategy = ?2 AND grant_number = ?3";
        change.db.prepare_cached(delete)?.execute(key)?;
        return Ok(true);
    }
    change
        .db
        .prepare_cached(
            "UPDATE block SET done = ?4, cases = ?5, digest = ?6, member = ?7, lease_end = ?8
             WHERE campaign = ?1 AND strategy = ?2 AND grant_number = ?3",
        )?
        .execute(params![
            campaign,
            block.strategy as i64,
            block.grant as i64,
            kept.done as i64,
            kept.cases as i64,
            kept.digest as i64,
            member.0,
            change.after(change.options.block_lease)
        ])?;
    Ok(true)
}

/// Adds what was done of a block since its grant to its strategy.
fn count(change: &Change<'_>, campaign: i64, strategy: usize, kept: &Kept) -> Result<()> {
    let place = [campaign, strategy as i64];
    let query = "SELECT digest FROM strategy WHERE campaign = ?1 AND place = ?2";
    let digest = change.db.query_row(query, place, |row| number(row, 0))?;
    change
        .db
        .execute(
            "UPDATE strategy SET done = done + ?3, cases = cases + ?4, digest = ?5 WHERE campaign = ?1 AND place = ?2",
            params![
                campaign,
                strategy as i64,
                (kept.done - kept.first) as i64,
                kept.cases as i64,
                digest.wrapping_add(kept.digest) as i64
            ],
        )
        .map(|_| ())
}

/// Frees the blocks that a process does not list.
pub fn release(change: &Change<'_>, campaign: i64, member: MemberId, listed: &[BlockProgress]) -> Result<()> {
    let query = "SELECT strategy, grant_number FROM block WHERE member = ?1";
    let held: Vec<(usize, u64)> = change
        .db
        .prepare_cached(query)?
        .query_map([member.0], |row| Ok((number(row, 0)? as usize, number(row, 1)?)))?
        .collect::<Result<_>>()?;
    let is_listed = |&(strategy, grant): &(usize, u64)| {
        listed.iter().any(|one| one.block.strategy == strategy && one.block.grant == grant)
    };
    for (strategy, grant) in held.into_iter().filter(|block| !is_listed(block)) {
        change
            .db
            .prepare_cached(
                "UPDATE block SET member = NULL WHERE campaign = ?1 AND strategy = ?2 AND grant_number = ?3",
            )?
            .execute([campaign, strategy as i64, grant as i64])?;
    }
    Ok(())
}

/// Grants a block: what others have abandoned, or the next turns of the strategy.
pub fn grant(change: &Change<'_>, campaign: i64, member: MemberId, wish: &Wish) -> Result<Option<Block>> {
    let strategy = wish.strategy as i64;
    let query = "SELECT next_turn, turns, last_grant FROM strategy WHERE campaign = ?1 AND place = ?2";
    let read_strategy = |row: &Row<'_>| Ok((number(row, 0)?, row.get::<_, Option<i64>>(1)?, number(row, 2)?));
    let found = change.db.query_row(query, [campaign, strategy], read_strategy).optional()?;
    let Some((next, turns, last_grant)) = found.filter(|_| wish.turns > 0) else { return Ok(None) };
    let turns = turns.map_or(i64::MAX as u64, |turns| turns as u64);
    let mut block = Block { strategy: wish.strategy, first: next, end: turns, grant: last_grant + 1 };
    let mut next_after = next;
    if let Some(kept) = abandoned(change, campaign, strategy)? {
        count(change, campaign, wish.strategy, &kept)?;
        (block.first, block.end) = (kept.done, kept.end.min(kept.done.saturating_add(wish.turns)));
        // What is left of it stays free under its old number, with which nobody can report it any more: its first turn is new.
        change.db.execute(
            "DELETE FROM block WHERE campaign = ?1 AND strategy = ?2 AND grant_number = ?3",
            [campaign, strategy, kept.grant as i64],
        )?;
        if block.end < kept.end {
            let rest = Block { first: block.end, end: kept.end, grant: block.grant + 1, ..block };
            insert(change, campaign, None, &rest)?;
        }
    } else if next < turns {
        block.end = turns.min(next.saturating_add(wish.turns));
        next_after = block.end;
    } else {
        return Ok(None);
    }
    insert(change, campaign, Some(member), &block)?;
    change.db.execute(
        "UPDATE strategy SET next_turn = ?3, last_grant = ?4 WHERE campaign = ?1 AND place = ?2",
        [campaign, strategy, next_after as i64, block.grant as i64 + 1],
    )?;
    Ok(Some(block))
}

/// The first block of a strategy that nobody holds.
fn abandoned(change: &Change<'_>, campaign: i64, strategy: i64) -> Result<Option<Kept>> {
    let query = format!(
        "SELECT {KEPT} FROM block WHERE campaign = ?1 AND strategy = ?2 AND (member IS NULL OR lease_end < ?3)
         ORDER BY first_turn LIMIT 1"
    );
    change.db.prepare_cached(&query)?.query_row([campaign, strategy, change.now], read).optional()
}

fn insert(change: &Change<'_>, campaign: i64, member: Option<MemberId>, block: &Block) -> Result<()> {
    change
        .db
        .prepare_cached(
            "INSERT INTO block (campaign, strategy, grant_number, first_turn, end_turn, done, member, lease_end)
             VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?6, ?7)",
        )?
        .execute(params![
            campaign,
            block.strategy as i64,
            block.grant as i64,
            block.first as i64,
            block.end as i64,
            member.map(|member| member.0),
            change.after(change.options.block_lease)
        ])
        .map(|_| ())
}

/// The strategies that have no turn left to grant now.
pub fn exhausted(change: &Change<'_>, campaign: i64) -> Result<Vec<usize>> {
    let query = "SELECT place FROM strategy WHERE campaign = ?1 AND next_turn >= turns AND NOT EXISTS (
            SELECT 1 FROM block WHERE block.campaign = ?1 AND strategy = place AND (member IS NULL OR lease_end < ?2))
        ORDER BY place";
    let read = |row: &Row<'_>| number(row, 0).map(|place| place as usize);
    change.db.prepare_cached(query)?.query_map([campaign, change.now], read)?.collect()
}

/// Whether all turns of all strategies are done. That is kept with the campaign.
pub fn finished(change: &Change<'_>, campaign: i64) -> Result<bool> {
    change.db.execute(
        "UPDATE campaign SET finished = 1 WHERE id = ?1 AND NOT finished
             AND EXISTS (SELECT 1 FROM strategy WHERE campaign = ?1)
             AND NOT EXISTS (SELECT 1 FROM strategy WHERE campaign = ?1 AND (turns IS NULL OR next_turn < turns))
             AND NOT EXISTS (SELECT 1 FROM block WHERE campaign = ?1)",
        [campaign],
    )?;
    change.db.query_row("SELECT finished FROM campaign WHERE id = ?1", [campaign], |row| row.get(0))
}

/// The progress of a campaign.
pub fn totals(change: &Change<'_>, campaign: CampaignId) -> Result<Totals> {
    let mut totals = Totals::default();
    let mut query =
        change.db.prepare("SELECT done, cases, digest FROM strategy WHERE campaign = ?1 ORDER BY place")?;
    let mut rows = query.query([campaign.0])?;
    while let Some(row) = rows.next()? {
        totals.turns.push(number(row, 0)?);
        totals.cases += number(row, 1)?;
        totals.digest = totals.digest.wrapping_add(number(row, 2)?);
    }
    let mut query = change.db.prepare(&format!(
        "SELECT {KEPT}, strategy, member IS NOT NULL AND lease_end >= ?2 FROM block WHERE campaign = ?1"
    ))?;
    let mut rows = query.query([campaign.0, change.now])?;
    while let Some(row) = rows.next()? {
        let kept = read(row)?;
        totals.cases += kept.cases;
        totals.digest = totals.digest.wrapping_add(kept.digest);
        if let Some(turns) = totals.turns.get_mut(number(row, 6)? as usize) {
            *turns += kept.done - kept.first;
        }
        totals.held += u64::from(row.get::<_, bool>(7)?);
    }
    let count = "SELECT count(*) FROM finding WHERE campaign = ?1";
    totals.findings = change.db.query_row(count, [campaign.0], |row| number(row, 0))?;
    totals.jobs = jobs::counts(change, campaign)?;
    Ok(totals)
}
