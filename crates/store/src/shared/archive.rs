//! Copies campaigns between stores, whatever their kinds.

use super::{
    CampaignId, Document, FindingFile, JobEntry, MemberEntry, MemberId, MemberSample, SharedCampaign,
    SharedFinding, SharedSeed, SharedStore,
};
use crate::error::StoreError;
use crate::workflow::StatusChange;
use case::Origin;
use std::sync::mpsc::{SyncSender, sync_channel};

/// A part of all that a store keeps of a campaign. They come in the order of this list, some of them many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The campaign itself, first of all.
    Campaign(ArchivedCampaign),
    /// Some seeds, in their order.
    Seeds(Vec<SharedSeed>),
    /// All processes that took part.
    Members(Vec<MemberEntry>),
    /// Blocks that are not done.
    Blocks(Vec<ArchivedBlock>),
    /// Some statistics over time.
    Samples(Vec<MemberSample>),
    /// A finding with all that belongs to it.
    Finding(Box<ArchivedFinding>),
    /// A document.
    Document(Document),
    /// The jobs that are not done. One that a process holds waits in the copy.
    Jobs(Vec<JobEntry>),
    /// Nothing is missing.
    End,
}

/// A campaign, as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedCampaign {
    /// The campaign. Its number is that of the store that it comes from.
    pub campaign: SharedCampaign,
    /// The latest change of a finding.
    pub revision: u64,
    /// The strategies, beside their entries in the campaign.
    pub strategies: Vec<ArchivedStrategy>,
}

/// How far a strategy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedStrategy {
    /// The first turn that was never granted.
    pub next_turn: u64,
    /// The latest number of a grant.
    pub last_grant: u64,
    /// How many turns are done, without those of blocks that are not done.
    pub done: u64,
    /// How many cases these turns made.
    pub cases: u64,
    /// The sum of the hashes of these cases.
    pub digest: u64,
}

/// A block that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedBlock {
    /// The strategy, by its place in the campaign.
    pub strategy: usize,
    /// The number of its latest grant.
    pub grant: u64,
    /// Its first turn.
    pub first: u64,
    /// The turn after its last one.
    pub end: u64,
    /// The first turn that is not done.
    pub done: u64,
    /// How many cases were made since the grant.
    pub cases: u64,
    /// The sum of the hashes of these cases.
    pub digest: u64,
    /// Who holds it, if anybody.
    pub member: Option<MemberId>,
    /// Until when, in milliseconds since 1970.
    pub lease_end: u64,
}

/// A finding with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedFinding {
    /// The finding.
    pub finding: SharedFinding,
    /// Its files.
    pub files: Vec<FindingFile>,
    /// Its cases.
    pub cases: Vec<Origin>,
    /// The changes of its status, the oldest first.
    pub history: Vec<StatusChange>,
}

/// How many seeds or samples a part has.
pub(super) const ROWS: usize = 500;

/// How many parts may be on their way, so that no campaign has to fit into memory.
const PARTS: usize = 8;

/// Copies a campaign from a store to another one, which must not have a campaign with its name. The copy appears completely or not at
/// all, and is as the campaign was at one moment.
pub fn copy(
    from: &mut dyn SharedStore,
    to: &mut dyn SharedStore,
    campaign: &str,
) -> Result<CampaignId, StoreError> {
    let id = match from.campaign(campaign)? {
        Some(found) => found.id,
        None => {
            let (store, what) = ("the store".to_owned(), format!("campaign `{campaign}`"));
            return Err(StoreError::Absent { store, what });
        }
    };
    if to.campaign(campaign)?.is_some() {
        return Err(StoreError::Taken { name: campaign.to_owned() });
    }
    let (sender, receiver) = sync_channel(PARTS);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || from.export(id, &sender));
        let written = to.import(&mut receiver.into_iter());
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // If reading fails, what was written is incomplete: the first error is the one to report.
        read.and(written)
    })
}

/// All parts of a campaign.
pub fn export(store: &mut dyn SharedStore, campaign: CampaignId) -> Result<Vec<Part>, StoreError> {
    let (sender, receiver) = sync_channel(PARTS);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || store.export(campaign, &sender));
        let parts = receiver.into_iter().collect();
        reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map(|()| parts)
    })
}

/// Sends a part. False if nobody wants more of them.
pub(super) fn send(to: &SyncSender<Part>, part: Part) -> bool {
    to.send(part).is_ok()
}
