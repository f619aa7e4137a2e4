//! The sorts that a seed's mutants may use: those of its expressions, and those that belong to them.

use crate::draft::Draft;
use smt::Sort;

/// The most widths of bit-vectors that are split into narrower ones.
const MOST_SPLIT: usize = 3;

/// The sorts of the seed's expressions and, if constants may be made up, the sorts without which the operators of the
/// former are of no use: strings want positions, floating-point numbers want rounding modes.
pub(crate) fn sorts(draft: &mut Draft, constants: bool) -> Vec<Sort> {
    let own: Vec<Sort> = draft
        .pool
        .sorts()
        .iter()
        .copied()
        .filter(|&sort| !draft.arena.sort_node(sort).is_polymorphic)
        .collect();
    let mut all = own.clone();
    let mut add = |sort: Sort| {
        if !all.contains(&sort) {
            all.push(sort);
        }
    };
    add(Sort::BOOL);
    if !constants {
        return all;
    }
    let mut split = 0;
    for sort in own {
        match sort {
            Sort::STRING => {
                add(Sort::INT);
                add(Sort::REGLAN);
            }
            Sort::REGLAN => {
                add(Sort::STRING);
                add(Sort::INT);
            }
            _ if draft.arena.float_format(sort).is_some() => add(Sort::ROUNDING_MODE),
            _ => match (draft.arena.bitvec_width(sort), draft.arena.sort_head(sort)) {
                (Some(width), _) if width > 1 && split < MOST_SPLIT => {
                    split += 1;
                    for part in [1, width - 1, width / 2, width - width / 2] {
                        let part = draft.arena.bitvec_sort(part);
                        add(part);
                    }
                }
                (None, "Seq" | "Set" | "Bag" | "FiniteSet") => add(Sort::INT),
                _ => {}
            },
        }
    }
    all
}
