//! Parsing terms. An explicit stack of frames replaces recursion, so depth costs only memory.

use super::frame::{ComplexHead, Frame};
use super::state::Parser;
use crate::error::{Error, Span, count};
use crate::lexer::Kind;
use crate::op::{Op, OpKind, OpNode};
use crate::reserved;
use crate::sort::{Index, Sort};
use crate::symbol::Symbol;
use crate::term::{Attribute, AttributeValue, Binder, Literal, Pattern, Term};
use crate::typing::Head;

impl Parser<'_, '_> {
    /// Parses a term. After an error, the caller must call [`Parser::abandon_term`].
    pub(super) fn term(&mut self) -> Result<Term, Error> {
        let start = self.token.span.start as usize;
        let term = self.open_term()?;
        // Nothing around the term determines its sort.
        self.close_as(term, Sort::BOOL, Span::new(start, self.previous_end))
    }

    /// Parses a term that may be a constant without its sort, such as `set.empty`.
    pub(super) fn open_term(&mut self) -> Result<Term, Error> {
        let bottom = self.frames.len();
        loop {
            let Some(mut value) = self.begin()? else { continue };
            loop {
                if self.frames.len() == bottom {
                    return Ok(value);
                }
                match self.deliver(value)? {
                    Some(finished) => value = finished,
                    None => break,
                }
            }
        }
    }

    /// Starts a term: an atom is complete at once, anything else pushes a frame.
    #[inline]
    fn begin(&mut self) -> Result<Option<Term>, Error> {
        let start = self.token.span.start;
        match self.token.kind {
            Kind::Symbol | Kind::Quoted => {
                let name = self.peek_symbol().expect("the token is a symbol");
                self.advance()?;
                match self.constant(Head::plain(name), start) {
                    Ok(term) => Ok(Some(term)),
                    Err(error) => self.open_constant(name, error).map(Some),
                }
            }
            Kind::Open => {
                self.advance()?;
                self.begin_list(start)
            }
            Kind::Keyword | Kind::Close | Kind::End | Kind::Comment => Err(self.unexpected("a term")),
            _ => self.literal().map(Some),
        }
    }

    fn begin_list(&mut self, start: u32) -> Result<Option<Term>, Error> {
        let base = self.operands.len() as u32;
        match self.token.kind {
            Kind::Symbol => {
                let name = self.peek_symbol().expect("the token is a symbol");
                // Reserved words have the lowest symbols. Old scripts may use the newer ones as names.
                let newer = (reserved::LAMBDA..=reserved::MATCH).contains(&name);
                if name <= reserved::AS && !(newer && self.scope.function(name).is_some()) {
                    return self.begin_special(name, start);
                }
                self.advance()?;
                self.frames.push(Frame::Apply { name, base, start });
            }
            Kind::Quoted => {
                let name = self.peek_symbol().expect("the token is a symbol");
                self.advance()?;
                self.frames.push(Frame::Apply { name, base, start });
            }
            Kind::Open => {
                let inner = self.token.span.start as usize;
                self.advance()?;
                let word = if self.token.kind == Kind::Symbol { self.text() } else { "" };
                if word == "_" || word == "as" {
                    let head = Box::new(self.complex_head()?);
                    self.frames.push(Frame::ApplyComplex { head, base, start });
                } else {
                    self.lexer.seek(inner);
                    self.advance()?;
                    self.frames.push(Frame::ApplyValue { base, start });
                }
            }
            _ => return Err(self.unexpected("an operator")),
        }
        if self.token.kind == Kind::Close {
            return Err(self.unexpected("an argument"));
        }
        Ok(None)
    }

