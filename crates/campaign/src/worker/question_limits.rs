//! How long solvers may take for the questions of strategies: not much longer than the seed itself took.

use super::Worker;
use crate::budget::Slack;
use crate::questions::QuestionLog;
use crate::seed_preparation::SeedRun;
use case::{SeedIndex, SolverIndex};
use solver::Observation;
use std::time::Duration;

/// How long a question may take, compared with the seed.
const SLACK: Slack = Slack::new(4, 50);

/// The limit of a question about a seed that has not run yet, or about no seed of the campaign.
const UNKNOWN: Duration = Duration::from_millis(250);

impl Worker<'_> {
    /// The time limit of a question that a strategy asks about a seed before it opens it.
    pub(super) fn preparation_limit(&self, known: Option<&SeedRun>) -> Duration {
        let most = self.shared.settings.limits().wall;
        if self.shared.settings.is_deterministic() {
            return most;
        }
        let took = known.and_then(|run| run.slowest);
        took.map_or(UNKNOWN, |took| SLACK.limit(took)).min(most)
    }

    /// A log for the questions that a strategy asks while it makes cases from a seed.
    pub(super) fn question_log(&self, seed: Option<SeedIndex>) -> QuestionLog {
        let most = self.shared.settings.question_limit();
        let known = seed.and_then(|seed| self.shared.seed_runs.get(seed));
        let is_silent = seed.is_some_and(|seed| self.silent_seeds.contains(&seed));
        match known.map(|run| run.slowest) {
            _ if is_silent => QuestionLog::closed(),
            Some(None) => QuestionLog::closed(),
            Some(Some(took)) => QuestionLog::new(SLACK.limit(took).min(most)),
            None if seed.is_none() && !self.shared.settings.is_deterministic() => {
                QuestionLog::new(UNKNOWN.min(most))
            }
            None => QuestionLog::new(most),
        }
    }

    /// Remembers how solvers answered a seed, unless cases must not depend on time.
    pub(super) fn remember_seed_run(&self, seed: SeedIndex, solvers: &[SolverIndex], seen: &[Observation]) {
        if !self.shared.settings.is_deterministic() {
            let names = solvers.iter().map(|&solver| self.solver_pool.target(solver).name.clone());
            self.shared.seed_runs.record(seed, SeedRun::new(names, seen));
        }
    }

    /// Remembers a seed about which too few questions were answered.
    pub(super) fn remember_silence(&mut self, seed: Option<SeedIndex>, log: &QuestionLog) {
        if !self.shared.settings.is_deterministic() && log.is_closed() {
            self.silent_seeds.extend(seed);
        }
    }
}
