//! The subcommands, one module each. A module holds its arguments and a `run` that ends in an [`Outcome`].

mod bisect;
mod check;
mod cluster;
mod coverage;
mod drive;
mod eval;
mod examine;
mod findings;
mod fmt;
mod fuzz;
mod fuzz_config;
mod history;
mod history_stats;
mod history_strategy;
mod init;
mod known;
mod learn;
mod learn_show;
mod model;
pub mod progress;
mod reduce;
mod regress;
mod replay;
mod report;
mod show;
mod solve;
mod solver;
mod subject;
mod validate;
mod validate_core;
mod validate_many;

use crate::outcome::Outcome;
use clap::Subcommand;

/// Everything that can follow `elenchus`.
#[derive(Subcommand)]
pub enum Command {
    /// Read and type scripts; say what they use
    Check(check::CheckArgs),
    /// Pretty-print a script
    Fmt(fmt::FmtArgs),
    /// Be a driver of a solver's library
    #[command(name = "__drive", hide = true)]
    Drive(drive::DriveArgs),
    /// Fuzz solvers: make scripts, compare answers, keep what is wrong
    Fuzz(fuzz::FuzzArgs),
    /// List what campaigns have found
    Findings(findings::FindingsArgs),
    /// Explain a finding
    Show(show::ShowArgs),
    /// Print a finding's script and run it again
    Replay(replay::ReplayArgs),
    /// Make a script as small as it gets while it shows what is wrong
    Reduce(reduce::ReduceArgs),
    /// Find out which releases are wrong
    Bisect(bisect::BisectArgs),
    /// Write a finding up as a maintainer wants to read it
    Report(report::ReportArgs),
    /// Run all that was found on a new build
    Regress(regress::RegressArgs),
    /// Learn from formulas that once broke a solver
    History(history::HistoryArgs),
    /// Group scripts that likely show one bug
    Cluster(cluster::ClusterArgs),
    /// Keep a list of what has been reported already
    Known(known::KnownArgs),
    /// Learn which options of a solver matter to which operations
    Learn(learn::LearnArgs),
    /// Show which functions of the solvers a campaign reached
    Coverage(coverage::CoverageArgs),
    /// Write a commented elenchus.toml
    Init(init::InitArgs),
    /// Ask solvers about scripts and compare their answers
    Solve(solve::SolveArgs),
    /// Evaluate a term exactly
    Eval(eval::EvalArgs),
    /// Cross-examine the evaluator with solvers
    Examine(examine::ExamineArgs),
    /// Judge whether a model makes a script's assertions true
    Validate(validate::ValidateArgs),
    /// Install, list, remove and check solvers
    Solver(solver::SolverArgs),
}

/// Runs the chosen command.
pub fn run(command: Command) -> Outcome {
    match command {
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Drive(args) => drive::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Show(args) => show::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Report(args) => report::run(args),
        Command::Regress(args) => regress::run(args),
        Command::History(args) => history::run(args),
        Command::Cluster(args) => cluster::run(args),
        Command::Known(args) => known::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Coverage(args) => coverage::run(args),
        Command::Init(args) => init::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Examine(args) => examine::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Solver(args) => solver::run(args),
    }
}
