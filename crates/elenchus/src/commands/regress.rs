//! `elenchus regress`: all that was found, on a new build.

use crate::commands::cluster::claims_in;
use crate::commands::fuzz::{resolve, store_failure};
use crate::commands::model::read_text;
use crate::commands::releases::look;
use crate::commands::subject::{claims_of, places};
use crate::files::find_scripts;
use crate::outcome::{Exit, Failure, Outcome};
use crate::view::align;
use clap::Args;
use solver::Target;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Store;
use triage::bisect::State;
use triage::predicate::{Claim, Participant, Predicate};

/// Arguments of `elenchus regress`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus regress elenchus-out --solver ./build/z3
  elenchus regress kept-bugs --solver cvc5@latest

DIR is the folder of a campaign, or any folder with scripts whose first line says what they show:
  ; elenchus: z3@4.8.10 says unsat, cvc5 says sat

Only the claims about the given solver are looked at, whatever release they name. What was right the last time and is wrong
now came back.

Exit code: 0 if nothing shows any more, 1 if something still shows or came back (with --allow-open: only if something came
back), 2 if nothing could be run.")]
pub struct RegressArgs {
    /// The folder
    dir: PathBuf,
    /// The new build: NAME, NAME@RELEASE, a path, or a name from the configuration
    #[arg(long, short, value_name = "SOLVER")]
    solver: String,
    /// Time limit for each run in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    timeout: f64,
    /// What has shown all the time is no failure
    #[arg(long)]
    allow_open: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A kept finding: its name, script, claims and the file that remembers how it was the last time.
struct Kept {
    name: String,
    script: String,
    predicate: Predicate,
    memory: PathBuf,
}

/// Runs `elenchus regress`.
pub fn run(args: RegressArgs) -> Outcome {
    let wall = Duration::try_from_secs_f64(args.timeout)
        .ok()
        .filter(|wall| !wall.is_zero())
        .ok_or_else(|| Failure::new(format!("{} is not a time limit", args.timeout)).hint("give seconds"))?;
    let limits = Limits { wall, ..Limits::default() };
    let target = resolve(&args.solver, &places()?)?;
    let kept = if args.dir.join("elenchus.db").is_file() {
        from_campaign(&args.dir)?
    } else {
        from_files(&args.dir)?
    };
    let mut rows: Vec<[String; 3]> = Vec::new();
    let (mut open, mut back) = (0, 0);
    for one in &kept {
        let Some(participant) = part_of(one, &target, limits) else { continue };
        let (state, did) = look(&participant, &one.script, limits)?;
        let before = std::fs::read_to_string(&one.memory).unwrap_or_default();
        let was_good = before.trim() == State::Good.word();
        let word = match state {
            State::Bad if was_good => "came back",
            State::Bad => "still there",
            State::Good => "fixed",
            State::Unclear => "unclear",
        };
        open += usize::from(word == "still there");
        back += usize::from(word == "came back");
        if state != State::Unclear {
            std::fs::write(&one.memory, state.word()).map_err(|error| {
                Failure::new(format!("{} cannot be written: {error}", one.memory.display()))
            })?;
        }
        rows.push([one.name.clone(), word.to_owned(), did]);
    }
    if rows.is_empty() {
        return Err(Failure::new(format!("{} holds nothing about {}", args.dir.display(), target.name))
            .hint("give the folder of a campaign, or scripts that begin with `; elenchus: CLAIMS`"));
    }
    if args.json {
        let list: Vec<_> = rows
            .iter()
            .map(|[name, state, did]| serde_json::json!({"name": name, "state": state, "did": did}))
            .collect();
        println!("{}", serde_json::json!({"solver": target.id, "findings": list}));
    } else {
        let table: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
        println!("{}", align(&table).join("\n"));
        let fixed = rows.iter().filter(|row| row[1] == "fixed").count();
        println!(
            "{}: {fixed} fixed, {open} still there, {back} came back, {} looked at",
            target.id,
            rows.len()
        );
    }
    Ok(if back > 0 || (open > 0 && !args.allow_open) { Exit::Found } else { Exit::Clean })
}

/// What a finding says of the solver, with the given build in the place of the release that it names.
fn part_of(kept: &Kept, target: &Target, limits: Limits) -> Option<Participant> {
    let of_solver = |clause: &&triage::predicate::Clause| {
        let named = clause.spec.rsplit('/').next().unwrap_or(&clause.spec);
        named.split('@').next() == Some(target.name.as_str())
    };
    // Of several, the wrong one comes first: a right answer is no claim to look for.
    let mut own: Vec<_> = kept.predicate.clauses.iter().filter(of_solver).collect();
    own.sort_by_key(|clause| matches!(clause.claim, Claim::Says(_)));
    let clause = own.first()?;
    Some(Participant {
        target: target.clone(),
        options: clause.options.clone(),
        claim: clause.claim.in_any_release(),
        limits,
    })
}

fn from_campaign(dir: &Path) -> Result<Vec<Kept>, Failure> {
    let store = Store::look(dir).map_err(store_failure)?;
    let mut kept = Vec::new();
    for listed in store.findings().map_err(store_failure)? {
        let (mut finding, case, _) = store.read(&listed).map_err(store_failure)?;
        let folder = dir.join(&listed.folder);
        let script = std::fs::read_to_string(folder.join("reduced.smt2")).unwrap_or(case);
        // Only what the wrong ones say can be fixed.
        if finding.targets.iter().any(|target| target.suspect) {
            finding.targets.retain(|target| target.suspect);
        }
        if let Some(predicate) = claims_of(&finding) {
            kept.push(Kept { name: listed.id, script, predicate, memory: folder.join("regress.txt") });
        }
    }
    Ok(kept)
}

fn from_files(dir: &Path) -> Result<Vec<Kept>, Failure> {
    let mut kept = Vec::new();
    for path in find_scripts(&[dir.to_owned()])? {
        let script = read_text(&path)?;
        if let Some(predicate) = claims_in(&script) {
            let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
            kept.push(Kept { name, script, predicate, memory: path.with_extension("regress.txt") });
        }
    }
    Ok(kept)
}
