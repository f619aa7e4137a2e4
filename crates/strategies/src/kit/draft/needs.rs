//! From the needs of a script to the logic, theories and solvers of its case.

use super::facts::{Fact, Facts, mark, theory_bit};
use super::logic::Allowance;
use smt::{Arena, FixedState};
use std::collections::{BTreeSet, HashMap};

/// The logic, theories and solvers of a case.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// The command that replaces the seed's `set-logic`; `None` if the seed's still fits.
    pub logic: Option<String>,
    /// The theories by name: those of the signature files, and `UF`, `Datatypes` and `Quantifiers`.
    pub theories: BTreeSet<String>,
    /// The solvers that support everything; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
}

/// A cache of decisions: the mutants of one seed have few different needs.
#[derive(Clone, Debug)]
pub(crate) struct Decisions {
    allowance: Allowance,
    known: HashMap<(u64, u32, u32), Decision, FixedState>,
}

impl Decisions {
    /// No decisions yet, for a seed with this logic.
    pub fn new(allowance: Allowance) -> Self {
        Decisions { allowance, known: HashMap::default() }
    }

    /// The decision for a script with these needs.
    pub fn of(&mut self, facts: &Facts, arena: &Arena, needs: Fact) -> &Decision {
        let allowance = self.allowance;
        let key = (needs.theories, needs.marks, needs.solvers);
        self.known.entry(key).or_insert_with(|| decide(allowance, facts, arena, &needs))
    }
}

/// Decides for a script with these needs, in a logic with this allowance.
pub(crate) fn decide(allowance: Allowance, facts: &Facts, arena: &Arena, needs: &Fact) -> Decision {
    let logic = (!allowance.covers(needs)).then(|| {
        let higher_order = needs.marks & mark::HIGHER_ORDER != 0;
        format!("(set-logic {})\n", if higher_order { "HO_ALL" } else { "ALL" })
    });
    let all = &arena.signatures().theories;
    let mut theories: BTreeSet<String> = all
        .iter()
        .enumerate()
        .filter(|(at, _)| needs.theories & theory_bit(*at) != 0)
        .map(|(_, theory)| theory.name.clone())
        .collect();
    theories.insert("Core".to_owned());
    let marked = [(mark::FUNCTIONS, "UF"), (mark::DATATYPES, "Datatypes"), (mark::QUANTIFIER, "Quantifiers")];
    for (bit, name) in marked {
        if needs.marks & bit != 0 {
            theories.insert(name.to_owned());
        }
    }
    let names = facts.solver_names();
    let solvers = (needs.solvers != u32::MAX).then(|| {
        let known = |at: usize| needs.solvers >> at & 1 == 1;
        names.iter().enumerate().filter(|(at, _)| known(*at)).map(|(_, name)| name.clone()).collect()
    });
    Decision { logic, theories, solvers }
}
