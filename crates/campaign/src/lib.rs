//! Campaigns: seeds, schedule, workers, confirmation and bookkeeping.
//!
//! [`run`] starts the workers. Each one takes units of work from the schedule, makes cases, runs its own solvers on them,
//! judges the answers and confirms what is wrong in fresh processes. One thread, the bookkeeper, stores findings and progress.

mod bookkeeper;
mod budget;
pub mod ci;
pub mod cluster;
mod command_line;
pub mod config;
mod confirm;
mod controls;
pub mod corpus;
pub mod coverage_areas;
mod coverage_map;
mod duplicates;
mod engine;
mod error;
mod events;
mod explanations;
mod generators;
mod hopeless_seeds;
pub mod jobs;
mod known_solvers;
mod ledger;
mod made_cases;
mod member_statistics;
mod message;
mod model_completion;
mod new_only;
mod operator_reach;
mod oracles;
pub mod place;
pub mod present;
mod questions;
mod remake;
mod replay;
mod reporter;
mod rerun;
mod schedule;
mod seed_preparation;
mod seeds;
mod settings;
mod solver_pool;
mod statistics;
mod strategy_scores;
mod suspects;
mod time_account;
mod triage_queue;
mod units;
mod worker;

pub use budget::{Shares, StatementLimit, StatementLimits, StatementRun};
pub use command_line::command_line;
pub use confirm::record;
pub use controls::Controls;
pub use engine::{JudgeMaker, Plan, run, run_shared};
pub use error::CampaignError;
pub use events::{Ended, Event, Listener, Snapshot, Summary, UnusableSeed};
pub use member_statistics::MemberStatistics;
pub use new_only::NewOnly;
pub use operator_reach::{
    OperatorCount, OperatorReach, OperatorSample, OperatorTable, Scan, Scanner, SolverOperators,
};
pub use oracles::Variation;
pub use questions::SolverQuestioner;
pub use remake::{Remade, RunContext, remake};
pub use replay::{case_again, seed_again};
pub use rerun::{Rerun, rerun};
pub use seeds::{Pool, Unusable};
pub use settings::{HistorySettings, Settings, settings_text};
pub use statistics::{Reach, ReportTally, Statistics, StrategyTally, TargetTally, share};
pub use time_account::{Purpose, Spent, TimeAccount};
