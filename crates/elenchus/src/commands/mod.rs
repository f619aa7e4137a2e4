//! The subcommands, one module each: arguments, and a function `run`.

mod bench;
mod bisect;
mod check;
mod ci;
mod cluster;
mod completions;
mod corpus;
mod coverage;
mod doctor;
mod drive;
mod eval;
mod examine;
mod findings;
mod fmt;
mod fuzz;
mod fuzz_shared;
mod history;
mod history_stats;
mod init;
mod known;
mod learn;
mod learn_show;
mod man;
mod oracle;
mod place;
pub mod progress;
mod reduce;
mod regress;
mod replay;
mod report;
mod serve;
mod show;
mod solve;
mod solver;
mod store;
mod strategy;
mod subject;
mod triage;
mod triage_steps;
mod validate;

use crate::outcome::Outcome;
use clap::Subcommand;

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Parse and type-check scripts; show what they use
    Check(check::CheckArgs),
    /// Format scripts
    Fmt(fmt::FmtArgs),
    /// Run the driver of a solver library
    #[command(name = "__drive", hide = true)]
    Drive(drive::DriveArgs),
    /// Fuzz solvers: generate scripts, compare answers, keep findings
    Fuzz(fuzz::FuzzArgs),
    /// Test a build in CI: fail only for findings that are new relative to a baseline
    Ci(ci::CiArgs),
    /// List the findings of campaigns
    Findings(findings::FindingsArgs),
    /// Explain a finding
    Show(show::ShowArgs),
    /// Print the script of a finding and run it again
    Replay(replay::ReplayArgs),
    /// Reduce a script as far as it still shows the bug
    Reduce(reduce::ReduceArgs),
    /// Find the releases that show a bug
    Bisect(bisect::BisectArgs),
    /// Reduce, merge and report the findings of a campaign
    Triage(triage::TriageArgs),
    /// Write a bug report for maintainers
    Report(report::ReportArgs),
    /// Show a campaign in a browser, while it runs or afterwards
    Serve(serve::ServeArgs),
    /// Look after the common store of campaigns of several machines
    Store(store::StoreCommandArgs),
    /// Run all findings on a new build
    Regress(regress::RegressArgs),
    /// Compare how many bugs strategies, builds and other tools find
    Bench(bench::BenchArgs),
    /// Collect and mine formulas that once broke a solver
    History(history::HistoryArgs),
    /// Group scripts that probably show the same bug
    Cluster(cluster::ClusterArgs),
    /// Manage the list of bugs that have been reported
    Known(known::KnownArgs),
    /// Learn which options of a solver matter to which operations
    Learn(learn::LearnArgs),
    /// Show how much of the solvers a campaign reached
    Coverage(coverage::CoverageArgs),
    /// Import, minimize and describe folders of seeds
    Corpus(corpus::CorpusArgs),
    /// Check and repair the folder of a campaign
    Doctor(doctor::DoctorArgs),
    /// Write a commented configuration file
    Init(init::InitArgs),
    /// Run solvers on scripts and compare their answers
    Solve(solve::SolveArgs),
    /// Evaluate a term exactly
    Eval(eval::EvalArgs),
    /// Cross-examine the evaluator with solvers
    Examine(examine::ExamineArgs),
    /// Check whether a model satisfies a script
    Validate(validate::ValidateArgs),
    /// List strategies, and show their variants and settings
    Strategy(strategy::StrategyArgs),
    /// List the oracles
    Oracle(oracle::OracleArgs),
    /// Install, list, remove and check solvers
    Solver(solver::SolverArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands
    Man(man::ManArgs),
}

/// Runs a subcommand.
pub fn run(command: Command) -> Outcome {
    match command {
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Drive(args) => drive::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Ci(args) => ci::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Show(args) => show::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Triage(args) => triage::run(args),
        Command::Report(args) => report::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Store(args) => store::run(args),
        Command::Regress(args) => regress::run(args),
        Command::Bench(args) => bench::run(args),
        Command::History(args) => history::run(args),
        Command::Cluster(args) => cluster::run(args),
        Command::Known(args) => known::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Coverage(args) => coverage::run(args),
        Command::Corpus(args) => corpus::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Init(args) => init::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Examine(args) => examine::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Strategy(args) => strategy::run(args),
        Command::Oracle(args) => oracle::run(args),
        Command::Solver(args) => solver::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
