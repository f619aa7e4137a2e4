//! Parsing sorts.

use super::state::Parser;
use crate::error::{Error, Span, count};
use crate::lexer::Kind;
use crate::reserved;
use crate::scope::SortDeclaration;
use crate::signature::Bindings;
use crate::sort::{Index, MAX_SORT_DEPTH, Sort};
use crate::symbol::Symbol;

impl Parser<'_, '_> {
    /// Parses a sort.
    pub(super) fn sort(&mut self) -> Result<Sort, Error> {
        self.sort_at(0)
    }

    fn sort_at(&mut self, depth: u32) -> Result<Sort, Error> {
        let start = self.token.span.start as usize;
        if depth > MAX_SORT_DEPTH {
            return Err(Error::sort(self.token.span, "sort is nested too deeply"));
        }
        if let Some(name) = self.peek_symbol() {
            self.advance()?;
            return self.make_sort(name, &[], &[], start);
        }
        self.expect_open("a sort")?;
        let quoted = self.token.kind == Kind::Quoted;
        let head = self.symbol("a sort's name")?;
        let sort = if head == reserved::UNDERSCORE && !quoted {
            let name = self.symbol("a sort's name")?;
            let mut indices = Vec::new();
            while self.token.kind != Kind::Close {
                indices.push(self.index()?);
            }
            self.make_sort(name, &indices, &[], start)?
        } else {
            let mut args = Vec::new();
            while self.token.kind != Kind::Close {
                args.push(self.sort_at(depth + 1)?);
            }
            self.make_sort(head, &[], &args, start)?
        };
        self.expect_close("a `)` after the sort")?;
        Ok(sort)
    }

    /// Parses an index: a numeral, a symbol or a hexadecimal literal. Anything in parentheses is kept verbatim.
    pub(super) fn index(&mut self) -> Result<Index, Error> {
        let text = self.text();
        let index = match self.token.kind {
            Kind::Numeral => match text.parse() {
                Ok(number) if !(text.len() > 1 && text.starts_with('0')) => Index::Num(number),
                _ => Index::Sym(self.arena.symbols.intern(text)),
            },
            Kind::Symbol | Kind::Hex => Index::Sym(self.arena.symbols.intern(text)),
            Kind::Quoted => Index::Sym(self.arena.symbols.intern(&text[1..text.len() - 1])),
            Kind::Open => {
                let text = self.raw()?;
                return Ok(Index::Sym(self.arena.symbols.intern(text)));
            }
            _ => return Err(self.unexpected("an index: a numeral or a symbol")),
        };
        self.advance()?;
        Ok(index)
    }

    fn make_sort(
        &mut self,
        name: Symbol,
        indices: &[Index],
        args: &[Sort],
        start: usize,
    ) -> Result<Sort, Error> {
        let span = Span::new(start, self.previous_end);
        let sort = self.find_sort(name, indices, args).map_err(|expected| {
            let text = self.arena.name(name);
            match expected {
                Some(expected) => {
                    Error::sort(span, format!("invalid use of sort `{text}`")).expected(expected)
                }
                None => Error::undeclared(span, format!("unknown sort `{text}`"))
                    .expected("a declared sort or a sort of a theory"),
            }
        })?;
        self.arena.check_sort(sort).map_err(|mismatch| self.mismatch(span, mismatch))?;
        Ok(sort)
    }

