//! Simplifies sorts: narrows bit-vectors and floating-point formats in the whole script, and replaces other sorts by simple ones.
//!
//! Rebuilds the script with the new sorts. A script that is ill-typed with them is dropped without a test.

use crate::search::{Candidate, Halt, Offer, Search};
use crate::state::Typed;
use smt::rewrite::post_order;
use smt::{Command, Definition, Head, Index, Literal, OpKind, Script, Sort, Term, View};
use std::collections::{BTreeMap, BTreeSet};

/// A change of sorts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    /// Divides every width by this number, rounding up, and the indices of operators likewise.
    Divide(u64),
    /// Changes bit-vectors of one width to another.
    Width(u64, u64),
    /// Changes one floating-point format to another.
    Format((u64, u64), (u64, u64)),
    /// Replaces the first sort by the second.
    Replace(Sort, Sort),
}

/// Tries every change of sorts.
pub fn narrow(search: &mut Search<'_>) -> Result<(), Halt> {
    loop {
        let changes = match &mut search.state.typed {
            Some(typed) => changes(typed),
            None => return Ok(()),
        };
        let found = search.take_first(&mut |state, index| {
            let (Some(change), Some(typed)) = (changes.get(index), &mut state.typed) else {
                return Offer::End;
            };
            match retyped(typed, change) {
                Some(script) => Offer::Try(Candidate::discarding_model(script)),
                None => Offer::Skip,
            }
        })?;
        if found.is_none() {
            return Ok(());
        }
    }
}

fn changes(typed: &mut Typed) -> Vec<Change> {
    let (mut widths, mut formats, mut others) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for sort in all_sorts(typed) {
        let node = typed.arena.sort_node(sort);
        let inner = node.args.to_vec();
        for sort in [sort].into_iter().chain(inner) {
            if let Some(width) = typed.arena.bitvec_width(sort) {
                widths.insert(width);
            } else if let Some(format) = typed.arena.float_format(sort) {
                formats.insert(format);
            } else if sort != Sort::BOOL && sort != Sort::INT {
                others.insert(sort);
            }
        }
    }
    let mut changes = Vec::new();
    let widest = widths.last().copied().unwrap_or(1);
    let divisors = [widest, 32, 16, 8, 4, 2].into_iter().filter(|by| *by > 1 && *by <= widest);
    changes.extend(divisors.map(Change::Divide));
    for &width in widths.iter().rev() {
        let smaller = [1, 2, 3, 4, width / 2, width - 1].into_iter().filter(|new| *new >= 1 && *new < width);
        changes.extend(smaller.map(|new| Change::Width(width, new)));
    }
    for &format in formats.iter().rev() {
        let smaller = [(2, 2), (2, 3), (3, 5), (5, 11), (format.0 - 1, format.1), (format.0, format.1 - 1)];
        let fits = |new: &(u64, u64)| {
            new.0 >= 2 && new.1 >= 2 && new.0 <= format.0 && new.1 <= format.1 && *new != format
        };
        changes.extend(smaller.into_iter().filter(fits).map(|new| Change::Format(format, new)));
    }
    for sort in others {
        changes.extend([Sort::BOOL, Sort::INT].map(|new| Change::Replace(sort, new)));
    }
    changes.dedup();
    changes
}

/// The sorts of all terms, bound variables and declared symbols.
fn all_sorts(typed: &Typed) -> BTreeSet<Sort> {
    let roots: Vec<Term> = typed.roots().into_iter().map(|(_, root)| root).collect();
    let mut sorts: BTreeSet<Sort> = BTreeSet::new();
    for node in post_order(&typed.arena, &roots) {
        sorts.insert(typed.arena.sort(node));
        sorts.extend(typed.arena.bound_names(node).iter().map(|&name| typed.arena.sort(name)));
    }
    for command in &typed.script.commands {
        if let Command::Declare(_, op) = command {
            let (args, result) = typed.rank(*op);
            sorts.extend(args);
            sorts.insert(result);
        }
    }
    sorts
}

