//! Sorts with variables: how a rank is matched against the sorts of real arguments.

use super::{Associativity, Declaration, Signatures};
use crate::sort::{Index, Sort, SortTable};
use crate::symbol::Symbol;

/// The most variables of one kind that a rank may have.
pub const MAX_VARIABLES: usize = 12;

/// A sort with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortPattern {
    /// A sort variable, by its number.
    Variable(u8),
    /// A sort without variables.
    Ground(Sort),
    /// A constructor applied to patterns.
    Made {
        /// The constructor's name.
        head: Symbol,
        /// Its indices.
        indices: Vec<IndexExpr>,
        /// Its arguments.
        args: Vec<SortPattern>,
    },
}

/// Arithmetic of index expressions.
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

/// A number that depends on index variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexExpr {
    /// A fixed index.
    Fixed(Index),
    /// An index variable, by its number.
    Variable(u8),
    /// Arithmetic.
    Op(IndexOp, Vec<IndexExpr>),
}

/// A condition on index variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All hold.
    And(Vec<Condition>),
    /// One holds.
    Or(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// A comparison: `=`, `<`, `<=`, `>`, `>=` or `distinct`.
    Compare(&'static str, IndexExpr, IndexExpr),
}

/// What the variables of a rank stand for, as far as is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bindings {
    /// Sort variables.
    pub sorts: [Option<Sort>; MAX_VARIABLES],
    /// Index variables.
    pub indices: [Option<Index>; MAX_VARIABLES],
}

impl Bindings {
    /// Matches `sort` against `pattern`, binding variables.
    pub fn match_sort(&mut self, table: &SortTable, pattern: &SortPattern, sort: Sort) -> bool {
        match pattern {
            SortPattern::Variable(variable) => match self.sorts[*variable as usize] {
                Some(bound) => table.compatible(bound, sort),
                None => {
                    self.sorts[*variable as usize] = Some(sort);
                    true
                }
            },
            SortPattern::Ground(expected) => table.compatible(*expected, sort),
            SortPattern::Made { head, indices, args } => {
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

    /// The value of an index expression; nothing if a variable is unbound or the arithmetic has no result.
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

    /// Whether a condition holds; it does not where a number in it is undefined.
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

    /// The sort that `pattern` stands for; nothing if a variable in it is unbound.
    pub fn build(&self, table: &mut SortTable, pattern: &SortPattern) -> Option<Sort> {
        match pattern {
            SortPattern::Variable(variable) => self.sorts[*variable as usize],
            SortPattern::Ground(sort) => Some(*sort),
            SortPattern::Made { head, indices, args } => {
                let indices: Vec<Index> =
                    indices.iter().map(|expr| self.index(expr)).collect::<Option<_>>()?;
                let args: Vec<Sort> = args.iter().map(|arg| self.build(table, arg)).collect::<Option<_>>()?;
                Some(table.intern(*head, &indices, &args))
            }
        }
    }
}

impl Declaration {
    /// Whether the rank has no variables, so that its sorts are fixed.
    pub fn is_ground(&self) -> bool {
        self.sort_variables == 0 && self.index_variables == 0
    }

    /// The sort of this operator applied to arguments of the given sorts; nothing if they do not fit.
    pub fn apply(
        &self,
        table: &mut SortTable,
        indices: &[Index],
        ascription: Option<Sort>,
        args: &[Sort],
    ) -> Option<Sort> {
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
        // What is written with a sort has that sort, also where the rank names a compatible one.
        if self.qualified && self.associativity == Associativity::None {
            return step(table, args).and(ascription);
        }
        match self.associativity {
            Associativity::None => step(table, args),
            Associativity::Variadic | Associativity::Repeat => self.apply_repeated(table, head, args),
            _ if args.len() < 2 => None,
            Associativity::Left => {
                let mut sort = step(table, &args[..2])?;
                // Once a step gives back the sort it was given, equal arguments need no further look.
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
        self.conclude(table, &bindings)
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
        self.conclude(table, &bindings)
    }

    fn conclude(&self, table: &mut SortTable, bindings: &Bindings) -> Option<Sort> {
        if let Some(condition) = &self.condition
            && !bindings.holds(condition)
        {
            return None;
        }
        bindings.build(table, &self.result)
    }
}

/// A rank in the syntax of signature files, with invented variable names.
pub(super) fn describe(signatures: &Signatures, declaration: &Declaration) -> String {
    let name = signatures.name(declaration.name);
    let mut text = String::from("(");
    if !declaration.indices.is_empty() {
        text.push_str(&format!("(_ {name}"));
        for index in &declaration.indices {
            text.push(' ');
            describe_index(signatures, index, &mut text);
        }
        text.push(')');
    } else if declaration.qualified {
        text.push_str(&format!("(as {name} "));
        describe_sort(signatures, &declaration.result, &mut text);
        text.push(')');
    } else {
        text.push_str(name);
    }
    for sort in declaration.args.iter().chain([&declaration.result]) {
        text.push(' ');
        describe_sort(signatures, sort, &mut text);
    }
    text.push_str(match declaration.associativity {
        Associativity::None => "",
        Associativity::Left => " :left-assoc",
        Associativity::Right => " :right-assoc",
        Associativity::Chainable => " :chainable",
        Associativity::Pairwise => " :pairwise",
        Associativity::Variadic => " :variadic",
        Associativity::Repeat => " :repeat",
    });
    text.push(')');
    text
}

fn describe_sort(signatures: &Signatures, pattern: &SortPattern, text: &mut String) {
    match pattern {
        SortPattern::Variable(variable) => text.push((b'A' + variable) as char),
        SortPattern::Ground(sort) => {
            crate::print::sort_into(&signatures.symbols, &signatures.sorts, *sort, text);
        }
        SortPattern::Made { head, indices, args } => {
            let name = signatures.name(*head);
            let open = if args.is_empty() { "" } else { "(" };
            text.push_str(open);
            if indices.is_empty() {
                text.push_str(name);
            } else {
                text.push_str(&format!("(_ {name}"));
                for index in indices {
                    text.push(' ');
                    describe_index(signatures, index, text);
                }
                text.push(')');
            }
            for arg in args {
                text.push(' ');
                describe_sort(signatures, arg, text);
            }
            text.push_str(if args.is_empty() { "" } else { ")" });
        }
    }
}

fn describe_index(signatures: &Signatures, expr: &IndexExpr, text: &mut String) {
    match expr {
        IndexExpr::Fixed(Index::Num(number)) => text.push_str(&number.to_string()),
        IndexExpr::Fixed(Index::Sym(symbol)) => text.push_str(signatures.name(*symbol)),
        IndexExpr::Variable(variable) => text.push((b'i' + variable) as char),
        IndexExpr::Op(op, args) => {
            text.push_str(match op {
                IndexOp::Add => "(+",
                IndexOp::Sub => "(-",
                IndexOp::Mul => "(*",
                IndexOp::Div => "(div",
                IndexOp::Max => "(max",
            });
            for arg in args {
                text.push(' ');
                describe_index(signatures, arg, text);
            }
            text.push(')');
        }
    }
}
