//! The rules of evaluation, one file a theory. A rule is found by the operator's name, once for each operator of an arena.

pub(super) mod arithmetic;
mod arrays;
mod bags;
mod bitvectors;
mod characters;
pub(super) mod core;
mod fields;
mod floats;
mod regexes;
mod relations;
mod sequences;
mod sets;
mod strings;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use smt::signature::{Associativity, Declaration};
use smt::{Arena, DatatypeId, Index, Op, OpKind, Signatures, Sort, Term};

use super::Evaluator;
use super::reason::{Outcome, Reason};
use crate::data::Value;
use crate::domain::Universes;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, RoundingMode};
use crate::value::integer::Int;
use crate::value::limits::Limits;
use crate::value::regex::Regex;
use crate::value::string::Str;

/// A rule that needs the values of the arguments and nothing else.
pub(crate) type Pure = fn(&Site, &[Value]) -> Outcome<Value>;
/// A rule that calls functions.
pub(crate) type Higher = fn(&mut Evaluator, Op, Term, &[Value]) -> Outcome<Value>;

/// What a rule does with more arguments than two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// It takes them all.
    None,
    /// From the left, two at a time.
    Left,
    /// Every neighbouring pair has to stand in the relation.
    Chain,
}

/// How an operator is evaluated.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// `and`, which one false argument decides.
    And,
    /// `or`, which one true argument decides.
    Or,
    /// `=>`
    Implies,
    /// `ite`, of which one branch is evaluated.
    Ite,
    /// `=`
    Equal,
    /// `distinct`
    Distinct,
    /// `*`, which one zero decides.
    Times,
    /// A function of values that takes at least so many; one argument where two are asked for is the result.
    Pure { run: Pure, least: u8, fold: Fold },
    /// A function that calls functions.
    Higher(Higher),
    /// A function of the script.
    Function,
    /// A constructor of a datatype.
    Constructor(DatatypeId, u32),
    /// A selector: constructor and field.
    Selector(u32, u32),
    /// A tester of a constructor.
    Tester(u32),
    /// An updater: constructor and field.
    Updater(u32, u32),
    /// The first argument is a function of the others.
    Apply,
    /// A function symbol as a value.
    FunctionValue(Op),
    /// A function on elements, lifted to arrays.
    Map(Op),
    /// An element of an uninterpreted sort.
    Opaque,
    /// Nothing.
    None,
}

/// Where a rule is applied: the operator's indices, the sort of the result, and the limits.
pub(crate) struct Site<'s> {
    pub(super) arena: &'s Arena,
    pub(super) universes: &'s Universes,
    pub(super) limits: &'s Limits,
    op: Op,
    term: Option<Term>,
}

impl<'s> Site<'s> {
    pub(super) fn new(
        arena: &'s Arena,
        universes: &'s Universes,
        limits: &'s Limits,
        op: Op,
        term: Term,
    ) -> Site<'s> {
        Site { arena, universes, limits, op, term: Some(term) }
    }

    pub(super) fn without_term(
        arena: &'s Arena,
        universes: &'s Universes,
        limits: &'s Limits,
        op: Op,
    ) -> Site<'s> {
        Site { arena, universes, limits, op, term: None }
    }

    /// The operator's index at a place.
    fn index(&self, at: usize) -> Outcome<u64> {
        match self.arena.op(self.op).indices.get(at) {
            Some(Index::Num(number)) => Ok(*number),
            Some(Index::Sym(_)) => Err(Reason::TooLarge("an index of more than 64 bits")),
            None => Err(Reason::Kind(None)),
        }
    }

    fn indices(&self) -> Outcome<Vec<u64>> {
        (0..self.arena.op(self.op).indices.len()).map(|at| self.index(at)).collect()
    }

    /// An index that is a width or a position in a bit-vector.
    fn small_index(&self, at: usize) -> Outcome<u32> {
        let index = self.index(at)?;
        self.limits.check_bits(index)?;
        Ok(index as u32)
    }

    /// The sort of the result.
    fn sort(&self) -> Outcome<Sort> {
        self.term.map(|term| self.arena.sort(term)).ok_or(Reason::NoRule(self.op))
    }
}

/// The rules of a theory: name, fewest arguments, rule.
type Rules = &'static [(&'static str, u8, Pure)];
type HigherRules = &'static [(&'static str, Higher)];

const PURE: &[Rules] = &[
    core::RULES,
    arithmetic::RULES,
    arrays::RULES,
    bags::RULES,
    bitvectors::RULES,
    characters::RULES,
    fields::RULES,
    floats::RULES,
    regexes::RULES,
    relations::RULES,
    sequences::RULES,
    sets::RULES,
    strings::RULES,
];
const HIGHER: &[HigherRules] = &[arrays::HIGHER, bags::HIGHER, sequences::HIGHER, sets::HIGHER];

