//! Where in a solver a bug may be: the functions that a script which shows it reaches, and its nearest neighbour that passes does
//! not.

use crate::blame;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, describe};
use crate::predicate::{Claim, Established, Participant};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverError, Coverage, Names, Steady, watch};
use solver::run::RunSettings;
use solver::{Answer, Observation, Outcome, RunError, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

/// How many neighbours are run.
const NEIGHBOURS: usize = 48;
/// How long they may take together. A script that takes long is compared with fewer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What tells a script that shows a bug from its nearest neighbour that passes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistinguishingFunctions {
    /// The functions of the solver that only the script reaches.
    pub functions: BTreeSet<String>,
    /// The neighbour.
    pub neighbour: String,
    /// What the solver does with it.
    pub does: String,
}

/// Why nothing is known of that.
#[derive(Debug)]
pub enum NoDistinguishingFunctions {
    /// What findings of this kind reach has nothing to do with what is wrong.
    Kind,
    /// The solver's functions cannot be watched.
    Cover(CoverError),
    /// A solver cannot be run.
    Run(RunError),
    /// The script does not show the bug while functions are watched.
    NotShown(String),
    /// No neighbour passes and reaches less.
    NoNeighbour,
    /// The functions have no names that could be compared.
    NoNames,
}

impl fmt::Display for NoDistinguishingFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDistinguishingFunctions::Kind => {
                f.write_str("functions tell nothing about findings of this kind")
            }
            NoDistinguishingFunctions::Cover(error) => write!(f, "{error}"),
            NoDistinguishingFunctions::Run(error) => write!(f, "{error}"),
            NoDistinguishingFunctions::NotShown(did) => {
                write!(f, "the bug does not show while functions are watched: {did}")
            }
            NoDistinguishingFunctions::NoNeighbour => {
                f.write_str("no neighbour of the script passes and reaches less")
            }
            NoDistinguishingFunctions::NoNames => f.write_str("the functions have no names"),
        }
    }
}

impl From<RunError> for NoDistinguishingFunctions {
    fn from(error: RunError) -> NoDistinguishingFunctions {
        NoDistinguishingFunctions::Run(error)
    }
}

/// Finds the nearest neighbour that passes, and the functions that it does not reach.
pub fn distinguishing_functions(
    script: &str,
    established: &Established,
) -> Result<DistinguishingFunctions, NoDistinguishingFunctions> {
    let place = *blame(established).suspects.first().unwrap_or(&0);
    let suspect = Participant {
        claim: established.participants[place].claim.in_any_release(),
        ..established.participants[place].clone()
    };
    // What only the failing script reaches is the complaint itself where the solver's own check finds something wrong, and
    // nothing in particular where it is slow or prints a wrong core.
    if !matches!(suspect.claim, Claim::Says(_) | Claim::Crashes(_) | Claim::WrongModel) {
        return Err(NoDistinguishingFunctions::Kind);
    }
    let settings = RunSettings { untried: true, ..RunSettings::default() };
    let mut watched =
        watch(&suspect.target, RunMode::Fork, &settings).map_err(NoDistinguishingFunctions::Cover)?;
    let (wrong, mut failing) = run_watched(&mut *watched, &suspect, script)?;
    if !(0..wrong.answers.len().max(1)).any(|index| suspect.shows(&wrong, index)) {
        return Err(NoDistinguishingFunctions::NotShown(describe(&wrong)));
    }
    failing.add(&run_watched(&mut *watched, &suspect, script)?.1);
    let mut others = Vec::new();
    for (_, participant) in established.participants.iter().enumerate().filter(|(other, _)| *other != place) {
        others.push((participant, runner(&participant.target, RunMode::Fork, &settings)?));
    }
    let until = Instant::now() + PATIENCE;
    let mut passing: Vec<Passing> = Vec::new();
    for neighbour in reduce::neighbours(script, NEIGHBOURS) {
        if Instant::now() >= until {
            break;
        }
        let (seen, mut reached) = run_watched(&mut *watched, &suspect, &neighbour)?;
        if passes(&suspect, &neighbour, &seen, &mut others)? {
            reached.add(&run_watched(&mut *watched, &suspect, &neighbour)?.1);
            let same_answers = seen.answers == wrong.answers;
            passing.push(Passing { script: neighbour, does: describe(&seen), same_answers, reached });
        }
    }
    let nearest = &passing[nearest(&failing, &passing).ok_or(NoDistinguishingFunctions::NoNeighbour)?];
    let functions = Names::of(&*watched).list(&failing.beyond(&nearest.reached));
    if functions.is_empty() {
        return Err(NoDistinguishingFunctions::NoNames);
    }
    Ok(DistinguishingFunctions { functions, neighbour: nearest.script.clone(), does: nearest.does.clone() })
}