impl Change {
    fn width(&self, width: u64) -> u64 {
        match *self {
            Change::Divide(by) => width.div_ceil(by),
            Change::Width(old, new) if old == width => new,
            _ => width,
        }
    }

    /// What a sort becomes. Recursion is bounded by the depth that the parser allows.
    fn sort(&self, typed: &mut Typed, sort: Sort) -> Sort {
        if let Some(width) = typed.arena.bitvec_width(sort) {
            let width = self.width(width);
            return typed.arena.bitvec_sort(width);
        }
        match *self {
            Change::Replace(old, new) if old == sort => return new,
            Change::Format(old, new) if typed.arena.float_format(sort) == Some(old) => {
                return typed.arena.make_sort("FloatingPoint", &[Index::Num(new.0), Index::Num(new.1)], &[]);
            }
            _ => {}
        }
        let node = typed.arena.sort_node(sort).clone();
        if node.args.is_empty() {
            return sort;
        }
        let args: Vec<Sort> = node.args.iter().map(|&arg| self.sort(typed, arg)).collect();
        let head = typed.arena.name(node.head).to_owned();
        typed.arena.make_sort(&head, &node.indices, &args)
    }

    /// The indices of an operator whose arguments have new sorts.
    fn indices(
        &self,
        typed: &mut Typed,
        name: &str,
        indices: &[Index],
        sort: Sort,
        first: Option<Term>,
    ) -> Vec<Index> {
        let numbers: Option<Vec<u64>> = indices
            .iter()
            .map(|index| match index {
                Index::Num(number) => Some(*number),
                Index::Sym(_) => None,
            })
            .collect();
        let Some(numbers) = numbers else { return indices.to_vec() };
        let format = |typed: &mut Typed| {
            let sort = self.sort(typed, sort);
            typed.arena.float_format(sort).map(|(exponent, significand)| vec![exponent, significand])
        };
        let new = match (name, numbers.as_slice()) {
            ("extract", [high, low]) => {
                let width =
                    first.and_then(|term| typed.arena.bitvec_width(typed.arena.sort(term))).unwrap_or(1);
                let (high, low) = match self {
                    Change::Divide(by) => ((high + 1).div_ceil(*by) - 1, low / by),
                    _ => (*high, *low),
                };
                let high = high.min(width - 1);
                Some(vec![high, low.min(high)])
            }
            ("zero_extend" | "sign_extend" | "rotate_left" | "rotate_right", [by]) => match self {
                Change::Divide(divisor) => Some(vec![by / divisor]),
                _ => None,
            },
            ("int2bv" | "int_to_bv" | "nat2bv" | "fp.to_ubv" | "fp.to_sbv", [width]) => {
                Some(vec![self.width(*width)])
            }
            ("to_fp" | "to_fp_unsigned" | "+zero" | "-zero" | "+oo" | "-oo" | "NaN", [_, _]) => format(typed),
            _ => None,
        };
        new.unwrap_or(numbers).into_iter().map(Index::Num).collect()
    }
}

/// The script with changed sorts, if it is well-typed.
fn retyped(typed: &mut Typed, change: &Change) -> Option<Script> {
    let commands = typed.script.commands.clone();
    let mut builder = Builder { typed, change, terms: BTreeMap::new() };
    let mut made = Vec::with_capacity(commands.len());
    for command in &commands {
        made.push(builder.command(command)?);
    }
    let script = Script::new(made);
    let script = super::commands::prune_unused(typed, &script);
    (script.commands != typed.script.commands).then_some(script)
}

struct Builder<'a> {
    typed: &'a mut Typed,
    change: &'a Change,
    terms: BTreeMap<Term, Term>,
}

