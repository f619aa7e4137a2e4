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
mod unchanged;
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
pub use unchanged::Unchanged;
pub use worker::case_again;

use std::sync::Arc;
use strategies::Strategy;

/// The strategy of a name, as `--strategy` takes it.
pub fn strategy(name: &str) -> Option<Arc<dyn Strategy>> {
    if name == Unchanged.name() {
        Some(Arc::new(Unchanged))
    } else {
        strategies::by_name(name).map(Arc::from)
    }
}

/// All strategies, in the order in which they take turns.
pub fn all_strategies() -> Vec<Arc<dyn Strategy>> {
    let unchanged: Arc<dyn Strategy> = Arc::new(Unchanged);
    std::iter::once(unchanged).chain(strategies::all().into_iter().map(Arc::from)).collect()
}
