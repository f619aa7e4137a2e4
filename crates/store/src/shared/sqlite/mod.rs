//! A common store in a file of SQLite, for the processes of one machine.

mod archive;
mod blocks;
mod documents;
mod exchange;
mod findings;
mod jobs;
mod members;
mod rows;
mod schema;
mod start;
mod update;

use super::options::milliseconds;
use super::{
    CampaignId, Document, FindingFile, FindingUpdate, Incoming, Job, JobEntry, Member, MemberEntry, MemberId,
    MemberSample, NewCampaign, NewJob, Options, Outgoing, Part, SharedCampaign, SharedFinding, SharedSeed,
    SharedStore, Totals, WorkKind,
};
use crate::error::StoreError;
use crate::workflow::StatusChange;
use case::Origin;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a process waits for the transactions of others.
const PATIENCE: Duration = Duration::from_secs(30);

/// A common store in a file.
pub struct Sqlite {
    path: PathBuf,
    db: Connection,
    options: Options,
}

/// What one call works with: its transaction and its time.
struct Change<'a> {
    db: Transaction<'a>,
    now: i64,
    options: Options,
}

impl Sqlite {
    /// Opens the file, and creates it if necessary.
    pub fn open(path: &Path, options: Options) -> Result<Sqlite, StoreError> {
        let sql = StoreError::sql(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(path, flags).map_err(&sql)?;
        db.busy_timeout(PATIENCE).map_err(&sql)?;
        db.pragma_update(None, "journal_mode", "WAL").map_err(&sql)?;
        db.pragma_update(None, "synchronous", "FULL").map_err(&sql)?;
        db.pragma_update(None, "foreign_keys", true).map_err(&sql)?;
        schema::migrate(&mut db, path)?;
        Ok(Sqlite { path: path.to_owned(), db, options })
    }

    /// Changes the file: completely, or not at all if `work` fails.
    fn change<T>(
        &mut self,
        work: impl FnOnce(&Change<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let sql = StoreError::sql(&self.path);
        let db = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&sql)?;
        let change = Change { db, now: now(), options: self.options };
        let result = work(&change).map_err(&sql)?;
        change.db.commit().map_err(&sql)?;
        Ok(result)
    }

    /// Reads the file as it is at one moment.
    fn read<T>(
        &mut self,
        work: impl FnOnce(&Change<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let sql = StoreError::sql(&self.path);
        let db = self.db.transaction().map_err(&sql)?;
        work(&Change { db, now: now(), options: self.options }).map_err(&sql)
    }

    /// The error for something that is not in the file.
    fn absent(&self, what: String) -> StoreError {
        StoreError::Absent { store: format!("sqlite:{}", self.path.display()), what }
    }
}

impl Change<'_> {
    /// The time after a duration.
    fn after(&self, duration: Duration) -> i64 {
        self.now.saturating_add(milliseconds(duration))
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, milliseconds)
}

impl SharedStore for Sqlite {
    fn campaigns(&mut self) -> Result<Vec<SharedCampaign>, StoreError> {
        self.read(start::campaigns)
    }

    fn campaign(&mut self, name: &str) -> Result<Option<SharedCampaign>, StoreError> {
        self.read(|change| start::campaign(change, name))
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        self.read(|change| {
            let query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
            change.db.query_row(query, [], |row| rows::number(row, 0))
        })
    }

    fn create(&mut self, campaign: &NewCampaign) -> Result<SharedCampaign, StoreError> {
        self.change(|change| start::create(change, campaign))
    }

    fn seeds(&mut self, campaign: CampaignId) -> Result<Vec<SharedSeed>, StoreError> {
        self.read(|change| start::seeds(change, campaign))
    }

    fn enter(&mut self, campaign: CampaignId, member: &Member) -> Result<MemberId, StoreError> {
        self.change(|change| members::enter(change, campaign, member))?
            .ok_or_else(|| self.absent(format!("campaign {}", campaign.0)))
    }