impl Builder<'_> {
    fn command(&mut self, command: &Command) -> Option<Command> {
        for term in command.terms() {
            self.build(term)?;
        }
        Some(match command {
            Command::Declare(form, op) => Command::Declare(*form, self.op(*op)),
            Command::Define(form, definitions) => {
                let mut changed = Vec::with_capacity(definitions.len());
                for definition in definitions {
                    let op = self.op(definition.op);
                    let params: Option<Vec<Term>> =
                        definition.params.iter().map(|&param| self.build(param)).collect();
                    let body = self.terms[&definition.body];
                    if self.typed.arena.sort(body) != self.typed.rank(op).1 {
                        return None;
                    }
                    changed.push(Definition { op, params: params?.into(), body });
                }
                Command::Define(*form, changed.into())
            }
            // The fields of datatypes keep their sorts.
            Command::DeclareDatatypes(_) => command.clone(),
            _ => {
                let terms = &self.terms;
                let changed = command.map_terms(|term| terms[&term]);
                let is_bool = |term: Term| self.typed.arena.sort(term) == Sort::BOOL;
                if matches!(changed, Command::Assert(term) if !is_bool(term)) {
                    return None;
                }
                changed
            }
        })
    }

    fn op(&mut self, op: smt::Op) -> smt::Op {
        let (args, result) = self.typed.rank(op);
        let args: Vec<Sort> = args.into_iter().map(|sort| self.change.sort(self.typed, sort)).collect();
        let result = self.change.sort(self.typed, result);
        let name = self.typed.arena.op(op).name;
        self.typed.arena.function(name, &args, result)
    }

    fn build(&mut self, root: Term) -> Option<Term> {
        for node in post_order(&self.typed.arena, &[root]) {
            if !self.terms.contains_key(&node) {
                let new = self.node(node)?;
                self.terms.insert(node, new);
            }
        }
        Some(self.terms[&root])
    }

    fn node(&mut self, node: Term) -> Option<Term> {
        let sort = self.typed.arena.sort(node);
        let children: Vec<Term> =
            self.typed.arena.children(node).iter().map(|child| self.terms[child]).collect();
        match self.typed.arena.view(node) {
            View::Literal(literal, text) => {
                let text = self.typed.arena.name(text).to_owned();
                self.literal(literal, &text, sort)
            }
            View::Local(name) => {
                let sort = self.change.sort(self.typed, sort);
                Some(self.typed.arena.local(name, sort))
            }
            View::App(op, _) => {
                let found = self.typed.arena.op(op).clone();
                match &found.kind {
                    OpKind::Function { args, .. } if args.len() == children.len() => {
                        let op = self.op(op);
                        let (args, result) = self.typed.rank(op);
                        let fits = args
                            .iter()
                            .zip(&children)
                            .all(|(&arg, &child)| arg == self.typed.arena.sort(child));
                        fits.then(|| self.typed.arena.app_unchecked(op, &children, result))
                    }
                    OpKind::Theory(_) => {
                        let name = self.typed.arena.name(found.name).to_owned();
                        let first = children.first().copied();
                        let indices = self.change.indices(self.typed, &name, &found.indices, sort, first);
                        let ascription = found.ascription.map(|sort| self.change.sort(self.typed, sort));
                        let head = Head { name: found.name, indices: &indices, ascription };
                        self.typed.arena.apply_head(head, &children).ok()
                    }
                    // Constructors and the like keep their sorts, so their arguments must too.
                    _ => self.unchanged(node, &children),
                }
            }
            View::Let { names, .. } => {
                let names = names.to_vec();
                let (values, body) = children.split_at(names.len());
                let named: Option<Vec<Term>> = names
                    .iter()
                    .zip(values)
                    .map(|(&name, &value)| {
                        let View::Local(symbol) = self.typed.arena.view(name) else { return None };
                        let expected = self.typed.arena.sort(name);
                        let sort = self.change.sort(self.typed, expected);
                        (sort == self.typed.arena.sort(value)).then(|| self.typed.arena.local(symbol, sort))
                    })
                    .collect();
                Some(self.typed.arena.let_term(&named?, values, *body.first()?))
            }
            View::Binder { kind: kind @ (smt::Binder::Forall | smt::Binder::Exists), variables, .. } => {
                let variables = variables.to_vec();
                let new: Option<Vec<Term>> = variables.iter().map(|&variable| self.node(variable)).collect();
                Some(self.typed.arena.quantifier(kind, &new?, *children.first()?))
            }
            _ => self.unchanged(node, &children),
        }
    }

    fn unchanged(&mut self, node: Term, children: &[Term]) -> Option<Term> {
        let arena = &mut self.typed.arena;
        let same =
            arena.children(node).iter().zip(children).all(|(&old, &new)| arena.sort(old) == arena.sort(new));
        let sort = arena.sort(node);
        if !same || self.change.sort(self.typed, sort) != sort {
            return None;
        }
        Some(self.typed.arena.with_children(node, children))
    }

    fn literal(&mut self, literal: Literal, text: &str, sort: Sort) -> Option<Term> {
        let new = self.change.sort(self.typed, sort);
        if new == sort {
            return Some(self.typed.arena.literal(literal, text, sort));
        }
        let width = self.typed.arena.bitvec_width(new);
        let (literal, text) = match (literal, width) {
            (Literal::Hex | Literal::Binary, Some(width)) => (Literal::Binary, truncated(text, width)?),
            (Literal::BvDecimal, Some(width)) => {
                let number: u128 = text.trim_start_matches("bv").parse().ok()?;
                let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
                (Literal::BvDecimal, format!("bv{}", number & mask))
            }
            (Literal::Decimal, None) if new == Sort::INT => {
                let (whole, fraction) = text.split_once('.')?;
                if fraction.bytes().any(|digit| digit != b'0') {
                    return None;
                }
                (Literal::Numeral, whole.to_owned())
            }
            _ => return None,
        };
        Some(self.typed.arena.literal(literal, &text, new))
    }
}

