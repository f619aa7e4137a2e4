//! The statistics of all processes together, as the folder of one campaign keeps them.

use super::{CAMPAIGN, Mirror, rows};
use crate::error::StoreError;
use crate::shared::{MemberEntry, MemberId, MemberSample, SharedStore};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Samples of different processes count as of the same time within this, in milliseconds.
const WIDTH: u64 = 10_000;
/// A process that the store has not heard of for so long does not work any more, in milliseconds.
const SILENCE: u64 = 10 * 60 * 1000;

/// Adds up the statistics of processes, which the campaign crate defines.
pub trait MemberSums {
    /// Starts again with no process.
    fn clear(&mut self);

    /// Replaces the statistics of a process.
    fn set(&mut self, member: MemberId, statistics: &str);

    /// The statistics of all processes together.
    fn sum(&self) -> String;
}

impl Mirror {
    /// Fetches the progress, the processes and their statistics. Returns whether anything has changed.
    pub(super) fn update_statistics(
        &mut self,
        shared: &mut dyn SharedStore,
        sums: &mut dyn MemberSums,
    ) -> Result<bool, StoreError> {
        let totals = shared.totals(self.campaign.id)?;
        let members = shared.members(self.campaign.id)?;
        let is_changed =
            self.update_totals(&serde_json::json!(totals).to_string(), &members, &totals.turns, sums)?;
        let sampled = self.sql(|db| rows::value(db, "sampled"))?;
        let sampled: u64 = sampled.and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut samples = shared.samples(self.campaign.id, sampled)?;
        // The last ones came before.
        if samples.iter().all(|sample| sample.at <= sampled) && sampled > 0 {
            return Ok(is_changed);
        }
        samples.sort_by_key(|sample| sample.at);
        self.enter_samples(&samples, sums)?;
        Ok(is_changed || !samples.is_empty())
    }

    fn update_totals(
        &mut self,
        totals: &str,
        members: &[MemberEntry],
        turns: &[u64],
        sums: &mut dyn MemberSums,
    ) -> Result<bool, StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis() as u64;
        let works = |entry: &MemberEntry| !entry.left && entry.seen.saturating_add(SILENCE) > now;
        let state = self.state(members.iter().any(works)).word();
        let entries: Vec<String> = members.iter().map(|entry| serde_json::json!(entry).to_string()).collect();
        let summary = format!("{state} {totals} {:016x}", case::hash::fnv1a(&entries.concat()));
        if self.sql(|db| rows::value(db, "summary"))?.as_ref() == Some(&summary) {
            return Ok(false);
        }
        sums.clear();
        let with_statistics = members.iter().filter(|entry| !entry.statistics.is_empty());
        with_statistics.for_each(|entry| sums.set(entry.id, &entry.statistics));
        let sum = sums.sum();
        let last = members.iter().map(|entry| entry.seen).max().unwrap_or(0);
        let elapsed = last.saturating_sub(self.campaign.started);
        let turns = turns.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        self.change(|change| {
            for (entry, text) in members.iter().zip(&entries) {
                change
                    .prepare_cached(
                        "INSERT INTO mirror_member (member, entry) VALUES (?1, ?2)
                         ON CONFLICT (member) DO UPDATE SET entry = ?2 WHERE entry <> ?2",
                    )?
                    .execute((entry.id.0, text))?;
            }
            change.execute(
                "UPDATE campaign SET state = ?2, elapsed = ?3, totals = ?4, turns = ?5 WHERE id = ?1",
                (CAMPAIGN, state, elapsed as i64, &sum, &turns),
            )?;
            rows::set_value(change, "totals", totals)?;
            rows::set_value(change, "summary", &summary)
        })?;
        Ok(true)
    }

    /// Adds the samples of all processes up. Each process counts with its latest sample.
    fn enter_samples(
        &mut self,
        samples: &[MemberSample],
        sums: &mut dyn MemberSums,
    ) -> Result<(), StoreError> {
        let Some(last) = samples.last().map(|sample| sample.at) else { return Ok(()) };
        sums.clear();
        let mut latest: BTreeMap<MemberId, String> = self.sql(|db| {
            let mut query =
                db.prepare_cached("SELECT member, statistics FROM mirror_member WHERE statistics <> ''")?;
            query.query_map([], |row| Ok((MemberId(row.get(0)?), row.get(1)?)))?.collect()
        })?;
        latest.iter().for_each(|(&member, statistics)| sums.set(member, statistics));
        let mut rows: Vec<(u64, String)> = Vec::new();
        let time = |sample: &MemberSample| sample.at.saturating_sub(self.campaign.started) / WIDTH * WIDTH;
        for group in samples.chunk_by(|one, other| time(one) == time(other)) {
            for sample in group {
                sums.set(sample.member, &sample.statistics);
                latest.insert(sample.member, sample.statistics.clone());
            }
            rows.push((time(&group[0]), sums.sum()));
        }
        self.change(|change| {
            for (elapsed, sum) in &rows {
                change.prepare_cached("INSERT OR REPLACE INTO sample VALUES (?1, ?2, ?3)")?.execute((
                    CAMPAIGN,
                    *elapsed as i64,
                    sum,
                ))?;
            }
            for (member, statistics) in &latest {
                change
                    .prepare_cached(
                        "UPDATE mirror_member SET statistics = ?2 WHERE member = ?1 AND statistics <> ?2",
                    )?
                    .execute((member.0, statistics))?;
            }
            rows::set_value(change, "sampled", &last.to_string())
        })
    }
}
