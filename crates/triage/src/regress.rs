//! Runs everything that was found on a new build.

mod history;

use crate::error::TriageError;
use crate::predicate::Participant;
use crate::releases::{Probe, State, probe};
use crate::subject::reduced_or;
use case::{Claim, Clause, Predicate};
use history::History;
use serde::{Deserialize, Serialize};
use solver::Target;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use store::Store;

/// A script that shows a bug, and the file that remembers what earlier builds did.
#[derive(Clone, Debug)]
pub struct Regression {
    /// Its name.
    pub name: String,
    /// The script.
    pub script: String,
    /// What it shows.
    pub predicate: Predicate,
    /// The file that remembers what earlier builds did with it.
    pub memory: PathBuf,
}

/// What became of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// The build no longer shows it.
    Fixed,
    /// The build still shows it.
    StillThere,
    /// The build shows it, but an earlier one did not.
    CameBack,
    /// The build neither shows it nor answers correctly.
    Unclear,
}

impl Progress {
    /// A few words for tables.
    pub fn words(self) -> &'static str {
        match self {
            Progress::Fixed => "fixed",
            Progress::StillThere => "still there",
            Progress::CameBack => "came back",
            Progress::Unclear => "unclear",
        }
    }
}

impl Regression {
    /// Runs the script on a build; `None` if its predicate does not mention the solver.
    pub fn check(&self, target: &Target, limits: Limits) -> Result<Option<(Progress, Probe)>, TriageError> {
        let Some(participant) = self.participant(target, limits) else { return Ok(None) };
        let probe = probe(&participant, &self.script, limits)?;
        let mut history = History::read(&self.memory)?;
        let progress = match probe.state {
            State::Unclear => Progress::Unclear,
            state => {
                let was_good = history.record(target, state);
                history.write(&self.memory)?;
                match state {
                    State::Bad if was_good => Progress::CameBack,
                    State::Bad => Progress::StillThere,
                    _ => Progress::Fixed,
                }
            }
        };
        Ok(Some((progress, probe)))
    }

    /// What the predicate claims about the solver, with the build in place of the release that it names.
    fn participant(&self, target: &Target, limits: Limits) -> Option<Participant> {
        let names_solver = |clause: &&Clause| solver_name(&clause.spec) == target.name;
        // Of several clauses, one about a fault comes before one about an answer, which may be right.
        let mut own: Vec<_> = self.predicate.clauses.iter().filter(names_solver).collect();
        own.sort_by_key(|clause| matches!(clause.claim, Claim::Says(_)));
        let clause = own.first()?;
        let participant = Participant::new(clause, target, limits);
        Some(Participant { claim: clause.claim.in_any_release(), ..participant })
    }
}

/// The solver that a user's name for it means: `z3` for `z3@4.8.10` and for `../build/z3`.
fn solver_name(spec: &str) -> &str {
    let file = spec.rsplit('/').next().unwrap_or(spec);
    file.split('@').next().unwrap_or(file)
}

/// The findings of a campaign.
pub fn of_campaign(out: &Path) -> Result<Vec<Regression>, TriageError> {
    let store = Store::open_existing(out)?;
    let mut all = Vec::new();
    for listed in store.findings()? {
        let (finding, case, _) = store.read(&listed)?;
        let folder = out.join(&listed.folder);
        let Some(predicate) = suspects_only(&finding) else { continue };
        let memory = folder.join("regress.json");
        all.push(Regression { name: listed.id, script: reduced_or(&folder, case), predicate, memory });
    }
    Ok(all)
}

/// The claims about the solvers that are wrong. Only these can be fixed.
fn suspects_only(finding: &case::Finding) -> Option<Predicate> {
    let suspects: Vec<_> = finding.suspects().cloned().collect();
    match suspects.is_empty() {
        true => finding.predicate.clone(),
        false => crate::claims::claims(finding.class, &suspects),
    }
}

/// A script whose first line states what it shows.
pub fn of_script(name: String, path: &Path, script: String) -> Option<Regression> {
    let predicate = stated_predicate(&script)?;
    Some(Regression { name, script, predicate, memory: path.with_extension("regress.json") })
}

/// The predicate in the first line of a script, as in `; elenchus: z3@4.8.10 says unsat, cvc5 says sat`.
pub fn stated_predicate(script: &str) -> Option<Predicate> {
    let line = script.lines().next()?.trim_start_matches(';').trim();
    Predicate::parse(line.strip_prefix("elenchus:")?).ok()
}