    fn begin_special(&mut self, word: Symbol, start: u32) -> Result<Option<Term>, Error> {
        let base = self.operands.len() as u32;
        let locals = self.scope.local_count() as u32;
        let kind = match word {
            reserved::UNDERSCORE | reserved::AS => {
                let head = self.complex_head()?;
                let span = Span::new(start as usize, self.previous_end);
                return self.complex_constant(&head, span).map(Some);
            }
            reserved::LET => {
                self.advance()?;
                self.expect_open("the bindings, ((x t) …)")?;
                let names = self.names.len() as u32;
                if self.token.kind == Kind::Close {
                    self.advance()?;
                    self.frames.push(Frame::LetBody { base, names, locals });
                } else {
                    self.begin_binding()?;
                    self.frames.push(Frame::LetValues { base, names });
                }
                return Ok(None);
            }
            reserved::BANG => {
                self.advance()?;
                self.frames.push(Frame::Annotated { base, attributes: Vec::new() });
                return Ok(None);
            }
            reserved::MATCH => {
                self.advance()?;
                self.frames.push(Frame::Match { base, patterns: Vec::new(), locals, start });
                return Ok(None);
            }
            reserved::FORALL => Binder::Forall,
            reserved::EXISTS => Binder::Exists,
            reserved::LAMBDA => Binder::Lambda,
            reserved::CHOICE => Binder::Choice,
            reserved::WITNESS => Binder::Witness,
            _ => Binder::Comprehension,
        };
        self.advance()?;
        let variables = self.sorted_variables()?;
        for &(name, sort) in &variables {
            let local = self.arena.local(name, sort);
            self.operands.push(local);
            self.scope.bind(name, local);
        }
        self.frames.push(Frame::Binder { kind, base, variables: variables.len() as u32, locals, start });
        Ok(None)
    }

    fn begin_binding(&mut self) -> Result<(), Error> {
        self.expect_open("a binding, (x t)")?;
        let span = self.token.span;
        let name = self.symbol("the name of a binding")?;
        self.names.push((name, span));
        Ok(())
    }

    /// Passes a complete term to the innermost frame. Returns the frame's term if that completes it.
    #[inline]
    fn deliver(&mut self, value: Term) -> Result<Option<Term>, Error> {
        self.operands.push(value);
        let last = self.frames.last_mut().expect("checked by the caller");
        match last {
            Frame::Apply { name, base, start } => {
                if self.token.kind != Kind::Close {
                    return Ok(None);
                }
                let (name, base, start) = (*name, *base as usize, *start as usize);
                self.advance()?;
                self.frames.pop();
                let term = self.apply(name, base, start)?;
                self.operands.truncate(base);
                Ok(Some(term))
            }
            Frame::LetValues { .. } => self.deliver_let_value(),
            Frame::LetBody { base, names, locals } => {
                let (base, names, locals) = (*base as usize, *names as usize, *locals as usize);
                self.expect_close("a `)` after the body of `let`")?;
                self.frames.pop();
                self.scope.unbind_to(locals);
                let values = &self.operands[base..self.operands.len() - 1];
                let locals: Vec<Term> = self.names[names..]
                    .iter()
                    .zip(values)
                    .map(|(&(name, _), &value)| {
                        let sort = self.arena.sort(value);
                        self.arena.local(name, sort)
                    })
                    .collect();
                let term = self.arena.let_term(&locals, values, value);
                self.names.truncate(names);
                self.operands.truncate(base);
                Ok(Some(term))
            }
            _ => self.deliver_rare(value),
        }
    }

    fn deliver_let_value(&mut self) -> Result<Option<Term>, Error> {
        self.expect_close("a `)` after the value of a binding")?;
        if self.token.kind != Kind::Close {
            self.begin_binding()?;
            return Ok(None);
        }
        self.advance()?;
        let Some(Frame::LetValues { base, names }) = self.frames.pop() else {
            unreachable!("matched by the caller")
        };
        let locals = self.scope.local_count() as u32;
        for at in 0..self.names.len() - names as usize {
            let name = self.names[names as usize + at].0;
            let sort = self.arena.sort(self.operands[base as usize + at]);
            let local = self.arena.local(name, sort);
            self.scope.bind(name, local);
        }
        self.frames.push(Frame::LetBody { base, names, locals });
        // Some solvers accept a `let` without a body. It means its last value.
        if self.token.kind == Kind::Close {
            let last = self.names.last().expect("a `let` has a binding").0;
            return Ok(self.scope.local(last));
        }
        Ok(None)
    }

