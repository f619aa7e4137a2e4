//! A common store in PostgreSQL, for many machines.
//!
//! A call is one statement, mostly a function that the migration has put into the database. So no lock waits for the network: a
//! process that stalls or dies in mid-exchange holds nobody up, and its work is done completely or not at all. An exchange of a
//! process costs one round trip, whatever it brings: lists travel as arrays.
//!
//! One connection for each process is enough, since a call takes milliseconds and only a thread beside the workers calls. So there
//! is no pool. A connection that broke is replaced; a call whose connection broke is tried once more, which the methods allow.
//!
//! The queue of jobs is PGMQ (`sql/pgmq.sql`, PostgreSQL licence, version 1.5.1), a queue that consists of functions in SQL. Its
//! visibility timeout is the lease of a job, `set_vt` is the heartbeat, `read_ct` counts attempts, and its archive keeps jobs that
//! were given up. It needs no superuser, and takes part in the transaction that records a finding. Its crate asks for a newer
//! compiler than ours, so its SQL is here. Considered besides: Graphile Worker, which has priorities, but no lease of minutes that a
//! heartbeat prolongs; apalis, which needs sqlx, whose SQLite cannot stand beside ours in one build.
//!
//! Blocks are not messages of the queue, because a block is not redone when its lease ends but continued: the store has to keep how
//! far it is, and a block changes every few seconds. They are rows of a table with the number of their grant, which no late
//! message of a former holder has.

mod archive;
mod call;
mod connect;
mod error;
mod exchange;
mod findings;
mod jobs;
mod login;
mod members;
mod rows;
mod schema;
mod start;
mod tls;

use super::{
    CampaignId, Document, FindingFile, FindingUpdate, Incoming, Job, JobEntry, Member, MemberEntry, MemberId,
    MemberSample, NewCampaign, NewJob, Options, Outgoing, Part, SharedCampaign, SharedFinding, SharedSeed,
    SharedStore, Totals, WorkKind,
};
use crate::error::StoreError;
use crate::workflow::StatusChange;
use case::Origin;
pub use schema::ROLES;
use std::sync::mpsc::SyncSender;

/// A common store in PostgreSQL.
pub struct Postgres {
    access: connect::Access,
    runtime: tokio::runtime::Runtime,
    connection: Option<connect::Connection>,
    options: Options,
}

impl SharedStore for Postgres {
    fn campaigns(&mut self) -> Result<Vec<SharedCampaign>, StoreError> {
        self.call(async |db| start::campaigns(db, None).await)
    }

    fn campaign(&mut self, name: &str) -> Result<Option<SharedCampaign>, StoreError> {
        Ok(self.call(async |db| start::campaigns(db, Some(name)).await)?.pop())
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        let query = "SELECT pg_database_size(current_database())";
        self.call(async |db| Ok(rows::number(&db.query_one(query, &[]).await?, 0)))
    }

    fn create(&mut self, campaign: &NewCampaign) -> Result<SharedCampaign, StoreError> {
        self.call(async |db| start::create(db, campaign).await)?;
        self.campaign(&campaign.name)?.ok_or_else(|| self.absent(format!("campaign `{}`", campaign.name)))
    }

    fn seeds(&mut self, campaign: CampaignId) -> Result<Vec<SharedSeed>, StoreError> {
        self.call(async |db| start::seeds(db, campaign).await)
    }

    fn enter(&mut self, campaign: CampaignId, member: &Member) -> Result<MemberId, StoreError> {
        self.call(async |db| members::enter(db, campaign, member).await)?
            .ok_or_else(|| self.absent(format!("campaign {}", campaign.0)))
    }

    fn exchange(&mut self, member: MemberId, news: &Outgoing) -> Result<Incoming, StoreError> {
        let options = self.options;
        self.call(async |db| exchange::exchange(db, &options, member, news).await)
    }

    fn members(&mut self, campaign: CampaignId) -> Result<Vec<MemberEntry>, StoreError> {
        self.call(async |db| members::members(db, campaign).await)
    }

    fn samples(&mut self, campaign: CampaignId, from: u64) -> Result<Vec<MemberSample>, StoreError> {
        self.call(async |db| members::samples(db, campaign, from).await)
    }

    fn totals(&mut self, campaign: CampaignId) -> Result<Totals, StoreError> {
        self.call(async |db| members::totals(db, campaign).await)
    }

    fn findings_since(
        &mut self,
        campaign: CampaignId,
        revision: u64,
        limit: usize,
    ) -> Result<Vec<SharedFinding>, StoreError> {
        self.call(async |db| findings::since(db, campaign, revision, limit).await)
    }

    fn files(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<FindingFile>, StoreError> {
        self.call(async |db| findings::files(db, campaign, finding).await)
    }

    fn cases(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<Origin>, StoreError> {
        self.call(async |db| findings::cases(db, campaign, finding).await)
    }

    fn history(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<StatusChange>, StoreError> {
        self.call(async |db| findings::history(db, campaign, finding).await)
    }

    fn update_finding(&mut self, campaign: CampaignId, update: &FindingUpdate) -> Result<(), StoreError> {
        match self.call(async |db| findings::update(db, campaign, update).await)? {
            true => Ok(()),
            false => Err(StoreError::NoSuchFinding { id: update.id.clone(), candidates: Vec::new() }),
        }
    }

    fn add_jobs(&mut self, campaign: CampaignId, jobs: &[NewJob]) -> Result<(), StoreError> {
        self.call(async |db| jobs::add(db, campaign, jobs).await)
    }

    fn take_job(&mut self, member: MemberId, kinds: &[WorkKind]) -> Result<Option<Job>, StoreError> {
        let options = self.options;
        self.call(async |db| jobs::take(db, &options, member, kinds).await)
    }

    fn keep_job(&mut self, member: MemberId, job: &Job) -> Result<bool, StoreError> {
        let options = self.options;
        self.call(async |db| jobs::keep(db, &options, member, job).await)
    }

    fn finish_job(&mut self, member: MemberId, job: &Job, failure: Option<&str>) -> Result<bool, StoreError> {
        let options = self.options;
        self.call(async |db| jobs::finish(db, &options, member, job, failure).await)
    }

    fn jobs(&mut self, campaign: CampaignId) -> Result<Vec<JobEntry>, StoreError> {
        self.call(async |db| jobs::all(db, campaign).await)
    }

    fn document(
        &mut self,
        campaign: CampaignId,
        kind: &str,
        name: &str,
    ) -> Result<Option<Document>, StoreError> {
        Ok(self.call(async |db| members::documents(db, campaign, Some(kind), Some(name)).await)?.pop())
    }

    fn documents(&mut self, campaign: CampaignId, kind: &str) -> Result<Vec<Document>, StoreError> {
        self.call(async |db| members::documents(db, campaign, Some(kind), None).await)
    }

    fn put_document(&mut self, campaign: CampaignId, document: &Document) -> Result<bool, StoreError> {
        self.call(async |db| members::put_document(db, campaign, document).await)
    }

    fn export(&mut self, campaign: CampaignId, to: &SyncSender<Part>) -> Result<(), StoreError> {
        self.long_call(async |db| archive::export(db, campaign, to).await)
    }

    fn import(&mut self, parts: &mut dyn Iterator<Item = Part>) -> Result<CampaignId, StoreError> {
        self.long_call(async |db| archive::import(db, parts).await)?.ok_or(StoreError::Incomplete)
    }
}
