//! History: formulas that once broke a solver, collected from issue trackers or read from folders.
//!
//! The only crate with an HTTP client, which is the feature `collect`: it takes longer to build than everything else that a
//! campaign needs, and few users collect. [`mine`] makes a library of the formulas, from which `strategies::histfuzz` works.
//!
//! Issues are written by strangers, so everything in them is untrusted: [`collect`] fetches attachments from listed hosts alone,
//! never sends its token anywhere but to the API, bounds what it takes from servers ([`Limits`]), and drops commands and options
//! that make a solver open files.

#[cfg(not(feature = "collect"))]
mod absent;
#[cfg(feature = "collect")]
mod address;
mod clock;
#[cfg(feature = "collect")]
mod collect;
mod collection;
mod error;
#[cfg(feature = "collect")]
mod github;
mod hints;
#[cfg(feature = "collect")]
mod http;
mod limits;
#[cfg(feature = "collect")]
mod markdown;
mod mine;
mod sources;
#[cfg(feature = "collect")]
mod state;

#[cfg(not(feature = "collect"))]
pub use absent::collect;
pub use clock::{Clock, SystemClock};
#[cfg(feature = "collect")]
pub use collect::collect;
pub use collection::{CollectSettings, Collected, Event, Progress};
pub use error::CollectError;
pub use limits::Limits;
pub use mine::{MinePlan, counts, mine};
pub use sources::{Formula, read};
