//! The orders in which terms can grow, and how a position inherits one from the term around it.
//!
//! A formula grows by becoming weaker. If an argument of an operator grows and the result then grows, too, or shrinks, the argument has
//! an order of its own: `b` in `(<= a b)` may become a larger number, `r` in `(str.in_re s r)` a larger language.

use crate::kit::draft::Position;
use smt::{Arena, Binder, Literal, OpKind, Pattern, Sort, Term, View};

/// In which order terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Formulas by implication; the weaker is the larger.
    Truth,
    /// Integers and reals.
    Number,
    /// Languages, sets and bags by inclusion.
    Inclusion,
    /// Bit-vectors as unsigned numbers.
    Unsigned,
    /// Bit-vectors as signed numbers.
    Signed,
    /// Strings as in dictionaries.
    Lexical,
    /// Strings and sequences, of which one is a prefix of the other.
    Prefix,
    /// The same with a suffix.
    Suffix,
    /// The same with any part.
    Part,
    /// Floating-point numbers. Not a number is larger and smaller than nothing.
    Float,
}

/// Where a term may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Direction {
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// How a term may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub order: Order,
    pub direction: Direction,
}

impl Place {
    fn along(self, order: Order) -> Option<Place> {
        Some(Place { order, ..self })
    }

    fn against(self, order: Order) -> Option<Place> {
        Some(Place { order, direction: self.direction.reversed() })
    }
}

/// How the child number `step` of a term may change, if the term may change like `place`. `None` if nothing is known.
fn inside(arena: &Arena, term: Term, step: usize, place: Place) -> Option<Place> {
    match arena.view(term) {
        View::Annotated { .. } if step == 0 => Some(place),
        View::Let { values, .. } if step == values.len() => Some(place),
        View::Binder { kind: Binder::Forall | Binder::Exists, .. } => Some(place),
        View::App(op, args) if !matches!(arena.op(op).kind, OpKind::Function { .. }) => {
            argument(arena, arena.op_name(op), args, step, place)
        }
        _ => None,
    }
}

fn argument(arena: &Arena, name: &str, args: &[Term], step: usize, place: Place) -> Option<Place> {
    use Order::{Float, Inclusion, Lexical, Number, Part, Prefix, Signed, Suffix, Truth, Unsigned};
    let last = args.len() - 1;
    // Of two sides of a comparison, the second grows and the first shrinks.
    let compared = |order: Order| match step {
        0 if last > 0 => place.against(order),
        step if step == last => place.along(order),
        _ => None,
    };
    let compared_back = |order: Order| match step {
        0 if last > 0 => place.along(order),
        step if step == last => place.against(order),
        _ => None,
    };
    let same = place.along(place.order);
    let all_but_first = |order: Order| if step == 0 { place.along(order) } else { place.against(order) };
    if name == "ite" {
        return same.filter(|_| step > 0);
    }
    match (place.order, name) {
        (Truth, "and" | "or") => same,
        (Truth, "not") => place.against(Truth),
        (Truth, "=>") if step == last => same,
        (Truth, "=>") => place.against(Truth),
        (Truth, "<" | "<=") if is_number(arena, args[step]) => compared(Number),
        (Truth, ">" | ">=") if is_number(arena, args[step]) => compared_back(Number),
        (Truth, "bvult" | "bvule") => compared(Unsigned),
        (Truth, "bvugt" | "bvuge") => compared_back(Unsigned),
        (Truth, "bvslt" | "bvsle") => compared(Signed),
        (Truth, "bvsgt" | "bvsge") => compared_back(Signed),
        (Truth, "fp.lt" | "fp.leq") => compared(Float),
        (Truth, "fp.gt" | "fp.geq") => compared_back(Float),
        (Truth, "str.<" | "str.<=") => compared(Lexical),
        (Truth, "str.prefixof" | "seq.prefixof") => compared(Prefix),
        (Truth, "str.suffixof" | "seq.suffixof") => compared(Suffix),
        (Truth, "str.contains" | "seq.contains") => compared_back(Part),
        (Truth, "set.subset" | "bag.subbag") => compared(Inclusion),
        (Truth, "str.in_re" | "set.member" | "set.in" | "bag.member" | "set.some" | "bag.some")
            if step == last =>
        {
            place.along(Inclusion)
        }
        (Truth, "set.all" | "bag.all") if step == last => place.against(Inclusion),
        (Truth, "set.is_empty") => place.against(Inclusion),

        (Number, "+" | "to_real" | "to_int") => same,
        (Number, "-") if last == 0 => place.against(Number),
        (Number, "-") => all_but_first(Number),
        (Number, "*") if last == 1 && is_numeral(arena, args[1 - step]) => same,
        (Number, "div") if last == 1 && step == 0 && is_positive(arena, args[1]) => same,
        (Number, "str.len" | "seq.len") => place.along(Part),
        (Number, "set.card" | "set.size" | "bag.card") => place.along(Inclusion),
        (Number, "bag.count") if step == last => place.along(Inclusion),
        (Number, "ubv_to_int" | "bv2nat") => place.along(Unsigned),
        (Number, "sbv_to_int") => place.along(Signed),

        (Inclusion, "re.++" | "re.union" | "re.inter" | "re.*" | "re.+" | "re.opt" | "re.^" | "re.loop")
            if arena.sort(args[step]) == Sort::REGLAN =>
        {
            same
        }
        (Inclusion, "re.comp") => place.against(Inclusion),
        (Inclusion, "re.diff" | "set.minus" | "set.difference") => all_but_first(Inclusion),
        (Inclusion, "bag.difference_subtract" | "bag.difference_remove") => all_but_first(Inclusion),
        (Inclusion, "set.union" | "set.inter" | "set.intersect") => same,
        (Inclusion, "bag.union_max" | "bag.union_disjoint" | "bag.inter_min" | "bag.setof") => same,
        (Inclusion, "set.insert" | "set.filter" | "bag.filter") if step == last => same,

        (Lexical | Prefix, "str.++" | "seq.++") if step == last => same,
        (Suffix, "str.++" | "seq.++") if step == 0 => same,
        (Part, "str.++" | "seq.++") if step == 0 => place.along(Suffix),
        (Part, "str.++" | "seq.++") if step == last => place.along(Prefix),
        _ => None,
    }
}

