//! Where in a solver a bug may be: the functions that the failing script reaches, but its nearest passing neighbour does not.

use crate::blame::blame;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, run_result};
use crate::predicate::{AskModel, Established, Participant};
use crate::subject::Subject;
use case::hash::fnv1a;
use case::{Answer, Claim, Outcome, ParticipantIndex, RunResult};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverError, Coverage, Names, Steady, watch};
use solver::run::RunSettings;
use solver::{Observation, RunError, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most neighbours that are run.
const NEIGHBOURS: usize = 48;
/// The time for all neighbours. A slow script is compared with fewer of them.
const TIME: Duration = Duration::from_secs(10);

/// What distinguishes a failing script from its nearest passing neighbour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistinguishingFunctions {
    /// The solver's functions that only the failing script reaches.
    pub functions: BTreeSet<String>,
    /// The neighbour.
    pub neighbour: String,
    /// What the solver does with it.
    pub result: RunResult,
}

/// Why the functions are unknown.
#[derive(Debug, thiserror::Error)]
pub enum NoDistinguishingFunctions {
    /// For such a finding, the functions that are reached do not depend on the bug.
    #[error("functions say nothing about findings of this kind")]
    Kind,
    /// Coverage of the solver cannot be measured.
    #[error("{0}")]
    Cover(CoverError),
    /// A solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The script does not show the bug while coverage is measured.
    #[error("the bug does not show while coverage is measured: {0}")]
    NotShown(RunResult),
    /// No neighbour passes and reaches less.
    #[error("no neighbour of the script passes and reaches less")]
    NoNeighbour,
    /// The functions have no names to compare.
    #[error("the functions have no names")]
    NoNames,
}

/// The file in the folder of a finding.
const FILE: &str = "functions.json";

/// The content of the file. If the finding is reduced later, its script changes and the functions are searched for again.
#[derive(Serialize, Deserialize)]
struct Saved {
    script: u64,
    #[serde(flatten)]
    found: DistinguishingFunctions,
}

/// The functions that were saved for this very script in the folder of its finding.
pub fn saved_functions(folder: &Path, script: &str) -> Option<DistinguishingFunctions> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    let saved: Saved = serde_json::from_str(&text).ok()?;
    (saved.script == fnv1a(script)).then_some(saved.found)
}

/// The functions for a subject: from the folder of its finding, or by running solvers.
pub fn functions_of(
    subject: &Subject,
    established: &Established,
) -> Result<DistinguishingFunctions, NoDistinguishingFunctions> {
    if let Some(found) = subject.folder().and_then(|folder| saved_functions(folder, &subject.script)) {
        return Ok(found);
    }
    let found = distinguishing_functions(&subject.script, established)?;
    if let Some(folder) = subject.folder() {
        let saved = Saved { script: fnv1a(&subject.script), found: found.clone() };
        // If this fails, the functions are searched for again next time.
        let _ = std::fs::write(folder.join(FILE), format!("{:#}\n", serde_json::json!(saved)));
    }
    Ok(found)
}

/// Finds the nearest passing neighbour and the functions that it does not reach.
pub fn distinguishing_functions(
    script: &str,
    established: &Established,
) -> Result<DistinguishingFunctions, NoDistinguishingFunctions> {
    let suspect_index = blame(established).first_suspect();
    let suspect = established.participant(suspect_index).clone();
    let suspect = Participant { claim: suspect.claim.in_any_release(), ..suspect };
    // If the solver's own check fails, only the failing script reaches the code that reports it. If the solver is slow or prints a
    // wrong core, no function in particular is to blame.
    if !matches!(suspect.claim, Claim::Says(_) | Claim::Crashes(_) | Claim::WrongModel) {
        return Err(NoDistinguishingFunctions::Kind);
    }
    let settings = RunSettings { skip_self_test: true, ..RunSettings::default() };
    let mut watched =
        watch(&suspect.target, RunMode::Fork, &settings).map_err(NoDistinguishingFunctions::Cover)?;
    let (wrong, mut failing) = run_watched(&mut *watched, &suspect, script)?;
    if !(0..wrong.answers.len().max(1)).any(|check| suspect.shows(&wrong, check)) {
        return Err(NoDistinguishingFunctions::NotShown(run_result(&wrong)));
    }
    failing.add(&run_watched(&mut *watched, &suspect, script)?.1);
    let mut others = Vec::new();
    for index in ParticipantIndex::all(established.participants.len()).filter(|other| *other != suspect_index)
    {
        let participant = established.participant(index);
        others.push((participant, runner(&participant.target, RunMode::Fork, &settings)?));
    }
    let until = Instant::now() + TIME;
    let mut passing: Vec<Passing> = Vec::new();
    for neighbour in reduce::neighbours(script, NEIGHBOURS) {
        if Instant::now() >= until {
            break;
        }
        let (seen, mut reached) = run_watched(&mut *watched, &suspect, &neighbour)?;
        if passes(&suspect, &neighbour, &seen, &mut others)? {
            reached.add(&run_watched(&mut *watched, &suspect, &neighbour)?.1);
            let same_answers = seen.answers == wrong.answers;
            passing.push(Passing { script: neighbour, result: run_result(&seen), same_answers, reached });
        }
    }
    let nearest = &passing[nearest(&failing, &passing).ok_or(NoDistinguishingFunctions::NoNeighbour)?];
    let functions = Names::of(&*watched).list(&failing.beyond(&nearest.reached));
    if functions.is_empty() {
        return Err(NoDistinguishingFunctions::NoNames);
    }
    Ok(DistinguishingFunctions {
        functions,
        neighbour: nearest.script.clone(),
        result: nearest.result.clone(),
    })
}

