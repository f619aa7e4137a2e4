//! Larger and smaller terms, in every order.

use super::order::{Direction, Order, Place};
use crate::kit::constants::boundary;
use crate::kit::draft::{Draft, Position};
use crate::kit::random::Random;
use smt::{Binder, Literal, OpKind, Sort, Term, View};
use std::collections::BTreeSet;

/// The number of expressions of the formula to try.
const TRIES: usize = 6;
/// Distances between numbers, as they are written.
const DISTANCES: [&str; 5] = ["0", "1", "2", "7", "4294967296"];

/// Makes a term that may replace the one at a position.
pub(super) struct Maker<'a> {
    pub draft: &'a mut Draft,
    pub position: &'a Position,
    pub random: &'a mut Random,
    /// The names that the script declares. They may hide operators.
    pub declared: &'a BTreeSet<String>,
}

/// An operator with its arguments.
struct Parts {
    name: String,
    args: Vec<Term>,
}

impl Maker<'_> {
    /// A larger or smaller term.
    pub fn make(&mut self, place: Place) -> Option<Term> {
        let term = self.position.term();
        let up = place.direction == Direction::Up;
        match place.order {
            Order::Truth => self.formula(term, up),
            Order::Number => self.number(term, up),
            Order::Inclusion => self.collection(term, up),
            Order::Unsigned => self.unsigned(term, up),
            Order::Signed => self.extremum(term, up, "bvslt"),
            Order::Float => self.extremum(term, up, "fp.lt"),
            Order::Lexical if self.random.chance(1, 2) => self.extremum(term, up, "str.<"),
            Order::Lexical | Order::Prefix => self.text(term, up, Side::End),
            Order::Suffix => self.text(term, up, Side::Start),
            Order::Part => self.text(term, up, Side::Any),
        }
    }

    /// Applies an operator of a theory.
    fn apply(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let arena = &self.draft.arena;
        let hides = |&local: &Term| matches!(arena.view(local), View::Local(own) if arena.name(own) == name);
        if self.declared.contains(name) || self.position.scope.iter().any(hides) {
            return None;
        }
        self.draft.arena.apply(name, args).ok()
    }

    fn parts(&self, term: Term) -> Option<Parts> {
        let arena = &self.draft.arena;
        match arena.view(term) {
            View::App(op, args) if !matches!(arena.op(op).kind, OpKind::Function { .. }) => {
                Some(Parts { name: arena.op_name(op).to_owned(), args: args.to_vec() })
            }
            _ => None,
        }
    }

    /// An expression of the formula.
    fn expression(&mut self, sort: Sort) -> Option<Term> {
        for _ in 0..TRIES {
            let drawn = *self.random.pick(self.draft.pool.of(sort))?;
            if self.draft.usable(self.position, drawn) {
                return Some(drawn);
            }
        }
        None
    }

    /// An expression of the formula, or a constant.
    fn any(&mut self, sort: Sort) -> Option<Term> {
        if self.random.chance(2, 3)
            && let Some(found) = self.expression(sort)
        {
            return Some(found);
        }
        if sort == Sort::REGLAN {
            let text = self.any(Sort::STRING)?;
            return self.apply("str.to_re", &[text]);
        }
        let constants = boundary(&mut self.draft.arena, sort);
        self.random.pick(&constants).copied().or_else(|| self.expression(sort))
    }

    /// The arguments without one of them; the only one that is left stands for itself.
    fn without_one(&mut self, parts: &Parts) -> Option<Term> {
        let mut args = parts.args.clone();
        if args.len() < 2 {
            return None;
        }
        args.remove(self.random.index(args.len()));
        match args.as_slice() {
            [only] => Some(*only),
            several => self.apply(&parts.name, several),
        }
    }

    /// The same arguments under one of these operators.
    fn one_of(&mut self, names: &[&str], args: &[Term]) -> Option<Term> {
        let name = self.random.pick(names)?;
        self.apply(name, args)
    }

    /// A weaker or stronger formula.
    fn formula(&mut self, term: Term, up: bool) -> Option<Term> {
        if self.random.chance(4, 5) {
            let made = if up { self.weaker(term) } else { self.stronger(term) };
            if made.is_some() {
                return made;
            }
        }
        let mut other = self.expression(Sort::BOOL)?;
        if self.random.chance(1, 3) {
            other = self.apply("not", &[other])?;
        }
        self.apply(if up { "or" } else { "and" }, &[term, other])
    }

    /// A formula that this one implies.
    fn weaker(&mut self, term: Term) -> Option<Term> {
        if let View::Binder { kind: Binder::Forall, .. } = self.draft.arena.view(term) {
            return self.instance_or(term, Binder::Exists);
        }
        let parts = self.parts(term)?;
        let args = parts.args.as_slice();
        let chain_of_two = args.len() == 2;
        match parts.name.as_str() {
            "and" => self.without_one(&parts),
            // Any two elements of a chain are compared, too.
            "=" | "distinct" | "<" | "<=" | ">" | ">=" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq"
            | "fp.eq"
                if args.len() > 2 && self.random.chance(1, 2) =>
            {
                self.without_one(&parts)
            }
            "=" if chain_of_two => {
                let names = self.implied_by_equality(self.draft.arena.sort(args[0]));
                self.one_of(names, args)
            }
            "<" => self.one_of(if chain_of_two { &["<=", "distinct"] } else { &["<="] }, args),
            ">" => self.one_of(if chain_of_two { &[">=", "distinct"] } else { &[">="] }, args),
            "bvult" => self.one_of(&["bvule", "distinct"], args),
            "bvugt" => self.one_of(&["bvuge", "distinct"], args),
            "bvslt" => self.one_of(&["bvsle", "distinct"], args),
            "bvsgt" => self.one_of(&["bvsge", "distinct"], args),
            "str.<" if chain_of_two => self.one_of(&["str.<=", "distinct"], args),
            "fp.lt" | "fp.gt" | "fp.leq" | "fp.geq" | "fp.eq" if self.random.chance(1, 3) => {
                let number = *self.random.pick(args)?;
                let is_nan = self.apply("fp.isNaN", &[number])?;
                self.apply("not", &[is_nan])
            }
            "fp.lt" => self.one_of(if chain_of_two { &["fp.leq", "distinct"] } else { &["fp.leq"] }, args),
            "fp.gt" => self.one_of(if chain_of_two { &["fp.geq", "distinct"] } else { &["fp.geq"] }, args),
            "fp.eq" => self.one_of(&["fp.leq", "fp.geq"], args),
            "fp.isZero" | "fp.isNormal" | "fp.isSubnormal" | "fp.isInfinite" => {
                let other = self.apply("fp.isNaN", args)?;
                self.apply("not", &[other])
            }
            "str.prefixof" if self.random.chance(1, 2) => self.apply("str.<=", args),
            "str.prefixof" | "str.suffixof" => self.apply("str.contains", &[args[1], args[0]]),
            "seq.prefixof" | "seq.suffixof" => self.apply("seq.contains", &[args[1], args[0]]),
            "set.is_empty" => {
                let other = self.expression(self.draft.arena.sort(args[0]))?;
                self.apply("set.subset", &[args[0], other])
            }
            "xor" if chain_of_two => self.apply("or", args),
            "ite" => self.apply("or", &args[1..]),
            _ => None,
        }
    }

    /// The relations that follow from equality.
    fn implied_by_equality(&self, sort: Sort) -> &'static [&'static str] {
        match sort {
            Sort::BOOL => &["=>"],
            Sort::INT | Sort::REAL => &["<=", ">="],
            Sort::STRING => &["str.<=", "str.prefixof", "str.suffixof", "str.contains"],
            sort if self.draft.arena.bitvec_width(sort).is_some() => &["bvule", "bvuge", "bvsle", "bvsge"],
            sort => match self.draft.arena.sort_head(sort) {
                "Seq" => &["seq.prefixof", "seq.suffixof", "seq.contains"],
                "Set" | "FiniteSet" => &["set.subset"],
                "Bag" => &["bag.subbag"],
                // Not a number is equal to itself, but not at most itself.
                _ => &[],
            },
        }
    }

    /// A formula that implies this one.
    fn stronger(&mut self, term: Term) -> Option<Term> {
        if let View::Binder { kind: Binder::Exists, .. } = self.draft.arena.view(term) {
            return self.instance_or(term, Binder::Forall);
        }
        let parts = self.parts(term)?;
        let args = parts.args.as_slice();
        let chain_of_two = args.len() == 2;
        let negated = |maker: &mut Self, term: Term| maker.apply("not", &[term]);
        match parts.name.as_str() {
            "or" => self.without_one(&parts),
            "=>" if self.random.chance(1, 2) => args.last().copied(),
            "=>" => negated(self, args[0]),
            "<=" => self.one_of(&["<", "="], args),
            ">=" => self.one_of(&[">", "="], args),
            "bvule" => self.one_of(&["bvult", "="], args),
            "bvuge" => self.one_of(&["bvugt", "="], args),
            "bvsle" => self.one_of(&["bvslt", "="], args),
            "bvsge" => self.one_of(&["bvsgt", "="], args),
            "fp.leq" => self.one_of(&["fp.lt", "fp.eq"], args),
            "fp.geq" => self.one_of(&["fp.gt", "fp.eq"], args),
            "str.<=" if chain_of_two => self.one_of(&["str.<", "=", "str.prefixof"], args),
            "str.prefixof" | "str.suffixof" | "seq.prefixof" | "seq.suffixof" => self.apply("=", args),
            "str.contains" if self.random.chance(2, 3) => {
                self.one_of(&["str.prefixof", "str.suffixof"], &[args[1], args[0]])
            }
            "seq.contains" if self.random.chance(2, 3) => {
                self.one_of(&["seq.prefixof", "seq.suffixof"], &[args[1], args[0]])
            }
            "str.contains" | "seq.contains" | "set.subset" | "bag.subbag" => self.apply("=", args),
            "distinct" if chain_of_two => {
                let names = self.apart(self.draft.arena.sort(args[0]));
                self.one_of(names, args)
            }
            "xor" | "=" if chain_of_two && self.draft.arena.sort(args[0]) == Sort::BOOL => {
                let (mut one, mut two) = (args[0], args[1]);
                let negate_one = self.random.chance(1, 2);
                if negate_one {
                    one = negated(self, one)?;
                }
                if negate_one == (parts.name == "=") {
                    two = negated(self, two)?;
                }
                self.apply("and", &[one, two])
            }
            "ite" => self.apply("and", &args[1..]),
            _ => None,
        }
    }

    /// The relations that hold between different values only.
    fn apart(&self, sort: Sort) -> &'static [&'static str] {
        match sort {
            Sort::BOOL => &["xor"],
            Sort::INT | Sort::REAL => &["<", ">"],
            Sort::STRING => &["str.<"],
            sort if self.draft.arena.bitvec_width(sort).is_some() => &["bvult", "bvugt", "bvslt", "bvsgt"],
            sort if self.draft.arena.float_format(sort).is_some() => &["fp.lt", "fp.gt"],
            _ => &[],
        }
    }

    /// An instance of a quantified formula, or the same formula under the other quantifier: no sort is empty.
    fn instance_or(&mut self, term: Term, other: Binder) -> Option<Term> {
        let View::Binder { kind, variables, bodies } = self.draft.arena.view(term) else { return None };
        let (kind, mut variables, mut body) = (kind, variables.to_vec(), bodies[0]);
        // A pattern belongs to its quantifier.
        while let View::Annotated { body: inner, .. } = self.draft.arena.view(body) {
            body = inner;
        }
        if self.random.chance(1, 4) {
            return Some(self.draft.arena.quantifier(other, &variables, body));
        }
        let variable = variables.remove(self.random.index(variables.len()));
        let value = self.any(self.draft.arena.sort(variable))?;
        let occurs = |&other: &Term| {
            let arena = &self.draft.arena;
            matches!((arena.view(other), arena.view(variable)), (View::Local(a), View::Local(b)) if a == b)
        };
        // Of two variables with one name, the last one counts.
        if variables.iter().any(occurs) {
            return None;
        }
        if variables.is_empty() {
            return Some(self.draft.arena.substitute(body, &[(variable, value)]));
        }
        // The remaining variables must not catch those of the value, which the substitution sees to.
        let rest = self.draft.arena.quantifier(kind, &variables, body);
        Some(self.draft.arena.substitute(rest, &[(variable, value)]))
    }

    /// The larger or smaller one of a term and another one.
    fn extremum(&mut self, term: Term, up: bool, less: &str) -> Option<Term> {
        let other = self.any(self.draft.arena.sort(term))?;
        let condition =
            if up { self.apply(less, &[term, other])? } else { self.apply(less, &[other, term])? };
        self.apply("ite", &[condition, other, term])
    }

    fn number(&mut self, term: Term, up: bool) -> Option<Term> {
        let sort = self.draft.arena.sort(term);
        match self.random.index(4) {
            0 => self.extremum(term, up, "<"),
            1 if sort == Sort::INT => {
                let size = self.apply("abs", &[term])?;
                if up { Some(size) } else { self.apply("-", &[size]) }
            }
            _ => {
                let distance = *self.random.pick(&DISTANCES)?;
                let distance = match sort {
                    Sort::INT => self.draft.arena.literal(Literal::Numeral, distance, sort),
                    _ => self.draft.arena.literal(Literal::Decimal, &format!("{distance}.0"), sort),
                };
                self.apply(if up { "+" } else { "-" }, &[term, distance])
            }
        }
    }

    fn unsigned(&mut self, term: Term, up: bool) -> Option<Term> {
        if self.random.chance(1, 3) {
            return self.extremum(term, up, "bvult");
        }
        let other = self.any(self.draft.arena.sort(term))?;
        self.one_of(if up { &["bvor"] } else { &["bvand", "bvurem", "bvlshr"] }, &[term, other])
    }

    fn collection(&mut self, term: Term, up: bool) -> Option<Term> {
        let sort = self.draft.arena.sort(term);
        if sort == Sort::REGLAN {
            return self.language(term, up);
        }
        let names: &[&str] = match (self.draft.arena.sort_head(sort), up) {
            ("Set" | "FiniteSet", true) => &["set.union"],
            ("Set", false) => &["set.inter", "set.minus"],
            ("FiniteSet", false) => &["set.intersect", "set.difference"],
            ("Bag", true) => &["bag.union_max", "bag.union_disjoint"],
            ("Bag", false) => &["bag.inter_min", "bag.difference_subtract", "bag.difference_remove"],
            _ => &[],
        };
        let other = self.expression(sort)?;
        self.one_of(names, &[term, other])
    }

    fn language(&mut self, term: Term, up: bool) -> Option<Term> {
        if self.random.chance(1, 2)
            && let Some(parts) = self.parts(term)
        {
            let args = parts.args.as_slice();
            let made = match (parts.name.as_str(), up) {
                ("re.inter", true) | ("re.union", false) => self.without_one(&parts),
                ("re.diff", true) => args.first().copied(),
                ("re.+", true) => self.apply("re.*", args),
                ("re.*", false) => self.one_of(&["re.+", "re.opt"], args),
                ("re.+" | "re.opt", false) => args.first().copied(),
                _ => None,
            };
            if made.is_some() {
                return made;
            }
        }
        if up && self.random.chance(1, 2) {
            return self.one_of(&["re.opt", "re.*", "re.+"], &[term]);
        }
        let other = self.any(Sort::REGLAN)?;
        self.one_of(if up { &["re.union"] } else { &["re.inter", "re.diff"] }, &[term, other])
    }

    /// A longer or shorter string or sequence, where the other one is on this side.
    fn text(&mut self, term: Term, up: bool, side: Side) -> Option<Term> {
        let sort = self.draft.arena.sort(term);
        let (join, part, length, at) = match sort {
            Sort::STRING => ("str.++", "str.substr", "str.len", "str.at"),
            _ => ("seq.++", "seq.extract", "seq.len", "seq.at"),
        };
        let side = match side {
            Side::Any => *self.random.pick(&[Side::Start, Side::End, Side::Any])?,
            side => side,
        };
        if up {
            let other = self.any(sort)?;
            return match side {
                Side::End => self.apply(join, &[term, other]),
                Side::Start => self.apply(join, &[other, term]),
                Side::Any => {
                    let more = self.any(sort)?;
                    self.apply(join, &[other, term, more])
                }
            };
        }
        let number = self.any(Sort::INT)?;
        match side {
            Side::End => {
                let zero = self.draft.arena.literal(Literal::Numeral, "0", Sort::INT);
                self.apply(part, &[term, zero, number])
            }
            Side::Start => {
                let length = self.apply(length, &[term])?;
                self.apply(part, &[term, number, length])
            }
            Side::Any if self.random.chance(1, 2) => self.apply(at, &[term, number]),
            Side::Any => {
                let count = self.any(Sort::INT)?;
                self.apply(part, &[term, number, count])
            }
        }
    }
}

/// Where a longer text differs from a shorter one.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
    Any,
}
