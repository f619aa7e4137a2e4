//! A universe with the grammar over it, ready to be sampled.

use super::rules::Rules;
use super::universe::{Subject, Universe};
use crate::constants::Constants;
use crate::draft::Draft;
use crate::operators::{ByResult, Permission};
use crate::random::Random;
use crate::related;
use crate::strategy::Seed;
use smt::{Op, OpKind, Signatures, Sort};
use std::sync::Arc;

/// A universe with its operators.
pub(super) struct Language {
    pub universe: Universe,
    pub draft: Draft,
    pub rules: Rules,
    pub constants: Constants,
    /// The solvers that must know every formula, as bits.
    pub required: u32,
}

impl Language {
    /// Draws a universe and finds the operators that fit it. Nothing where no solver would know it all.
    pub fn draw(
        signatures: &Arc<Signatures>,
        subject: &Subject<'_>,
        random: &mut Random,
    ) -> Option<Language> {
        let universe = Universe::draw(signatures, subject, random);
        // Some operators exist only in scripts that name no logic.
        let logic = if random.chance(4, 5) { "(set-logic ALL)\n" } else { "" };
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
        let sorts: Vec<Sort> = related::sorts(&mut draft, true);
        let scope = draft.scope.clone();
        let permission = Permission::of(&draft, &scope, universe.only.is_some());
        let operators = ByResult::new(&mut draft, &sorts, &permission);
        let constants = Constants::new(&mut draft.arena, &sorts);
        let rules = Rules::new(&draft, &operators, sorts, required);
        Some(Language { universe, draft, rules, constants, required })
    }

    /// Leaves only the named operations, and what ties terms to truth values.
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
