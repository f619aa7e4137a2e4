//! `elenchus solve`: runs solvers on scripts and compares their answers.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::{mebibytes, time_limit};
use case::files::read_text_or_stdin;
use clap::{Args, ValueEnum};
use solver::run::{Limits, RunSettings, Want};
use solver::{Outcome as RunOutcome, RunMode, RunRequest, runner};
use std::path::PathBuf;
use std::time::Duration;
use triage::{SolverSource, contradiction, options_by_solver, run_json, runs_table};

/// Arguments of `elenchus solve`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus solve puzzle.smt2 --solver z3 --solver cvc5@1.2.0
  elenchus solve puzzle.smt2 --solver z3 --solver cvc5 --option z3:smt.random_seed=1
  elenchus solve - --solver ./build/z3 --model < puzzle.smt2

An option without a solver's name goes to all solvers, which must then be releases of one.

Exit code: 0 if a solver answered every script, 1 if two solvers contradict each other, or one crashes or rejects its own result, \
2 if no solver answered a script.")]
pub struct SolveArgs {
    /// SMT-LIB scripts; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Solver: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", short, required = true, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Option for the solvers' command lines, as in --option=-v:2; SOLVER:OPTION applies to one solver, as in z3:-v:2
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION")]
    options: Vec<String>,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit, allow_negative_numbers = true)]
    timeout: Duration,
    /// Memory limit for each run, such as 512MB or 2GB
    #[arg(long, default_value = "2GB", value_name = "SIZE", value_parser = mebibytes)]
    memory: u64,
    /// Ask for a model after the last check and print it
    #[arg(long)]
    model: bool,
    /// Configuration file with `[solver.NAME]` blocks; `elenchus.toml` in the current folder if it exists
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON, one object per line for each file and solver
    #[arg(long)]
    json: bool,
    /// How to run the scripts
    #[arg(long, value_enum, default_value_t = RunModeArg::OneShot)]
    mode: RunModeArg,
}

/// The run modes, as the command line names them.
#[derive(Clone, Copy, ValueEnum)]
enum RunModeArg {
    /// A new process for each script
    OneShot,
    /// One process for all scripts, with (reset) in between
    Session,
    /// A process that is started once and forked for each script
    Fork,
    /// One process for all scripts, each between push and pop
    Incremental,
}

impl From<RunModeArg> for RunMode {
    fn from(mode: RunModeArg) -> RunMode {
        match mode {
            RunModeArg::OneShot => RunMode::OneShot,
            RunModeArg::Session => RunMode::Session,
            RunModeArg::Fork => RunMode::Fork,
            RunModeArg::Incremental => RunMode::Incremental,
        }
    }
}

/// Runs `elenchus solve`.
pub fn run(args: SolveArgs) -> Outcome {
    let limits = Limits { memory: args.memory.saturating_mul(1 << 20), ..limits(args.timeout) };
    let want = Want { model: args.model, ..Want::default() };
    let context = match &args.config {
        Some(file) => Context::with_config(Some(file))?,
        None => Context::new()?,
    };
    let mut targets = Vec::new();
    for spec in &args.solvers {
        targets.push((spec.clone(), context.resolve(spec)?));
    }
    let options = options_by_solver(&args.options, &targets, &context.settings().profiles)?;
    let mut runners = Vec::new();
    for ((_, target), options) in targets.iter().zip(options) {
        runners.push((runner(target, args.mode.into(), &RunSettings::default())?, options));
    }
    let mut found_bug = false;
    let mut unanswered = Vec::new();
    for file in &args.files {
        let script = read_text_or_stdin(file)?;
        if let Some(word) = smt::file_access::find(&script) {
            let message = format!("{} may make a solver open a file: `{word}`", file.display());
            return Err(Failure::new(message).hint("remove it from the script"));
        }
        let mut rows = Vec::with_capacity(runners.len());
        for (runner, options) in &mut runners {
            let request = RunRequest::new(&script).options(options).limits(limits).want(want);
            let observation = runner.run(&request)?;
            let id = runner.target().id.clone();
            if args.json {
                println!("{}", run_json(&file.display().to_string(), &id, options, &observation));
            }
            rows.push((id, observation));
        }
        let question = contradiction(&rows);
        found_bug |= question.is_some() || rows.iter().any(|(_, run)| run.outcome.is_bug());
        if !rows.iter().any(|(_, run)| run.outcome == RunOutcome::Answered) {
            unanswered.push(file.display().to_string());
        }
        if args.json {
            continue;
        }
        if args.files.len() > 1 {
            println!("{}", file.display());
        }
        println!("{}", runs_table(&rows).join("\n"));
        for (id, observation) in &rows {
            if let Some(reason) = &observation.fallback {
                println!("{id} ran in a fresh process: {reason}");
            }
            if let Some(model) = observation.model().filter(|_| args.model) {
                println!("\nmodel of {id}:\n{model}");
            }
        }
        if let Some(question) = question {
            println!("contradiction: the solvers disagree on check {}", question + 1);
        }
    }
    match (found_bug, &unanswered[..]) {
        (true, _) => Ok(Exit::Found),
        (false, []) => Ok(Exit::Clean),
        (false, files) => Err(Failure::new(format!("no solver answered {}", files.join(", ")))
            .hint("check the script and the options, or give more time with --timeout")),
    }
}
