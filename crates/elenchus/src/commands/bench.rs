//! `elenchus bench`: compares how many bugs fuzzers find.

use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::print::StatusLine;
use crate::signals;
use ::bench::report::{below_mark, markdown, page};
use ::bench::{BenchError, Contender, PEERS, Plan, Progress, Results, histories_before, judge_listed};
use campaign::config::time_limit;
use case::files::{read_text, write};
use case::table::{align, counted};
use clap::{Args, Subcommand};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{fs, thread};
use triage::SolverSource;

/// The folder of a benchmark.
const OUT: &str = "elenchus-bench";
/// The releases that are fuzzed unless the user names some.
const RELEASES: [&str; 3] = ["z3@4.8.7", "z3@4.8.10", "z3@4.12.2"];
/// How long a run takes in a quick comparison: with three releases and two contenders, it takes 15 minutes of a core.
const QUICK: Duration = Duration::from_secs(150);

/// Arguments of `elenchus bench`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bench bugs seeds/ --release z3@4.8.10 --time 10m --repeat 5 --peer yinyang-typefuzz
  elenchus bench bugs seeds/ --quick --program old=../old/target/release/elenchus
  elenchus bench report --html bench.html
  elenchus bench peers")]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Fuzz releases with Elenchus, its strategies, other builds and other tools, and count the bugs of each
    Bugs(Box<BugsArgs>),
    /// Write the results as Markdown and as a page with plots
    Report(ReportArgs),
    /// List the other tools that can take part
    #[command(after_help = "Examples:\n  elenchus bench peers")]
    Peers,
}

/// Arguments of `elenchus bench bugs`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bench bugs seeds/ --release z3@4.8.10 --time 10m --repeat 5
  elenchus bench bugs seeds/ --strategy all --peer yinyang-typefuzz --peer yinyang-opfuzz --bugs bugs/
  elenchus bench bugs seeds/ --variant 'short=--timeout 300ms --no-incremental'
  elenchus bench bugs seeds/ --quick --program old=../old/target/release/elenchus

Every run gets one core, the same solvers, seeds and limits. All that is reported is run, reduced and compared by our triage; a bug of \
the release counts once, whoever found it. Each run leaves a file in OUT/runs: the command goes on where it stopped, and several \
processes may share a folder.

--bugs names a folder with formulas that broke solvers (index.tsv: id, file, solver, issue) and the releases that they break (bugs.tsv: \
release, formula). Bugs that are listed there are marked, and histories contain only what was fixed before the release. Without it, \
histfuzz has its built-in history, which may know the release.")]
struct BugsArgs {
    /// Seed scripts, or folders with .smt2 files
    #[arg(required = true)]
    seeds: Vec<PathBuf>,
    /// Release to fuzz; may be repeated; by default z3@4.8.7, z3@4.8.10 and z3@4.12.2
    #[arg(long = "release", value_name = "SOLVER")]
    releases: Vec<String>,
    /// Solver to compare with; may be repeated, one for each solver [default: the newest release of the same solver]
    #[arg(long = "other", value_name = "SOLVER")]
    others: Vec<String>,
    /// Time of each run, such as 10m
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time_limit)]
    time: Duration,
    /// How often to repeat each run, with other random numbers
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeat: u64,
    /// The first random number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Time limit for each run of a solver
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time_limit)]
    timeout: Duration,
    /// Also run a strategy alone; may be repeated; `all` for each of the default ones
    #[arg(long = "strategy", value_name = "NAME")]
    strategies: Vec<String>,
    /// Also run Elenchus with other flags; may be repeated
    #[arg(long = "variant", value_name = "NAME=FLAGS")]
    variants: Vec<String>,
    /// Also run another build of Elenchus; may be repeated
    #[arg(long = "program", value_name = "NAME=FILE")]
    programs: Vec<String>,
    /// Also run another tool; may be repeated (`elenchus bench peers`)
    #[arg(long = "peer", value_name = "NAME")]
    peers: Vec<String>,
    /// The clone of a tool that is no package; may be repeated
    #[arg(long = "clone", value_name = "PEER=FOLDER")]
    clones: Vec<String>,
    /// Leave out Elenchus as it is
    #[arg(long)]
    no_portfolio: bool,
    /// Compare two builds in 15 minutes: three releases, 150 s each, once
    #[arg(long, conflicts_with_all = ["time", "repeat"])]
    quick: bool,
    /// Folder with formulas that broke solvers
    #[arg(long, value_name = "DIR")]
    bugs: Option<PathBuf>,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    /// Runs at the same time, each on a core of its own
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Keep the files of each run in OUT/scratch
    #[arg(long)]
    keep: bool,
}

/// Arguments of `elenchus bench report`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bench report
  elenchus bench report nightly-bench --html bench.html --markdown bench.md")]