    fn deliver_rare(&mut self, value: Term) -> Result<Option<Term>, Error> {
        let frame = self.frames.pop().expect("checked by the caller");
        match frame {
            Frame::ApplyComplex { head, base, start } => {
                if self.token.kind != Kind::Close {
                    self.frames.push(Frame::ApplyComplex { head, base, start });
                    return Ok(None);
                }
                self.advance()?;
                let args = self.operands.split_off(base as usize);
                let span = Span::new(start as usize, self.previous_end);
                if self.has_open(&args) {
                    let apply = |parser: &mut Self, args: &[Term]| parser.apply_complex(&head, args, span);
                    return self.apply_open(&args, &[], span, apply).map(Some);
                }
                self.apply_complex(&head, &args, span).map(Some)
            }
            Frame::ApplyValue { base, start } => {
                if self.token.kind != Kind::Close {
                    self.frames.push(Frame::ApplyValue { base, start });
                    return Ok(None);
                }
                self.advance()?;
                let args = self.operands.split_off(base as usize);
                let span = Span::new(start as usize, self.previous_end);
                let applied = self.arena.apply_value(args[0], &args[1..]);
                applied.map(Some).map_err(|mismatch| self.mismatch(span, mismatch))
            }
            Frame::Binder { kind, base, variables, locals, start } => {
                let bodies = self.operands.len() - base as usize - variables as usize;
                if kind == Binder::Comprehension && bodies == 1 && self.token.kind != Kind::Close {
                    self.frames.push(Frame::Binder { kind, base, variables, locals, start });
                    return Ok(None);
                }
                self.expect_close("a `)` after the body")?;
                self.scope.unbind_to(locals as usize);
                let all = self.operands.split_off(base as usize);
                let (variables, bodies) = all.split_at(variables as usize);
                self.finish_binder(kind, variables, bodies, Span::new(start as usize, self.previous_end))
                    .map(Some)
            }
            Frame::Annotated { base, attributes } => self.deliver_annotated(base, attributes),
            Frame::Match { base, patterns, locals, start } => {
                self.deliver_match(base, patterns, locals, start, value)
            }
            Frame::Apply { .. } | Frame::LetValues { .. } | Frame::LetBody { .. } => {
                unreachable!("handled by the caller")
            }
        }
    }

    fn finish_binder(
        &mut self,
        kind: Binder,
        variables: &[Term],
        bodies: &[Term],
        span: Span,
    ) -> Result<Term, Error> {
        let boolean = self.arena.sort(bodies[0]) == Sort::BOOL;
        if !boolean && kind != Binder::Lambda {
            let sort = self.arena.sort_text(self.arena.sort(bodies[0]));
            return Err(
                Error::sort(span, format!("the body of this binder has sort {sort}")).expected("Bool")
            );
        }
        if variables.is_empty() {
            return Err(Error::syntax(span, "binder has no variables").expected("((x SORT) …)"));
        }
        let sort = match kind {
            Binder::Forall | Binder::Exists => Sort::BOOL,
            Binder::Lambda => {
                let sorts: Vec<Sort> = variables.iter().map(|&variable| self.arena.sort(variable)).collect();
                let result = self.arena.sort(bodies[0]);
                self.arena.sorts.function(&sorts, result)
            }
            Binder::Choice | Binder::Witness => self.arena.sort(variables[0]),
            Binder::Comprehension => {
                let element = self.arena.sort(*bodies.last().expect("a binder has a body"));
                self.arena.sorts.intern(reserved::SET_SORT, &[], &[element])
            }
        };
        self.arena.check_sort(sort).map_err(|mismatch| self.mismatch(span, mismatch))?;
        if kind == Binder::Comprehension && bodies.len() != 2 {
            return Err(Error::syntax(span, "`set.comprehension` needs a condition and an element"));
        }
        Ok(self.arena.binder(kind, variables, bodies, sort))
    }

