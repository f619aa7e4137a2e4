//! A universe with its grammar, ready for sampling.

use super::rules::Rules;
use super::universe::{Subject, Universe};
use crate::kit::constants::Constants;
use crate::kit::draft::Draft;
use crate::kit::operators::{ByResult, Permission};
use crate::kit::random::Random;
use crate::kit::related_sorts;
use case::Seed;
use smt::{Op, OpKind, Signatures, Sort};
use std::sync::Arc;

/// A universe with its operators.
pub(super) struct Language {
    pub universe: Universe,
    pub draft: Draft,
    pub rules: Rules,
    pub constants: Constants,
    /// The solvers that must support every formula, as bits.
    pub required: u32,
}

impl Language {
    /// Draws a universe and finds the operators for it; `None` if no solver supports all of it.
    pub fn draw(
        signatures: &Arc<Signatures>,
        subject: &Subject<'_>,
        random: &mut Random,
    ) -> Option<Language> {
        let universe = Universe::draw(signatures, subject, random);
        // Some operators exist only in scripts without a logic.
        let logic = if random.chance(4, 5) && !universe.without_logic { "(set-logic ALL)\n" } else { "" };
        let (constants, functions) = (&universe.declarations, universe.declared_functions());
        let skeleton = format!("{logic}{constants}{functions}(assert true)\n");
        let mut draft = Draft::open(signatures, &Seed::new("universe", skeleton)).ok()?;
        let known = draft.needs().solvers;
        let required = match &universe.only {
            Some(name) => draft.facts.solver_set(std::slice::from_ref(name)) & known,
            None => known,
        };
        if required == 0 {
            return None;
        }
        let sorts: Vec<Sort> = related_sorts::of_seed(&mut draft, true);
        let scope = draft.scope.clone();
        let permission = Permission::of(&draft, &scope, universe.only.is_some());
        let operators = ByResult::new(&mut draft, &sorts, &permission);
        let constants = Constants::new(&mut draft.arena, &sorts);
        let avoided = match subject {
            Subject::Focus { avoided } => avoided,
            _ => &[][..],
        };
        let rules = Rules::new(&draft, &operators, sorts, required, avoided);
        Some(Language { universe, draft, rules, constants, required })
    }

    /// Keeps only the named operations, and the operators that turn terms into formulas.
    pub fn restrict(&mut self, names: &[String]) {
        self.rules.weigh(|name| match name {
            _ if names.iter().any(|chosen| chosen == name) => 8.0,
            "=" => 1.0,
            _ => 0.0,
        });
    }

    /// The functions with arguments that the script declares.
    pub fn functions(&self) -> Vec<Op> {
        let with_arguments = |op: &Op| matches!(&self.draft.arena.op(*op).kind, OpKind::Function { args, .. } if !args.is_empty());
        self.draft.functions.iter().copied().filter(with_arguments).collect()
    }
}