struct ReportArgs {
    /// Folder of the results
    #[arg(default_value = OUT)]
    folder: PathBuf,
    /// Write a page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the tables as Markdown [default: print them]
    ///
    /// If the file has a line `<!-- tables -->`, what stands above it stays.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Runs `elenchus bench`.
pub fn run(args: BenchArgs) -> Outcome {
    match args.command {
        BenchCommand::Bugs(args) => bugs(*args),
        BenchCommand::Report(args) => report(&args),
        BenchCommand::Peers => {
            let rows = PEERS.iter().map(|peer| vec![peer.name().to_owned(), peer.about().to_owned()]);
            println!("{}", align(&rows.collect::<Vec<_>>()).join("\n"));
            Ok(Exit::Clean)
        }
    }
}

fn report(args: &ReportArgs) -> Outcome {
    let results = Results::read(&args.folder)?;
    let text = markdown(&results);
    match &args.markdown {
        Some(file) => {
            let page = if file.is_file() { read_text(file)? } else { String::new() };
            write(file, &below_mark(&page, &text))?;
        }
        None => println!("{}", text.trim_end()),
    }
    if let Some(file) = &args.html {
        write(file, &page(&results))?;
    }
    Ok(Exit::Clean)
}

fn bugs(args: BugsArgs) -> Outcome {
    let stop = signals::stop_flag()?;
    let context = Context::new()?;
    let jobs = args.jobs.max(1);
    let plan = plan(args, &context)?;
    // A run that is cut off leaves no record. Its processes end with this one.
    thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
        eprintln!("stopped; the same command continues");
        std::process::exit(2);
    });
    for release in plan.releases.clone() {
        eprintln!("{release}: judging the listed bugs");
        let listed = judge_listed(&plan, &release, &context)?;
        if let Some(listed) = listed {
            eprintln!("{release}: {}", counted(listed.len(), "listed bug"));
        }
    }
    run_all(&plan, jobs, &context)?;
    println!("{}", markdown(&Results::read(&plan.out)?).trim_end());
    Ok(Exit::Clean)
}

/// What the arguments ask for, with all solvers and tools that it needs.
fn plan(args: BugsArgs, context: &Context) -> Result<Plan, Failure> {
    let mut contenders = Vec::new();
    if !args.no_portfolio {
        contenders.push(Contender::portfolio());
    }
    for name in &args.strategies {
        match name.as_str() {
            "all" => contenders.extend(strategies::default_names().map(Contender::strategy)),
            name => contenders.push(Contender::strategy(name)),
        }
    }
    let more = [
        (&args.variants, Contender::variant as fn(&str) -> Result<Contender, BenchError>),
        (&args.programs, Contender::program),
        (&args.peers, Contender::peer),
    ];
    for (texts, read) in more {
        for text in texts {
            contenders.push(read(text)?);
        }
    }
    let releases = match args.releases.is_empty() {
        true => RELEASES.map(str::to_owned).to_vec(),
        false => args.releases,
    };
    let name = |spec: &str| spec.split('@').next().unwrap_or(spec).to_owned();
    let mut others: BTreeMap<String, String> = BTreeMap::new();
    for release in &releases {
        let solver = name(release);
        let given = args.others.iter().find(|other| name(other) == solver || args.others.len() == 1);
        let wanted = given.cloned().unwrap_or_else(|| format!("{solver}@latest"));
        context.resolve(release)?;
        others.insert(solver, context.resolve(&wanted)?.id);
    }
    let clones = args.clones.iter().map(|text| match text.split_once('=') {
        Some((name, folder)) => Ok((name.to_owned(), PathBuf::from(folder))),
        None => {
            Err(Failure::new(format!("`{text}` names no folder")).hint("as in --clone histfuzz=../HistFuzz"))
        }
    });
    fs::create_dir_all(&args.out).map_err(|error| case::files::FileError::unwritable(&args.out, error))?;
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let out = absolute(&args.out);
    let mut plan = Plan {
        releases,
        others,
        contenders,
        seeds: args.seeds.iter().map(absolute).collect(),
        time: if args.quick { QUICK } else { args.time },
        repeat: if args.quick { 1 } else { args.repeat },
        first: args.seed,
        timeout: args.timeout,
        bugs: args.bugs.as_ref().map(absolute),
        histories: BTreeMap::new(),
        clones: clones.collect::<Result<_, Failure>>()?,
        program: std::env::current_exe()
            .map_err(|error| Failure::new(format!("cannot find the running program: {error}")))?,
        keep: args.keep,
        out,
    };
    case::files::find_scripts(&plan.seeds)?;
    if let Some(bugs) = plan.bugs.clone() {
        for release in plan.releases.clone() {
            let history = histories_before(&release, &bugs, &plan.out)?;
            plan.histories.insert(release, history);
        }
    }
    Ok(plan)
}

/// Does all runs that are left, and shows how far they are.
fn run_all(plan: &Plan, jobs: usize, context: &Context) -> Result<(), Failure> {
    let begin = Instant::now();
    let status = Mutex::new(StatusLine::new());
    let shown = |progress: Progress<'_>| {
        let mut status = status.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match progress {
            Progress::Running { number, total } => {
                status.show(|| format!("run {number} of {total}, {} s", begin.elapsed().as_secs()));
            }
            Progress::Done(record) => {
                status.clear();
                eprintln!("{}", record.line());
            }
        }
    };
    let ended = ::bench::run_all(plan, jobs, context, &shown);
    status.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    Ok(ended?)
}
