//! Whether the case of a finding can be made again, byte for byte.

use crate::config::{ConfigError, history_of_seed};
use crate::replay::{case_again, seed_again};
use case::{Answer, Finding};
use serde::{Deserialize, Serialize};
use smt::Signatures;
use solver::Profile;
use solver::run::{history, inside_push, is_incremental, plain_script};
use std::collections::BTreeSet;
use std::fmt;
use strategies::{StrategyContext, StrategyError};
use triage::{CoreCommand, Form, ORACLES, in_form};

/// How the case of a finding compares with the one that its strategy makes now.
#[derive(Debug)]
pub enum Remade {
    /// The strategy makes the same bytes from the seed.
    Same {
        /// The seed.
        seed: String,
        /// The strategy.
        strategy: String,
        /// What the campaign did with the case.
        context: RunContext,
    },
    /// The strategy makes another script.
    Different {
        /// The strategy.
        strategy: String,
    },
    /// This version has no such strategy.
    UnknownStrategy(StrategyError),
    /// The history library of the case cannot be used.
    NoHistory(ConfigError),
    /// The strategy cannot use the seed.
    Unsuitable(String),
}

/// What a campaign did with a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunContext {
    /// It ran alone.
    #[default]
    Alone,
    /// It ran between push and pop.
    InsidePush,
    /// Its questions were asked from scratch.
    FromScratch,
    /// It ran in another form.
    InForm,
    /// It ran with a tactic.
    WithTactic,
    /// Solvers stated something about it.
    Stating,
    /// It ran after other scripts.
    AfterOthers,
}

/// Makes the case of a finding again from its seed, and compares the two.
pub fn remake(finding: &Finding, case: &str, seed: String) -> Remade {
    let origin = &finding.origin;
    let mut context = StrategyContext::new(Signatures::standard());
    match history_of_seed(&seed) {
        Ok(Some(history)) => context = context.with_history(history),
        Ok(None) => {}
        Err(error) => return Remade::NoHistory(error),
    }
    let strategy = match strategies::by_name(&origin.strategy, &context) {
        Ok(strategy) => strategy,
        Err(error) => return Remade::UnknownStrategy(error),
    };
    let seed = seed_again(finding, seed);
    let made = match case_again(strategy.as_ref(), &seed, origin.campaign_seed, origin.round, origin.index) {
        Ok(made) => made.map(|made| made.text).unwrap_or_default(),
        Err(reason) => return Remade::Unsuitable(reason),
    };
    let is_cut = || made.starts_with(case.trim_end()) && is_incremental(&made);
    let context = if made == case || is_cut() || asks_for_core(case, &made) || asks_for_proof(case, &made) {
        RunContext::Alone
    } else if inside_push(&made).is_some_and(|inside| inside == case) {
        RunContext::InsidePush
    } else if case.contains("(check-sat-using") && plain_script(case) == plain_script(&made) {
        RunContext::WithTactic
    } else if plain_script(&made) == case {
        RunContext::FromScratch
    } else if Form::ALL.into_iter().any(|form| in_form(form, &made).is_some_and(|form| form.text == case)) {
        RunContext::InForm
    } else if asks_for_statements(case, &made) {
        RunContext::Stating
    } else if !made.is_empty() && history::ends_with(case, &made) {
        RunContext::AfterOthers
    } else {
        return Remade::Different { strategy: origin.strategy.clone() };
    };
    Remade::Same { seed: finding.seed_name.clone(), strategy: origin.strategy.clone(), context }
}

/// Whether a script asks for the core of another one, perhaps with an option for cores.
fn asks_for_core(script: &str, other: &str) -> bool {
    let asks = |by| triage::core_question(other, by).and_then(|question| script.strip_suffix(&question));
    let Some(before) = CoreCommand::ALL.into_iter().find_map(asks) else { return false };
    let mut options = Profile::names().filter_map(|name| Profile::built_in(name).ok());
    before.is_empty()
        || options.any(|profile| profile.ask.core_options.iter().any(|one| one == before.trim_end()))
}

/// Whether a script asks for the proof of another one.
fn asks_for_proof(script: &str, other: &str) -> bool {
    let profiles: Vec<_> = Profile::names().filter_map(|name| Profile::built_in(name).ok()).collect();
    let mut formats = profiles.iter().flat_map(|profile| profile.ask.proof_formats.values());
    formats.any(|commands| triage::proof_question(other, commands).is_some_and(|question| question == script))
}

/// Whether a script asks for statements about another one.
fn asks_for_statements(script: &str, other: &str) -> bool {
    let profiles: Vec<_> = Profile::names().filter_map(|name| Profile::built_in(name).ok()).collect();
    // Some oracles ask another question if there is no solution.
    let known = [None, Some(Answer::Unsat)];
    let questions = ORACLES.into_iter().flat_map(|oracle| {
        let asked =
            profiles.iter().flat_map(|profile| known.map(|known| oracle.question(other, known, profile)));
        asked.flatten().collect::<Vec<String>>()
    });
    questions.into_iter().any(|question| {
        let lines: BTreeSet<&str> = question.lines().collect();
        script.lines().all(|line| lines.contains(line))
    })
}

impl fmt::Display for Remade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remade::Same { seed, strategy, context } => {
                let context = match context {
                    RunContext::Alone => "",
                    RunContext::InsidePush => ", inside a push",
                    RunContext::FromScratch => ", asked from scratch",
                    RunContext::InForm => ", in another form",
                    RunContext::WithTactic => ", with a tactic",
                    RunContext::Stating => ", with a question about its terms",
                    RunContext::AfterOthers => ", after other scripts",
                };
                write!(f, "made again from {seed} by {strategy}{context}: the same bytes")
            }
            Remade::Different { strategy } => {
                write!(f, "this version of {strategy} makes another script from the seed")
            }
            Remade::UnknownStrategy(error) => write!(f, "cannot be made again: in this version, {error}"),
            Remade::NoHistory(error) => write!(f, "cannot be made again: {error}"),
            Remade::Unsuitable(reason) => write!(f, "cannot be made again from its seed: {reason}"),
        }
    }
}
