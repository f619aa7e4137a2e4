//! A campaign of several machines. They keep what they have in common in one store: a database of PostgreSQL, or a file of SQLite
//! for the processes of one machine.
//!
//! A process fuzzes into a folder of its own, which a [`Store`](crate::Store) keeps, and exchanges news with the common store every
//! few seconds. So it can work while the common store cannot be reached, and nothing that it found is lost.
//!
//! Work is granted in [`Block`]s: successive turns of one strategy. A grant is a lease. It ends if the store does not hear of the
//! process for some time; then the next process that wants turns of that strategy continues where the store knows that the first
//! stopped. The cases of a turn follow from its number, so both make the same ones, and progress counts only with the latest grant.

mod archive;
mod naming;
mod open;
mod options;
#[cfg(feature = "postgres")]
mod postgres;
mod records;
mod sqlite;

use crate::error::StoreError;
use crate::workflow::StatusChange;
pub use archive::{ArchivedBlock, ArchivedCampaign, ArchivedFinding, ArchivedStrategy, Part, copy, export};
use case::Origin;
pub use open::{open, open_with, roles, shown};
pub use options::{ATTEMPTS, Options};
#[cfg(feature = "postgres")]
pub use postgres::ROLES;
pub use records::*;
use std::sync::mpsc::SyncSender;

/// What the machines of a campaign have in common. All times are by the clock of the store, so the clocks of machines do not matter.
///
/// A method that fails has changed nothing, or everything with its answer lost. Every method may be called again after that.
pub trait SharedStore: Send {
    /// All campaigns, the latest first.
    fn campaigns(&mut self) -> Result<Vec<SharedCampaign>, StoreError>;

    /// The campaign with a name.
    fn campaign(&mut self, name: &str) -> Result<Option<SharedCampaign>, StoreError>;

    /// How many bytes it takes, with all of its campaigns.
    fn size(&mut self) -> Result<u64, StoreError>;

    /// Starts a campaign. If another process was faster, that one's campaign is the answer.
    fn create(&mut self, campaign: &NewCampaign) -> Result<SharedCampaign, StoreError>;

    /// The seeds of a campaign, in the order of their numbers.
    fn seeds(&mut self, campaign: CampaignId) -> Result<Vec<SharedSeed>, StoreError>;

    /// Lets a process take part in a campaign.
    fn enter(&mut self, campaign: CampaignId, member: &Member) -> Result<MemberId, StoreError>;

    /// Takes in the news of a process and grants it work. This is the only call that workers cause, one every few seconds.
    fn exchange(&mut self, member: MemberId, news: &Outgoing) -> Result<Incoming, StoreError>;

    /// The processes of a campaign, in the order in which they joined.
    fn members(&mut self, campaign: CampaignId) -> Result<Vec<MemberEntry>, StoreError>;

    /// The statistics of all processes over time, from a time on. Old ones are kept in larger steps.
    fn samples(&mut self, campaign: CampaignId, from: u64) -> Result<Vec<MemberSample>, StoreError>;

    /// The progress of a campaign.
    fn totals(&mut self, campaign: CampaignId) -> Result<Totals, StoreError>;

    /// The findings that changed after a revision, in the order of their changes; at most `limit`.
    fn findings_since(
        &mut self,
        campaign: CampaignId,
        revision: u64,
        limit: usize,
    ) -> Result<Vec<SharedFinding>, StoreError>;

    /// The files of a finding.
    fn files(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<FindingFile>, StoreError>;

    /// The cases that showed a finding.
    fn cases(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<Origin>, StoreError>;

    /// All changes of the status of a finding, the newest first.
    fn history(&mut self, campaign: CampaignId, finding: &str) -> Result<Vec<StatusChange>, StoreError>;

    /// Changes a finding. One that is merged takes with it those that were merged into it. If the other one was merged meanwhile, what
    /// that one turned out to be counts; if it is the finding itself, nothing is merged.
    fn update_finding(&mut self, campaign: CampaignId, update: &FindingUpdate) -> Result<(), StoreError>;

    /// Puts jobs into the queue. Those that wait or run already stay as they are; those that were given up get new attempts. A new
    /// bug gets a job to reduce it without this.
    fn add_jobs(&mut self, campaign: CampaignId, jobs: &[NewJob]) -> Result<(), StoreError>;

    /// Takes the most urgent job of these kinds, if any waits. It returns to the queue if [`keep_job`](Self::keep_job) is not
    /// called for some minutes.
    fn take_job(&mut self, member: MemberId, kinds: &[WorkKind]) -> Result<Option<Job>, StoreError>;

    /// Says that a process still works on a job. False if the job is not its own any more.
    fn keep_job(&mut self, member: MemberId, job: &Job) -> Result<bool, StoreError>;

    /// Ends a job: it is done, or it failed for this reason and is tried again later, a few times. False if it is not this
    /// process's any more.
    fn finish_job(&mut self, member: MemberId, job: &Job, failure: Option<&str>) -> Result<bool, StoreError>;

    /// The jobs of a campaign that are not done, in the order of their kinds and then of their urgency. Those that were given up
    /// are among them.
    fn jobs(&mut self, campaign: CampaignId) -> Result<Vec<JobEntry>, StoreError>;

    /// A document of a campaign.
    fn document(
        &mut self,
        campaign: CampaignId,
        kind: &str,
        name: &str,
    ) -> Result<Option<Document>, StoreError>;

    /// The documents of a kind.
    fn documents(&mut self, campaign: CampaignId, kind: &str) -> Result<Vec<Document>, StoreError>;

    /// Writes a document, if nobody has written it since the revision that it names (0 for a new one). False if somebody has:
    /// read it, unite both and try again.
    fn put_document(&mut self, campaign: CampaignId, document: &Document) -> Result<bool, StoreError>;

    /// Sends all that the store keeps of a campaign, as it is at one moment. [`copy`] calls this.
    fn export(&mut self, campaign: CampaignId, to: &SyncSender<Part>) -> Result<(), StoreError>;

    /// Takes in a campaign, completely or not at all. [`copy`] calls this.
    fn import(&mut self, parts: &mut dyn Iterator<Item = Part>) -> Result<CampaignId, StoreError>;
}
