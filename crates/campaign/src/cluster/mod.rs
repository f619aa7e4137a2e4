//! A campaign that several machines share through a common store.
//!
//! The process fuzzes into a folder of its own. `Grants` hands the turns that the common store granted to the workers,
//! and the courier exchanges news with the store beside them: what is done, what was found, and how much work is wanted next. What
//! the store does not know yet waits in the folder, so an outage of the store or the end of the process loses nothing.
//!
//! *Invariant:* a turn counts as done in the common store only together with all that was found in it.

mod allotment;
mod block_size;
mod blocks;
mod contradictions;
mod courier;
mod desk;
mod error;
mod grants;
mod join;
mod notes;
mod outage;
mod requirements;
mod spool_folder;

pub(crate) use courier::Courier;
pub(crate) use desk::Desk;
pub use error::JoinError;
pub(crate) use grants::Grants;
pub use join::{Joined, Request, join};
pub use notes::Notes;
pub use requirements::{RequiredSolver, RequiredStrategy, Requirements};
pub use spool_folder::{open_spool_folder, spool_root};

use store::shared::{CampaignId, MemberId, SharedStore};

/// The part of a process in a campaign that several machines share.
pub struct Sharing {
    /// The common store.
    pub store: Box<dyn SharedStore>,
    /// The campaign.
    pub campaign: CampaignId,
    /// The process.
    pub member: MemberId,
    /// What tells the campaign apart from all others, in whatever store.
    pub identity: String,
    /// How many turns each strategy has; `None` for as many as there is time for.
    pub turns: Vec<Option<u64>>,
    /// Notes of this and other threads for the user.
    pub notes: Notes,
}
