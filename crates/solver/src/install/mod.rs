//! Finding and installing solvers: from package registries into a cache, on the `PATH`, by path, by configuration block.

mod cache;
mod debian;
mod doctor;
mod error;
mod fetch;
mod inventory;
mod newest;
mod offers;
mod pip;
mod progress;
mod registry;
mod resolve;
mod settings;
mod spec;
mod start;
mod tool;
mod version;
mod wheel;

pub(crate) use cache::MANIFEST;
pub use cache::{Cache, Installed, Package, disk_use};
pub use doctor::{Check, Health, doctor};
pub use error::InstallError;
pub use inventory::{Available, AvailableRelease, Present, available, present, present_table};
pub use newest::newest;
pub use offers::{Offer, offers_of};
pub use progress::{Event, Progress, Silent};
pub use registry::{Entry, entries, entry};
pub use resolve::{discover, install, resolve, resolve_with};
pub use settings::{Settings, SolverBlock};
pub use spec::{Spec, Wanted};
pub(crate) use start::command_of;
pub use start::target_of;
pub(crate) use tool::probe;
pub use version::Version;