/// The lowest bits of a hexadecimal or binary literal, in binary.
fn truncated(text: &str, width: u64) -> Option<String> {
    let width = usize::try_from(width).ok()?;
    let bits: String = match text.split_at(2) {
        ("#b", bits) => bits.to_owned(),
        ("#x", digits) => digits
            .chars()
            .map(|digit| digit.to_digit(16).map(|value| format!("{value:04b}")))
            .collect::<Option<Vec<_>>>()?
            .concat(),
        _ => return None,
    };
    Some(format!("#b{}", &bits[bits.len().checked_sub(width)?..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_change_throughout_the_script() {
        let bits = "(declare-const x (_ BitVec 8))\n(assert (= ((_ extract 7 4) x) (bvadd #xA ((_ extract 3 0) x))))\n";
        let table = [
            (
                bits,
                Change::Divide(2),
                Some(
                    "(declare-const x (_ BitVec 4))\n(assert (= ((_ extract 3 2) x) (bvadd #b10 ((_ extract 1 0) x))))\n",
                ),
            ),
            (bits, Change::Width(8, 2), None),
            (
                "(declare-fun f (Real) Real)\n(assert (< (f 2.0) (f (f 1.0))))\n",
                Change::Replace(Sort::REAL, Sort::INT),
                Some("(declare-fun f (Int) Int)\n(assert (< (f 2) (f (f 1))))\n"),
            ),
            (
                "(declare-const x (_ FloatingPoint 8 24))\n(assert (fp.lt x ((_ to_fp 8 24) RNE 1.0)))\n",
                Change::Format((8, 24), (3, 5)),
                Some("(declare-const x (_ FloatingPoint 3 5))\n(assert (fp.lt x ((_ to_fp 3 5) RNE 1.0)))\n"),
            ),
        ];
        for (source, change, expected) in table {
            let mut typed = Typed::read(source, None).unwrap();
            let script = retyped(&mut typed, &change);
            let text = script.map(|script| typed.arena.script_text(&script));
            assert_eq!(text.as_deref(), expected, "{change:?}");
        }
    }
}