    /// Continues `!` after its body or after a term of a pattern.
    fn deliver_annotated(
        &mut self,
        base: u32,
        mut attributes: Vec<Attribute>,
    ) -> Result<Option<Term>, Error> {
        // The operands from `base` on are the body and the terms of patterns so far. Inside the parentheses of a pattern, another
        // term may follow.
        if let Some(Attribute { value: AttributeValue::Terms(count), .. }) = attributes.last_mut() {
            *count += 1;
            if self.token.kind != Kind::Close {
                self.frames.push(Frame::Annotated { base, attributes });
                return Ok(None);
            }
            self.advance()?;
        }
        while self.token.kind == Kind::Keyword {
            let keyword = self.keyword("an attribute")?;
            let value = match self.token.kind {
                Kind::Keyword | Kind::Close => AttributeValue::None,
                Kind::Open if keyword == reserved::NO_PATTERN => {
                    attributes.push(Attribute { keyword, value: AttributeValue::Term });
                    self.frames.push(Frame::Annotated { base, attributes });
                    return Ok(None);
                }
                Kind::Open if keyword == reserved::PATTERN => {
                    let open = self.token.span.start as usize;
                    self.advance()?;
                    if self.is_application() {
                        self.lexer.seek(open);
                        self.advance()?;
                        attributes.push(Attribute { keyword, value: AttributeValue::Term });
                        self.frames.push(Frame::Annotated { base, attributes });
                        return Ok(None);
                    }
                    attributes.push(Attribute { keyword, value: AttributeValue::Terms(0) });
                    if self.token.kind == Kind::Close {
                        self.advance()?;
                        continue;
                    }
                    self.frames.push(Frame::Annotated { base, attributes });
                    return Ok(None);
                }
                _ => {
                    let text = self.raw()?;
                    AttributeValue::Text(self.arena.symbols.intern(text))
                }
            };
            attributes.push(Attribute { keyword, value });
        }
        self.expect_close("an attribute or a `)`")?;
        let all = self.operands.split_off(base as usize);
        for attribute in &attributes {
            if let (reserved::NAMED, AttributeValue::Text(text)) = (attribute.keyword, &attribute.value) {
                self.declare_named(*text, all[0]);
            }
        }
        if attributes.is_empty() {
            return Ok(Some(all[0]));
        }
        Ok(Some(self.arena.annotated(all[0], attributes, &all[1..])))
    }

    /// Whether the list that just began is an application, as in the pattern `(f x)` that some solvers accept for `((f x))`.
    fn is_application(&mut self) -> bool {
        let Some(name) = self.peek_symbol().filter(|&name| self.scope.local(name).is_none()) else {
            return false;
        };
        match self.scope.function(name) {
            Some(op) => !self.arena.rank_of(&self.arena.ops.node(op).kind.clone()).0.is_empty(),
            None => {
                let signatures = &self.arena.signatures;
                let ranks = signatures.ranks(name);
                ranks.iter().any(|&id| !signatures.declarations[id as usize].args.is_empty())
            }
        }
    }

    fn declare_named(&mut self, text: Symbol, body: Term) {
        let written = self.arena.name(text);
        let name = match written.strip_prefix('|').and_then(|inner| inner.strip_suffix('|')) {
            Some(inner) => {
                let inner = inner.to_owned();
                self.arena.symbols.intern(&inner)
            }
            None => text,
        };
        let sort = self.arena.sort(body);
        let op = self.arena.function(name, &[], sort);
        self.scope.declare(name, op);
    }

