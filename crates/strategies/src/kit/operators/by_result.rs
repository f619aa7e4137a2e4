//! For each sort of a seed, the operators with that result sort whose arguments are available.

use super::rank::{build, has_arithmetic, match_sort};
use super::{Instance, Permission, instantiate, special};
use crate::kit::draft::Draft;
use smt::signature::{Associativity, Bindings, Declaration};
use smt::{Arena, FixedState, Sort};
use std::collections::HashMap;

/// The maximum number of instances of one rank for one sort.
const MOST_INSTANCES: usize = 24;

/// An operator with all argument sorts that it can take.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Its instances; at least one.
    pub instances: Vec<Instance>,
}

/// The operators with one result sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// Those that every solver of the seed supports.
    pub common: Vec<Group>,
    /// Those that only some of them support.
    pub specific: Vec<Group>,
}

/// Operators by result sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByResult {
    groups: HashMap<Sort, Groups, FixedState>,
}

impl ByResult {
    /// The operators over these sorts.
    pub fn new(draft: &mut Draft, sorts: &[Sort], permission: &Permission<'_>) -> Self {
        let mut found = ByResult::default();
        let signatures = draft.arena.signatures().clone();
        let allowed: Vec<u32> = (0..signatures.declarations.len() as u32)
            .filter(|&id| {
                let declaration = &signatures.declarations[id as usize];
                permission.allows(&draft.facts, &draft.arena, declaration)
            })
            .collect();
        let others = if permission.declared { special::instances(draft, sorts) } else { Vec::new() };
        for &result in sorts {
            let mut groups = Groups::default();
            for &id in &allowed {
                let declaration = &signatures.declarations[id as usize];
                let instances = instances(draft, id, declaration, result, sorts);
                groups.add(instances, permission.solvers);
            }
            for instance in others.iter().filter(|instance| instance.result == result) {
                groups.add(vec![instance.clone()], permission.solvers);
            }
            found.groups.insert(result, groups);
        }
        found
    }

    /// The operators with this result sort.
    pub fn of(&self, sort: Sort) -> Option<&Groups> {
        self.groups.get(&sort)
    }
}

impl Groups {
    fn add(&mut self, instances: Vec<Instance>, solvers: u32) {
        let Some(first) = instances.first() else { return };
        let common = solvers & !first.fact.solvers == 0;
        let groups = if common { &mut self.common } else { &mut self.specific };
        groups.push(Group { instances });
    }
}

/// All instances of a rank with the result sort `result` and arguments of the given sorts.
fn instances(
    draft: &mut Draft,
    id: u32,
    declaration: &Declaration,
    result: Sort,
    sorts: &[Sort],
) -> Vec<Instance> {
    let mut bindings = Bindings::default();
    let deferred = has_arithmetic(&declaration.result);
    if deferred {
        // Only the sort constructor can be compared before the arguments are known.
        let smt::signature::SortPattern::Constructed { head, .. } = &declaration.result else {
            return Vec::new();
        };
        if draft.arena.sort_node(result).head != *head {
            return Vec::new();
        }
    } else if !match_sort(&draft.arena, &mut bindings, &declaration.result, result) {
        return Vec::new();
    }
    if bindings.sorts.iter().flatten().any(|&sort| !is_element(&draft.arena, sort)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut partial = vec![(bindings, Vec::<Sort>::new())];
    // A variadic operator is written with at least one argument.
    let wanted = declaration.args.len();
    if declaration.associativity == Associativity::Variadic && wanted == 0 {
        return Vec::new();
    }
    while let Some((bindings, args)) = partial.pop() {
        if found.len() >= MOST_INSTANCES {
            break;
        }
        let Some(pattern) = declaration.args.get(args.len()) else {
            let arena = &mut draft.arena;
            found.extend(instantiate(arena, &mut draft.facts, id, bindings, &args, result));
            continue;
        };
        if let Some(sort) = build(&mut draft.arena, &bindings, pattern) {
            if sorts.contains(&sort) {
                partial.push((bindings, extended(&args, sort)));
            }
            continue;
        }
        for &sort in sorts.iter().rev() {
            let mut bound = bindings;
            if match_sort(&draft.arena, &mut bound, pattern, sort)
                && bound.sorts.iter().flatten().all(|&sort| is_element(&draft.arena, sort))
            {
                partial.push((bound, extended(&args, sort)));
            }
        }
    }
    found
}

fn extended(args: &[Sort], sort: Sort) -> Vec<Sort> {
    let mut args = args.to_vec();
    args.push(sort);
    args
}

/// Whether a sort may instantiate a variable of a rank. Regular languages cannot be compared or stored in arrays.
fn is_element(arena: &Arena, sort: Sort) -> bool {
    sort != Sort::REGLAN && !arena.sort_node(sort).is_polymorphic
}
