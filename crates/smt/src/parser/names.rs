//! Name resolution: local variables, declared functions, theory operators, and operators derived from them.

use super::frame::ComplexHead;
use super::state::Parser;
use crate::error::{Error, Span};
use crate::op::{Op, OpKind, OpNode};
use crate::reserved;
use crate::sort::{Index, Sort};
use crate::symbol::Symbol;
use crate::term::{Binder, Literal, Term};
use crate::typing::{Head, Mismatch};

impl Parser<'_, '_> {
    /// Resolves a name without arguments.
    #[inline]
    pub(super) fn constant(&mut self, head: Head, start: u32) -> Result<Term, Error> {
        if let Some(local) = self.scope.local(head.name) {
            return Ok(local);
        }
        if let Some(constant) = self.scope.constant(head.name) {
            return Ok(constant);
        }
        let term = self.resolve(head, &[], Span::new(start as usize, self.previous_end))?;
        self.scope.remember_constant(head.name, term);
        Ok(term)
    }

    pub(super) fn apply(&mut self, name: Symbol, base: usize, start: usize) -> Result<Term, Error> {
        let span = Span::new(start, self.previous_end);
        if self.has_open(&self.operands[base..]) {
            return self.apply_with_open(name, base, span);
        }
        if let Some(function) = self.scope.local(name) {
            let args = self.operands[base..].to_vec();
            return match self.arena.apply_value(function, &args) {
                Ok(term) => Ok(term),
                // A variable that is no function hides only the constant of the same name.
                Err(mismatch) => match self.arena.apply_head(Head::plain(name), &args) {
                    Ok(term) if !self.arena.sorts.is_functional(self.arena.sort(function)) => Ok(term),
                    _ => Err(self.mismatch(span, mismatch)),
                },
            };
        }
        match self.scope.function(name) {
            // Avoids copying the arguments: most names are theory operators, and most functions have a single rank.
            None => match self.arena.apply_head(Head::plain(name), &self.operands[base..]) {
                Ok(term) => Ok(term),
                Err(mismatch) => {
                    let args = self.operands[base..].to_vec();
                    let converted = self.apply_converted(Head::plain(name), &args);
                    converted.ok_or_else(|| self.mismatch(span, mismatch))
                }
            },
            Some(_) if self.scope.is_overloaded(name) => {
                let args = self.operands[base..].to_vec();
                self.resolve(Head::plain(name), &args, span)
            }
            Some(op) => match self.arena.apply_op(op, &self.operands[base..]) {
                Ok(term) => Ok(term),
                Err(_) => {
                    let args = self.operands[base..].to_vec();
                    self.resolve(Head::plain(name), &args, span)
                }
            },
        }
    }

    /// Applies a function to the operands from `base` on, of which one is a constant without its sort.
    fn apply_with_open(&mut self, name: Symbol, base: usize, span: Span) -> Result<Term, Error> {
        let args = self.operands[base..].to_vec();
        let function = self.scope.function(name).filter(|_| self.scope.local(name).is_none());
        let expected = match function {
            Some(op) => self.arena.rank_of(&self.arena.ops.node(op).kind.clone()).0,
            None => Vec::new(),
        };
        self.apply_open(&args, &expected, span, |parser, args| match parser.scope.local(name) {
            Some(function) => {
                parser.arena.apply_value(function, args).map_err(|mismatch| parser.mismatch(span, mismatch))
            }
            None => parser.resolve(Head::plain(name), args, span),
        })
    }

    /// Resolves an application to a declared function or a theory operator.
    pub(super) fn resolve(&mut self, head: Head, args: &[Term], span: Span) -> Result<Term, Error> {
        let declared: Vec<Op> = self.scope.functions(head.name).collect();
        let mut first_mismatch = None;
        // Of several functions with one name, the one that needs no conversions comes first.
        if let [_, _, ..] = *declared
            && let Some(&op) = declared.iter().find(|&&op| self.takes_exactly(op, args))
            && let Ok(term) = self.apply_declared(op, head, args)
        {
            return Ok(term);
        }
        for &op in &declared {
            match self.apply_declared(op, head, args) {
                Ok(term) => return Ok(term),
                Err(mismatch) => {
                    first_mismatch.get_or_insert(mismatch);
                }
            }
        }
        match self.arena.apply_head(head, args) {
            Ok(term) => Ok(term),
            Err(mismatch) => {
                let rounded = declared.iter().find_map(|&op| self.apply_rounded(op, args));
                let found = rounded.or_else(|| declared.iter().find_map(|&op| self.apply_instance(op, args)));
                let found = found.or_else(|| self.negative_number(head, args));
                match found.or_else(|| self.apply_converted(head, args)) {
                    Some(term) => Ok(term),
                    None => Err(self.mismatch(span, first_mismatch.unwrap_or(mismatch))),
                }
            }
        }
    }

