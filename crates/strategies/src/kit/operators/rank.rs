//! Ranks in reverse: which argument sorts and indices give a wanted result sort.

use crate::kit::random::Random;
use smt::signature::{Bindings, Declaration, IndexExpr, SortPattern};
use smt::{Arena, Index, Sort};

/// The number of attempts at drawing indices.
const ATTEMPTS: usize = 6;
/// The bound of indices that no width bounds.
const FREE_INDEX_BOUND: u64 = 9;
/// The largest width that is searched.
const MAX_INDEX: u64 = 1 << 12;

/// Matches a sort against a pattern and binds variables. Sorts must be equal, not just compatible.
pub(crate) fn match_sort(arena: &Arena, bindings: &mut Bindings, pattern: &SortPattern, sort: Sort) -> bool {
    match pattern {
        SortPattern::Variable(variable) => match &mut bindings.sorts[*variable as usize] {
            Some(bound) => *bound == sort,
            slot => {
                *slot = Some(sort);
                true
            }
        },
        SortPattern::Ground(expected) => *expected == sort,
        SortPattern::Constructed { head, indices, args } => {
            let node = arena.sort_node(sort);
            node.head == *head
                && node.indices.len() == indices.len()
                && node.args.len() == args.len()
                && indices.iter().zip(&node.indices).all(|(expr, &index)| bindings.match_index(expr, index))
                && args
                    .iter()
                    .zip(&node.args)
                    .all(|(pattern, &arg)| match_sort(arena, bindings, pattern, arg))
        }
    }
}

/// Whether an index of the pattern is arithmetic, so that matching cannot bind its variables.
pub(crate) fn has_arithmetic(pattern: &SortPattern) -> bool {
    match pattern {
        SortPattern::Variable(_) | SortPattern::Ground(_) => false,
        SortPattern::Constructed { indices, args, .. } => {
            indices.iter().any(|index| matches!(index, IndexExpr::Op(..))) || args.iter().any(has_arithmetic)
        }
    }
}

/// The sort that a pattern denotes; `None` if one of its variables is unbound.
pub(crate) fn build(arena: &mut Arena, bindings: &Bindings, pattern: &SortPattern) -> Option<Sort> {
    match pattern {
        SortPattern::Variable(variable) => bindings.sorts[*variable as usize],
        SortPattern::Ground(sort) => Some(*sort),
        SortPattern::Constructed { head, indices, args } => {
            let indices: Vec<Index> =
                indices.iter().map(|expr| bindings.index(expr)).collect::<Option<_>>()?;
            let args: Vec<Sort> =
                args.iter().map(|arg| build(arena, bindings, arg)).collect::<Option<_>>()?;
            let head = arena.name(*head).to_owned();
            Some(arena.make_sort(&head, &indices, &args))
        }
    }
}

/// Whether the bindings give this result sort and satisfy the condition.
fn concludes(arena: &Arena, declaration: &Declaration, bindings: &Bindings, result: Sort) -> bool {
    let mut bound = *bindings;
    match_sort(arena, &mut bound, &declaration.result, result)
        && declaration.condition.as_ref().is_none_or(|condition| bindings.holds(condition))
}

/// The unbound index variables of the head.
pub(crate) fn free_indices(declaration: &Declaration, bindings: &Bindings) -> Vec<u8> {
    let mut free = Vec::new();
    for expr in &declaration.indices {
        if let IndexExpr::Variable(variable) = expr
            && bindings.indices[*variable as usize].is_none()
            && !free.contains(variable)
        {
            free.push(*variable);
        }
    }
    free
}

/// Draws the unbound indices so that the result has the wanted sort; `None` if no attempt succeeds.
pub(crate) fn draw_indices(
    arena: &Arena,
    declaration: &Declaration,
    bindings: &Bindings,
    result: Sort,
    random: &mut Random,
) -> Option<Vec<Index>> {
    let free = free_indices(declaration, bindings);
    let widest = bindings.indices.iter().flatten().filter_map(|index| match index {
        Index::Num(number) => Some(*number),
        Index::Sym(_) => None,
    });
    let wanted = arena.sort_node(result).indices.iter().filter_map(|index| match index {
        Index::Num(number) => Some(*number),
        Index::Sym(_) => None,
    });
    let bound = widest.chain(wanted).max().map_or(FREE_INDEX_BOUND, |most| (most + 1).min(MAX_INDEX));
    for _ in 0..ATTEMPTS {
        let mut attempt = *bindings;
        let solved = if free.is_empty() { None } else { Some(free[random.index(free.len())]) };
        for &variable in &free {
            if Some(variable) != solved {
                attempt.indices[variable as usize] = Some(Index::Num(random.below(bound)));
            }
        }
        let found = match solved {
            None => concludes(arena, declaration, &attempt, result),
            Some(variable) => {
                // Start anywhere, so that every index that fits is likely.
                let start = random.below(bound);
                (0..bound).any(|offset| {
                    attempt.indices[variable as usize] = Some(Index::Num((start + offset) % bound));
                    concludes(arena, declaration, &attempt, result)
                })
            }
        };
        if found {
            return declaration.indices.iter().map(|expr| attempt.index(expr)).collect();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Signatures;

    fn declared<'a>(signatures: &'a Signatures, name: &str) -> &'a Declaration {
        signatures.declarations.iter().find(|one| signatures.name(one.name) == name).unwrap()
    }

    #[test]
    fn drawn_indices_give_the_wanted_width() {
        let mut arena = Arena::default();
        let signatures = arena.signatures().clone();
        let mut random = Random::new(5);
        let table = [("extract", 8, 3), ("zero_extend", 3, 8), ("repeat", 2, 8), ("rotate_left", 8, 8)];
        for (name, from, to) in table {
            let declaration = declared(&signatures, name);
            let (from, to) = (arena.bitvec_sort(from), arena.bitvec_sort(to));
            let mut drawn = std::collections::BTreeSet::new();
            for _ in 0..100 {
                let mut bindings = Bindings::default();
                assert!(match_sort(&arena, &mut bindings, &declaration.args[0], from));
                let indices = draw_indices(&arena, declaration, &bindings, to, &mut random).unwrap();
                let head = smt::Head { name: declaration.name, indices: &indices, ascription: None };
                let hole = arena.symbol("hole");
                let hole = arena.local(hole, from);
                let term = arena.apply_head(head, &[hole]).unwrap();
                assert_eq!(arena.sort(term), to, "{name} {indices:?}");
                drawn.insert(indices);
            }
            assert_eq!(drawn.len() > 1, matches!(name, "extract" | "rotate_left"), "{name}: {drawn:?}");
        }
        let impossible = declared(&signatures, "repeat");
        let (from, to) = (arena.bitvec_sort(3), arena.bitvec_sort(8));
        let mut bindings = Bindings::default();
        match_sort(&arena, &mut bindings, &impossible.args[0], from);
        assert_eq!(draw_indices(&arena, impossible, &bindings, to, &mut random), None);
    }
}
