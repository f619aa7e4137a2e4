//! `elenchus known`: findings that have been reported already.

use crate::commands::facts::{facts_of, stored_facts};
use crate::commands::fuzz::resolve;
use crate::commands::releases::look;
use crate::commands::subject::{SubjectArgs, places};
use crate::outcome::{Exit, Failure, Outcome};
use campaign::{Event, Listener};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use solver::install::Version;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Listed;
use triage::bisect::State;
use triage::cluster::Facts;
use triage::predicate::{Participant, Predicate};

/// The file of the list, in the current folder.
pub const FILE: &str = "elenchus-known.json";

/// Arguments of `elenchus known`.
#[derive(Args)]
#[command(
    after_help = "The list stands in elenchus-known.json. `elenchus fuzz` does not tell of what is on it, and it does not count for the
exit code; `elenchus findings` shows the link. An entry is in force up to the release that no longer shows it, which
`elenchus known check` finds out: from there on the same signature is news."
)]
pub struct KnownArgs {
    #[command(subcommand)]
    action: Action,
    /// The file of the list
    #[arg(long, global = true, value_name = "FILE", default_value = FILE)]
    list: PathBuf,
}

#[derive(Subcommand)]
enum Action {
    /// Put a finding, or a script with --keep, on the list
    Add {
        #[command(flatten)]
        subject: SubjectArgs,
        /// Where it was reported
        #[arg(long, value_name = "URL")]
        link: String,
    },
    /// Show the list
    List,
    /// Take an entry off the list
    Remove {
        /// Its number in the list
        number: usize,
    },
    /// Run what is on the list on a release, and note what it no longer shows
    Check {
        /// The release
        #[arg(long, short, value_name = "SOLVER")]
        solver: String,
        /// Time limit for each run in seconds
        #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
        timeout: f64,
    },
}

/// Something that was reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The signature of the finding.
    pub signature: String,
    /// Where it was reported.
    pub link: String,
    /// What the script shows.
    pub claims: String,
    /// The first release that no longer shows it.
    pub fixed_in: Option<String>,
    /// What it is compared by.
    pub facts: Facts,
    /// The script.
    pub script: String,
}

/// The list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Its entries.
    pub entries: Vec<Entry>,
}

impl Known {
    /// Reads the list; no file is an empty list.
    pub fn read(path: &Path) -> Result<Known, Failure> {
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                Failure::new(format!("{} is not a list of known findings: {error}", path.display()))
                    .hint("correct or move the file, or name another with --list")
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Known::default()),
            Err(error) => Err(Failure::new(format!("{} cannot be read: {error}", path.display()))),
        }
    }

    fn write(&self, path: &Path) -> Result<(), Failure> {
        std::fs::write(path, format!("{:#}\n", serde_json::json!(self)))
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
    }

    /// The entry that a finding repeats, by its signature.
    pub fn repeats(&self, listed: &Listed) -> Option<&Entry> {
        let in_force = |entry: &&Entry| entry.in_force(&listed.targets);
        self.entries.iter().filter(in_force).find(|entry| entry.signature == listed.signature)
    }

    /// The entry that a finding repeats, by its signature or by everything that is known of it.
    pub fn likely_repeats(&self, listed: &Listed, facts: &[Facts]) -> Option<&Entry> {
        self.repeats(listed).or_else(|| {
            let own = facts.iter().find(|facts| facts.name == listed.id)?;
            // Without releases two wrong answers with the same operators may still be two bugs.
            let comparable =
                |entry: &&Entry| !own.crash.is_empty() || entry.facts.releases.0 == own.releases.0;
            let in_force = |entry: &&Entry| entry.in_force(&listed.targets);
            self.entries.iter().filter(in_force).filter(comparable).find(|entry| entry.facts.same(own))
        })
    }
}

