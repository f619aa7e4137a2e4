//! Whether maintainers want a report, by their own rules, which the solver's profile states.

use super::command::arguments;
use crate::blame::Blame;
use crate::predicate::Participant;
use crate::releases::{Releases, State, probe};
use crate::source::{SolverSource, name_and_release};
use serde::{Deserialize, Serialize};
use solver::RunError;
use solver::run::Limits;

/// Whether maintainers want a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Whether they do.
    pub wanted: bool,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
}

/// What is known about the newest release of the solver that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Newest {
    /// It was tested, and shows the bug or not.
    Tested { release: String, shows: bool },
    /// It is the one that shows the bug here.
    ThisOne(String),
    /// Nothing.
    Unknown,
}

impl Newest {
    /// What the tested releases say about the newest, or the list of releases if none was tested.
    pub(super) fn of(
        suspect: &Participant,
        releases: Option<&Releases>,
        source: &dyn SolverSource,
    ) -> Newest {
        if let Some(newest) = releases.and_then(|found| found.newest.as_ref()) {
            return Newest::Tested { release: newest.release.clone(), shows: newest.state == State::Bad };
        }
        match name_and_release(&suspect.target, source.settings()) {
            Some((name, release)) if source.releases(&name).labels.last() == Some(&release) => {
                Newest::ThisOne(format!("{name}@{release}"))
            }
            _ => Newest::Unknown,
        }
    }
}

/// Applies the maintainers' rules.
pub(super) fn policy(
    suspect: &Participant,
    script: &str,
    newest: &Newest,
    blame: &Blame,
    limits: Limits,
) -> Result<Policy, RunError> {
    let profile = suspect.target.profile.at(&suspect.target.version);
    let mut reasons = Vec::new();
    let mut wanted = true;
    reasons.push(match newest {
        Newest::Tested { release, shows: true } => format!("the newest release, {release}, shows it"),
        Newest::Tested { release, shows: false } => {
            wanted = false;
            format!("the newest release, {release}, does not show it")
        }
        Newest::ThisOne(release) => format!("{release} is the newest release"),
        Newest::Unknown => "the newest release was not tested".to_owned(),
    });
    if !blame.decided {
        wanted = false;
        reasons.push("it is not decided which solver is wrong".to_owned());
    }
    for option in &suspect.options {
        let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
        let rules = &profile.options;
        if let Some(why) = rules.forbidden(name).or_else(|| rules.unsupported(name)) {
            wanted = false;
            reasons.push(format!("the maintainers take no reports for the option {option}: it {why}"));
        }
    }
    let needed: Vec<String> = arguments(suspect).into_iter().chain(options_in(script)).collect();
    reasons.push(match needed.as_slice() {
        [] => "default options".to_owned(),
        options => format!("it needs {}; reports with default options come first", options.join(" ")),
    });
    if let Some(safe) = &profile.options.safe_mode {
        let mut options = suspect.options.clone();
        options.extend(safe.args.iter().cloned());
        let probe = probe(&Participant { options, ..suspect.clone() }, script, limits)?;
        let args = safe.args.join(" ");
        if probe.state == State::Bad {
            reasons.push(format!("it shows in safe mode ({args})"));
        } else {
            wanted = false;
            reasons.push(format!("it does not show in safe mode ({args}): {}", probe.did()));
        }
    }
    Ok(Policy { wanted, reasons })
}

/// The options that a script sets, except those that only ask for more output.
pub(super) fn options_in(script: &str) -> Vec<String> {
    let mut arena = smt::Arena::default();
    let Ok(parsed) = smt::parse_script(&mut arena, script) else { return Vec::new() };
    let option = |command: &smt::Command| match command {
        smt::Command::SetOption(name, value) => {
            let (name, value) = (arena.name(*name), arena.name(*value));
            (!name.starts_with(":produce-")).then(|| format!("{name} {value}"))
        }
        _ => None,
    };
    parsed.commands.iter().filter_map(option).collect()
}
