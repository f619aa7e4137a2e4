//! `elenchus bisect`: which releases are wrong.

use crate::commands::releases::{Probe, name_and_release, probe, releases};
use crate::commands::subject::{Subject, SubjectArgs, places};
use crate::outcome::{Exit, Failure, Outcome};
use crate::view::align;
use clap::Args;
use serde::{Deserialize, Serialize};
use solver::run::Limits;
use std::path::Path;
use triage::bisect::{State, bisect};
use triage::predicate::Established;

/// Arguments of `elenchus bisect`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bisect bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus bisect wrong-unsat-3f9a --all

The releases of the solver that is wrong are installed when they are needed. Halving asks few of them; --all asks all, which
also sees a bug that went away and came back.")]
pub struct BisectArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Look at every release
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known of the releases of one solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Releases {
    /// The solver.
    pub solver: String,
    /// The releases that were looked at, oldest first.
    pub probes: Vec<Probe>,
    /// The first that is wrong.
    pub first_bad: String,
    /// Whether there is no older one to compare with.
    pub since_ever: bool,
    /// The first that is right again; nothing if the newest is not.
    pub first_good: Option<String>,
    /// What the newest release that can be had does.
    pub newest: Option<Probe>,
}

impl Releases {
    /// The row in one sentence.
    pub fn sentence(&self) -> String {
        let since = match self.since_ever {
            true => format!("wrong as far back as {}", self.first_bad),
            false => format!("wrong since {}", self.first_bad),
        };
        match (&self.first_good, &self.newest) {
            (Some(good), _) => format!("{since}, right again since {good}"),
            (None, Some(newest)) if newest.state == "bad" => {
                format!("{since}, and still in the newest, {}", newest.release)
            }
            (None, Some(newest)) => {
                format!(
                    "{since}; it is not clear whether the newest, {}, is right: {}",
                    newest.release, newest.did
                )
            }
            (None, None) => since,
        }
    }
}

/// Runs `elenchus bisect`.
pub fn run(args: BisectArgs) -> Outcome {
    let subject = args.subject.read(true)?;
    let limits = args.subject.limits()?;
    let clauses = subject.clauses()?;
    let established = subject.establish(&clauses, limits)?;
    let found = bisected(&subject, &established, limits, args.all, &mut |probe| {
        if !args.json {
            eprintln!("{:16} {:8} {}", probe.release, probe.state, probe.did);
        }
    })?;
    if let Some((_, _, folder)) = &subject.finding {
        save(folder, &found)?;
    }
    if args.json {
        println!("{}", serde_json::json!(found));
    } else {
        let rows: Vec<Vec<String>> = found
            .probes
            .iter()
            .map(|probe| vec![probe.release.clone(), probe.state.clone(), probe.did.clone()])
            .collect();
        println!("{}\n{}: {}", align(&rows).join("\n"), found.solver, found.sentence());
    }
    Ok(Exit::Clean)
}

/// Keeps the row beside a finding.
pub fn save(folder: &Path, found: &Releases) -> Result<(), Failure> {
    let path = folder.join("releases.json");
    std::fs::write(&path, format!("{:#}\n", serde_json::json!(found)))
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
}

/// The row that was kept beside a finding.
pub fn saved(folder: &Path) -> Option<Releases> {
    serde_json::from_str(&std::fs::read_to_string(folder.join("releases.json")).ok()?).ok()
}

/// Looks at the releases of the solver that is wrong.
pub fn bisected(
    subject: &Subject,
    established: &Established,
    limits: Limits,
    all: bool,
    tell: &mut dyn FnMut(&Probe),
) -> Result<Releases, Failure> {
    let blame = triage::blame(established);
    let suspect = blame.suspects.first().map(|&place| &established.participants[place]);
    let Some((participant, (name, release))) =
        suspect.and_then(|participant| Some((participant, name_and_release(&participant.target)?)))
    else {
        return Err(Failure::new("the solver that is wrong is not a release that can be installed")
            .hint("name it as in z3@4.8.10; `elenchus solver list --available` shows what there is"));
    };
    let places = places()?;
    let (mut labels, trouble) = releases(name, &places);
    if let Some(trouble) = trouble {
        eprintln!("note: {trouble}");
    }
    if !labels.iter().any(|label| label == release) {
        labels.push(release.to_owned());
        labels.sort_by_key(|label| solver::install::Version::parse(label));
    }
    let known = labels.iter().position(|label| label == release).unwrap_or(0);
    let mut probes: Vec<Option<Probe>> = vec![None; labels.len()];
    let did = triage::oracle::describe(&established.seen[blame.suspects[0]]);
    probes[known] =
        Some(Probe { release: format!("{name}@{release}"), state: State::Bad.word().into(), did });
    let row = bisect(labels.len(), known, all, &mut |place| {
        let spec = format!("{name}@{}", labels[place]);
        let (state, did) = probe(participant, &spec, &subject.script, &places, limits)?;
        let seen = Probe { release: spec, state: state.word().to_owned(), did };
        tell(&seen);
        probes[place] = Some(seen);
        Ok::<State, Failure>(state)
    })?;
    let named = |place: usize| format!("{name}@{}", labels[place]);
    Ok(Releases {
        solver: name.to_owned(),
        first_bad: named(row.first_bad),
        since_ever: row.first_bad == 0,
        first_good: row.first_good.map(named),
        newest: probes.last().cloned().flatten(),
        probes: probes.into_iter().flatten().collect(),
    })
}