fn is_number(arena: &Arena, term: Term) -> bool {
    matches!(arena.sort(term), Sort::INT | Sort::REAL)
}

/// Whether a term is written as a number that is not negative.
fn is_numeral(arena: &Arena, term: Term) -> bool {
    matches!(arena.view(term), View::Literal(Literal::Numeral | Literal::Decimal, _))
}

fn is_positive(arena: &Arena, term: Term) -> bool {
    match arena.view(term) {
        View::Literal(Literal::Numeral, text) => arena.name(text).bytes().any(|digit| digit != b'0'),
        _ => false,
    }
}

/// How the term at a position and the terms around it may change, from the root on, if the root may change like `direction`. The list
/// ends where nothing is known.
pub(super) fn places(arena: &Arena, position: &Position, direction: Direction) -> Vec<Place> {
    let mut places = vec![Place { order: Order::Truth, direction }];
    for (&node, &step) in position.nodes.iter().zip(&position.path) {
        let Some(place) = places.last().and_then(|&place| inside(arena, node, step as usize, place)) else {
            break;
        };
        places.push(place);
    }
    places
}

/// Moves a position in an assertion up to the term at this depth, or to what it annotates.
pub(super) fn shorten(arena: &Arena, position: &mut Position, depth: usize) {
    position.path.truncate(depth);
    position.nodes.truncate(depth + 1);
    position.values_only = false;
    while let View::Annotated { body, .. } = arena.view(position.term()) {
        position.path.push(0);
        position.nodes.push(body);
    }
    position.scope.clear();
    for (&node, &step) in position.nodes.iter().zip(&position.path) {
        let step = step as usize;
        match arena.view(node) {
            View::Let { names, values, .. } if step == values.len() => {
                position.scope.extend_from_slice(names);
            }
            View::Binder { variables, .. } => position.scope.extend_from_slice(variables),
            View::Match { patterns, .. } if step > 0 => {
                position.scope.extend(patterns[step - 1..step].iter().flat_map(Pattern::variables));
            }
            _ => {}
        }
    }
}