    /// Continues `match` after its scrutinee or after the body of a case.
    fn deliver_match(
        &mut self,
        base: u32,
        mut patterns: Vec<Pattern>,
        locals: u32,
        start: u32,
        value: Term,
    ) -> Result<Option<Term>, Error> {
        if patterns.is_empty() {
            self.expect_open("the cases, ((PATTERN t) …)")?;
        } else {
            self.scope.unbind_to(locals as usize);
            self.expect_close("a `)` after the case")?;
        }
        if self.token.kind == Kind::Open {
            self.advance()?;
            let scrutinee = self.operands[base as usize];
            let pattern = self.pattern(scrutinee)?;
            patterns.push(pattern);
            self.frames.push(Frame::Match { base, patterns, locals, start });
            return Ok(None);
        }
        self.expect_close("a case or a `)`")?;
        self.expect_close("a `)` after the cases")?;
        let all = self.operands.split_off(base as usize);
        let span = Span::new(start as usize, self.previous_end);
        if patterns.is_empty() {
            return Err(Error::syntax(span, "`match` has no cases").expected("((PATTERN t) …)"));
        }
        let mut bodies = all[1..].to_vec();
        if self.has_open(&bodies)
            && let Some(&known) = bodies.iter().find(|&&body| !self.has_open(&[body]))
        {
            let sort = self.arena.sort(known);
            for body in &mut bodies {
                *body = self.close_as(*body, sort, span)?;
            }
        }
        let sorts: Vec<Sort> = bodies.iter().map(|&body| self.arena.sort(body)).collect();
        if sorts.contains(&Sort::REAL) {
            for body in &mut bodies {
                *body = self.arena.to_real(*body);
            }
        }
        let first = self.arena.sort(bodies[0]);
        if let Some(&other) =
            bodies.iter().find(|&&body| !self.arena.sorts.compatible(first, self.arena.sort(body)))
        {
            let other = self.arena.sort_text(self.arena.sort(other));
            return Err(Error::sort(
                span,
                format!("`match` cases have different sorts: {} and {other}", self.arena.sort_text(first)),
            )
            .expected("the same sort for all cases"));
        }
        debug_assert_eq!(value, all[all.len() - 1]);
        if self.has_open(&all[..1]) || self.has_open(&bodies) {
            return Err(
                Error::sort(span, "cannot infer the sort of a case").expected("(as CONSTRUCTOR SORT)")
            );
        }
        Ok(Some(self.arena.match_term(all[0], patterns, &bodies)))
    }

    /// Parses the pattern of a case and binds its variables.
    fn pattern(&mut self, scrutinee: Term) -> Result<Pattern, Error> {
        let instance = self.arena.sort(scrutinee);
        let start = self.token.span.start as usize;
        let nested = self.token.kind == Kind::Open;
        if nested {
            self.advance()?;
        }
        let head_span = self.token.span;
        let name = if nested && self.token.kind == Kind::Symbol && self.text() == "as" {
            // A nullary constructor with its sort, `(as nil (List Int))`.
            self.advance()?;
            let name = self.symbol("a constructor")?;
            self.sort()?;
            name
        } else {
            self.symbol("a constructor or a variable")?
        };
        let mut names = Vec::new();
        if nested {
            while self.token.kind != Kind::Close {
                names.push(self.symbol("a variable")?);
            }
            self.advance()?;
        }
        let Some(id) = self.arena.datatype_of(instance) else {
            let sort = self.arena.sort_text(instance);
            return Err(
                Error::sort(head_span, format!("`match` on a term of sort {sort}")).expected("a datatype")
            );
        };
        let datatype = self.arena.datatypes.get(id).clone();
        let Some(at) = datatype.constructors.iter().position(|constructor| constructor.name == name) else {
            if nested {
                let text = self.arena.name(name);
                return Err(Error::undeclared(
                    head_span,
                    format!("`{text}` is not a constructor of {}", self.arena.sort_text(instance)),
                ));
            }
            let local = self.arena.local(name, instance);
            self.scope.bind(name, local);
            return Ok(Pattern::Variable(local));
        };
        let constructor = &datatype.constructors[at];
        if constructor.fields.len() != names.len() {
            let span = Span::new(start, self.previous_end);
            return Err(Error::sort(span, format!("the pattern has {}", count(names.len(), "variable")))
                .expected(format!("{} for `{}`", constructor.fields.len(), self.arena.name(name))));
        }
        let mut variables = Vec::new();
        for (&variable, &(_, field)) in names.iter().zip(&constructor.fields) {
            let sort = self.arena.field_sort(instance, field);
            let local = self.arena.local(variable, sort);
            variables.push(local);
            self.scope.bind(variable, local);
        }
        let op = self.constructor_op(name, OpKind::Constructor(id, at as u32));
        Ok(Pattern::Constructor(op, variables.into()))
    }

