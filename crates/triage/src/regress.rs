//! Runs everything that was found on a new build.

mod history;

use crate::automatic::TriagedFinding;
use crate::error::TriageError;
use crate::predicate::Participant;
use crate::releases::{Probe, State, probe};
use crate::subject::{Version, as_asked, reduced_or};
use case::files::{find_scripts, read_text};
use case::{Answer, Claim, Class, Clause, Finding, Predicate};
use history::History;
use serde::{Deserialize, Serialize};
use solver::Target;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use store::{Listed, Store};

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
    /// Runs the script on a build, without remembering what it does; `None` if its predicate does not mention the solver.
    pub fn probe(&self, target: &Target, limits: Limits) -> Result<Option<Probe>, TriageError> {
        let Some(participant) = self.participant(target, limits) else { return Ok(None) };
        Ok(Some(probe(&participant, &self.script, limits)?))
    }

    /// Runs the script on a build, and compares it with earlier builds; `None` if its predicate does not mention the solver.
    pub fn check(&self, target: &Target, limits: Limits) -> Result<Option<(Progress, Probe)>, TriageError> {
        let Some(probe) = self.probe(target, limits)? else { return Ok(None) };
        Ok(Some((self.remember(target, &probe)?, probe)))
    }

    /// Remembers what a build did, and compares it with earlier builds.
    pub fn remember(&self, target: &Target, probe: &Probe) -> Result<Progress, TriageError> {
        if probe.state == State::Unclear {
            return Ok(Progress::Unclear);
        }
        let mut history = History::read(&self.memory)?;
        let was_good = history.record(target, probe.state);
        history.write(&self.memory)?;
        Ok(match probe.state {
            State::Bad if was_good => Progress::CameBack,
            State::Bad => Progress::StillThere,
            _ => Progress::Fixed,
        })
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
        all.extend(of_finding(&store, &listed, Version::Reduced)?);
    }
    Ok(all)
}

/// A finding of a campaign; `None` if no plain run can show it.
pub fn of_finding(
    store: &Store,
    listed: &Listed,
    version: Version,
) -> Result<Option<Regression>, TriageError> {
    let (finding, case, _) = store.read(listed)?;
    let case = as_asked(&finding, case);
    let folder = store.folder().join(&listed.folder);
    let triaged = TriagedFinding::saved(&folder).filter(|_| version == Version::Reduced);
    let predicate = match &triaged {
        // A reduced script need not show what its case shows: it may need no options, or show a worse bug.
        Some(triaged) => Some(accusing(triaged.class, &triaged.predicate)),
        None => suspects_only(&finding),
    };
    let script = match version {
        Version::Reduced => reduced_or(&folder, case),
        Version::Case => case,
    };
    let (name, memory) = (listed.id.clone(), folder.join("regress.json"));
    Ok(predicate.map(|predicate| {
        let predicate = with_solver_names(predicate, &finding);
        Regression { name, script, predicate, memory }
    }))
}

/// The claims about the solvers that are wrong. Only these can be fixed.
fn suspects_only(finding: &Finding) -> Option<Predicate> {
    let suspects: Vec<_> = finding.suspects().cloned().collect();
    match suspects.is_empty() {
        true => finding.predicate.clone(),
        false => crate::claims::claims(finding.class, &finding.evidence, &suspects),
    }
}

/// The claims of a predicate about the solvers that are wrong, by the kind of bug; all of them if it is undecided who is wrong.
fn accusing(class: Class, predicate: &Predicate) -> Predicate {
    let accuses = |clause: &&Clause| match class {
        Class::WrongUnsat => clause.claim.answer() == Some(Answer::Unsat),
        Class::WrongSat => clause.claim.answer() != Some(Answer::Unsat),
        Class::InvalidCore => clause.claim == Claim::WrongCore,
        Class::WrongRewrite
        | Class::WrongValue
        | Class::WrongOptimum
        | Class::WrongConsequence
        | Class::RepeatedModel
        | Class::WrongPrinting => {
            matches!(clause.claim, Claim::Misstates(_))
        }
        Class::Performance => matches!(clause.claim, Claim::Slow(_)),
        Class::Incompleteness => clause.claim.answer() == Some(Answer::Unknown),
        Class::Crash | Class::InvalidModel | Class::InvalidProof => clause.claim.answer().is_none(),
        Class::Contradiction | Class::StateLeak | Class::WrongLabel => true,
    };
    Predicate { clauses: predicate.clauses.iter().filter(accuses).cloned().collect() }
}

/// The predicate with the names of solvers in place of paths that do not tell them, such as `build/new-z3`.
fn with_solver_names(mut predicate: Predicate, finding: &Finding) -> Predicate {
    for clause in &mut predicate.clauses {
        if let Some(run) = finding.runs.iter().find(|run| run.spec == clause.spec)
            && solver_name(&clause.spec) != run.name
        {
            clause.spec = run.name.clone();
        }
    }
    predicate
}

/// The findings of a campaign, or the scripts of a folder that state what they show.
pub fn of_folder(dir: &Path) -> Result<Vec<Regression>, TriageError> {
    match Store::campaign_folder(dir) {
        Some(out) => of_campaign(&out),
        None => Ok(of_scripts(dir)?.into_iter().map(|(regression, _)| regression).collect()),
    }
}

/// The scripts of a folder whose first line states what they show, with their files.
pub fn of_scripts(dir: &Path) -> Result<Vec<(Regression, PathBuf)>, TriageError> {
    let mut all = Vec::new();
    for path in find_scripts(&[dir.to_owned()])? {
        let script = read_text(&path)?;
        let Some(predicate) = stated_predicate(&script) else { continue };
        let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
        let memory = path.with_extension("regress.json");
        all.push((Regression { name, script, predicate, memory }, path));
    }
    Ok(all)
}

/// The predicate in the first line of a script, as in `; elenchus: z3@4.8.10 says unsat, cvc5 says sat`.
pub fn stated_predicate(script: &str) -> Option<Predicate> {
    let line = script.lines().next()?.trim_start_matches(';').trim();
    Predicate::parse(line.strip_prefix("elenchus:")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_claims_about_wrong_solvers_are_kept() {
        let table = [
            (Class::WrongUnsat, "z3@1 says sat, z3@2 says unsat, cvc5 says sat", "z3@2 says unsat"),
            (Class::WrongSat, "z3@1 says sat, cvc5 says unsat", "z3@1 says sat"),
            (Class::WrongSat, "z3@1 gives a wrong model, cvc5 says unsat", "z3@1 gives a wrong model"),
            (Class::Crash, "cvc5 says sat, z3@1 crashes", "z3@1 crashes"),
            (Class::InvalidModel, "z3@1 finds its model wrong", "z3@1 finds its model wrong"),
            (Class::InvalidCore, "z3@1 gives a wrong core, cvc5 satisfies it", "z3@1 gives a wrong core"),
            (Class::Performance, "z3@1 is slow, cvc5 is fast", "z3@1 is slow"),
            (Class::Incompleteness, "z3@1 says unknown, cvc5 says sat", "z3@1 says unknown"),
            (Class::Contradiction, "z3@1 says unsat, cvc5 says sat", "z3@1 says unsat, cvc5 says sat"),
        ];
        for (class, predicate, expected) in table {
            let predicate = Predicate::parse(predicate).unwrap();
            assert_eq!(accusing(class, &predicate).to_string(), expected, "{class}: {predicate}");
        }
    }
}
