//! `elenchus ci`: tests a build and fails only for findings that are new relative to a baseline.

use crate::commands::known;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signals;
use crate::view::Plain;
use campaign::ci::{self, CiPlan, CiVerdict};
use campaign::config::signature_files;
use campaign::config::{FuzzConfig, mebibytes, milliseconds};
use case::files::write;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use triage::known::KnownBugs;

/// How long to test without --time and --cases, in milliseconds.
const USUAL_TIME: u64 = 10 * 60 * 1000;

/// Arguments of `elenchus ci`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus ci --solver ./build/z3 --baseline z3@5.4.0 --time 10m
  elenchus ci --solver ./build/z3 --baseline z3@latest --reference cvc5 --junit report.xml --sarif report.sarif
  elenchus ci --solver ./build/z3 --baseline z3@5.4.0 --cases 500 --jobs 1 regress/

Runs the seeds, then the findings of earlier runs in the folder of --findings and in --regressions, then fuzzes. A finding is new if \
the candidate shows it, the baseline shows neither its case nor its reduced script, and the list of known bugs does not have it. \
Findings that cannot be judged on the baseline, such as those with operators that it does not support, are listed and do not fail.

Prints a summary in Markdown, and appends it to the file that GITHUB_STEP_SUMMARY names. Progress goes to standard error. `elenchus \
show ID --out DIR` explains a finding.

A retry in the same folder tests the findings of the first run again, so it fails, too. The random seed is fixed; with --cases and \
--jobs 1 all cases are the same on every machine.

Exit code: 0 if nothing is new, 1 if a finding is new, 2 if a solver cannot be used, nothing was tested, or the run was interrupted \
before a new finding.")]
pub struct CiArgs {
    /// Seed scripts, or folders with .smt2 files [default: built-in seeds]
    seeds: Vec<PathBuf>,
    /// Build to test: NAME@RELEASE, a path, or a name from the configuration
    #[arg(long, short, value_name = "SOLVER")]
    solver: String,
    /// Build to compare with
    #[arg(long, value_name = "SOLVER")]
    baseline: String,
    /// Further solver that gives evidence; may be repeated
    #[arg(long = "reference", value_name = "SOLVER")]
    references: Vec<String>,
    /// Stop after this time, such as 90s, 10m or 1h30m [default: 10m; none with --cases]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,
    /// Stop fuzzing after N cases
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Folder of scripts that state what they show, or of a campaign, to test as regressions; may be repeated
    #[arg(long, value_name = "DIR")]
    regressions: Vec<PathBuf>,
    /// Folder for the findings, to keep as an artifact
    #[arg(long, value_name = "DIR", default_value = ci::DEFAULT_FOLDER)]
    findings: PathBuf,
    /// List of known bugs (see `elenchus known`)
    #[arg(long, value_name = "FILE", default_value = known::FILE)]
    known: PathBuf,
    /// Write a report in JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report in SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Strategy for fuzzing; may be repeated [default: all but approximate, exhaustive, falcon and command]
    #[arg(long = "strategy", value_name = "NAME")]
    strategies: Vec<String>,
    /// Number of workers [default: one per processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = ci::DEFAULT_SEED)]
    seed: u64,
    /// Time limit for each run of a solver while fuzzing [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    timeout: Option<u64>,
    /// Memory limit for each run of a solver [default: 2GB]
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    memory: Option<u64>,
    /// Print JSON instead of Markdown
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus ci`.
pub fn run(args: CiArgs) -> Outcome {
    let context = Context::new()?;
    let known = KnownBugs::read(&args.known)?;
    let interrupt = Arc::new(AtomicBool::new(false));
    signals::stop_once(&interrupt)?;
    signals::ignore_file_size_limit()?;
    let config = FuzzConfig {
        seeds: args.seeds,
        strategies: args.strategies.iter().flat_map(|names| strategies::split_names(names)).collect(),
        time: args.time.or(args.cases.is_none().then_some(USUAL_TIME)),
        cases: args.cases,
        jobs: args.jobs,
        seed: Some(args.seed),
        timeout: args.timeout,
        memory: args.memory,
        out: Some(args.findings),
        ..FuzzConfig::default()
    };
    let plan = CiPlan {
        candidate: args.solver,
        baseline: args.baseline,
        references: args.references,
        config,
        signature_files: signature_files::given().to_vec(),
        regressions: args.regressions,
        known: &known,
    };
    let report = ci::run(plan, &context, &interrupt, &mut Plain::to_stderr())?;
    match args.json {
        true => println!("{}", ci::json(&report)),
        false => print!("{}", ci::markdown(&report)),
    }
    if let Some(file) = &args.junit {
        write(file, &ci::junit(&report))?;
    }
    if let Some(file) = &args.sarif {
        write(file, &format!("{:#}\n", ci::sarif(&report)))?;
    }
    ci::append_to_job_page(&report)?;
    match report.verdict() {
        CiVerdict::Passed => Ok(Exit::Clean),
        CiVerdict::Failed => Ok(Exit::Found),
        CiVerdict::Interrupted => Err(Failure::new("interrupted before a new finding")
            .hint(format!("what was found is in {}; run the same command again", report.folder.display()))),
    }
}
