//! The releases of a solver in order, and what each of them does with a script.

use crate::commands::fuzz::resolve;
use crate::commands::solve::run_failure;
use crate::outcome::Failure;
use serde::{Deserialize, Serialize};
use solver::install::{self, Cache, Settings, Version};
use solver::profile::Profiles;
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, RunMode, RunRequest, Target, runner};
use std::collections::BTreeMap;
use std::sync::Mutex;
use triage::bisect::State;
use triage::predicate::{Claim, Participant};
use triage::{Evaluated, ModelJudge, ModelOpinion};

/// Releases, and what could not be asked.
type Listing = (Vec<String>, Option<String>);

/// The releases of a solver that can be had or are there, oldest first, and what could not be asked. The package index is
/// asked once in the life of the program.
pub fn releases(name: &str, places: &Settings) -> Listing {
    static KNOWN: Mutex<BTreeMap<String, Listing>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.entry(name.to_owned()).or_insert_with(|| list(name, places)).clone()
}

fn list(name: &str, places: &Settings) -> Listing {
    let mut labels: Vec<String> = Vec::new();
    let mut trouble = None;
    for source in install::entry(&places.profiles, name).iter().flat_map(|entry| &entry.sources) {
        match install::offers_of(source, places) {
            Ok(offers) => labels.extend(offers.into_iter().map(|offer| offer.label)),
            Err(error) => trouble = Some(format!("not every release can be listed: {error}")),
        }
    }
    let installed = Cache::new(&places.cache).installed();
    labels.extend(installed.into_iter().filter(|found| found.name == name).map(|found| found.label));
    // Builds of other packagers stand beside the release that they are.
    labels.retain(|label| label.chars().all(|c| c.is_ascii_digit() || c == '.'));
    labels.sort_by_key(|label| Version::parse(label));
    labels.dedup();
    (labels, trouble)
}

/// What one release did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The release, such as `z3@4.8.10`.
    pub release: String,
    /// `bad`, `good` or `unclear`.
    pub state: String,
    /// What it did.
    pub did: String,
}

/// Runs a script on a release and compares with what a player claims.
pub fn probe(
    participant: &Participant,
    spec: &str,
    script: &str,
    places: &Settings,
    limits: Limits,
) -> Result<(State, String), Failure> {
    let target = match resolve(spec, places) {
        Ok(target) => target,
        Err(failure) => {
            return Ok((State::Unclear, format!("{failure}").lines().next().unwrap_or_default().to_owned()));
        }
    };
    let participant =
        Participant { target, claim: participant.claim.in_any_release(), ..participant.clone() };
    look(&participant, script, limits)
}

/// What a solver does with a script, against what a player claims.
pub fn look(participant: &Participant, script: &str, limits: Limits) -> Result<(State, String), Failure> {
    let wrong_sat = participant.claim == Claim::Says(Answer::Sat);
    let want: Want = participant.want(wrong_sat);
    let request = RunRequest::new(script).options(&participant.options).limits(limits).want(want);
    let seen = run_once(participant, &request)?;
    let most = seen.answers.len().max(1);
    let mut shows = (0..most).any(|index| participant.shows(&seen, index));
    let mut did = cut(&triage::oracle::describe(&seen));
    if matches!(participant.claim, Claim::Slow(_)) {
        did.push_str(&format!(" after {:.2} s of CPU time", seen.cpu.as_secs_f64()));
    }
    if shows && participant.claim == Claim::WrongModel {
        let opinion = seen.model().map(|model| Evaluated::default().opinion(script, model));
        shows = matches!(opinion, Some(ModelOpinion::Refuted { .. }));
        did.push_str(match opinion {
            Some(ModelOpinion::Refuted { .. }) => ", its model is wrong",
            Some(ModelOpinion::Confirmed) => ", its model is right",
            _ => ", its model is not decided",
        });
        if matches!(opinion, Some(ModelOpinion::Undetermined { .. }) | None) {
            return Ok((State::Unclear, did));
        }
    }
    if shows && participant.claim == Claim::WrongCore {
        // Nobody else takes part here: a release is bad if it finds a model of its own core, good if it finds none.
        let alone = seen.core().and_then(|core| triage::core_alone(script, core));
        let Some(alone) = alone else {
            return Ok((State::Good, format!("{did}, its core leaves nothing out")));
        };
        let request = RunRequest::new(&alone).options(&participant.options).limits(limits);
        let run = run_once(participant, &request.want(Want { model: true, ..Want::default() }))?;
        let opinion = run.model().map(|model| Evaluated::default().opinion(&alone, model));
        let (state, word) = match (run.answer(), opinion) {
            (Some(Answer::Sat), Some(ModelOpinion::Confirmed)) => (State::Bad, "has a model"),
            (Some(Answer::Unsat), _) => (State::Good, "is unsat by itself"),
            _ => (State::Unclear, "is not decided"),
        };
        return Ok((state, format!("{did}, its core {word}")));
    }
    let opposite = match participant.claim {
        Claim::Says(Answer::Sat) => seen.answers.contains(&Answer::Unsat),
        Claim::Says(Answer::Unsat) => seen.answers.contains(&Answer::Sat),
        Claim::Says(_)
        | Claim::Crashes(_)
        | Claim::WrongModel
        | Claim::OwnModelCheck
        | Claim::OwnProofCheck
        | Claim::WrongCore
        | Claim::SatisfiesCore
        | Claim::Slow(_)
        | Claim::Fast(_) => true,
    };
    let state = match (&seen.outcome, shows) {
        (_, true) => State::Bad,
        (Outcome::Answered, false) if opposite => State::Good,
        // A script that a release refuses says nothing about the bug.
        _ => State::Unclear,
    };
    Ok((state, did))
}

fn run_once(participant: &Participant, request: &RunRequest<'_>) -> Result<Observation, Failure> {
    runner(&participant.target, RunMode::OneShot, &RunSettings::default())
        .and_then(|mut runner| runner.run(request))
        .map_err(run_failure)
}

/// The beginning of a long message.
fn cut(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The name and the release of a target, if it is one of a row.
pub fn name_and_release(target: &Target) -> Option<(&str, &str)> {
    let (name, release) = target.id.split_once('@')?;
    (release != "path" && install::entry(&Profiles::built_in(), name).is_some()).then_some((name, release))
}
