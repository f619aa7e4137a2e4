//! Sort patterns: matching the sorts of a rank against the sorts of actual arguments.

use crate::sort::{Index, Sort, SortTable};
use crate::symbol::Symbol;

/// The maximum number of variables of each kind in a rank.
pub(crate) const MAX_VARIABLES: usize = 12;

/// A sort with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortPattern {
    /// A sort variable, by its index.
    Variable(u8),
    /// A sort without variables.
    Ground(Sort),
    /// A constructor applied to patterns.
    Constructed {
        /// The name of the constructor.
        head: Symbol,
        /// The indices.
        indices: Vec<IndexExpr>,
        /// The arguments.
        args: Vec<SortPattern>,
    },
}

/// An arithmetic operator on indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOp {
    /// `+`
    Add,
    /// `-`, undefined below zero
    Sub,
    /// `*`
    Mul,
    /// `div`, undefined for zero
    Div,
    /// `max`
    Max,
}

/// An index expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexExpr {
    /// A fixed index.
    Fixed(Index),
    /// An index variable, by its number in the rank.
    Variable(u8),
    /// An arithmetic operation.
    Op(IndexOp, Vec<IndexExpr>),
}

/// A condition on index variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All conditions hold.
    And(Vec<Condition>),
    /// At least one condition holds.
    Or(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// A comparison: `=`, `<`, `<=`, `>`, `>=` or `distinct`.
    Compare(&'static str, IndexExpr, IndexExpr),
}

/// The values of a rank's variables, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bindings {
    /// Sort variables.
    pub sorts: [Option<Sort>; MAX_VARIABLES],
    /// Index variables.
    pub indices: [Option<Index>; MAX_VARIABLES],
}

impl Bindings {
    /// Matches `sort` against `pattern`, binding variables.
    pub(crate) fn match_sort(&mut self, table: &SortTable, pattern: &SortPattern, sort: Sort) -> bool {
        match pattern {
            SortPattern::Variable(variable) => match self.sorts[*variable as usize] {
                Some(bound) => table.compatible(bound, sort),
                None => {
                    self.sorts[*variable as usize] = Some(sort);
                    true
                }
            },
            SortPattern::Ground(expected) => table.compatible(*expected, sort),
            SortPattern::Constructed { head, indices, args } => {
                let node = table.node(sort);
                table.same_constructor(node.head, *head)
                    && node.indices.len() == indices.len()
                    && node.args.len() == args.len()
                    && indices.iter().zip(&node.indices).all(|(expr, &index)| self.match_index(expr, index))
                    && args.iter().zip(&node.args).all(|(pattern, &arg)| self.match_sort(table, pattern, arg))
            }
        }
    }

    /// Matches an index, binding variables.
    pub fn match_index(&mut self, expr: &IndexExpr, index: Index) -> bool {
        match expr {
            IndexExpr::Variable(variable) => match self.indices[*variable as usize] {
                Some(bound) => bound == index,
                None => {
                    self.indices[*variable as usize] = Some(index);
                    true
                }
            },
            _ => self.index(expr) == Some(index),
        }
    }

    /// The value of an index expression; `None` if a variable is unbound or the result is undefined.
    pub fn index(&self, expr: &IndexExpr) -> Option<Index> {
        match expr {
            IndexExpr::Fixed(index) => Some(*index),
            IndexExpr::Variable(variable) => self.indices[*variable as usize],
            IndexExpr::Op(..) => self.number(expr).map(Index::Num),
        }
    }

    fn number(&self, expr: &IndexExpr) -> Option<u64> {
        match expr {
            IndexExpr::Op(op, args) => {
                let mut numbers = args.iter().map(|arg| self.number(arg));
                let first = numbers.next()??;
                numbers.try_fold(first, |left, right| {
                    let right = right?;
                    match op {
                        IndexOp::Add => left.checked_add(right),
                        IndexOp::Sub => left.checked_sub(right),
                        IndexOp::Mul => left.checked_mul(right),
                        IndexOp::Div => left.checked_div(right),
                        IndexOp::Max => Some(left.max(right)),
                    }
                })
            }
            _ => match self.index(expr)? {
                Index::Num(number) => Some(number),
                Index::Sym(_) => None,
            },
        }
    }

    /// Whether a condition holds. A comparison with an undefined number does not.
    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(all) => all.iter().all(|one| self.holds(one)),
            Condition::Or(any) => any.iter().any(|one| self.holds(one)),
            Condition::Not(inner) => !self.holds(inner),
            Condition::Compare(op, left, right) => match (self.number(left), self.number(right)) {
                (Some(left), Some(right)) => match *op {
                    "=" => left == right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    ">=" => left >= right,
                    _ => left != right,
                },
                _ => false,
            },
        }
    }

    /// Instantiates `pattern`; `None` if one of its variables is unbound.
    pub(crate) fn build(&self, table: &mut SortTable, pattern: &SortPattern) -> Option<Sort> {
        match pattern {
            SortPattern::Variable(variable) => self.sorts[*variable as usize],
            SortPattern::Ground(sort) => Some(*sort),
            SortPattern::Constructed { head, indices, args } => {
                let indices: Vec<Index> =
                    indices.iter().map(|expr| self.index(expr)).collect::<Option<_>>()?;
                let args: Vec<Sort> = args.iter().map(|arg| self.build(table, arg)).collect::<Option<_>>()?;
                Some(table.intern(*head, &indices, &args))
            }
        }
    }
}
