//! The queue of jobs, with the semantics of the queue that the other back end uses: a job is visible or not, and a process that
//! takes it makes it invisible for the length of the lease.

use super::Change;
use super::rows::{kind, number};
use crate::shared::{ATTEMPTS, CampaignId, Job, JobCount, JobEntry, JobState, MemberId, NewJob, WorkKind};
use rusqlite::{OptionalExtension, Result, Row, params};

/// Puts a job into the queue, unless it is there. One that was given up gets new attempts.
pub fn add(change: &Change<'_>, campaign: CampaignId, job: &NewJob) -> Result<()> {
    let values = params![campaign.0, job.kind.name(), job.subject, job.detail, job.priority];
    change
        .db
        .prepare_cached("DELETE FROM job WHERE campaign = ?1 AND kind = ?2 AND subject = ?3 AND given_up")?
        .execute(params![campaign.0, job.kind.name(), job.subject])?;
    change
        .db
        .prepare_cached(
            "INSERT INTO job (campaign, kind, subject, detail, priority) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO NOTHING",
        )?
        .execute(values)
        .map(|_| ())
}

/// Takes the most urgent job of these kinds.
pub fn take(change: &Change<'_>, member: MemberId, kinds: &[WorkKind]) -> Result<Option<Job>> {
    let query = "SELECT campaign FROM member WHERE id = ?1";
    let campaign: Option<i64> = change.db.query_row(query, [member.0], |row| row.get(0)).optional()?;
    let Some(campaign) = campaign else { return Ok(None) };
    for wanted in WorkKind::JOBS.into_iter().filter(|one| kinds.contains(one)) {
        // The process that had the last attempt may have died, so that nobody gave the job up.
        change.db.execute(
            "UPDATE job SET given_up = 1, holder = NULL, failure = iif(failure = '', 'its processes did not finish it', failure)
             WHERE campaign = ?1 AND kind = ?2 AND attempts >= ?3 AND visible <= ?4 AND NOT given_up",
            params![campaign, wanted.name(), ATTEMPTS, change.now],
        )?;
        let taken = change
            .db
            .prepare_cached(
                "UPDATE job SET attempts = attempts + 1, visible = ?4, holder = ?5 WHERE id = (
                     SELECT id FROM job WHERE campaign = ?1 AND kind = ?2 AND visible <= ?3 AND NOT given_up
                     ORDER BY priority, id LIMIT 1)
                 RETURNING id, subject, detail, attempts",
            )?
            .query_row(
                params![
                    campaign,
                    wanted.name(),
                    change.now,
                    change.after(change.options.job_lease),
                    member.0
                ],
                |row| {
                    Ok(Job {
                        id: row.get(0)?,
                        kind: wanted,
                        subject: row.get(1)?,
                        detail: row.get(2)?,
                        attempt: row.get(3)?,
                    })
                },
            )
            .optional()?;
        if taken.is_some() {
            return Ok(taken);
        }
    }
    Ok(None)
}

/// The condition that a process holds a job: nobody has begun or ended it since.
const HELD: &str = "id = ?1 AND attempts = ?2 AND holder = ?3 AND NOT given_up";

/// Makes the lease of a job last from now on. False if somebody else has taken it.
pub fn keep(change: &Change<'_>, member: MemberId, job: &Job) -> Result<bool> {
    let update = format!("UPDATE job SET visible = ?4 WHERE {HELD}");
    let until = change.after(change.options.job_lease);
    Ok(change.db.prepare_cached(&update)?.execute(params![job.id, job.attempt, member.0, until])? > 0)
}

/// Ends a job.
pub fn finish(change: &Change<'_>, member: MemberId, job: &Job, failure: Option<&str>) -> Result<bool> {
    let Some(failure) = failure else {
        let delete = format!("DELETE FROM job WHERE {HELD}");
        return Ok(change.db.execute(&delete, params![job.id, job.attempt, member.0])? > 0);
    };
    let update = format!(
        "UPDATE job SET holder = NULL, failure = ?4, visible = ?5, given_up = attempts >= ?6 WHERE {HELD}"
    );
    let visible = change.after(change.options.pause_after(job.attempt));
    let values = params![job.id, job.attempt, member.0, failure, visible, ATTEMPTS];
    Ok(change.db.execute(&update, values)? > 0)
}

/// Gives the jobs of a process that leaves back, as if it had not begun them.
pub fn give_back(change: &Change<'_>, member: MemberId) -> Result<()> {
    change
        .db
        .execute(
            "UPDATE job SET holder = NULL, visible = ?2, attempts = attempts - 1 WHERE holder = ?1 AND NOT given_up",
            [member.0, change.now],
        )
        .map(|_| ())
}

/// The jobs of a campaign that are not done.
pub fn all(change: &Change<'_>, campaign: CampaignId) -> Result<Vec<JobEntry>> {
    let query =
        "SELECT id, kind, subject, detail, priority, attempts, holder IS NOT NULL AND visible > ?2, given_up, failure
        FROM job WHERE campaign = ?1 ORDER BY priority, id";
    let read = |row: &Row<'_>| {
        Ok(JobEntry {
            id: row.get(0)?,
            kind: kind(row, 1)?,
            subject: row.get(2)?,
            detail: row.get(3)?,
            priority: row.get(4)?,
            attempts: row.get(5)?,
            state: match (row.get(6)?, row.get(7)?) {
                (_, true) => JobState::GivenUp,
                (true, false) => JobState::Running,
                (false, false) => JobState::Waiting,
            },
            failure: row.get(8)?,
        })
    };
    let mut query = change.db.prepare(query)?;
    let mut jobs: Vec<JobEntry> = query.query_map([campaign.0, change.now], read)?.collect::<Result<_>>()?;
    jobs.sort_by_key(|job| WorkKind::JOBS.iter().position(|kind| *kind == job.kind));
    Ok(jobs)
}

/// How many jobs of each kind there are.
pub fn counts(change: &Change<'_>, campaign: CampaignId) -> Result<Vec<JobCount>> {
    let query = "SELECT count(*) FILTER (WHERE NOT given_up AND NOT (holder IS NOT NULL AND visible > ?3)),
            count(*) FILTER (WHERE NOT given_up AND holder IS NOT NULL AND visible > ?3), count(*) FILTER (WHERE given_up)
        FROM job WHERE campaign = ?1 AND kind = ?2";
    let mut query = change.db.prepare(query)?;
    let mut count = |kind: WorkKind| {
        query.query_row(params![campaign.0, kind.name(), change.now], |row| {
            Ok(JobCount { kind, waiting: number(row, 0)?, running: number(row, 1)?, failed: number(row, 2)? })
        })
    };
    WorkKind::JOBS.into_iter().map(&mut count).collect()
}
