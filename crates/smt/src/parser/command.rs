//! Parsing commands.

use super::state::Parser;
use crate::command::{Command, DeclarationForm, Definition, DefinitionForm, Plain};
use crate::error::{Error, Span};
use crate::lexer::Kind;
use crate::logic;
use crate::op::Op;
use crate::scope::SortDeclaration;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;

/// The maximum number of open assertion levels.
const MAX_LEVELS: usize = 1_000_000;

/// Names that sort parameters shadow, with their previous meanings.
type Shadowed = Vec<(Symbol, Option<SortDeclaration>)>;

impl Parser<'_, '_> {
    /// Parses a command.
    pub(super) fn command(&mut self) -> Result<Command, Error> {
        let start = self.token.span.start as usize;
        self.expect_open("a command, (…)")?;
        let name_span = self.token.span;
        if self.token.kind != Kind::Symbol {
            return Err(self.unexpected("the name of a command"));
        }
        let name = self.text();
        self.advance()?;
        let command = match name {
            "set-logic" => self.set_logic()?,
            "set-option" => {
                let (keyword, value) = self.keyword_and_value()?;
                if matches!(self.arena.name(keyword), ":global-declarations" | ":global-decls") {
                    self.scope.global_declarations = self.arena.name(value) == "true";
                }
                Command::SetOption(keyword, value)
            }
            "set-info" => {
                let (keyword, value) = self.keyword_and_value()?;
                Command::SetInfo(keyword, value)
            }
            "declare-sort" | "declare-type" => self.declare_sort()?,
            "declare-sort-parameter" => {
                let name = self.symbol("the name of a sort parameter")?;
                let sort = self.arena.sorts.param(name);
                self.scope.declare_sort(name, SortDeclaration::Parameter(sort));
                Command::DeclareSortParameter(name)
            }
            "define-sort" => self.define_sort()?,
            "declare-datatype" => self.declare_datatype(false)?,
            "declare-codatatype" => self.declare_datatype(true)?,
            "declare-datatypes" => self.declare_datatypes(false)?,
            "declare-codatatypes" => self.declare_datatypes(true)?,
            "declare-fun" => self.declare(DeclarationForm::Fun)?,
            "declare-const" => self.declare(DeclarationForm::Const)?,
            "declare-var" => self.declare(DeclarationForm::Var)?,
            "declare-rel" => self.declare(DeclarationForm::Rel)?,
            "define-fun" => self.define(DefinitionForm::Fun)?,
            "define-const" => self.define(DefinitionForm::Const)?,
            "define-fun-rec" => self.define(DefinitionForm::FunRec)?,
            "define-funs-rec" => self.define_funs_rec()?,
            "assert" => Command::Assert(self.formula("the asserted term")?),
            "check-sat-assuming" => Command::CheckSatAssuming(self.term_list()?),
            "get-value" => {
                let terms = self.term_list()?;
                // An attribute, such as `:model-index`
                if self.token.kind == Kind::Keyword {
                    return self.other(name, start);
                }
                Command::GetValue(terms)
            }
            "check-sat-using" => {
                let tactic = self.rest_of_list()?;
                Command::CheckSatUsing(self.arena.symbols.intern(tactic))
            }
            "push" => Command::Push(self.levels(name_span)?),
            "pop" => {
                let count = self.levels(name_span)?;
                self.scope.pop(count as usize);
                Command::Pop(count)
            }
            "minimize" | "maximize" | "simplify" | "display" | "eval" | "query" | "get-qe" => {
                self.with_term(name, false)?
            }
            "assert-soft" | "rule" | "constraint" => self.with_term(name, true)?,
            "get-interpolant" | "get-abduct" => {
                let start = self.token.span.start as usize;
                self.symbol("a name for the formula")?;
                let symbol = &self.lexer.source()[start..self.previous_end];
                self.with_term(&format!("{name} {symbol}"), true)?
            }
            _ => match Plain::ALL.iter().find(|(known, _)| *known == name) {
                Some((_, plain)) if self.token.kind == Kind::Close => {
                    if *plain == Plain::Reset {
                        self.scope.reset();
                    }
                    Command::Plain(*plain)
                }
                _ => return self.other(name, start),
            },
        };
        if let Command::Push(count) = command {
            self.scope.push(count as usize);
        }
        self.expect_close("a `)` at the end of the command")?;
        Ok(command)
    }

