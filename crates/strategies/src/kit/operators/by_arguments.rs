//! For an operator, the others with the same argument sorts and the same result sort.

use super::rank::match_sort;
use super::{Instance, Permission, instantiate, special};
use crate::kit::draft::{Draft, ValuesOnly};
use smt::signature::{Associativity, Bindings, Declaration};
use smt::{FixedState, Sort};
use std::collections::HashMap;
use std::rc::Rc;

/// Operators by argument and result sorts, computed on demand.
#[derive(Default)]
pub(crate) struct ByArguments {
    /// Keyed by the argument sorts followed by the result sort.
    known: HashMap<Vec<Sort>, Rc<[Instance]>, FixedState>,
    allowed: Vec<u32>,
    others: Vec<Instance>,
}

impl ByArguments {
    /// The table for a seed with terms of these sorts.
    pub fn new(draft: &mut Draft, sorts: &[Sort], permission: &Permission<'_>) -> Self {
        let signatures = draft.arena.signatures().clone();
        let allowed = (0..signatures.declarations.len() as u32)
            .filter(|&id| {
                let declaration = &signatures.declarations[id as usize];
                permission.allows(&draft.facts, &draft.arena, declaration)
            })
            .collect();
        ByArguments { known: HashMap::default(), allowed, others: special::instances(draft, sorts) }
    }

    /// The operators with this rank: the argument sorts, then the result sort. The present operator is among them.
    pub fn of(&mut self, draft: &mut Draft, rank: &[Sort]) -> Rc<[Instance]> {
        if let Some(known) = self.known.get(rank) {
            return known.clone();
        }
        let Some((&result, args)) = rank.split_last() else { return Rc::from([]) };
        let signatures = draft.arena.signatures().clone();
        let mut found: Vec<Instance> = Vec::new();
        for &id in &self.allowed {
            let declaration = &signatures.declarations[id as usize];
            let Some(bindings) = bindings(draft, declaration, args) else { continue };
            let instance = instantiate(&mut draft.arena, &mut draft.facts, id, bindings, args, result);
            found.extend(instance.filter(|instance| instance.values_only == ValuesOnly::No));
        }
        // Without arguments it is a constant, and other declared constants are not operators.
        if !args.is_empty() {
            let fits = |instance: &&Instance| *instance.args == *args && instance.result == result;
            found.extend(self.others.iter().filter(fits).cloned());
        }
        let found: Rc<[Instance]> = found.into();
        self.known.insert(rank.to_vec(), found.clone());
        found
    }
}

/// Binds the variables of a rank to argument sorts, if the rank takes that many arguments.
fn bindings(draft: &Draft, declaration: &Declaration, args: &[Sort]) -> Option<Bindings> {
    let few = declaration.args.len();
    let fits = match declaration.associativity {
        Associativity::None => args.len() == few,
        Associativity::Variadic | Associativity::Repeat => args.len() >= few,
        _ => args.len() >= 2,
    };
    if !fits || declaration.at_most.is_some_and(|most| args.len() > most) {
        return None;
    }
    let mut bindings = Bindings::default();
    let matched = declaration
        .args
        .iter()
        .zip(args)
        .all(|(pattern, &sort)| match_sort(&draft.arena, &mut bindings, pattern, sort));
    let elements = bindings.sorts.iter().flatten().all(|&sort| sort != Sort::REGLAN);
    (matched && elements).then_some(bindings)
}
