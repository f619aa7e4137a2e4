//! What all workers share.

use crate::cluster::Desk;
use crate::coverage_map::CoverageMap;
use crate::duplicates::Duplicates;
use crate::explanations::Explanations;
use crate::hopeless_seeds::HopelessSeeds;
use crate::operator_reach::OperatorReach;
use crate::seed_preparation::SeedRuns;
use crate::settings::Settings;
use crate::triage_queue::{TriageQueue, Unreduced};
use crate::units::UnitSource;
use falcon::SolverOptions;
use solver::{Target, install};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use strategies::{Seed, Strategy};
use triage::Rules;

/// What all workers share. Nothing in it is touched more than a few times per case.
pub struct Shared<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The solvers.
    pub targets: &'a [Target],
    /// The seeds, in order.
    pub seeds: &'a [Seed],
    /// The strategies.
    pub strategies: &'a [Arc<dyn Strategy>],
    /// The options of each solver; empty if no configurations are tried.
    pub options: &'a [SolverOptions],
    /// The coverage of all workers.
    pub coverage_map: &'a CoverageMap,
    /// The operators that all workers have asked about.
    pub operator_reach: &'a OperatorReach,
    /// Where units of work come from.
    pub schedule: &'a dyn UnitSource,
    /// Where news for the other machines of the campaign go, if there are any.
    pub desk: Option<&'a Desk>,
    /// The scripts that were run before.
    pub duplicates: &'a Duplicates,
    /// What the runs of the seeds themselves told.
    pub seed_runs: &'a SeedRuns,
    /// Seeds that no solver answers.
    pub hopeless_seeds: &'a HopelessSeeds,
    /// How many findings workers have sent that the bookkeeper has not recorded yet.
    pub unrecorded: &'a AtomicUsize,
    /// Findings that wait for their reduction.
    pub triage_queue: &'a TriageQueue<Unreduced>,
    /// The names of findings that wait for their report.
    pub report_queue: &'a TriageQueue<String>,
    /// Wrong results that need no confirmation.
    pub explanations: &'a Explanations,
    /// How triage installs solvers; `None` if findings stay as they are.
    pub installer: Option<&'a install::Settings>,
    /// How many cases have started, over all resumptions.
    pub started: &'a AtomicU64,
    /// How many milliseconds the campaign has left, as far as that is limited.
    pub time_left: &'a AtomicU64,
    /// Set when workers should stop after the current case.
    pub stop: &'a AtomicBool,
    /// While it is set, workers start no case.
    pub pause: &'a AtomicBool,
    /// The rules of the oracle.
    pub rules: Rules,
}