    /// Parses a command that is kept verbatim. Some of these commands declare names.
    fn other(&mut self, name: &str, start: usize) -> Result<Command, Error> {
        if name == "synth-fun" || name == "synth-inv" {
            let function = self.symbol("a function's name")?;
            let params = self.sorted_variables()?;
            let result = if name == "synth-inv" { Sort::BOOL } else { self.sort()? };
            let sorts: Vec<Sort> = params.iter().map(|(_, sort)| *sort).collect();
            self.declare_function(function, &sorts, result);
        }
        self.rest_of_list()?;
        self.expect_close("a `)` at the end of the command")?;
        let text = &self.lexer.source()[start..self.previous_end];
        Ok(Command::Other(self.arena.symbols.intern(text)))
    }

    fn set_logic(&mut self) -> Result<Command, Error> {
        let logic = self.symbol("the name of a logic")?;
        let name = self.arena.name(logic);
        self.scope.numerals_are_reals = logic::numerals_are_reals(name);
        self.scope.has_logic = true;
        self.scope.higher_order = name.contains("HO_");
        Ok(Command::SetLogic(logic))
    }

    fn keyword_and_value(&mut self) -> Result<(Symbol, Symbol), Error> {
        let keyword = self.keyword("a keyword such as `:status`")?;
        let value = self.rest_of_list()?;
        Ok((keyword, self.arena.symbols.intern(value)))
    }

    fn levels(&mut self, span: Span) -> Result<u32, Error> {
        if self.token.kind == Kind::Close {
            return Ok(1);
        }
        let count = self.small_number("a number of levels")?;
        if self.scope.depth() + count as usize > MAX_LEVELS {
            return Err(Error::syntax(span, format!("more than {MAX_LEVELS} assertion levels")));
        }
        Ok(count)
    }

    fn with_term(&mut self, name: &str, boolean: bool) -> Result<Command, Error> {
        let name = self.arena.symbols.intern(name);
        let term = if boolean { self.formula("the term")? } else { self.term()? };
        let rest = self.rest_of_list()?;
        Ok(Command::WithTerm(name, term, self.arena.symbols.intern(rest)))
    }

    /// Parses a term of sort Bool.
    fn formula(&mut self, what: &str) -> Result<Term, Error> {
        let start = self.token.span.start as usize;
        let term = self.term()?;
        if self.arena.sort(term) != Sort::BOOL {
            let sort = self.arena.sort_text(self.arena.sort(term));
            let span = Span::new(start, self.previous_end);
            return Err(Error::sort(span, format!("{what} has sort {sort}")).expected("Bool"));
        }
        Ok(term)
    }

    fn term_list(&mut self) -> Result<Box<[Term]>, Error> {
        self.expect_open("a list of terms, (t …)")?;
        let mut terms = Vec::new();
        while self.token.kind != Kind::Close {
            terms.push(self.term()?);
        }
        self.advance()?;
        Ok(terms.into())
    }

    fn declare_sort(&mut self) -> Result<Command, Error> {
        let name = self.symbol("a sort's name")?;
        let arity = if self.token.kind == Kind::Close {
            0
        } else {
            self.small_number("the number of sort arguments")?
        };
        self.scope.declare_sort(name, SortDeclaration::Constructor(arity as usize));
        Ok(Command::DeclareSort(name, arity))
    }

    fn define_sort(&mut self) -> Result<Command, Error> {
        let name = self.symbol("a sort's name")?;
        self.expect_open("the parameters, (A …)")?;
        let (names, shadowed) = self.sort_parameters()?;
        let params: Vec<Sort> = names.into_iter().map(|name| self.arena.sorts.param(name)).collect();
        let body = self.sort();
        self.restore_sorts(shadowed);
        let body = body?;
        self.scope.declare_sort(name, SortDeclaration::Abbreviation(params.clone(), body));
        Ok(Command::DefineSort(name, params.into(), body))
    }

    /// Parses `A …)`: names that are sort parameters from here until [`Parser::restore_sorts`].
    pub(super) fn sort_parameters(&mut self) -> Result<(Vec<Symbol>, Shadowed), Error> {
        let mut params = Vec::new();
        let mut shadowed = Shadowed::new();
        while self.token.kind != Kind::Close {
            let param = self.symbol("a parameter's name")?;
            params.push(param);
            shadowed.push((param, self.scope.sort(param).cloned()));
            let sort = self.arena.sorts.param(param);
            self.scope.declare_sort(param, SortDeclaration::Parameter(sort));
        }
        self.advance()?;
        Ok((params, shadowed))
    }

