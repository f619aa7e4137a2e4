//! Draws the variables of a rank: widths, formats, field orders, element sorts.

use crate::kit::operators::rank::{build, has_arithmetic, match_sort};
use crate::kit::random::Random;
use smt::signature::{Bindings, Condition, Declaration, IndexExpr, SortPattern};
use smt::{Arena, Index, Sort, reserved};

/// Bit-vector widths, including those at which representations change.
const WIDTHS: [u64; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 32, 33, 64, 65, 130];
/// Floating-point formats: exponent and significand.
const FORMATS: [(u64, u64); 9] =
    [(3, 5), (5, 11), (8, 24), (11, 53), (15, 113), (2, 3), (4, 12), (6, 3), (2, 20)];
/// Orders of finite fields.
const ORDERS: [u64; 6] = [2, 3, 5, 17, 2_147_483_647, 18_446_744_073_709_551_557];
/// The widest bit-vector to draw.
const WIDEST: u64 = 400;
/// The number of attempts at drawing indices for a rank.
const ATTEMPTS: usize = 40;

/// What an index variable is used for.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Free,
    Width,
    Exponent,
    Significand,
    Order,
}

/// The sorts that instantiate sort variables, simple ones first.
pub(crate) fn elements(arena: &mut Arena) -> Vec<Sort> {
    let mut sorts = vec![Sort::INT, Sort::INT, Sort::BOOL, Sort::STRING, Sort::REAL];
    for width in [1, 3, 8] {
        sorts.push(arena.bitvec_sort(width));
    }
    sorts.push(arena.make_sort("FloatingPoint", &[Index::Num(3), Index::Num(5)], &[]));
    sorts.push(arena.make_sort("Seq", &[], &[Sort::INT]));
    sorts
}

/// Binds all variables of a rank so that its conditions hold and the result has the wanted sort, if any.
pub(crate) fn draw(
    arena: &mut Arena,
    declaration: &Declaration,
    wanted: Option<Sort>,
    elements: &[Sort],
    random: &mut Random,
) -> Option<(Bindings, Sort)> {
    let mut fixed = Bindings::default();
    if let Some(wanted) = wanted
        && !has_arithmetic(&declaration.result)
        && !match_sort(arena, &mut fixed, &declaration.result, wanted)
    {
        return None;
    }
    let uses = uses(declaration);
    for _ in 0..ATTEMPTS {
        let mut bindings = fixed;
        for variable in 0..declaration.sort_variables {
            let slot = &mut bindings.sorts[variable];
            if slot.is_none() {
                *slot = Some(elements[random.index(elements.len())]);
            }
        }
        draw_indices(declaration, &uses, &mut bindings, random);
        if let Some(condition) = &declaration.condition {
            solve(condition, &mut bindings, &uses);
            if !bindings.holds(condition) {
                continue;
            }
        }
        let Some(result) = build(arena, &bindings, &declaration.result) else { continue };
        if wanted.is_some_and(|wanted| wanted != result) || !is_drawn(arena, result) {
            continue;
        }
        return Some((bindings, result));
    }
    None
}

/// Whether solvers accept a sort of this size and shape.
fn is_drawn(arena: &Arena, sort: Sort) -> bool {
    match (arena.bitvec_width(sort), arena.float_format(sort)) {
        (Some(width), _) => (1..=WIDEST).contains(&width),
        (_, Some((exponent, significand))) => exponent >= 2 && significand >= 2,
        _ => true,
    }
}

fn draw_indices(declaration: &Declaration, uses: &[Use], bindings: &mut Bindings, random: &mut Random) {
    let format = FORMATS[random.index(FORMATS.len())];
    let widest = if random.chance(3, 4) { 8 } else { WIDTHS.len() };
    let mut width = WIDTHS[random.index(widest)];
    for (variable, usage) in uses.iter().enumerate().take(declaration.index_variables) {
        if bindings.indices[variable].is_some() {
            continue;
        }
        let number = match usage {
            Use::Width => {
                let drawn = width;
                width = WIDTHS[random.index(widest)];
                drawn
            }
            Use::Exponent => format.0,
            Use::Significand => format.1,
            Use::Order => ORDERS[random.index(ORDERS.len())],
            Use::Free if random.chance(1, 8) => random.below(140),
            Use::Free => random.below(width.max(6) + 1),
        };
        bindings.indices[variable] = Some(Index::Num(number));
    }
    // The second format of a rank is drawn independently.
    let mut exponents = (0..declaration.index_variables).filter(|&at| uses[at] == Use::Exponent);
    if let (Some(_), Some(second)) = (exponents.next(), exponents.next())
        && let Some(significand) =
            (second..declaration.index_variables).find(|&at| uses[at] == Use::Significand)
    {
        let (exponent, width) = FORMATS[random.index(FORMATS.len())];
        bindings.indices[second] = Some(Index::Num(exponent));
        bindings.indices[significand] = Some(Index::Num(width));
    }
}

/// Makes equations of a condition true by setting a variable that is one side of them.
fn solve(condition: &Condition, bindings: &mut Bindings, uses: &[Use]) {
    match condition {
        Condition::And(all) => all.iter().for_each(|one| solve(one, bindings, uses)),
        Condition::Compare("=", IndexExpr::Variable(variable), other) => {
            let format = matches!(uses[*variable as usize], Use::Exponent | Use::Significand);
            match other {
                // In `(= sb (+ i 1))` the format was drawn, so the width follows from it.
                IndexExpr::Op(smt::signature::IndexOp::Add, parts) if format => {
                    if let [IndexExpr::Variable(part), IndexExpr::Fixed(Index::Num(added))] = parts[..]
                        && let Some(Index::Num(whole)) = bindings.indices[*variable as usize]
                    {
                        bindings.indices[part as usize] = whole.checked_sub(added).map(Index::Num);
                    }
                }
                _ => bindings.indices[*variable as usize] = bindings.index(other),
            }
        }
        _ => {}
    }
}

fn uses(declaration: &Declaration) -> Vec<Use> {
    let mut uses = vec![Use::Free; declaration.index_variables];
    for pattern in declaration.args.iter().chain([&declaration.result]) {
        mark(pattern, &mut uses);
    }
    uses
}

fn mark(pattern: &SortPattern, uses: &mut [Use]) {
    let SortPattern::Constructed { head, indices, args } = pattern else { return };
    args.iter().for_each(|arg| mark(arg, uses));
    let mut set = |at: usize, usage: Use| {
        if let Some(IndexExpr::Variable(variable)) = indices.get(at) {
            let slot = &mut uses[*variable as usize];
            // An exponent that is also a width (in `fp`) stays an exponent.
            if *slot == Use::Free || *slot == Use::Width {
                *slot = usage;
            }
        }
    };
    match *head {
        reserved::BITVEC => set(0, Use::Width),
        reserved::FLOATING_POINT => {
            set(0, Use::Exponent);
            set(1, Use::Significand);
        }
        reserved::FINITE_FIELD => set(0, Use::Order),
        _ => {}
    }
}
