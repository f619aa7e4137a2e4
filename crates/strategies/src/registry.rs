//! The registry: every strategy by name.

use crate::api::Strategy;
use crate::diver::{Diver, DiverSettings};
use crate::grammar::{Enumerate, Grammar, GrammarSettings};
use crate::histfuzz::{HistFuzz, History};
use crate::opfuzz::OpFuzz;
use crate::seeds::Unchanged;
use crate::swap::Swap;
use crate::typefuzz::{TypeFuzz, TypeFuzzSettings};
use crate::valfuzz::{SecondStage, ValFuzz, ValFuzzSettings};
use smt::Signatures;
use std::sync::Arc;

/// What strategies are built from.
#[derive(Clone)]
pub struct StrategyContext {
    /// The operators that cases may use.
    pub signatures: Arc<Signatures>,
    /// The formulas of the past that histfuzz works from.
    pub history: History,
}

impl StrategyContext {
    /// These operators, and the built-in history.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        StrategyContext { signatures, history: History::built_in() }
    }

    /// The same with another history.
    pub fn with_history(self, history: History) -> Self {
        StrategyContext { history, ..self }
    }
}

type Build = fn(&StrategyContext) -> Box<dyn Strategy>;

/// All strategies with their default settings, in the order in which they take turns.
const STRATEGIES: &[(&str, Build)] = &[
    ("seeds", |context| Box::new(Unchanged::new(context.signatures.clone()))),
    ("typefuzz", |context| Box::new(TypeFuzz::new(context.signatures.clone(), TypeFuzzSettings::default()))),
    ("opfuzz", |context| Box::new(OpFuzz::new(context.signatures.clone()))),
    ("swap", |context| Box::new(Swap::new(context.signatures.clone()))),
    ("diver", |context| Box::new(Diver::new(context.signatures.clone(), DiverSettings::default()))),
    ("grammar", |context| Box::new(Grammar::new(context.signatures.clone(), GrammarSettings::default()))),
    ("enumerate", |context| Box::new(Enumerate::new(context.signatures.clone()))),
    ("valfuzz", |context| Box::new(ValFuzz::new(context.signatures.clone(), ValFuzzSettings::default()))),
    ("histfuzz", |context| Box::new(HistFuzz::new(&context.signatures, context.history.clone()))),
];

/// The names of all strategies, without presets and second stages.
pub fn names() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|(name, _)| *name)
}

/// Whether [`by_name`] finds a strategy.
pub fn is_known(name: &str) -> bool {
    match name.rsplit_once('+') {
        Some((first, second)) => is_known(first) && ValFuzz::settings_of(second).is_some(),
        None => names().any(|known| known == name) || ValFuzz::settings_of(name).is_some(),
    }
}

/// Whether the strategy of this name works from [`StrategyContext::history`].
pub fn uses_history(name: &str) -> bool {
    name.split('+').next() == Some(HistFuzz::NAME)
}

/// All strategies with their default settings.
pub fn all(context: &StrategyContext) -> Vec<Box<dyn Strategy>> {
    STRATEGIES.iter().map(|(_, build)| build(context)).collect()
}

/// The strategy that `--strategy` calls `name`: one of [`all`], `valfuzz:PRESET`, or one of these followed by `+valfuzz` for
/// value mutation as a second stage.
pub fn by_name(name: &str, context: &StrategyContext) -> Option<Box<dyn Strategy>> {
    if let Some((first, second)) = name.rsplit_once('+') {
        let second = ValFuzz::named(context.signatures.clone(), second)?;
        return Some(Box::new(SecondStage::new(Arc::from(by_name(first, context)?), second)));
    }
    if let Some((_, build)) = STRATEGIES.iter().find(|(known, _)| *known == name) {
        return Some(build(context));
    }
    ValFuzz::named(context.signatures.clone(), name).map(|valfuzz| Box::new(valfuzz) as Box<dyn Strategy>)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_found_by_their_own_names() {
        let context = StrategyContext::new(Signatures::standard());
        for strategy in all(&context) {
            assert_eq!(by_name(strategy.name(), &context).unwrap().name(), strategy.name());
        }
        for name in ["valfuzz:BLENDB", "typefuzz+valfuzz", "histfuzz+valfuzz:RBASE", "opfuzz+valfuzz+valfuzz"]
        {
            assert_eq!(by_name(name, &context).unwrap().name(), name);
            assert!(is_known(name), "{name}");
        }
        for name in ["", "fuzz", "valfuzz:", "valfuzz:NOTHING", "typefuzz+opfuzz", "+valfuzz", "typefuzz+"] {
            assert!(by_name(name, &context).is_none() && !is_known(name), "{name}");
        }
    }
}
