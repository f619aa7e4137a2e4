//! `elenchus regress`: runs everything that was found on a new build.

use crate::commands::place::StoreArgs;
use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::time_limit;
use campaign::jobs::{RegressDetail, regress_job};
use campaign::place::Place;
use case::table::align;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use store::Touched;
use triage::SolverSource;
use triage::regress::{Progress, of_folder};

/// Arguments of `elenchus regress`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus regress elenchus-out --solver ./build/z3
  elenchus regress kept-bugs --solver cvc5@latest
  elenchus regress --store postgres://me@host/fuzz --solver z3@latest
  elenchus regress --store postgres://me@host/fuzz --solver z3@latest --queue

DIR is the folder of a campaign, or any folder of scripts whose first line states what they show:
  ; elenchus: z3@4.8.10 says unsat, cvc5 says sat

Only claims about the given solver count, whatever release they name. A bug \"came back\" if an earlier build did not show it: an \
older release, or a build of the same release that was tested before. What each build did is kept beside the script.

Exit code: 0 if no bug is left, 1 if one is still there or came back (with --allow-open: only if one came back), 2 if nothing could \
be run.")]
pub struct RegressArgs {
    /// Folder of a campaign, or of scripts
    #[arg(conflicts_with = "store")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    /// Build to test: NAME, NAME@RELEASE, a path, or a name from the configuration
    #[arg(long, short, value_name = "SOLVER")]
    solver: String,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Do not fail because of bugs that are still there
    #[arg(long)]
    allow_open: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Leave it to the machines that take part in the campaign: put it into the queue of the store
    #[arg(long, conflicts_with_all = ["dir", "json", "allow_open"])]
    queue: bool,
}

/// Runs `elenchus regress`.
pub fn run(args: RegressArgs) -> Outcome {
    if args.queue {
        let timeout = u64::try_from(args.timeout.as_millis()).ok();
        let job = regress_job(&args.solver, &RegressDetail { timeout });
        println!("{}", args.store.open()?.queue(job)?);
        return Ok(Exit::Clean);
    }
    let mut place = match (args.dir, args.store.is_named()) {
        (Some(dir), _) => Place::folder(dir),
        (None, true) => Place::common(args.store.open()?),
        (None, false) => {
            return Err(Failure::new("no campaign and no folder of scripts is named")
                .hint("name the folder of a campaign, or its store with --store"));
        }
    };
    let limits = limits(args.timeout);
    let target = Context::new()?.resolve(&args.solver)?;
    place.begin_work()?;
    let mut checked = Vec::new();
    for regression in of_folder(place.path())? {
        if let Some((progress, probe)) = regression.check(&target, limits)? {
            checked.push((regression.name.clone(), progress, probe.did()));
        }
    }
    let names: Vec<String> = checked.iter().map(|(name, ..)| name.clone()).collect();
    place.push(Touched::Findings(&names))?;
    if checked.is_empty() {
        return Err(Failure::new(format!("nothing in {} is about {}", place.name(), target.name))
            .hint("name the folder of a campaign, or of scripts that begin with `; elenchus: CLAIMS`"));
    }
    let count = |wanted| checked.iter().filter(|(_, progress, _)| *progress == wanted).count();
    let (fixed, open, back) =
        (count(Progress::Fixed), count(Progress::StillThere), count(Progress::CameBack));
    if args.json {
        let list: Vec<_> = checked
            .iter()
            .map(|(name, progress, did)| serde_json::json!({"name": name, "state": progress, "did": did}))
            .collect();
        println!("{}", serde_json::json!({"solver": target.id, "findings": list}));
    } else {
        let row = |(name, progress, did): &(String, Progress, String)| {
            vec![name.clone(), progress.words().to_owned(), did.clone()]
        };
        println!("{}", align(&checked.iter().map(row).collect::<Vec<_>>()).join("\n"));
        println!(
            "{}: {fixed} fixed, {open} still there, {back} came back, {} tested",
            target.id,
            checked.len()
        );
    }
    Ok(if back > 0 || (open > 0 && !args.allow_open) { Exit::Found } else { Exit::Clean })
}
