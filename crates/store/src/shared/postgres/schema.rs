//! The layout of the database, and its migrations.

use super::connect::{Access, Connection};
use super::error::is_other_layout;
use crate::error::StoreError;
use std::cmp::Ordering;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Error, GenericClient};

/// The steps from each version of the layout to the next, from an empty database on. Add a step for a change: a released step never
/// changes.
const STEPS: [&[&str]; 1] = [&[
    include_str!("sql/layout_1.sql"),
    include_str!("sql/jobs_1.sql"),
    include_str!("sql/exchange_1.sql"),
    include_str!("sql/update_1.sql"),
]];

/// The queue, as its authors publish it. A server may have it as an extension already.
const PGMQ: &str = include_str!("sql/pgmq.sql");

const GRANTS: &str = include_str!("sql/grants.sql");

/// Makes the roles of workers and readers. The owner of the database runs it, since it takes the right to make roles.
pub const ROLES: &str = concat!(include_str!("sql/roles.sql"), include_str!("sql/grants.sql"));

/// The number of the lock that a migration holds ("Elenchus" in ASCII).
const LOCK: i64 = 0x456c_656e_6368_7573;

/// Whether a database has the layout that this version knows.
pub enum Layout {
    /// It has.
    Right,
    /// It has this older one, or none (0).
    Older(usize),
}

/// Finds out which layout the database has. Fails if it is newer than this version knows.
pub async fn check(access: &Access, connection: &mut Connection) -> Result<Layout, StoreError> {
    let found = version(connection.client()).await.map_err(|error| access.error(&error))?;
    compare(access, found)
}

fn compare(access: &Access, found: usize) -> Result<Layout, StoreError> {
    let known = STEPS.len();
    let store = || access.shown.clone();
    match found.cmp(&known) {
        Ordering::Less => Ok(Layout::Older(found)),
        Ordering::Equal => Ok(Layout::Right),
        Ordering::Greater => {
            Err(StoreError::NewerStore { store: store(), found: found as i64, known: known as i64 })
        }
    }
}

/// Migrates a database with an older layout, which may take long.
pub async fn migrate(access: &Access, connection: &mut Connection, found: usize) -> Result<(), StoreError> {
    match try_migration(access, connection).await {
        Ok(result) => result,
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            let detail = format!("it has layout {found}, and layout {} is necessary", STEPS.len());
            Err(StoreError::OlderStore { store: access.shown.clone(), detail })
        }
        Err(error) => Err(access.error(&error)),
    }
}

/// The version of the layout; 0 if there is none.
async fn version(client: &impl GenericClient) -> Result<usize, Error> {
    match client.query_one("SELECT max(version) FROM elenchus.layout", &[]).await {
        Ok(row) => Ok(row.get::<_, Option<i32>>(0).and_then(|version| version.try_into().ok()).unwrap_or(0)),
        Err(error) if is_other_layout(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

/// Brings the database to the newest layout, while all others wait.
async fn try_migration(
    access: &Access,
    connection: &mut Connection,
) -> Result<Result<(), StoreError>, Error> {
    let change = connection.client().transaction().await?;
    // A migration may take longer than a call.
    change.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0").await?;
    change.query_one("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    change
        .batch_execute(
            "CREATE SCHEMA IF NOT EXISTS elenchus;
             CREATE TABLE IF NOT EXISTS elenchus.layout (version integer PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())",
        )
        .await?;
    // Another process may have migrated it while this one waited.
    let done = version(&change).await?;
    if let Err(newer) = compare(access, done) {
        return Ok(Err(newer));
    }
    let has_queue = change.query_one("SELECT to_regproc('pgmq.create') IS NOT NULL", &[]).await?;
    if !has_queue.get::<_, bool>(0) {
        change.batch_execute(PGMQ).await?;
    }
    for (version, step) in STEPS.iter().enumerate().skip(done) {
        for part in *step {
            change.batch_execute(part).await?;
        }
        let insert = "INSERT INTO elenchus.layout (version) VALUES ($1)";
        change.execute(insert, &[&(version as i32 + 1)]).await?;
    }
    let roles = "SELECT count(*) = 2 FROM pg_roles WHERE rolname IN ('elenchus_worker', 'elenchus_reader')";
    if change.query_one(roles, &[]).await?.get(0) {
        change.batch_execute(GRANTS).await?;
    }
    change.commit().await?;
    Ok(Ok(()))
}
