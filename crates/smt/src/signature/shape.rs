//! Shapes: result sorts that depend on the arguments in ways that no rank can express, such as the columns of a product of two
//! relations, or the number of arguments.

use crate::reserved;
use crate::sort::{Index, Sort, SortTable};
use crate::symbol::Symbol;

/// How the sort of a result follows from the indices and the argument sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `(f a b … S)`: elements, then a set of such elements.
    Insert,
    /// `(f a b …)`: a bit-vector with one bit per Boolean.
    Bits,
    /// `((_ f k a b …) p q …)`: one Boolean per index after the first.
    Weights,
    /// `(f g n …)`: nullable arguments for the function `g`.
    Lift,
    /// The columns of both arguments.
    Product,
    /// The columns of both arguments, except for the last of the first one and the first of the second one, which are equal.
    Join,
    /// The columns in reverse.
    Transpose,
    /// The columns that the indices choose.
    Project,
    /// The columns of both arguments. The indices are pairs of equal columns.
    JoinOn,
    /// The relation, divided into parts that agree on the columns of the indices.
    Group,
    /// `((_ f i …) g x R)`: the parts of a relation, each folded by the function `g` from `x` on.
    Aggregate,
}

/// A collection of tuples: its constructor and its columns.
type Columns = (Symbol, Vec<Sort>);

impl Shape {
    /// The shape with this name in signature files.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "insert" => Shape::Insert,
            "bits" => Shape::Bits,
            "weights" => Shape::Weights,
            "lift" => Shape::Lift,
            "product" => Shape::Product,
            "join" => Shape::Join,
            "transpose" => Shape::Transpose,
            "project" => Shape::Project,
            "join-on" => Shape::JoinOn,
            "group" => Shape::Group,
            "aggregate" => Shape::Aggregate,
            _ => return None,
        })
    }

    /// The sort of the result; `None` if the arguments do not have this shape. `collection` is the constructor of relations that
    /// the operator is about, if it is about relations.
    pub(super) fn result(
        self,
        table: &mut SortTable,
        collection: Option<Symbol>,
        indices: &[Index],
        args: &[Sort],
    ) -> Option<Sort> {
        let columns = |sort: Sort, table: &SortTable| {
            columns(table, sort).filter(|(head, _)| collection.is_none_or(|expected| expected == *head))
        };
        let plain = indices.is_empty().then_some(());
        match (self, args) {
            (Shape::Insert, [elements @ .., set]) => {
                plain?;
                let &[element] = &*table.node(*set).args else { return None };
                let is_set = table.same_constructor(table.node(*set).head, reserved::SET_SORT);
                let fits = elements.iter().all(|&sort| table.compatible(element, sort));
                (is_set && fits && !elements.is_empty()).then_some(*set)
            }
            (Shape::Bits, bits) => {
                plain?;
                let fits = !bits.is_empty() && bits.iter().all(|&bit| bit == Sort::BOOL);
                fits.then(|| table.intern(reserved::BITVEC, &[Index::Num(bits.len() as u64)], &[]))
            }
            (Shape::Weights, args) => {
                let fits = indices.len() == args.len() + 1 && args.iter().all(|&arg| arg == Sort::BOOL);
                let numbers = indices.iter().all(|index| matches!(index, Index::Num(_)));
                (fits && numbers).then_some(Sort::BOOL)
            }
            (Shape::Lift, [function, nullables @ ..]) => {
                plain?;
                let (&result, params) = function_parts(table, *function)?;
                let fits = params.len() == nullables.len()
                    && params.iter().zip(nullables).all(|(&param, &nullable)| {
                        let node = table.node(nullable);
                        node.head == reserved::NULLABLE_SORT && table.compatible(param, node.args[0])
                    });
                fits.then(|| table.intern(reserved::NULLABLE_SORT, &[], &[result]))
            }
            (Shape::Product, [left, right]) => {
                plain?;
                let (head, mut all) = columns(*left, table)?;
                all.extend(columns(*right, table)?.1);
                Some(relation(table, head, &all))
            }
            (Shape::Join, [left, right]) => {
                plain?;
                let ((head, left), (_, right)) = (columns(*left, table)?, columns(*right, table)?);
                let ((last, begin), (first, end)) = (left.split_last()?, right.split_first()?);
                if !table.compatible(*last, *first) || begin.is_empty() && end.is_empty() {
                    return None;
                }
                Some(relation(table, head, &[begin, end].concat()))
            }
            (Shape::Transpose, [one]) => {
                plain?;
                let (head, mut all) = columns(*one, table)?;
                all.reverse();
                Some(relation(table, head, &all))
            }
            (Shape::Project, [one]) => {
                let (head, all) = columns(*one, table)?;
                let chosen: Vec<Sort> =
                    indices.iter().map(|index| Some(all[column(index, &all)?])).collect::<Option<_>>()?;
                Some(relation(table, head, &chosen))
            }
            (Shape::JoinOn, [left, right]) => {
                let ((head, left), (_, right)) = (columns(*left, table)?, columns(*right, table)?);
                for pair in indices.chunks(2) {
                    let [x, y] = pair else { return None };
                    if left[column(x, &left)?] != right[column(y, &right)?] {
                        return None;
                    }
                }
                Some(relation(table, head, &[left, right].concat()))
            }
            (Shape::Group, [one]) => {
                let (head, all) = columns(*one, table)?;
                indices.iter().map(|index| column(index, &all)).collect::<Option<Vec<_>>>()?;
                Some(table.intern(head, &[], &[*one]))
            }
            (Shape::Aggregate, [function, start, one]) => {
                let (head, all) = columns(*one, table)?;
                indices.iter().map(|index| column(index, &all)).collect::<Option<Vec<_>>>()?;
                let tuple = table.node(*one).args[0];
                let (result, params) = function_parts(table, *function)?;
                let fits = table.compatible(*result, *start)
                    && matches!(params, [x, y] if table.compatible(*x, tuple) && table.compatible(*y, *start));
                fits.then(|| table.intern(head, &[], &[*start]))
            }
            _ => None,
        }
    }
}

/// The columns of a set or bag of tuples.
fn columns(table: &SortTable, sort: Sort) -> Option<Columns> {
    let node = table.node(sort);
    let &[tuple] = &*node.args else { return None };
    let tuple = table.node(tuple);
    (tuple.head == reserved::TUPLE_SORT).then(|| (node.head, tuple.args.to_vec()))
}

fn column(index: &Index, columns: &[Sort]) -> Option<usize> {
    match index {
        Index::Num(at) => usize::try_from(*at).ok().filter(|&at| at < columns.len()),
        Index::Sym(_) => None,
    }
}

fn relation(table: &mut SortTable, head: Symbol, columns: &[Sort]) -> Sort {
    let tuple = table.intern(reserved::TUPLE_SORT, &[], columns);
    table.intern(head, &[], &[tuple])
}

/// The result and the parameters of a function sort.
fn function_parts(table: &SortTable, sort: Sort) -> Option<(&Sort, &[Sort])> {
    table.is_functional(sort).then(|| table.node(sort).args.split_last()).flatten()
}
