//! Parsing datatypes, in the standard syntax and in the one before SMT-LIB 2.6.

use super::state::Parser;
use crate::command::Command;
use crate::datatype::{Constructor, Datatype, DatatypeId};
use crate::error::{Error, count};
use crate::lexer::Kind;
use crate::op::OpKind;
use crate::scope::SortDeclaration;
use crate::sort::Sort;
use crate::symbol::Symbol;

impl Parser<'_, '_> {
    /// `(declare-datatype List (par (A) (…)))`
    pub(super) fn declare_datatype(&mut self, codatatype: bool) -> Result<Command, Error> {
        let name = self.symbol("a datatype's name")?;
        // Only the body shows the number of parameters, so look ahead.
        let arity = self.count_parameters()?;
        self.scope.declare_sort(name, SortDeclaration::Constructor(arity));
        let id = self.datatype_body(name, arity, codatatype)?;
        Ok(Command::DeclareDatatypes(Box::new([id])))
    }

    /// Declares a datatype that scripts without a logic need not declare. Returns `false` if there is none called `name`.
    pub(super) fn declare_built_in(&mut self, name: Symbol) -> bool {
        let signatures = self.arena.signatures.clone();
        let Some(text) = signatures.datatypes.get(self.arena.name(name)) else { return false };
        if self.scope.has_logic || self.scope.sort(name).is_some() {
            return false;
        }
        let mut parser = Parser::new(self.arena, self.scope, text);
        parser.advance().and_then(|()| parser.declare_datatype(false)).is_ok()
    }

    fn count_parameters(&mut self) -> Result<usize, Error> {
        let start = self.token.span.start as usize;
        let previous_end = self.previous_end;
        self.expect_open("the constructors, ((c (field SORT) …) …)")?;
        let mut count = 0;
        if self.token.kind == Kind::Symbol && self.text() == "par" {
            self.advance()?;
            self.expect_open("the parameters, (A …)")?;
            while self.token.kind != Kind::Close {
                self.symbol("a parameter's name")?;
                count += 1;
            }
        }
        self.lexer.seek(start);
        self.advance()?;
        self.previous_end = previous_end;
        Ok(count)
    }

    /// `(declare-datatypes ((List 1) …) ((par (A) (…)) …))`
    pub(super) fn declare_datatypes(&mut self, codatatype: bool) -> Result<Command, Error> {
        self.expect_open("the datatypes, ((Name ARITY) …)")?;
        if self.token.kind != Kind::Open {
            return self.declare_old_datatypes(codatatype);
        }
        let mut headers = Vec::new();
        while self.token.kind != Kind::Close {
            self.expect_open("a datatype with its number of parameters, (Name ARITY)")?;
            let name = self.symbol("a datatype's name")?;
            let arity = self.small_number("the number of parameters")? as usize;
            self.expect_close("a `)` after the number of parameters")?;
            self.scope.declare_sort(name, SortDeclaration::Constructor(arity));
            headers.push((name, arity));
        }
        self.advance()?;
        self.expect_open("the constructors of each datatype")?;
        let mut ids = Vec::new();
        for (name, arity) in headers {
            ids.push(self.datatype_body(name, arity, codatatype)?);
        }
        self.expect_close("a `)` after one body per datatype")?;
        Ok(Command::DeclareDatatypes(ids.into()))
    }

    /// `(par (A …) (CONSTRUCTOR …))` or `(CONSTRUCTOR …)`
    fn datatype_body(&mut self, name: Symbol, arity: usize, codatatype: bool) -> Result<DatatypeId, Error> {
        let span = self.token.span;
        self.expect_open("the constructors, ((c (field SORT) …) …)")?;
        let mut params = Vec::new();
        let mut shadowed = Vec::new();
        let parametric = self.token.kind == Kind::Symbol && self.text() == "par";
        if parametric {
            self.advance()?;
            self.expect_open("the parameters, (A …)")?;
            (params, shadowed) = self.sort_parameters()?;
            self.expect_open("the constructors, ((c (field SORT) …) …)")?;
        }
        let constructors = self.constructors();
        self.restore_sorts(shadowed);
        let constructors = constructors?;
        if parametric {
            self.expect_close("a `)` after `par`")?;
        }
        if params.len() != arity {
            return Err(Error::sort(span, format!("the body has {}", count(params.len(), "sort parameter")))
                .expected(format!("{arity}, as in the declaration")));
        }
        Ok(self.finish_datatype(name, params, constructors, codatatype))
    }