    /// Restores the meanings of names that were shadowed by sort parameters.
    pub(super) fn restore_sorts(&mut self, shadowed: Shadowed) {
        for (name, before) in shadowed.into_iter().rev() {
            self.scope.restore_sort(name, before);
        }
    }

    fn declare_function(&mut self, name: Symbol, args: &[Sort], result: Sort) -> Op {
        // As in the standard, a function that returns functions takes more arguments.
        let op = self.arena.function(name, args, result);
        self.scope.declare(name, op);
        op
    }

    fn declare(&mut self, form: DeclarationForm) -> Result<Command, Error> {
        let name = self.symbol("the name to declare")?;
        let mut args = Vec::new();
        if matches!(form, DeclarationForm::Fun | DeclarationForm::Rel) {
            self.expect_open("the argument sorts, (SORT …)")?;
            while self.token.kind != Kind::Close {
                args.push(self.sort()?);
            }
            self.advance()?;
        }
        let result = if form == DeclarationForm::Rel { Sort::BOOL } else { self.sort()? };
        Ok(Command::Declare(form, self.declare_function(name, &args, result)))
    }

    fn define(&mut self, form: DefinitionForm) -> Result<Command, Error> {
        let name = self.symbol("the name to define")?;
        let params = if form == DefinitionForm::Const { Vec::new() } else { self.sorted_variables()? };
        let result = self.sort()?;
        let sorts: Vec<Sort> = params.iter().map(|(_, sort)| *sort).collect();
        let early = (form == DefinitionForm::FunRec).then(|| self.declare_function(name, &sorts, result));
        let (params, body) = self.function_body(&params, result)?;
        let op = early.unwrap_or_else(|| self.declare_function(name, &sorts, result));
        Ok(Command::Define(form, Box::new([Definition { op, params, body }])))
    }

    /// Parses the body of a definition, with its parameters bound.
    fn function_body(
        &mut self,
        params: &[(Symbol, Sort)],
        result: Sort,
    ) -> Result<(Box<[Term]>, Term), Error> {
        let locals = self.scope.local_count();
        for &(name, sort) in params {
            let local = self.arena.local(name, sort);
            self.scope.bind(name, local);
        }
        let start = self.token.span.start as usize;
        let body = self.open_term()?;
        self.scope.unbind_to(locals);
        let mut body = self.close_as(body, result, Span::new(start, self.previous_end))?;
        if result == Sort::REAL {
            body = self.arena.to_real(body);
        }
        if !self.arena.sorts.compatible(result, self.arena.sort(body)) {
            let span = Span::new(start, self.previous_end);
            let sort = self.arena.sort_text(self.arena.sort(body));
            return Err(Error::sort(span, format!("the body of the definition has sort {sort}"))
                .expected(self.arena.sort_text(result)));
        }
        let params = params.iter().map(|&(name, sort)| self.arena.local(name, sort)).collect();
        Ok((params, body))
    }

    fn define_funs_rec(&mut self) -> Result<Command, Error> {
        self.expect_open("the functions, ((f ((x SORT) …) SORT) …)")?;
        let mut headers = Vec::new();
        while self.token.kind != Kind::Close {
            self.expect_open("a function, (f ((x SORT) …) SORT)")?;
            let name = self.symbol("a function's name")?;
            let params = self.sorted_variables()?;
            let result = self.sort()?;
            self.expect_close("a `)` after the function")?;
            let sorts: Vec<Sort> = params.iter().map(|(_, sort)| *sort).collect();
            let op = self.declare_function(name, &sorts, result);
            headers.push((op, params, result));
        }
        self.advance()?;
        self.expect_open("the bodies, (t …)")?;
        let mut definitions = Vec::new();
        for (op, params, result) in headers {
            let (params, body) = self.function_body(&params, result)?;
            definitions.push(Definition { op, params, body });
        }
        self.expect_close("a `)` after one body per function")?;
        Ok(Command::Define(DefinitionForm::FunsRec, definitions.into()))
    }
}