    /// Applies a constructor whose arguments do not determine its sort, if the script mentions one instance of its datatype.
    fn apply_instance(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let node = self.arena.ops.node(op).clone();
        let OpKind::Constructor(id, _) = node.kind else { return None };
        // A constant is open until the term around it determines its sort.
        if args.is_empty() {
            return None;
        }
        let sort = self.arena.datatypes.get(id).sort;
        let ascription =
            Some(self.only_instance(sort).filter(|_| self.arena.sorts.node(sort).is_polymorphic)?);
        let op = self.arena.ops.intern(OpNode { ascription, ..node });
        self.arena.apply_op(op, args).ok()
    }

    /// Whether a declared function takes arguments of exactly these sorts.
    fn takes_exactly(&self, op: Op, args: &[Term]) -> bool {
        match &self.arena.ops.node(op).kind {
            OpKind::Function { args: rank, .. } => {
                rank.len() == args.len()
                    && rank.iter().zip(args).all(|(&sort, &arg)| sort == self.arena.sort(arg))
            }
            _ => false,
        }
    }

    /// Resolves `-5`, a symbol in the standard, as `(- 5)`, like solvers do.
    fn negative_number(&mut self, head: Head, args: &[Term]) -> Option<Term> {
        let digits = self
            .arena
            .name(head.name)
            .strip_prefix('-')
            .filter(|_| args.is_empty() && head.indices.is_empty())?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let real = digits.contains('.') || self.scope.numerals_are_reals;
        let text = if real { format!("{whole}.{fraction}") } else { whole.to_owned() };
        let positive = if real {
            self.arena.literal(Literal::Decimal, &text, Sort::REAL)
        } else {
            self.arena.literal(Literal::Numeral, &text, Sort::INT)
        };
        self.arena.apply_head(Head::plain(reserved::MINUS), &[positive]).ok()
    }

    fn apply_declared(&mut self, op: Op, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        let node = self.arena.ops.node(op);
        let mut op = op;
        if head.ascription.is_some() || !head.indices.is_empty() {
            if !head.indices.is_empty() {
                return Err(Mismatch::new(format!("`{}` takes no indices", self.arena.name(head.name))));
            }
            let node = OpNode { ascription: head.ascription, ..node.clone() };
            op = self.arena.ops.intern(node);
        }
        let mismatch = match self.arena.apply_op(op, args) {
            Ok(term) => return Ok(term),
            Err(mismatch) => mismatch,
        };
        let (rank, result) = self.arena.rank_of(&self.arena.ops.node(op).kind.clone());
        if head.ascription.is_some() {
            return Err(mismatch);
        }
        // A function without arguments is a value. In higher-order logics it may be applied partially. A constant of a function or
        // array sort may be applied.
        if rank.is_empty() {
            let constant = self.arena.apply_op(op, &[])?;
            return self.arena.apply_value(constant, args).map_err(|_| mismatch);
        }
        let function = self.function_value(op, &rank, result);
        if args.is_empty() {
            Ok(function)
        } else if self.scope.higher_order {
            self.arena.apply_value(function, args).map_err(|_| mismatch)
        } else {
            Err(mismatch)
        }
    }

    fn function_value(&mut self, op: Op, rank: &[Sort], result: Sort) -> Term {
        let sort = self.arena.sorts.function(rank, result);
        let name = self.arena.ops.node(op).name;
        let value = self.constructor_op(name, OpKind::FunctionValue(op));
        self.arena.app_unchecked(value, &[], sort)
    }

