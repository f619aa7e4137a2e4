//! `elenchus cluster`: which of many scripts likely show one bug.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::files::{Progress, find_scripts, in_parallel, read_text};
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::cluster::{Facts, clusters};
use triage::regress::stated_predicate;
use triage::releases::{Effort, bisect};
use triage::{Subject, functions_of, reduce_for};

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
    let limits = limits(args.timeout)?;
    let context = Context::new()?;
    let scripts = find_scripts(&args.files)?;
    let mut progress = Progress::new(scripts.len());
    let mut facts: Vec<Facts> = Vec::new();
    let mut left_out: Vec<(String, String)> = Vec::new();
    in_parallel(
        &scripts,
        |path| facts_of(path, &args, limits, &context),
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
        let group = |members: &Vec<usize>| {
            let names: Vec<&str> = members.iter().map(|&index| facts[index].name.as_str()).collect();
            serde_json::json!({ "signature": facts[members[0]].signature(), "scripts": names })
        };
        let list: Vec<_> = groups.iter().map(group).collect();
        println!("{}", serde_json::json!({ "clusters": list, "left_out": left_out, "facts": facts }));
    } else {
        for (number, members) in groups.iter().enumerate() {
            println!("{}. {}", number + 1, facts[members[0]].signature());
            members.iter().for_each(|&index| println!("   {}", facts[index].name));
        }
        println!("{} scripts, {} clusters, {} left out", facts.len(), groups.len(), left_out.len());
        left_out.iter().for_each(|(name, why)| eprintln!("{name}: {why}"));
    }
    Ok(Exit::Clean)
}

/// The facts of one script, after a short reduction.
fn facts_of(path: &Path, args: &ClusterArgs, limits: Limits, context: &Context) -> Result<Facts, Failure> {
    let script = read_text(path)?;
    let predicate = stated_predicate(&script).ok_or_else(|| {
        Failure::new("the script does not say what it shows").hint("begin it with `; elenchus: CLAIMS`")
    })?;
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut subject = Subject::of_script(script, predicate, name.clone());
    let clauses = subject.clauses(context)?;
    let mut established = subject.establish(&clauses, limits)?;
    if args.reduce > 0.0 {
        subject.script = reduce_for(&subject.script, &established, seconds(args.reduce)?)?;
        established = subject.establish(&clauses, limits)?;
    }
    let releases = match args.no_bisect {
        true => None,
        false => Some(bisect(&subject.script, &established, limits, Effort::Bisect, context, &mut |_| {})?),
    };
    let mut facts =
        Facts::of_established(&name, &subject.script, &established).with_releases(releases.as_ref());
    if !args.no_functions && facts.needs_functions() {
        // Where coverage cannot be measured, the operators must do.
        facts.functions =
            functions_of(&subject, &established).map(|found| found.functions).unwrap_or_default();
    }
    Ok(facts)
}

fn seconds(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::new(format!("{seconds} is not a time limit")).hint("give seconds, such as 2.5"))
}