    pub(super) fn constructor_op(&mut self, name: Symbol, kind: OpKind) -> Op {
        self.arena.ops.intern(OpNode { name, indices: Box::default(), ascription: None, kind })
    }

    fn literal(&mut self) -> Result<Term, Error> {
        let text = self.text();
        // The text of these literals determines the term, except for the rule about reals, so reuse the term.
        let plain = matches!(self.token.kind, Kind::Numeral | Kind::Hex | Kind::Binary)
            && !self.scope.numerals_are_reals;
        if plain && let Some(known) = self.arena.known_literal(text) {
            self.advance()?;
            return Ok(known);
        }
        let term = match self.token.kind {
            Kind::Numeral if self.scope.numerals_are_reals => {
                self.scratch.clear();
                self.scratch.push_str(text);
                self.scratch.push_str(".0");
                self.arena.literal(Literal::Decimal, &self.scratch, Sort::REAL)
            }
            Kind::Numeral => self.arena.literal(Literal::Numeral, text, Sort::INT),
            Kind::Decimal if text.ends_with('.') => {
                self.arena.literal(Literal::Decimal, &format!("{text}0"), Sort::REAL)
            }
            Kind::Decimal => self.arena.literal(Literal::Decimal, text, Sort::REAL),
            Kind::Hex => {
                let sort = self.arena.bitvec_sort(4 * (text.len() as u64 - 2));
                self.arena.literal(Literal::Hex, text, sort)
            }
            Kind::Binary => {
                let sort = self.arena.bitvec_sort(text.len() as u64 - 2);
                self.arena.literal(Literal::Binary, text, sort)
            }
            Kind::String => {
                let inner = &text[1..text.len() - 1];
                if inner.contains("\"\"") {
                    let inner = inner.replace("\"\"", "\"");
                    self.arena.literal(Literal::String, &inner, Sort::STRING)
                } else {
                    self.arena.literal(Literal::String, inner, Sort::STRING)
                }
            }
            Kind::Field => {
                let order = text.split_once('m').map_or("", |(_, order)| order);
                let index = match order.parse() {
                    Ok(number) => Index::Num(number),
                    Err(_) if !order.is_empty() && order.bytes().all(|digit| digit.is_ascii_digit()) => {
                        Index::Sym(self.arena.symbols.intern(order))
                    }
                    Err(_) => return Err(self.unexpected("a field element, `#f3m5`")),
                };
                let sort = self.arena.sorts.intern(reserved::FINITE_FIELD, &[index], &[]);
                self.arena.literal(Literal::Field, text, sort)
            }
            _ => return Err(self.unexpected("a term")),
        };
        self.advance()?;
        Ok(term)
    }

    /// Parses `_ name index …)` or `as name SORT)`.
    fn complex_head(&mut self) -> Result<ComplexHead, Error> {
        let word = self.text();
        self.advance()?;
        let head = if word == "_" {
            let name = self.symbol("an operator's name")?;
            let mut indices = Vec::new();
            while self.token.kind != Kind::Close {
                indices.push(self.index()?);
            }
            if indices.is_empty() {
                return Err(self.unexpected("an index"));
            }
            ComplexHead { name, indices, ascription: None }
        } else {
            let (name, indices) = if self.token.kind == Kind::Open {
                self.advance()?;
                if self.token.kind != Kind::Symbol || self.text() != "_" {
                    return Err(self.unexpected("`_`"));
                }
                let inner = self.complex_head()?;
                (inner.name, inner.indices)
            } else {
                (self.symbol("an operator's name")?, Vec::new())
            };
            let sort = self.sort()?;
            ComplexHead { name, indices, ascription: Some(sort) }
        };
        self.expect_close("a `)` after the identifier")?;
        Ok(head)
    }
}
