//! `elenchus cluster`: which of many scripts likely show one bug.

use crate::commands::bisect::{Releases, bisected};
use crate::commands::facts::facts_of;
use crate::commands::functions::told;
use crate::commands::model::read_text;
use crate::commands::reduce::reduced_quickly;
use crate::commands::subject::Subject;
use crate::files::{Progress, find_scripts, in_parallel};
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::cluster::{Facts, clusters};
use triage::predicate::Predicate;

/// Arguments of `elenchus cluster`.
#[derive(Args)]
#[command(after_help = "Every script says in its first line what it shows, as in
  ; elenchus: z3@4.8.10 says unsat, cvc5 says sat

Each is reduced for a while and its releases are bisected; then scripts are put together whose crashes say the same, or whose
wrong answers are of one class, began and ended with the same releases, and share most of their operators, or the functions of
the solver that tell them from their nearest neighbours that pass.")]
pub struct ClusterArgs {
    /// Scripts, or folders of .smt2 files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How long each script is reduced at the most, in seconds; 0 leaves it as it is
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    reduce: f64,
    /// Do not look at other releases
    #[arg(long)]
    no_bisect: bool,
    /// Do not look at what the solver runs
    #[arg(long)]
    no_functions: bool,
    /// Time limit for each run in seconds
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS")]
    timeout: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus cluster`.
pub fn run(args: ClusterArgs) -> Outcome {
    let duration = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).map_err(|_| {
            Failure::new(format!("{seconds} is not a time limit")).hint("give seconds, such as 2.5")
        })
    };
    let limits = Limits { wall: duration(args.timeout)?, ..Limits::default() };
    let patience = duration(args.reduce)?;
    let scripts = find_scripts(&args.files)?;
    let mut progress = Progress::new(scripts.len());
    let mut facts: Vec<Facts> = Vec::new();
    let mut left_out: Vec<(String, String)> = Vec::new();
    in_parallel(
        &scripts,
        |path| look_at(path, limits, patience, !args.no_bisect, !args.no_functions),
        |path, found| {
            progress.step();
            match found {
                Ok(found) => facts.push(found),
                Err(failure) => {
                    let why = failure.to_string().lines().next().unwrap_or_default().to_owned();
                    left_out.push((path.display().to_string(), why));
                }
            }
        },
    );
    progress.clear();
    let groups = clusters(&facts);
    if args.json {
        let group = |places: &Vec<usize>| {
            let names: Vec<&str> = places.iter().map(|&place| facts[place].name.as_str()).collect();
            serde_json::json!({ "signature": facts[places[0]].signature(), "scripts": names })
        };
        let list: Vec<_> = groups.iter().map(group).collect();
        println!("{}", serde_json::json!({ "clusters": list, "left_out": left_out, "facts": facts }));
    } else {
        for (number, places) in groups.iter().enumerate() {
            println!("{}. {}", number + 1, facts[places[0]].signature());
            places.iter().for_each(|&place| println!("   {}", facts[place].name));
        }
        println!("{} scripts, {} clusters, {} left out", facts.len(), groups.len(), left_out.len());
        left_out.iter().for_each(|(name, why)| eprintln!("{name}: {why}"));
    }
    Ok(Exit::Clean)
}

fn look_at(
    path: &Path,
    limits: Limits,
    patience: Duration,
    bisect: bool,
    functions: bool,
) -> Result<Facts, Failure> {
    let script = read_text(path)?;
    let predicate = claims_in(&script).ok_or_else(|| {
        Failure::new("the script does not say what it shows").hint("begin it with `; elenchus: CLAIMS`")
    })?;
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut subject = Subject { script, predicate, origin: name.clone(), finding: None };
    let clauses = subject.clauses()?;
    let mut established = subject.establish(&clauses, limits)?;
    if !patience.is_zero() {
        subject.script = reduced_quickly(&subject.script, &established, patience)?;
        established = subject.establish(&clauses, limits)?;
    }
    let releases: Option<Releases> =
        if bisect { Some(bisected(&subject, &established, limits, false, &mut |_| {})?) } else { None };
    let mut facts = facts_of(&name, &subject.script, &established, releases.as_ref());
    if functions && facts.needs_functions() {
        // Where nothing can be watched, operators have to do.
        facts.functions = told(&subject, &established)
            .map(|distinguishing_functions| distinguishing_functions.functions)
            .unwrap_or_default();
    }
    Ok(facts)
}

/// What a script says of itself in its first line.
pub fn claims_in(script: &str) -> Option<Predicate> {
    let line = script.lines().next()?.trim_start_matches(';').trim();
    Predicate::parse(line.strip_prefix("elenchus:")?).ok()
}
