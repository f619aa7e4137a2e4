//! Ranks: the declared argument and result sorts of an operator.

use super::pattern::{Bindings, Condition, IndexExpr, SortPattern};
use super::shape::Shape;
use crate::sort::{Index, Sort, SortTable};
use crate::symbol::Symbol;

/// How an operator accepts more arguments than its rank shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// Exactly the arguments of the rank.
    None,
    /// `(f a b c)` is `(f (f a b) c)`.
    Left,
    /// `(f a b c)` is `(f a (f b c))`.
    Right,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// `(f a b c)` is `(and (f a b) (f a c) (f b c))`.
    Pairwise,
    /// The last argument may occur any number of times, including zero.
    Variadic,
    /// The last argument may occur one or more times.
    Repeat,
}

/// A rank of an operator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Declaration {
    /// The name of the operator.
    pub name: Symbol,
    /// The index of its theory in [`Signatures::theories`](super::Signatures::theories).
    pub theory: usize,
    /// The indices of `(_ name index …)`.
    pub indices: Vec<IndexExpr>,
    /// Whether it must be written `(as name SORT)`.
    pub qualified: bool,
    /// The number of sort variables.
    pub sort_variables: usize,
    /// The number of index variables.
    pub index_variables: usize,
    /// The argument sorts.
    pub args: Vec<SortPattern>,
    /// The result sort.
    pub result: SortPattern,
    /// How it accepts more arguments.
    pub associativity: Associativity,
    /// The rule for its sorts, if no rank can express it. The arguments above are an example then.
    pub shape: Option<Shape>,
    /// A side condition on the indices.
    pub condition: Option<Condition>,
    /// The operator of which this is another name.
    pub alias: Option<Symbol>,
    /// Whether the standard leaves its value unspecified for some arguments.
    pub open: bool,
    /// Whether solvers define it differently where it is open. Other open operators are arbitrary functions of their arguments.
    pub solver_defined: bool,
    /// Why the evaluator has no rule for it.
    pub unevaluated: Option<String>,
    /// The solvers that support it; `None` means all.
    pub solvers: Option<Vec<String>>,
    /// Whether it is only parsed, never generated.
    pub removed: bool,
    /// The maximum number of arguments that solvers accept, if less than the standard allows.
    pub at_most: Option<usize>,
    /// Solvers that accept only values as arguments.
    pub values_only: Vec<String>,
    /// Solvers that accept only a value as the last argument.
    pub last_value_only: Vec<String>,
    /// Solvers that support it only in scripts without `set-logic`.
    pub without_logic: Vec<String>,
    /// Solvers that support it only with an option for experimental features.
    pub experimental: Vec<String>,
    /// A mark for choosing a logic, such as `nonlinear`.
    pub fragment: Option<String>,
}

impl Declaration {
    /// Whether it has the same name and the same sorts as another. How many arguments it accepts does not count.
    pub(crate) fn has_rank_of(&self, other: &Declaration) -> bool {
        let has_same_sorts = self.args == other.args && self.result == other.result;
        self.name == other.name && self.indices == other.indices && has_same_sorts
    }

    /// The sort of this operator applied to arguments of the given sorts; `None` if they do not match.
    pub(crate) fn apply(
        &self,
        table: &mut SortTable,
        indices: &[Index],
        ascription: Option<Sort>,
        args: &[Sort],
    ) -> Option<Sort> {
        if let Some(shape) = self.shape {
            ascription.is_none().then_some(())?;
            return shape.result(table, self.collection(), indices, args);
        }
        let mut head = Bindings::default();
        if indices.len() != self.indices.len() || (self.qualified && ascription.is_none()) {
            return None;
        }
        if !self.indices.iter().zip(indices).all(|(expr, &index)| head.match_index(expr, index)) {
            return None;
        }
        if let Some(sort) = ascription
            && !head.match_sort(table, &self.result, sort)
        {
            return None;
        }
        let step =
            |table: &mut SortTable, pair: &[Sort]| self.apply_exactly(table, head, pair.iter().copied());
        // A term with an ascribed sort has that sort, even if the rank has a compatible one.
        if self.qualified && self.associativity == Associativity::None {
            return step(table, args).and(ascription);
        }
        match self.associativity {
            Associativity::None => step(table, args),
            Associativity::Variadic | Associativity::Repeat => self.apply_repeated(table, head, args),
            _ if args.len() < 2 => None,
            Associativity::Left => {
                let mut sort = step(table, &args[..2])?;
                // Once a step returns the sort of its first argument, equal arguments need no further check.
                let settled = sort == args[0];
                for &arg in &args[2..] {
                    if !(settled && arg == args[1] && sort == args[0]) {
                        sort = step(table, &[sort, arg])?;
                    }
                }
                Some(sort)
            }
            Associativity::Right => {
                let last = args.len() - 1;
                let mut sort = args[last];
                for &arg in args[..last].iter().rev() {
                    sort = step(table, &[arg, sort])?;
                }
                Some(sort)
            }
            Associativity::Chainable | Associativity::Pairwise => {
                let sort = step(table, &args[..2])?;
                for pair in args.windows(2).skip(1) {
                    if *pair != args[..2] {
                        step(table, pair)?;
                    }
                }
                Some(sort)
            }
        }
    }

    /// The constructor of the last argument's sort.
    fn collection(&self) -> Option<Symbol> {
        match self.args.last() {
            Some(SortPattern::Constructed { head, .. }) => Some(*head),
            _ => None,
        }
    }

    fn apply_exactly(
        &self,
        table: &mut SortTable,
        mut bindings: Bindings,
        args: impl ExactSizeIterator<Item = Sort>,
    ) -> Option<Sort> {
        if args.len() != self.args.len() {
            return None;
        }
        for (pattern, arg) in self.args.iter().zip(args) {
            if !bindings.match_sort(table, pattern, arg) {
                return None;
            }
        }
        self.result_sort(table, &bindings)
    }

    fn apply_repeated(&self, table: &mut SortTable, mut bindings: Bindings, args: &[Sort]) -> Option<Sort> {
        let (last, fixed) = self.args.split_last()?;
        let least = fixed.len() + usize::from(self.associativity == Associativity::Repeat);
        if args.len() < least {
            return None;
        }
        let patterns = fixed.iter().chain(std::iter::repeat(last));
        for (pattern, &arg) in patterns.zip(args) {
            if !bindings.match_sort(table, pattern, arg) {
                return None;
            }
        }
        self.result_sort(table, &bindings)
    }

    fn result_sort(&self, table: &mut SortTable, bindings: &Bindings) -> Option<Sort> {
        if let Some(condition) = &self.condition
            && !bindings.holds(condition)
        {
            return None;
        }
        bindings.build(table, &self.result)
    }
}
