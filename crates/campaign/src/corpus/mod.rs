//! Tools for folders of seeds: what they hold, importing scripts, and keeping only those that reach something.

mod cover;
mod error;
mod import;
mod minimize;
mod normal_form;
mod script;
mod stats;

pub use error::CorpusError;
pub use import::{Import, Imported, LeftOut, import};
pub use minimize::{MinimizeSettings, Minimized, Minimizing, minimize};
pub use script::CorpusScript;
pub use stats::{CorpusStats, Sizes};
