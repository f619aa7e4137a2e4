//! The results of a benchmark for people: Markdown, and a page with plots.

mod curve;
mod markdown;
mod overlap;
mod page;
mod table;

pub use markdown::{below_mark, markdown};
pub use page::page;