    fn exchange(&mut self, member: MemberId, news: &Outgoing) -> Result<Incoming, StoreError> {
        self.change(|change| exchange::exchange(change, member, news))?
            .ok_or_else(|| self.absent(format!("process {}", member.0)))
    }

    fn members(&mut self, campaign: CampaignId) -> Result<Vec<MemberEntry>, StoreError> {
        self.read(|change| members::members(change, campaign))
    }

    fn samples(&mut self, campaign: CampaignId, from: u64) -> Result<Vec<MemberSample>, StoreError> {
        self.read(|change| members::samples(change, campaign, from))
    }

    fn totals(&mut self, campaign: CampaignId) -> Result<Totals, StoreError> {
        self.read(|change| blocks::totals(change, campaign))
    }

    fn findings_since(
        &mut self,
        campaign: CampaignId,
        revision: u64,
        limit: usize,
    ) -> Result<Vec<SharedFinding>, StoreError> {
        self.read(|change| findings::since(change, campaign, revision, limit))
    }

    fn files(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<FindingFile>, StoreError> {
        self.read(|change| findings::files(change, campaign, finding))
    }

    fn cases(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<Origin>, StoreError> {
        self.read(|change| findings::cases(change, campaign, finding))
    }

    fn history(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<StatusChange>, StoreError> {
        self.read(|change| findings::history(change, campaign, finding))
    }

    fn update_finding(&mut self, campaign: CampaignId, update: &FindingUpdate) -> Result<(), StoreError> {
        match self.change(|change| update::update(change, campaign, update))? {
            true => Ok(()),
            false => Err(StoreError::NoSuchFinding { id: update.id.clone(), candidates: Vec::new() }),
        }
    }

    fn add_jobs(&mut self, campaign: CampaignId, jobs: &[NewJob]) -> Result<(), StoreError> {
        self.change(|change| jobs.iter().try_for_each(|job| jobs::add(change, campaign, job)))
    }

    fn take_job(&mut self, member: MemberId, kinds: &[WorkKind]) -> Result<Option<Job>, StoreError> {
        self.change(|change| jobs::take(change, member, kinds))
    }

    fn keep_job(&mut self, member: MemberId, job: &Job) -> Result<bool, StoreError> {
        self.change(|change| jobs::keep(change, member, job))
    }

    fn finish_job(&mut self, member: MemberId, job: &Job, failure: Option<&str>) -> Result<bool, StoreError> {
        self.change(|change| jobs::finish(change, member, job, failure))
    }

    fn jobs(&mut self, campaign: CampaignId) -> Result<Vec<JobEntry>, StoreError> {
        self.read(|change| jobs::all(change, campaign))
    }

    fn document(
        &mut self,
        campaign: CampaignId,
        kind: &str,
        name: &str,
    ) -> Result<Option<Document>, StoreError> {
        self.read(|change| documents::document(change, campaign, kind, name))
    }

    fn documents(&mut self, campaign: CampaignId, kind: &str) -> Result<Vec<Document>, StoreError> {
        self.read(|change| documents::documents(change, campaign, kind))
    }

    fn put_document(&mut self, campaign: CampaignId, document: &Document) -> Result<bool, StoreError> {
        self.change(|change| documents::put(change, campaign, document))
    }

    fn export(&mut self, campaign: CampaignId, to: &SyncSender<Part>) -> Result<(), StoreError> {
        self.read(|change| archive::export(change, campaign, to))
    }

    fn import(&mut self, parts: &mut dyn Iterator<Item = Part>) -> Result<CampaignId, StoreError> {
        let sql = StoreError::sql(&self.path);
        let db = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&sql)?;
        let change = Change { db, now: now(), options: self.options };
        let Some(campaign) = archive::import(&change, parts).map_err(&sql)? else {
            return Err(StoreError::Incomplete);
        };
        change.db.commit().map_err(&sql)?;
        Ok(campaign)
    }
}
