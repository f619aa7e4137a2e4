//! A finding as a maintainer wants to read it: one page with everything needed to reproduce it and to believe it.

mod command;
mod compose;
mod content;
mod evidence;
mod html;
mod index;
mod markdown;
mod needed_model;
mod pinned;
mod policy;

pub(crate) use command::arguments;
pub(crate) use compose::title;
pub use compose::{ReportSettings, report};
pub use content::{Report, SolverResult};
pub use evidence::{model_values, readable_model};
pub use html::page;
pub use index::{Format, ReportStep, Reports, report_all};
pub use markdown::markdown;
pub use pinned::with_model;
pub use policy::Policy;
