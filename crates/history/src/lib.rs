//! History: formulas that once broke a solver, collected from issue trackers and read from folders. The only crate that talks to
//! an issue tracker; what is learned from the formulas is `strategies::histfuzz`'s.

mod collect;
mod github;
mod http;
mod markdown;
mod options;
mod sources;
mod state;

pub use collect::{CollectSettings, Collected, Progress, collect};
pub use http::{Clock, CollectError, SystemClock};
pub use markdown::{Found, attachments, formulas};
pub use options::{command_line, profile_name};
pub use sources::{Formula, ReadError, is_catalogued, read};