impl Entry {
    /// Whether the entry speaks of one of these solvers: those from the fixing release on show something new.
    fn in_force(&self, targets: &[String]) -> bool {
        let Some(fixed) = self.fixed_in.as_deref().and_then(Version::parse) else { return true };
        let mut own = targets.iter().filter_map(|target| {
            let (name, release) = target.split_once('@')?;
            (name == self.facts.solver).then(|| Version::parse(release))?
        });
        own.any(|release| release < fixed)
    }
}

/// Hears of everything but of what is known.
pub struct Unknown<'a> {
    /// The list.
    pub known: &'a Known,
    /// Who is told the rest.
    pub listener: &'a mut dyn Listener,
}

impl Listener for Unknown<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Found(listed) if self.known.repeats(listed).is_some() => {}
            event => self.listener.event(event),
        }
    }
}

/// Runs `elenchus known`.
pub fn run(args: KnownArgs) -> Outcome {
    let mut known = Known::read(&args.list)?;
    match args.action {
        Action::Add { subject, link } => {
            let entry = entry(&subject, link)?;
            println!("{} is known as {}", entry.signature, entry.link);
            known.entries.retain(|other| other.signature != entry.signature);
            known.entries.push(entry);
            known.write(&args.list)?;
        }
        Action::List => {
            for (number, entry) in known.entries.iter().enumerate() {
                let fixed =
                    entry.fixed_in.as_ref().map_or(String::new(), |release| format!(", fixed in {release}"));
                println!("{}. {} ({}){fixed}", number + 1, entry.signature, entry.link);
            }
        }
        Action::Remove { number } => {
            if number == 0 || number > known.entries.len() {
                return Err(
                    Failure::new(format!("there is no entry {number}")).hint("see `elenchus known list`")
                );
            }
            known.entries.remove(number - 1);
            known.write(&args.list)?;
        }
        Action::Check { solver, timeout } => {
            check(&mut known, &solver, timeout)?;
            known.write(&args.list)?;
        }
    }
    Ok(Exit::Clean)
}

fn entry(args: &SubjectArgs, link: String) -> Result<Entry, Failure> {
    let subject = args.read(true)?;
    let clauses = subject.clauses()?;
    let established = subject.establish(&clauses, args.limits()?)?;
    let stored = stored_facts(&args.out).into_iter().find(|facts| facts.name == subject.origin);
    let facts = stored.unwrap_or_else(|| facts_of(&subject.origin, &subject.script, &established, None));
    let signature = match &subject.finding {
        Some((listed, _, _)) => listed.signature.clone(),
        None => facts.signature(),
    };
    let blame = triage::blame(&established);
    // Only what the wrong ones do tells whether it is fixed.
    let wrong =
        blame.suspects.iter().filter_map(|&place| subject.predicate.clauses.get(place).cloned()).collect();
    let claims = Predicate { clauses: wrong }.to_string();
    Ok(Entry { signature, link, claims, fixed_in: None, facts, script: subject.script })
}

fn check(known: &mut Known, solver: &str, timeout: f64) -> Result<(), Failure> {
    let target = resolve(solver, &places()?)?;
    let wall = Duration::try_from_secs_f64(timeout)
        .map_err(|_| Failure::new(format!("{timeout} is not a time limit")).hint("give seconds"))?;
    let limits = Limits { wall, ..Limits::default() };
    for entry in known.entries.iter_mut().filter(|entry| entry.facts.solver == target.name) {
        let Ok(predicate) = Predicate::parse(&entry.claims) else { continue };
        let Some(clause) = predicate.clauses.first() else { continue };
        let participant = Participant {
            target: target.clone(),
            options: clause.options.clone(),
            claim: clause.claim.clone(),
            limits,
        };
        let (state, did) = look(&participant, &entry.script, limits)?;
        println!("{}: {} ({did})", entry.link, state.word());
        match state {
            State::Good if entry.fixed_in.is_none() => entry.fixed_in = Some(target.version.clone()),
            State::Bad => entry.fixed_in = None,
            _ => {}
        }
    }
    Ok(())
}
