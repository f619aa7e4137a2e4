//! The sorts that mutants of a seed may use: those of its expressions, and related ones.

use crate::kit::draft::Draft;
use smt::Sort;

/// The number of bit-vector widths that get related narrower ones.
const MOST_SPLIT: usize = 3;

/// The sorts of the seed's expressions. If new constants are allowed, also the sorts that their operators need: integers for
/// strings, rounding modes for floating point.
pub(crate) fn of_seed(draft: &mut Draft, constants: bool) -> Vec<Sort> {
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
