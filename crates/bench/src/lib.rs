//! Compares how many bugs fuzzers of SMT solvers find: strategies, variants and builds of Elenchus, and other tools.
//!
//! A [`Plan`] says which [`Contender`]s fuzz which releases, how long and how often. Each run leaves a [`RunRecord`], a file, so a benchmark
//! goes on where it stopped, several processes can share it, and results of different days add up. All tools get the same solvers, seeds and limits and one
//! processor core. Whatever a tool reports goes through the same triage: `judge.rs` runs, reduces and identifies it. [`Results`] groups
//! the bugs of all runs by the rules that merge the findings of a campaign, and `report/` shows them.
//!
//! *Invariant:* a bug counts only if our triage shows it with the plain executable, whoever reported it.
//! *Invariant:* no tool learns from formulas that broke the release that it fuzzes, unless the record says so.

mod claim;
mod contender;
mod environment;
mod error;
mod history;
mod judge;
mod listed;
mod own;
mod peers;
mod plan;
mod rank_test;
mod record;
pub mod report;
mod results;
mod run;
mod run_all;
mod seeds;

pub use contender::{Contender, Tool};
pub use error::BenchError;
pub use history::{History, histories_before};
pub use listed::judge_listed;
pub use peers::{PEERS, Peer, peer};
pub use plan::{Plan, Task};
pub use record::{BugRecord, RunRecord};
pub use results::{DistinctBug, ReleaseResults, Results};
pub use run_all::{Progress, run_all};