    /// Parses `CONSTRUCTOR …)`.
    fn constructors(&mut self) -> Result<Vec<Constructor>, Error> {
        if self.token.kind == Kind::Close {
            return Err(Error::syntax(self.token.span, "datatype has no constructors")
                .expected("a constructor, `c` or (c (field SORT) …)"));
        }
        let mut constructors = Vec::new();
        while self.token.kind != Kind::Close {
            let mut fields = Vec::new();
            let name;
            if self.token.kind == Kind::Open {
                self.advance()?;
                name = self.symbol("a constructor's name")?;
                while self.token.kind != Kind::Close {
                    self.expect_open("a field, (selector SORT)")?;
                    let selector = self.symbol("a selector's name")?;
                    let sort = self.sort()?;
                    self.expect_close("a `)` after the field")?;
                    fields.push((selector, sort));
                }
                self.advance()?;
            } else {
                name = self.symbol("a constructor's name")?;
            }
            constructors.push(Constructor { name, fields: fields.into() });
        }
        self.advance()?;
        Ok(constructors)
    }

    /// Parses `(declare-datatypes (A …) ((List nil (cons (head A) (tail List))) …))`, the syntax before SMT-LIB 2.6. In its body,
    /// the name of a datatype stands for the datatype with the same parameters.
    fn declare_old_datatypes(&mut self, codatatype: bool) -> Result<Command, Error> {
        let span = self.token.span;
        let (params, shadowed) = self.sort_parameters()?;
        let bodies = self.old_bodies(&params);
        self.restore_sorts(shadowed);
        let mut ids = Vec::new();
        for (name, constructors) in bodies? {
            if params.contains(&name) {
                let text = self.arena.name(name);
                return Err(Error::syntax(span, format!("`{text}` is both a parameter and a datatype")));
            }
            self.scope.declare_sort(name, SortDeclaration::Constructor(params.len()));
            ids.push(self.finish_datatype(name, params.clone(), constructors, codatatype));
        }
        Ok(Command::DeclareDatatypes(ids.into()))
    }

    fn old_bodies(&mut self, params: &[Symbol]) -> Result<Vec<(Symbol, Vec<Constructor>)>, Error> {
        let start = self.token.span.start as usize;
        let previous_end = self.previous_end;
        let args: Vec<Sort> = params.iter().map(|&param| self.arena.sorts.param(param)).collect();
        // Datatypes may refer to each other, so declare all names first.
        self.expect_open("the datatypes, ((Name CONSTRUCTOR …) …)")?;
        while self.token.kind != Kind::Close {
            self.expect_open("a datatype, (Name CONSTRUCTOR …)")?;
            let name = self.symbol("a datatype's name")?;
            let sort = self.arena.sorts.intern(name, &[], &args);
            self.scope.declare_sort(name, SortDeclaration::Abbreviation(Vec::new(), sort));
            self.rest_of_list()?;
            self.advance()?;
        }
        self.lexer.seek(start);
        self.advance()?;
        self.previous_end = previous_end;
        self.advance()?;
        let mut bodies = Vec::new();
        while self.token.kind != Kind::Close {
            self.advance()?;
            let name = self.symbol("a datatype's name")?;
            let constructors = self.constructors()?;
            bodies.push((name, constructors));
        }
        self.advance()?;
        Ok(bodies)
    }

    /// Declares the datatype with its constructors, selectors and testers (under their old names).
    fn finish_datatype(
        &mut self,
        name: Symbol,
        params: Vec<Symbol>,
        constructors: Vec<Constructor>,
        codatatype: bool,
    ) -> DatatypeId {
        let args: Vec<Sort> = params.iter().map(|&param| self.arena.sorts.param(param)).collect();
        let sort = self.arena.sorts.intern(name, &[], &args);
        let datatype = Datatype {
            name,
            params: params.into(),
            sort,
            constructors: constructors.clone().into(),
            codatatype,
        };
        let id = self.arena.datatypes.declare(datatype);
        for (at, constructor) in constructors.iter().enumerate() {
            let at = at as u32;
            let tester = format!("is-{}", self.arena.name(constructor.name));
            let tester = self.arena.symbols.intern(&tester);
            let mut ops =
                vec![(constructor.name, OpKind::Constructor(id, at)), (tester, OpKind::Tester(id, at))];
            for (field, &(selector, _)) in constructor.fields.iter().enumerate() {
                ops.push((selector, OpKind::Selector(id, at, field as u32)));
            }
            for (name, kind) in ops {
                let op = self.constructor_op(name, kind);
                self.scope.declare(name, op);
            }
        }
        id
    }
}