/// A neighbour that passes.
struct Passing {
    script: String,
    /// What the solver does with it.
    does: String,
    /// Whether it gives the answers that are wrong for the script.
    same_answers: bool,
    reached: Steady,
}

/// Runs a script on the solver that is wrong, as it was run when it was.
fn run_watched(
    watched: &mut dyn Coverage,
    suspect: &Participant,
    script: &str,
) -> Result<(Observation, Steady), RunError> {
    let request =
        RunRequest::new(script).options(&suspect.options).limits(suspect.limits).want(suspect.want(false));
    let (seen, reached) = watched.run(&request)?;
    Ok((seen, Steady::new(reached)))
}

/// Whether nothing is wrong with what the solver does with a script.
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
                let request =
                    RunRequest::new(script).options(&participant.options).limits(participant.limits);
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

/// Whether all that were asked know the answers and agree on them. A solver that stands alone is known to be right only where it
/// no longer says what it is blamed for.
fn is_right(blamed: &Claim, answers: &[Answer], others: &[Vec<Answer>]) -> bool {
    let decided = |answer: &Answer| matches!(answer, Answer::Sat | Answer::Unsat);
    let repeats = |&answer: &Answer| *blamed == Claim::Says(answer);
    answers.iter().all(decided)
        && if others.is_empty() {
            !answers.iter().any(repeats)
        } else {
            others.iter().all(|other| *other == answers)
        }
}

/// The neighbour that reaches most of what the failing script does: fewest functions are beyond it, but some are. Of several the
/// one that differs least. Those with the same answers come first: what a solver does after an answer, such as making a
/// model, has nothing to do with how it came to it.
fn nearest(failing: &Steady, passing: &[Passing]) -> Option<usize> {
    let distance = |place: &usize| {
        let neighbour = &passing[*place];
        let beyond = failing.beyond(&neighbour.reached).count();
        (!neighbour.same_answers, beyond, beyond + neighbour.reached.beyond(failing).count())
    };
    (0..passing.len()).filter(|place| distance(place).1 > 0).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::coverage::Reached;

    #[test]
    fn right_is_what_all_agree_on() {
        use Answer::{Missing, Sat, Unknown, Unsat};
        // What the solver says, what others say, and whether it is right.
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
    fn the_nearest_reaches_most_of_it_but_not_all() {
        let reached = |bytes: &[u8]| Steady::new(Reached::from_bytes(bytes));
        let failing = reached(&[1, 1, 1, 1, 0, 0]);
        // What neighbours reach, and whether they have the answers of the failing script.
        type Neighbours = &'static [(&'static [u8], bool)];
        let table: [(Neighbours, Option<usize>); 6] = [
            (
                &[(&[1, 0, 0, 0, 0, 0], true), (&[1, 1, 1, 0, 0, 0], true), (&[1, 1, 0, 0, 0, 0], true)],
                Some(1),
            ),
            // One that reaches everything tells nothing.
            (&[(&[1, 1, 1, 1, 1, 0], true), (&[1, 1, 0, 0, 0, 0], true)], Some(1)),
            (&[(&[1, 1, 1, 1, 1, 0], true)], None),
            // Of two that leave out as much, the one that does less else.
            (&[(&[1, 1, 1, 0, 1, 1], true), (&[1, 1, 0, 1, 0, 0], true)], Some(1)),
            (&[(&[1, 1, 1, 0, 0, 0], false), (&[1, 0, 0, 0, 0, 0], true)], Some(1)),
            (&[], None),
        ];
        for (neighbours, expected) in table {
            let passing: Vec<Passing> = neighbours
                .iter()
                .map(|&(bytes, same_answers)| Passing {
                    script: String::new(),
                    does: String::new(),
                    same_answers,
                    reached: reached(bytes),
                })
                .collect();
            assert_eq!(nearest(&failing, &passing), expected, "{neighbours:?}");
        }
    }
}