/// A neighbour that passes.
struct Passing {
    script: String,
    /// What the solver does with it.
    result: RunResult,
    /// Whether it gives the answers that are wrong for the script.
    same_answers: bool,
    reached: Steady,
}

/// Runs a script on the suspect, with the options and limits that showed the bug.
fn run_watched(
    watched: &mut dyn Coverage,
    suspect: &Participant,
    script: &str,
) -> Result<(Observation, Steady), RunError> {
    let request = RunRequest::new(script)
        .options(&suspect.options)
        .limits(suspect.limits)
        .want(suspect.want(AskModel::IfClaimed));
    let (seen, reached) = watched.run(&request)?;
    Ok((seen, Steady::new(reached)))
}

/// Whether the solver handles a script correctly.
fn passes(
    suspect: &Participant,
    script: &str,
    seen: &Observation,
    others: &mut [(&Participant, Box<dyn Runner>)],
) -> Result<bool, RunError> {
    if seen.outcome != Outcome::Answered || seen.answers.is_empty() {
        return Ok(false);
    }
    match &suspect.claim {
        Claim::Says(_) => {
            let mut said = Vec::with_capacity(others.len());
            for (participant, runner) in others {
                let script = participant.script(script);
                let request =
                    RunRequest::new(&script).options(&participant.options).limits(participant.limits);
                let other = runner.run(&request)?;
                said.push(if other.outcome == Outcome::Answered { other.answers } else { Vec::new() });
            }
            Ok(is_right(&suspect.claim, &seen.answers, &said))
        }
        Claim::WrongModel => Ok(match (seen.answer(), seen.model()) {
            (Some(Answer::Unsat), _) => true,
            (_, Some(model)) => Evaluated::default().opinion(script, model) == ModelOpinion::Confirmed,
            _ => false,
        }),
        _ => Ok(true),
    }
}

/// Whether all solvers decide every check and agree. A solver without another to compare with is known to be right only if it no
/// longer gives the answer that it is blamed for.
fn is_right(blamed: &Claim, answers: &[Answer], others: &[Vec<Answer>]) -> bool {
    let repeats = |&answer: &Answer| *blamed == Claim::Says(answer);
    answers.iter().copied().all(Answer::is_decided)
        && if others.is_empty() {
            !answers.iter().any(repeats)
        } else {
            others.iter().all(|other| *other == answers)
        }
}

/// The neighbour that misses the fewest functions of the failing script, but at least one; of several, the one that differs least.
/// Neighbours with the same answers come first: what a solver does after an answer, such as building a model, has nothing to do
/// with how it found the answer.
fn nearest(failing: &Steady, passing: &[Passing]) -> Option<usize> {
    let distance = |index: &usize| {
        let neighbour = &passing[*index];
        let beyond = failing.beyond(&neighbour.reached).count();
        (!neighbour.same_answers, beyond, beyond + neighbour.reached.beyond(failing).count())
    };
    (0..passing.len()).filter(|index| distance(index).1 > 0).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::coverage::Reached;

    #[test]
    fn an_answer_is_right_if_all_agree() {
        use Answer::{Missing, Sat, Unknown, Unsat};
        // The answers of the solver, those of others, and whether the solver is right.
        type Row = (&'static [Answer], &'static [&'static [Answer]], bool);
        let table: [Row; 8] = [
            (&[Sat], &[&[Sat]], true),
            (&[Unsat], &[&[Unsat], &[Unsat]], true),
            (&[Unsat], &[&[Sat]], false),
            (&[Unsat], &[&[]], false),
            (&[Unknown], &[&[Unknown]], false),
            (&[Sat], &[], true),
            (&[Sat, Unsat], &[], false),
            (&[Missing], &[], false),
        ];
        for (answers, others, expected) in table {
            let others: Vec<Vec<Answer>> = others.iter().map(|other| other.to_vec()).collect();
            assert_eq!(is_right(&Claim::Says(Unsat), answers, &others), expected, "{answers:?} {others:?}");
        }
    }

    #[test]
    fn the_nearest_reaches_most_functions_but_not_all() {
        let reached = |bytes: &[u8]| Steady::new(Reached::from_bytes(bytes));
        let failing = reached(&[1, 1, 1, 1, 0, 0]);
        // What neighbours reach, and whether their answers are those of the failing script.
        type Neighbours = &'static [(&'static [u8], bool)];
        let table: [(Neighbours, Option<usize>); 6] = [
            (
                &[(&[1, 0, 0, 0, 0, 0], true), (&[1, 1, 1, 0, 0, 0], true), (&[1, 1, 0, 0, 0, 0], true)],
                Some(1),
            ),
            // A neighbour that reaches everything distinguishes nothing.
            (&[(&[1, 1, 1, 1, 1, 0], true), (&[1, 1, 0, 0, 0, 0], true)], Some(1)),
            (&[(&[1, 1, 1, 1, 1, 0], true)], None),
            // Of two that miss as many, the one that reaches fewer others.
            (&[(&[1, 1, 1, 0, 1, 1], true), (&[1, 1, 0, 1, 0, 0], true)], Some(1)),
            (&[(&[1, 1, 1, 0, 0, 0], false), (&[1, 0, 0, 0, 0, 0], true)], Some(1)),
            (&[], None),
        ];
        for (neighbours, expected) in table {
            let passing: Vec<Passing> = neighbours
                .iter()
                .map(|&(bytes, same_answers)| Passing {
                    script: String::new(),
                    result: RunResult { outcome: Outcome::Answered, answers: Vec::new() },
                    same_answers,
                    reached: reached(bytes),
                })
                .collect();
            assert_eq!(nearest(&failing, &passing), expected, "{neighbours:?}");
        }
    }
}