    pub(super) fn complex_constant(&mut self, head: &ComplexHead, span: Span) -> Result<Term, Error> {
        if let ([Index::Num(width)], None) = (&*head.indices, head.ascription) {
            let digits = self.arena.name(head.name).strip_prefix("bv");
            if *width > 0
                && digits
                    .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit()))
            {
                let sort = self.arena.bitvec_sort(*width);
                return Ok(self.arena.literal_symbol(Literal::BvDecimal, head.name, sort));
            }
        }
        if let (reserved::CHAR, [Index::Sym(code)]) = (head.name, &*head.indices) {
            let digits = self.arena.name(*code).strip_prefix("#x").unwrap_or("");
            if u32::from_str_radix(digits, 16).is_ok_and(|code| code <= 0x2FFFF) {
                return Ok(self.arena.literal_symbol(Literal::Char, *code, Sort::STRING));
            }
        }
        if head.name == reserved::AS_ARRAY
            && let [Index::Sym(function)] = *head.indices
        {
            return self.as_array(head, function, span);
        }
        self.apply_complex(head, &[], span)
    }

    /// Resolves `(_ as-array f)`, the array with the values of a function.
    fn as_array(&mut self, head: &ComplexHead, function: Symbol, span: Span) -> Result<Term, Error> {
        let Some(op) = self.scope.function(function) else {
            let text = self.arena.name(function);
            return Err(
                Error::undeclared(span, format!("unknown function `{text}`")).expected("a declared function")
            );
        };
        let (mut sorts, result) = self.arena.rank_of(&self.arena.ops.node(op).kind.clone());
        sorts.push(result);
        let array = self.arena.sorts.array.expect("set on construction");
        let sort = self.arena.sorts.intern(array, &[], &sorts);
        let indices = head.indices.clone().into();
        let kind = OpKind::FunctionValue(op);
        let value =
            self.arena.ops.intern(OpNode { name: head.name, indices, ascription: head.ascription, kind });
        Ok(self.arena.app_unchecked(value, &[], sort))
    }

    pub(super) fn apply_complex(
        &mut self,
        head: &ComplexHead,
        args: &[Term],
        span: Span,
    ) -> Result<Term, Error> {
        let plain = Head { name: head.name, indices: &head.indices, ascription: head.ascription };
        if let ([Index::Sym(index)], None) = (&*head.indices, head.ascription) {
            let index = self.name_in_index(*index);
            let special = match head.name {
                reserved::IS => self.datatype_op(plain, index, args, |kind| match kind {
                    OpKind::Constructor(id, at) => Some(OpKind::Tester(id, at)),
                    _ => None,
                }),
                reserved::UPDATE | reserved::UPDATE_FIELD => {
                    self.datatype_op(plain, index, args, |kind| match kind {
                        OpKind::Selector(id, at, field) => Some(OpKind::Updater(id, at, field)),
                        _ => None,
                    })
                }
                reserved::MAP => Some(self.map(plain, index, args)),
                reserved::NULLABLE_LIFT if self.scope.higher_order => self.lift(index, args),
                _ => None,
            };
            if let Some(result) = special {
                return result.map_err(|mismatch| self.mismatch(span, mismatch));
            }
        }
        self.resolve(plain, args, span)
    }

    /// The function name in an index such as `f`, `(f (Int) Int)` or `(as f Int)`. It is tokenized, so that white space and bars do not
    /// matter.
    fn name_in_index(&mut self, index: Symbol) -> Symbol {
        let listed = crate::lexer::elements(self.arena.name(index));
        let name = match listed.as_deref() {
            Some(["as", name, ..]) => Some(name),
            Some(elements) => elements.first(),
            None => None,
        };
        match name {
            Some(name) => {
                let name = name.trim_matches('|').to_owned();
                self.arena.symbols.intern(&name)
            }
            None => index,
        }
    }

    /// Applies a tester or an updater, derived from a constructor or a selector.
    fn datatype_op(
        &mut self,
        head: Head,
        name: Symbol,
        args: &[Term],
        derive: impl Fn(OpKind) -> Option<OpKind>,
    ) -> Option<Result<Term, Mismatch>> {
        let declared: Vec<Op> = self.scope.functions(name).collect();
        let mut result = None;
        for op in declared {
            let Some(kind) = derive(self.arena.ops.node(op).kind.clone()) else { continue };
            let indices = head.indices.into();
            let op = self.arena.ops.intern(OpNode { name: head.name, indices, ascription: None, kind });
            let applied = self.arena.apply_op(op, args);
            let done = applied.is_ok();
            result = Some(applied);
            if done {
                break;
            }
        }
        result
    }

    /// Applies `(_ nullable.lift f)` as `(nullable.lift f …)`, with a lambda for a theory operator. `None` if `f` is unknown.
    fn lift(&mut self, name: Symbol, args: &[Term]) -> Option<Result<Term, Mismatch>> {
        let function = match self.scope.function(name) {
            Some(op) => {
                let (rank, result) = self.arena.rank_of(&self.arena.ops.node(op).kind.clone());
                self.function_value(op, &rank, result)
            }
            None => {
                let values =
                    args.iter().map(|&arg| self.arena.sorts.node(self.arena.sort(arg)).args.first().copied());
                let sorts: Vec<Sort> = values.collect::<Option<_>>()?;
                let named: Vec<Symbol> =
                    (0..sorts.len()).map(|at| self.arena.symbols.intern(&format!("x{at}"))).collect();
                let variables: Vec<Term> =
                    named.iter().zip(&sorts).map(|(&name, &sort)| self.arena.local(name, sort)).collect();
                let body = self.arena.apply_head(Head::plain(name), &variables).ok()?;
                let sort = self.arena.sort(body);
                let sort = self.arena.sorts.function(&sorts, sort);
                self.arena.binder(Binder::Lambda, &variables, &[body], sort)
            }
        };
        let mut all = vec![function];
        all.extend_from_slice(args);
        Some(self.arena.apply_head(Head::plain(reserved::NULLABLE_LIFT), &all))
    }

    fn map(&mut self, head: Head, name: Symbol, args: &[Term]) -> Result<Term, Mismatch> {
        if let Some(op) = self.scope.function(name) {
            return self.arena.apply_map(head, op, args);
        }
        let elements: Vec<Sort> = args
            .iter()
            .map(|&arg| {
                let sort = self.arena.sort(arg);
                self.arena.sorts.node(sort).args.last().copied().unwrap_or(sort)
            })
            .collect();
        match self.arena.match_rank(Head::plain(name), &elements) {
            Some(rank) => self.arena.apply_map(head, rank.op, args),
            None => {
                Err(Mismatch::new(format!("`map` cannot apply `{}` to these arrays", self.arena.name(name))))
            }
        }
    }
}
