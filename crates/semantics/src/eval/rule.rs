//! Which rule evaluates an operator. Looked up by name, once for each operator of an arena.

use smt::signature::{Associativity, Declaration};
use smt::{Arena, DatatypeId, Op, OpKind, Signatures};

use crate::theories::{self, TheoryRule, relations};
use crate::theory::{self, HigherOrderRule};

/// How an operator is evaluated.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// `and`: one false argument decides it.
    And,
    /// `or`: one true argument decides it.
    Or,
    /// `=>`
    Implies,
    /// `ite`: only one branch is evaluated.
    Ite,
    /// `=`
    Equal,
    /// `distinct`
    Distinct,
    /// `*`: one zero decides it.
    Times,
    /// A theory's function of at least `min_args` values. If it takes two and gets one, the result is that argument.
    Theory { rule: theory::Rule, min_args: u8, fold: Fold },
    /// A theory's function that calls functions.
    HigherOrder(HigherOrderRule),
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
    /// Applies the first argument to the others.
    Apply,
    /// A function symbol as a value.
    FunctionValue(Op),
    /// A function on elements, lifted to arrays.
    Map(Op),
    /// An abstract value, `(as @name SORT)`.
    AbstractValue,
    /// Not evaluated.
    None,
}

/// How a rule of two arguments takes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// The rule takes them all.
    None,
    /// From the left, two at a time.
    Left,
    /// The relation must hold between all neighbours.
    Chain,
}

/// The operators whose rule the evaluator itself implements, since they need not evaluate all arguments.
fn built_in(name: &str) -> Option<Rule> {
    Some(match name {
        "and" => Rule::And,
        "or" => Rule::Or,
        "=>" => Rule::Implies,
        "ite" => Rule::Ite,
        "=" => Rule::Equal,
        "distinct" => Rule::Distinct,
        "*" => Rule::Times,
        "@" => Rule::Apply,
        _ => return None,
    })
}

/// The name that a rank's rule is listed under: its own, or that of the operator it is an alias of.
fn rule_name<'a>(signatures: &'a Signatures, declaration: &Declaration) -> &'a str {
    signatures.name(declaration.alias.unwrap_or(declaration.name))
}

/// The name of a theory's operator, with aliases resolved.
pub(super) fn canonical_name(arena: &Arena, op: Op) -> &str {
    match arena.op(op).kind {
        OpKind::Theory(id) => {
            let signatures = arena.signatures();
            rule_name(signatures, &signatures.declarations[id as usize])
        }
        _ => arena.op_name(op),
    }
}

/// Whether the evaluator has a rule for a rank of the signature table.
pub fn has_rule(signatures: &Signatures, declaration: &Declaration) -> bool {
    let name = rule_name(signatures, declaration);
    ["NUMERAL", "DECIMAL", "STRING"].contains(&signatures.name(declaration.name))
        || built_in(name).is_some()
        || theories::rule(name).is_some()
}

/// The rule of an operator.
pub(super) fn resolve(arena: &Arena, op: Op) -> Rule {
    match &arena.op(op).kind {
        OpKind::Theory(id) => theory_rule(arena.signatures(), &arena.signatures().declarations[*id as usize]),
        OpKind::Function { .. } => Rule::Function,
        OpKind::Constructor(datatype, number) => Rule::Constructor(*datatype, *number),
        OpKind::Selector(_, constructor, field) => Rule::Selector(*constructor, *field),
        OpKind::Tester(_, constructor) => Rule::Tester(*constructor),
        OpKind::Updater(_, constructor, field) => Rule::Updater(*constructor, *field),
        OpKind::Apply => Rule::Apply,
        OpKind::FunctionValue(function) => Rule::FunctionValue(*function),
        OpKind::Map(function) => Rule::Map(*function),
        OpKind::Tuple => variadic(relations::tuple),
        OpKind::TupleSelect => variadic(relations::select),
        OpKind::TupleUpdate => variadic(relations::update),
        OpKind::TupleProject => variadic(relations::project),
        OpKind::Opaque => Rule::AbstractValue,
    }
}

fn theory_rule(signatures: &Signatures, declaration: &Declaration) -> Rule {
    if declaration.unevaluated.is_some() {
        return Rule::None;
    }
    let name = rule_name(signatures, declaration);
    if let Some(rule) = built_in(name) {
        return rule;
    }
    match theories::rule(name) {
        Some(TheoryRule::Plain { rule, min_args }) => {
            let fold = match declaration.associativity {
                Associativity::Left => Fold::Left,
                Associativity::Chainable => Fold::Chain,
                _ => Fold::None,
            };
            Rule::Theory { rule, min_args, fold }
        }
        Some(TheoryRule::HigherOrder(rule)) => Rule::HigherOrder(rule),
        None => Rule::None,
    }
}

fn variadic(rule: theory::Rule) -> Rule {
    Rule::Theory { rule, min_args: 0, fold: Fold::None }
}
