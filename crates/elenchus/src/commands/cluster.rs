//! `elenchus cluster`: groups scripts that probably show the same bug.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::files::{Progress, find_scripts, in_parallel, read_text};
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::{duration, time_limit};
use case::table::counted;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use triage::cluster::{Facts, FactsSettings, clusters};

/// Arguments of `elenchus cluster`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus cluster kept-bugs
  elenchus cluster kept-bugs --reduce 0 --no-bisect      faster, less precise

The first line of every script states what it shows:
  ; elenchus: z3@4.8.10 says unsat, cvc5 says sat

Every script is first reduced, and its releases are bisected. Crashes with the same message form a group. So do wrong answers of the \
same class that appear and disappear with the same releases, if they share most operators, or the solver's functions that only \
the failing script reaches.")]
pub struct ClusterArgs {
    /// Scripts, or folders with .smt2 files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Time limit for reducing each script, such as 10s or 1m; 0 to skip the reduction
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = duration)]
    reduce: Duration,
    /// Do not test other releases
    #[arg(long)]
    no_bisect: bool,
    /// Do not compare the functions that the solver reaches
    #[arg(long)]
    no_functions: bool,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus cluster`.
pub fn run(args: ClusterArgs) -> Outcome {
    let settings = FactsSettings {
        limits: limits(args.timeout),
        reduce: args.reduce,
        bisect: !args.no_bisect,
        functions: !args.no_functions,
    };
    let context = Context::new()?;
    let scripts = find_scripts(&args.files)?;
    let mut progress = Progress::new(scripts.len());
    let mut facts: Vec<Facts> = Vec::new();
    let mut left_out: Vec<(String, String)> = Vec::new();
    in_parallel(
        &scripts,
        |path| -> Result<Facts, Failure> {
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok(Facts::of_script(name, read_text(path)?, &settings, &context)?)
        },
        |path, found| {
            progress.step();
            match found {
                Ok(found) => facts.push(found),
                Err(failure) => {
                    let why = failure.message.lines().next().unwrap_or_default().to_owned();
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
        println!(
            "{} in {}, {} skipped",
            counted(facts.len(), "script"),
            counted(groups.len(), "cluster"),
            left_out.len()
        );
        left_out.iter().for_each(|(name, why)| eprintln!("{name}: {why}"));
    }
    Ok(Exit::Clean)
}
