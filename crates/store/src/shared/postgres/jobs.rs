//! The queue of jobs.

use super::connect::Connection;
use super::rows::{number, text};
use crate::shared::{
    ATTEMPTS, CampaignId, Job, JobCount, JobEntry, JobState, MemberId, NewJob, Options, WorkKind,
};
use std::time::Duration;
use tokio_postgres::{Error, Row};

/// The queue counts whole seconds. It hides a job at least so long.
fn seconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_millis().div_ceil(1000)).unwrap_or(i32::MAX)
}

/// Puts jobs into the queue, unless they are there.
pub async fn add(db: &mut Connection, campaign: CampaignId, jobs: &[NewJob]) -> Result<(), Error> {
    let query = "SELECT count(elenchus.add_job($1, j.kind, j.subject, j.detail, j.priority)::text)
        FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS j (kind, subject, detail, priority)";
    let kinds: Vec<&str> = jobs.iter().map(|job| job.kind.name()).collect();
    let subjects: Vec<_> = jobs.iter().map(|job| text(&job.subject)).collect();
    let details: Vec<_> = jobs.iter().map(|job| text(&job.detail)).collect();
    let priorities: Vec<i32> = jobs.iter().map(|job| job.priority).collect();
    db.query(query, &[&campaign.0, &kinds, &subjects, &details, &priorities]).await.map(|_| ())
}

/// Takes the most urgent job of these kinds.
pub async fn take(
    db: &mut Connection,
    options: &Options,
    member: MemberId,
    kinds: &[WorkKind],
) -> Result<Option<Job>, Error> {
    let names: Vec<&str> =
        WorkKind::JOBS.into_iter().filter(|kind| kinds.contains(kind)).map(WorkKind::name).collect();
    let query = "SELECT * FROM elenchus.take_job($1, $2, $3, $4)";
    let row =
        db.query_one(query, &[&member.0, &names, &seconds(options.job_lease), &(ATTEMPTS as i32)]).await?;
    let kind = row.get::<_, Option<&str>>(0).and_then(|name| name.parse().ok());
    Ok(kind.map(|kind| Job {
        id: row.get(1),
        kind,
        subject: row.get(2),
        detail: row.get(3),
        attempt: row.get::<_, i32>(4) as u32,
    }))
}

/// Makes the lease of a job last from now on. False if somebody else has taken it.
pub async fn keep(
    db: &mut Connection,
    options: &Options,
    member: MemberId,
    job: &Job,
) -> Result<bool, Error> {
    let query = "SELECT elenchus.keep_job($1, $2, $3, $4, $5)";
    let row = db
        .query_one(
            query,
            &[&member.0, &job.kind.name(), &job.id, &(job.attempt as i32), &seconds(options.job_lease)],
        )
        .await?;
    Ok(row.get(0))
}

/// Ends a job.
pub async fn finish(
    db: &mut Connection,
    options: &Options,
    member: MemberId,
    job: &Job,
    failure: Option<&str>,
) -> Result<bool, Error> {
    let query = "SELECT elenchus.finish_job($1, $2, $3, $4, $5, $6, $7)";
    let row = db
        .query_one(
            query,
            &[
                &member.0,
                &job.kind.name(),
                &job.id,
                &(job.attempt as i32),
                &failure.map(text),
                &seconds(options.pause_after(job.attempt)),
                &(ATTEMPTS as i32),
            ],
        )
        .await?;
    Ok(row.get(0))
}

/// The jobs of a campaign that are not done.
pub async fn all(db: &mut Connection, campaign: CampaignId) -> Result<Vec<JobEntry>, Error> {
    let query = "SELECT id, kind, subject, detail, priority, attempts, holder IS NOT NULL AND hidden, given_up, failure
        FROM elenchus.job WHERE campaign = $1 ORDER BY priority, id";
    let read = |row: &Row| {
        Some(JobEntry {
            id: row.get(0),
            kind: row.get::<_, &str>(1).parse().ok()?,
            subject: row.get(2),
            detail: row.get(3),
            priority: row.get(4),
            attempts: row.get::<_, i32>(5) as u32,
            state: match (row.get(6), row.get(7)) {
                (_, true) => JobState::GivenUp,
                (true, false) => JobState::Running,
                (false, false) => JobState::Waiting,
            },
            failure: row.get(8),
        })
    };
    let mut jobs: Vec<JobEntry> = db.query(query, &[&campaign.0]).await?.iter().filter_map(read).collect();
    jobs.sort_by_key(|job| WorkKind::JOBS.iter().position(|kind| *kind == job.kind));
    Ok(jobs)
}

/// How many jobs of each kind there are.
pub async fn counts(db: &mut Connection, campaign: CampaignId) -> Result<Vec<JobCount>, Error> {
    let query = "SELECT kind, count(*) FILTER (WHERE NOT given_up AND NOT (holder IS NOT NULL AND hidden)),
            count(*) FILTER (WHERE NOT given_up AND holder IS NOT NULL AND hidden), count(*) FILTER (WHERE given_up)
        FROM elenchus.job WHERE campaign = $1 GROUP BY kind";
    let rows = db.query(query, &[&campaign.0]).await?;
    let count = |kind: WorkKind| {
        let row = rows.iter().find(|row| row.get::<_, &str>(0) == kind.name());
        let [waiting, running, failed] =
            row.map_or([0; 3], |row| [1, 2, 3].map(|column| number(row, column)));
        JobCount { kind, waiting, running, failed }
    };
    Ok(WorkKind::JOBS.map(count).into())
}
