//! Campaigns: seeds, schedule, workers, confirmation and books. Wires the crates below it together.

mod adaptive_timeout;
mod command_line;
mod completion;
mod confirm;
mod coverage_map;
mod duplicates;
mod engine;
mod event;
mod prepare;
mod questions;
mod run_modes;
mod schedule;
mod seed_budget;
mod seeds;
mod settings;
mod solver_pool;
mod statistics;
mod vocabulary;
mod worker;

pub use command_line::command_line;
pub use confirm::{record, seed_again};
pub use engine::{CampaignError, JudgeMaker, Plan, run, settings_text};
pub use event::{Ended, Event, Listener, Snapshot, Summary};
pub use questions::Interviewer;
pub use seeds::{Pool, Unusable};
pub use settings::{HistorySettings, Settings};
pub use statistics::{Reach, Statistics, StrategyTally, TargetTally, share};
pub use worker::case_again;