    /// Resolves a sort. The error contains what is expected, if the name is known.
    fn find_sort(&mut self, name: Symbol, indices: &[Index], args: &[Sort]) -> Result<Sort, Option<String>> {
        if indices.is_empty()
            && let Some(declaration) = self.scope.sort(name)
        {
            return match declaration {
                SortDeclaration::Constructor(arity) if *arity == args.len() => {
                    let sort = self.arena.sorts.intern(name, &[], args);
                    if !args.is_empty() && !self.arena.sorts.node(sort).is_polymorphic {
                        self.scope.mention(sort);
                    }
                    Ok(sort)
                }
                SortDeclaration::Parameter(sort) if args.is_empty() => Ok(*sort),
                SortDeclaration::Abbreviation(params, body) if params.len() == args.len() => {
                    let heads: Vec<Symbol> =
                        params.iter().map(|&param| self.arena.sorts.node(param).head).collect();
                    let find = |head| heads.iter().position(|&known| known == head).map(|at| args[at]);
                    let sort = self.arena.sorts.instantiate(*body, &find);
                    match self.is_shadowed(sort) {
                        false => Ok(sort),
                        true => Err(Some("a definition that uses no redefined sort".to_owned())),
                    }
                }
                SortDeclaration::Constructor(arity) => Err(Some(count(*arity, "sort argument"))),
                SortDeclaration::Parameter(_) => Err(Some("no sort arguments".to_owned())),
                SortDeclaration::Abbreviation(params, _) => Err(Some(count(params.len(), "sort argument"))),
            };
        }
        match name {
            reserved::TUPLE_SORT if indices.is_empty() => {
                return Ok(self.arena.sorts.intern(name, &[], args));
            }
            reserved::UNIT_TUPLE_SORT if args.is_empty() => {
                return Ok(self.arena.sorts.intern(reserved::TUPLE_SORT, &[], &[]));
            }
            reserved::RELATION_SORT | reserved::TABLE_SORT if indices.is_empty() => {
                let tuple = self.arena.sorts.intern(reserved::TUPLE_SORT, &[], args);
                let head =
                    if name == reserved::RELATION_SORT { reserved::SET_SORT } else { reserved::BAG_SORT };
                return Ok(self.arena.sorts.intern(head, &[], &[tuple]));
            }
            _ => {}
        }
        let signatures = self.arena.signatures.clone();
        if indices.is_empty()
            && let Some(pattern) = signatures.abbreviations.get(&(name, args.len()))
        {
            let mut bindings = Bindings::default();
            for (slot, &arg) in bindings.sorts.iter_mut().zip(args) {
                *slot = Some(arg);
            }
            return bindings.build(&mut self.arena.sorts, pattern).ok_or(None);
        }
        if Some(name) == self.arena.sorts.arrow && args.len() >= 2 {
            return Ok(self.arena.sorts.intern(name, &[], args));
        }
        let known = signatures.sort_constructors(name);
        let fits = known.iter().any(|one| {
            one.indices == indices.len() && one.arity.map_or(!args.is_empty(), |arity| arity == args.len())
        });
        if fits {
            return Ok(self.arena.sorts.intern(name, indices, args));
        }
        if known.is_empty() && indices.is_empty() && self.declare_built_in(name) {
            return self.find_sort(name, indices, args);
        }
        match known.first() {
            None => Err(None),
            Some(one) if one.indices > 0 => Err(Some(format!(
                "{}: (_ {} …)",
                if one.indices == 1 { "an index" } else { "indices" },
                self.arena.name(name)
            ))),
            Some(one) => Err(Some(count(one.arity.unwrap_or(1), "sort argument"))),
        }
    }

    /// Whether a name in a sort was redefined, so that the sort cannot be printed here.
    fn is_shadowed(&self, sort: Sort) -> bool {
        let node = self.arena.sorts.node(sort);
        let is_param = |arg: &Sort| self.arena.sorts.node(*arg).is_param;
        let shadowed = match self.scope.sort(node.head) {
            None => false,
            Some(SortDeclaration::Constructor(arity)) => *arity != node.args.len(),
            Some(SortDeclaration::Parameter(parameter)) => *parameter != sort,
            // In the old datatype syntax, the name of a datatype stands for it with its parameters.
            Some(SortDeclaration::Abbreviation(_, body)) => *body != sort || !node.args.iter().all(is_param),
        };
        shadowed || node.args.iter().any(|&arg| self.is_shadowed(arg))
    }

    /// Parses `((x SORT) …)`: the variables of a binder or the parameters of a definition.
    pub(super) fn sorted_variables(&mut self) -> Result<Vec<(Symbol, Sort)>, Error> {
        self.expect_open("a list of variables, ((x SORT) …)")?;
        let mut variables = Vec::new();
        while self.token.kind != Kind::Close {
            self.expect_open("a variable with its sort, (x SORT)")?;
            let name = self.symbol("a variable's name")?;
            let sort = self.sort()?;
            self.expect_close("a `)` after the variable's sort")?;
            variables.push((name, sort));
        }
        self.advance()?;
        Ok(variables)
    }
}
