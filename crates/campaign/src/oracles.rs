//! The oracles that a campaign can choose: those for what solvers state, and those that ask the same question in another way.

use case::{Class, Statement};
use std::collections::BTreeSet;

/// An oracle that asks about a case in another way, or about the reason for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variation {
    /// Unsat cores are unsatisfiable.
    Cores,
    /// Tactics that promise the same answer give it.
    Tactics,
    /// Forms of a script that ask the same get the same answer.
    Forms,
    /// A program that checks proofs accepts them.
    Proofs,
}

impl Variation {
    /// All of them.
    pub const ALL: [Variation; 4] =
        [Variation::Cores, Variation::Tactics, Variation::Forms, Variation::Proofs];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Variation::Cores => "cores",
            Variation::Tactics => "tactics",
            Variation::Forms => "forms",
            Variation::Proofs => "proofs",
        }
    }

    /// What must hold.
    pub fn about(self) -> &'static str {
        match self {
            Variation::Cores => "a core, by names or by assumptions, is unsatisfiable",
            Variation::Tactics => "check-sat-using with a tactic gives the same answer",
            Variation::Forms => "the same question in other words gets the same answer",
            Variation::Proofs => "with --proofs, a program that checks proofs accepts the proof",
        }
    }

    /// The answer of the solver that it needs, as `oracle list` says it.
    pub fn needs(self) -> &'static str {
        match self {
            Variation::Cores | Variation::Proofs => "unsat",
            Variation::Tactics | Variation::Forms => "sat or unsat",
        }
    }

    /// The class of the bugs that it is for. A model that decides who is wrong makes a contradiction a wrong answer.
    pub fn class(self) -> Class {
        match self {
            Variation::Cores => Class::InvalidCore,
            Variation::Proofs => Class::InvalidProof,
            Variation::Tactics | Variation::Forms => Class::Contradiction,
        }
    }
}

/// The oracles of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenOracles {
    /// Those for what solvers state.
    pub statements: Vec<Statement>,
    variations: BTreeSet<Variation>,
}

impl ChosenOracles {
    /// The oracles with these names; all if there are none, and none for the name `none`. The error is a name that no oracle has.
    pub fn named(names: &[String]) -> Result<ChosenOracles, String> {
        let mut chosen = ChosenOracles { statements: Vec::new(), variations: BTreeSet::new() };
        match names {
            [] => {
                chosen.statements.extend(Statement::ALL);
                chosen.variations.extend(Variation::ALL);
            }
            [none] if none == "none" => {}
            names => {
                for name in names {
                    let variation = Variation::ALL.into_iter().find(|variation| variation.name() == name);
                    match (Statement::from_name(name), variation) {
                        (Some(statement), _) => chosen.statements.push(statement),
                        (None, Some(variation)) => drop(chosen.variations.insert(variation)),
                        (None, None) => return Err(name.clone()),
                    }
                }
            }
        }
        Ok(chosen)
    }

    /// How often a variation is tried if nothing else is said: as usual, or never.
    pub fn one_in(&self, variation: Variation, usual: u64) -> u64 {
        if self.variations.contains(&variation) { usual } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oracles_are_chosen_by_name() {
        let named = |names: &[&str]| {
            ChosenOracles::named(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        let often = |chosen: &ChosenOracles| Variation::ALL.map(|variation| chosen.one_in(variation, 8));
        let all = named(&[]).unwrap();
        assert_eq!((all.statements.len(), often(&all)), (Statement::ALL.len(), [8; 4]));
        let none = named(&["none"]).unwrap();
        assert_eq!((none.statements.len(), often(&none)), (0, [0; 4]));
        let some = named(&["simplify", "forms"]).unwrap();
        assert_eq!((some.statements.clone(), often(&some)), (vec![Statement::Simplify], [0, 0, 8, 0]));
        assert_eq!(named(&["simplify", "form"]), Err("form".to_owned()));
    }
}