fn table() -> &'static BTreeMap<&'static str, Rule> {
    static TABLE: OnceLock<BTreeMap<&'static str, Rule>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: BTreeMap<&'static str, Rule> = BTreeMap::from([
            ("and", Rule::And),
            ("or", Rule::Or),
            ("=>", Rule::Implies),
            ("ite", Rule::Ite),
            ("=", Rule::Equal),
            ("distinct", Rule::Distinct),
            ("*", Rule::Times),
            ("@", Rule::Apply),
        ]);
        for &(name, least, run) in PURE.iter().copied().flatten() {
            let known = table.insert(name, Rule::Pure { run, least, fold: Fold::None });
            debug_assert!(known.is_none(), "two rules for {name}");
        }
        for &(name, run) in HIGHER.iter().copied().flatten() {
            let known = table.insert(name, Rule::Higher(run));
            debug_assert!(known.is_none(), "two rules for {name}");
        }
        table
    })
}

/// The name under which a rank's rule is found: its own, or that of the operator that it is another spelling of.
fn rule_name<'a>(signatures: &'a Signatures, declaration: &Declaration) -> &'a str {
    signatures.name(declaration.alias.unwrap_or(declaration.name))
}

/// The name of an operator of a theory, aliases followed.
pub(super) fn canonical_name(arena: &Arena, op: Op) -> &str {
    match arena.op(op).kind {
        OpKind::Theory(id) => {
            let signatures = arena.signatures();
            rule_name(signatures, &signatures.declarations[id as usize])
        }
        _ => arena.op_name(op),
    }
}

/// Whether a rule evaluates a rank of the signature table.
pub fn has_rule(signatures: &Signatures, declaration: &Declaration) -> bool {
    let literal = ["NUMERAL", "DECIMAL", "STRING"];
    literal.contains(&signatures.name(declaration.name))
        || table().contains_key(rule_name(signatures, declaration))
}

/// The rule of an operator.
pub(super) fn resolve(arena: &Arena, op: Op) -> Rule {
    let node = arena.op(op);
    match &node.kind {
        OpKind::Theory(id) => {
            let declaration = &arena.signatures().declarations[*id as usize];
            if declaration.unevaluated.is_some() {
                return Rule::None;
            }
            let rule = table().get(rule_name(arena.signatures(), declaration)).copied().unwrap_or(Rule::None);
            match rule {
                Rule::Pure { run, least, .. } => {
                    let fold = match declaration.associativity {
                        Associativity::Left => Fold::Left,
                        Associativity::Chainable => Fold::Chain,
                        _ => Fold::None,
                    };
                    Rule::Pure { run, least, fold }
                }
                rule => rule,
            }
        }
        OpKind::Function { .. } => Rule::Function,
        OpKind::Constructor(datatype, number) => Rule::Constructor(*datatype, *number),
        OpKind::Selector(_, constructor, field) => Rule::Selector(*constructor, *field),
        OpKind::Tester(_, constructor) => Rule::Tester(*constructor),
        OpKind::Updater(_, constructor, field) => Rule::Updater(*constructor, *field),
        OpKind::Apply => Rule::Apply,
        OpKind::FunctionValue(function) => Rule::FunctionValue(*function),
        OpKind::Map(function) => Rule::Map(*function),
        OpKind::Tuple => pure(relations::tuple),
        OpKind::TupleSelect => pure(relations::select),
        OpKind::TupleUpdate => pure(relations::update),
        OpKind::TupleProject => pure(relations::project),
        OpKind::Opaque => Rule::Opaque,
    }
}

fn pure(run: Pure) -> Rule {
    Rule::Pure { run, least: 0, fold: Fold::None }
}

// ----- arguments of the expected kind

fn boolean(value: &Value) -> Outcome<bool> {
    value.as_bool().ok_or(Reason::Kind(None))
}

fn int(value: &Value) -> Outcome<&Int> {
    match value {
        Value::Int(value) => Ok(value),
        _ => Err(Reason::Kind(None)),
    }
}

fn string(value: &Value) -> Outcome<&Str> {
    match value {
        Value::Str(value) => Ok(value),
        _ => Err(Reason::Kind(None)),
    }
}

fn language(value: &Value) -> Outcome<&Regex> {
    match value {
        Value::RegLan(value) => Ok(value),
        _ => Err(Reason::Kind(None)),
    }
}

fn vector(value: &Value) -> Outcome<&BitVec> {
    match value {
        Value::BitVec(value) => Ok(value),
        _ => Err(Reason::Kind(None)),
    }
}

fn float(value: &Value) -> Outcome<&Float> {
    match value {
        Value::Float(value) => Ok(value),
        _ => Err(Reason::Kind(None)),
    }
}

fn mode(value: &Value) -> Outcome<RoundingMode> {
    match value {
        Value::RoundingMode(value) => Ok(*value),
        _ => Err(Reason::Kind(None)),
    }
}

/// The elements of a sequence; also of a tuple.
fn items(value: &Value) -> Outcome<&[Value]> {
    match value {
        Value::Seq(list) | Value::Tuple(list) => Ok(&list.items),
        _ => Err(Reason::Kind(None)),
    }
}
