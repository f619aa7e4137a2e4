//! History: formulas that once broke a solver, collected from issue trackers or read from folders.
//!
//! The only crate with an HTTP client. [`mine`] makes a library of the formulas, from which `strategies::histfuzz` works.
//!
//! Issues are written by strangers, so everything in them is untrusted: [`collect`] fetches attachments from listed hosts alone,
//! never sends its token anywhere but to the API, bounds what it takes from servers ([`Limits`]), and drops commands and options
//! that make a solver open files.

mod address;
mod clock;
mod collect;
mod error;
mod github;
mod hints;
mod http;
mod limits;
mod markdown;
mod mine;
mod options;
mod sources;
mod state;

pub use clock::{Clock, SystemClock};
pub use collect::{CollectSettings, Collected, Event, Progress, collect};
pub use error::CollectError;
pub use limits::Limits;
pub use mine::{MinePlan, counts, mine};
pub use sources::{Formula, read};
