//! Stores a campaign: a SQLite database and, for people, a folder for each finding. The only crate that uses SQL.

mod browse;
mod error;
mod folder;
mod mirror;
mod readme;
mod record;
mod repair;
mod schema;
pub mod shared;
mod spool;
mod store;
mod workflow;

pub use browse::{
    Browser, CampaignEntry, Days, FacetKind, Facets, FindingFilter, FindingOrder, FindingPage,
    OccurrenceEntry, Outdated, SeedEntry,
};
pub use error::StoreError;
pub use mirror::{FILE_DOCUMENT, KNOWN_DOCUMENT, KNOWN_FILE, MemberSums, Mirror, MirrorLock, Touched};
pub use record::{
    Campaign, CampaignState, Listed, ListedSolver, Merged, Position, Progress, Recorded, Texts, TriageResult,
};
pub use repair::{Repair, repair};
pub use spool::{Parcel, Spool};
pub use store::Store;
pub use workflow::{Status, StatusChange};
