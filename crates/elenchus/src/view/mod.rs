//! How a campaign shows itself: a live view on a terminal, plain lines in a pipe, JSON for machines.

mod json;
mod live;
mod plain;
mod table;
mod text;

pub use json::{JsonLines, summary as summary_json};
pub use live::Live;
pub use plain::Plain;
pub use table::align;
pub use text::summary;
