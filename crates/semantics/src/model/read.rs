//! Reads models as solvers print them.

use std::borrow::Cow;
use std::fmt;

use smt::lexer::{Kind, Lexer};
use smt::{Arena, Binder, Command, DefinitionForm, OpKind, Scope, Sort, Term, View};

use super::Model;
use super::constants;
use super::get_value::{self, Answer};
use super::preprocess::{self, Preprocessed, StringDialect};
use crate::data::Value;
use crate::definition::{Definitions, FunctionDefinition, collect_definitions};
use crate::value::limits::Limits;

/// Why a text is not a model.
#[derive(Debug)]
pub struct ReadError {
    message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// Models with more definitions are not read: a solver may print far more than any script declares.
const MOST_ITEMS: usize = 100_000;

/// An item of a model: the name and the text of a command.
struct Item<'t> {
    head: &'t str,
    text: &'t str,
}

impl Model {
    /// Reads a model as a solver printed it for a script whose declarations are in `scope`.
    ///
    /// Answers to `get-value` may follow. An unreadable definition does not affect the others: see
    /// [`Model::unreadable`].
    pub fn read(
        arena: &mut Arena,
        scope: &Scope,
        text: &str,
        dialect: StringDialect,
    ) -> Result<Model, ReadError> {
        let limits = Limits::default();
        let preprocessed = preprocess::preprocess(text, dialect, &limits);
        let with_sorts = sort_elements(&preprocessed.text, arena, scope);
        let items = items(&with_sorts)?;
        let mut reading = Reading { arena, scope: scope.clone(), model: Model::new(), answers: Vec::new() };
        reading.roots(&preprocessed);
        reading.sorts(&items);
        reading.headers(&items);
        reading.items(&items);
        reading.universes(&preprocessed);
        get_value::add_answers(reading.arena, &mut reading.model, &reading.answers);
        constants::evaluate_constants(reading.arena, &mut reading.model);
        Ok(reading.model)
    }
}

/// Adds sorts to CVC4's `@uc_U_0` and Z3's undeclared `U!val!0`, so that they parse.
fn sort_elements<'t>(text: &'t str, arena: &Arena, scope: &Scope) -> Cow<'t, str> {
    if !text.contains("@uc_") && !text.contains("!val!") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut lexer = Lexer::new(text);
    let (mut copied, mut ascribed) = (0, false);
    let declares = text.contains("declare-fun");
    while let Ok(token) = lexer.next_token() {
        if token.kind == Kind::End {
            break;
        }
        let word = lexer.text(token);
        let sort = match token.kind {
            Kind::Symbol if !ascribed => element_sort(word, declares),
            _ => None,
        };
        let known = |name: &str| arena.find_symbol(name).is_some_and(|name| scope.has_sort(name));
        if let Some(sort) = sort.filter(|sort| known(sort)) {
            out.push_str(&text[copied..token.span.start as usize]);
            out.push_str(&format!("(as |@{}| {sort})", word.trim_start_matches('@')));
            copied = token.span.end as usize;
        }
        ascribed = token.kind == Kind::Symbol && word == "as";
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The sort in the name of an element, such as `U` in `@uc_U_0` and `U!val!0`.
fn element_sort(word: &str, declares: bool) -> Option<&str> {
    let numbered = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if let Some(inner) = word.strip_prefix("@uc_") {
        let (sort, number) = inner.rsplit_once('_')?;
        return numbered(number).then_some(sort);
    }
    let (sort, number) = word.split_once("!val!")?;
    (numbered(number) && !declares).then_some(sort)
}

/// The items of a model, whatever surrounds them: `(model …)`, `( … )`, an answer before it, or nothing.
fn items(text: &str) -> Result<Vec<Item<'_>>, ReadError> {
    let broken = |error: smt::Error| ReadError { message: format!("cannot read the model: {error}") };
    let mut items = Vec::new();
    let mut lexer = Lexer::new(text);
    // For each open list: where it begins, whether it contains items rather than being one, and its first word.
    let mut open: Vec<(usize, bool, &str)> = Vec::new();
    let mut at_start = false;
    loop {
        let token = lexer.next_token().map_err(broken)?;
        let word = lexer.text(token);
        if at_start && let Some(last) = open.last_mut() {
            last.2 = word;
            // Only the outermost list can be a container.
            last.1 = (token.kind == Kind::Open || word == "model" || token.kind == Kind::Close) && last.1;
        }
        at_start = false;
        match token.kind {
            Kind::Open => {
                let outermost = open.is_empty();
                open.push((token.span.start as usize, outermost, ""));
                at_start = true;
            }
            Kind::Close => {
                let Some((start, container, head)) = open.pop() else {
                    return Err(ReadError { message: "unmatched `)` in the model".to_owned() });
                };
                let item = match open[..] {
                    [] => !container,
                    [(_, container, _)] => container,
                    _ => false,
                };
                if item && items.len() == MOST_ITEMS {
                    return Err(ReadError {
                        message: format!("the model has more than {MOST_ITEMS} definitions"),
                    });
                }
                if item {
                    items.push(Item { head, text: &text[start..token.span.end as usize] });
                }
            }
            Kind::End if open.is_empty() => return Ok(items),
            Kind::End => {
                return Err(ReadError { message: "missing `)` at the end of the model".to_owned() });
            }
            _ => {}
        }
    }
}

struct Reading<'a> {
    arena: &'a mut Arena,
    scope: Scope,
    model: Model,
    answers: Vec<Answer>,
}

impl Reading<'_> {
    fn parse(&mut self, text: &str) -> Result<Vec<Command>, String> {
        match smt::parse_in_scope(self.arena, &mut self.scope, text) {
            Ok(script) => Ok(script.commands),
            Err(errors) => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
        }
    }

    /// Declares the names of algebraic numbers.
    fn roots(&mut self, preprocessed: &Preprocessed) {
        for (index, root) in preprocessed.roots.iter().enumerate() {
            let name = self.arena.symbol(&preprocess::root_name(index));
            let op = self.arena.function(name, &[], Sort::REAL);
            self.scope.declare(name, op);
            self.model.set_value(op, Value::real(root.clone()));
        }
    }

    /// Declares sorts and datatypes that the script lacks.
    fn sorts(&mut self, items: &[Item]) {
        for item in items {
            let is_sort = item.head.starts_with("declare-datatype")
                || item.head.starts_with("declare-codatatype")
                || item.head == "declare-sort";
            let known = |names: Vec<&str>| {
                names
                    .iter()
                    .all(|name| self.arena.find_symbol(name).is_some_and(|name| self.scope.has_sort(name)))
            };
            if is_sort && !known(declared_names(item.text)) {
                // If the declaration fails, its uses are reported as unreadable.
                let _ = self.parse(item.text);
            }
        }
    }

    /// Declares the functions that the model defines and the script lacks: a definition may use functions that are defined later.
    fn headers(&mut self, items: &[Item]) {
        for item in items {
            if matches!(item.head, "define-fun" | "define-fun-rec" | "define-const")
                && !self.is_declared(item.text)
                && let Some(declaration) = header(item.text)
            {
                let _ = self.parse(&declaration);
            }
        }
    }

    /// Whether the function of a definition is already declared.
    fn is_declared(&self, text: &str) -> bool {
        let mut lexer = Lexer::new(text);
        let name = (0..3).filter_map(|_| lexer.next_token().ok()).last();
        let name = name.and_then(|token| self.arena.find_symbol(lexer.text(token)));
        name.is_some_and(|name| self.scope.function(name).is_some())
    }

    /// Reads the items in order. Consecutive definitions are parsed together, which is faster, and one by one if that fails.
    fn items(&mut self, items: &[Item]) {
        let together = |item: &Item| matches!(item.head, "define-fun" | "define-const");
        for row in items.chunk_by(|a, b| together(a) && together(b)) {
            if row.len() > 1 {
                let text: Vec<&str> = row.iter().map(|item| item.text).collect();
                if let Ok(commands) = self.parse(&text.join("\n")) {
                    self.take_definitions(&commands);
                    continue;
                }
            }
            for item in row {
                self.item(item);
            }
        }
    }

    fn take_definitions(&mut self, commands: &[Command]) {
        let mut definitions = Definitions::new();
        for command in commands {
            collect_definitions(command, &mut definitions);
        }
        for (op, defined) in definitions {
            match open_operator(self.arena.op_name(op)) {
                Some(operator) => self.model.set_open(operator, defined),
                None => self.model.set_definition(op, defined),
            }
        }
    }

    fn item(&mut self, item: &Item) {
        match item.head {
            "define-fun" | "define-fun-rec" | "define-const" | "define-funs-rec" => self.define(item),
            "refine-fun" => self.refine(item),
            "declare-fun" | "declare-const" => self.declare(item.text),
            "forall" => self.universe(item.text),
            "(" => self.answers.extend(get_value::read(self.arena, &mut self.scope, item.text)),
            head if !head.starts_with("declare-") && head != "error" => self.pair(item),
            _ => {}
        }
    }

    fn define(&mut self, item: &Item) {
        match self.parse(item.text) {
            Ok(commands) => self.take_definitions(&commands),
            Err(why) => self.define_again(item, why),
        }
    }

    /// Tries an unreadable constant again, with sorts added to its constructors.
    fn define_again(&mut self, item: &Item, why: String) {
        let declared = header(item.text).and_then(|declaration| self.parse(&declaration).ok());
        let Some([Command::Declare(_, op)]) = declared.as_deref() else { return };
        self.model.unreadable.insert(*op, why);
        let OpKind::Function { args, result } = &self.arena.op(*op).kind else { return };
        let result = *result;
        let (true, Some((start, end))) = (args.is_empty(), body_span(item.text)) else { return };
        let Some(body) = super::ascribe::ascribe(self.arena, &item.text[start..end], result) else { return };
        let text = format!("{}{body})", &item.text[..start]);
        if let Ok(commands) = self.parse(&text)
            && let [Command::Define(_, list)] = &commands[..]
            && let [definition] = &list[..]
        {
            let params = definition.params.as_ref().into();
            self.model
                .set_definition(*op, FunctionDefinition { params, body: definition.body, recursive: false });
        }
    }

    /// `(refine-fun f ((x S) …) S body)` defines `f` where the standard leaves it open.
    fn refine(&mut self, item: &Item) {
        let Some(name) = declared_names(item.text).into_iter().next() else { return };
        let renamed = format!("|refined {name}|");
        let text = item.text.replacen("refine-fun", "define-fun", 1).replacen(name, &renamed, 1);
        let Ok(commands) = self.parse(&text) else { return };
        for command in commands {
            if let Command::Define(DefinitionForm::Fun, list) = command {
                for definition in &list {
                    let params = definition.params.as_ref().into();
                    let defined = FunctionDefinition { params, body: definition.body, recursive: false };
                    self.model.set_open(name.trim_matches('|'), defined);
                }
            }
        }
    }

    /// A constant that the model declares is an element of its sort.
    fn declare(&mut self, text: &str) {
        let Ok(commands) = self.parse(text) else { return };
        for command in commands {
            if let Command::Declare(_, op) = command
                && let OpKind::Function { args, result } = &self.arena.op(op).kind
                && args.is_empty()
            {
                let element = Value::Element(*result, self.arena.op(op).name);
                self.model.set_value(op, element);
            }
        }
    }

    /// Z3's `(forall ((x U)) (or (= x U!val!0) …))` lists all elements of a sort.
    fn universe(&mut self, text: &str) {
        let Ok(commands) = self.parse(&format!("(assert {text})")) else { return };
        let Some(Command::Assert(term)) = commands.first() else { return };
        let View::Binder { kind: Binder::Forall, variables: &[variable], bodies: &[body] } =
            self.arena.view(*term)
        else {
            return;
        };
        let equations = match self.arena.view(body) {
            View::App(op, args) if self.arena.op_name(op) == "or" => args.to_vec(),
            _ => vec![body],
        };
        let elements: Option<Vec<Value>> =
            equations.iter().map(|&equation| self.element_of(variable, equation)).collect();
        if let Some(elements) = elements {
            self.model.set_universe(self.arena.sort(variable), elements);
        }
    }

    fn element_of(&self, variable: Term, equation: Term) -> Option<Value> {
        let View::App(op, &[left, right]) = self.arena.view(equation) else { return None };
        if self.arena.op_name(op) != "=" {
            return None;
        }
        self.element(if left == variable { right } else { left })
    }

    /// The element that a constant of the model names.
    fn element(&self, term: Term) -> Option<Value> {
        let View::App(op, []) = self.arena.view(term) else { return None };
        match self.arena.op(op).kind {
            OpKind::Opaque => Some(Value::Element(self.arena.sort(term), self.arena.op(op).name)),
            _ => self.model.value(op).cloned(),
        }
    }

    /// Adds the elements that comments list. They need not be all: cvc5 counts those that its terms needed, and a variable that it
    /// introduced for a quantifier may be another one.
    fn universes(&mut self, preprocessed: &Preprocessed) {
        for (sort, elements) in &preprocessed.elements {
            let Ok(sort) = smt::parse_sort(self.arena, &mut self.scope, sort) else { continue };
            let mut values = Vec::new();
            for text in elements {
                let text = sort_elements(text, self.arena, &self.scope);
                if let Ok(term) = smt::parse_term(self.arena, &mut self.scope, &text) {
                    values.extend(self.element(term));
                }
            }
            self.model.add_elements(sort, values);
        }
    }

    /// `(name value)`, an answer to `get-value`.
    fn pair(&mut self, item: &Item) {
        let Some(inner) = item.text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return };
        let Some(value) = inner.trim_start().strip_prefix(item.head) else { return };
        let name = item.head.trim_matches('|');
        let op = self.arena.find_symbol(name).and_then(|name| self.scope.function(name));
        let Some(op) = op else { return };
        let result = match &self.arena.op(op).kind {
            OpKind::Function { args, result } if args.is_empty() => *result,
            _ => return,
        };
        let quoted = smt::print::name_text(name);
        let text = format!("(define-fun {quoted} () {} {value})", self.arena.sort_text(result));
        self.define(&Item { head: "define-fun", text: &text });
    }
}

/// The operator that a function of Z3's models defines where the standard leaves it open.
fn open_operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "/0" => "/",
        "div0" => "div",
        "mod0" => "mod",
        "rem0" => "rem",
        _ => return None,
    })
}

/// The names that a command declares: `f` in `(define-fun f …)`, `A` and `B` in `(declare-datatypes ((A 0) (B 0)) …)`.
fn declared_names(text: &str) -> Vec<&str> {
    let mut lexer = Lexer::new(text);
    let mut names = Vec::new();
    let mut depth = 0;
    let mut counts = [0usize; 4];
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            Kind::Open if depth < counts.len() - 1 => {
                counts[depth] += 1;
                depth += 1;
                counts[depth] = 0;
            }
            Kind::Close => match depth.checked_sub(1) {
                Some(outer) if outer > 1 || (outer == 1 && counts[1] < 2) => depth = outer,
                _ => break,
            },
            Kind::Symbol | Kind::Quoted => {
                counts[depth] += 1;
                let first_of_pair = depth == 3 && counts[1] == 2 && counts[3] == 1;
                if (depth == 1 && counts[1] == 2) || first_of_pair {
                    names.push(lexer.text(token));
                }
                if depth == 1 && counts[1] == 2 {
                    break;
                }
            }
            Kind::End | Kind::Open => break,
            _ => counts[depth] += 1,
        }
    }
    names
}

/// The declaration of a defined function.
fn header(text: &str) -> Option<String> {
    let mut lexer = Lexer::new(text);
    let mut next =
        || lexer.next_token().ok().map(|token| (token, token.span.start as usize, token.span.end as usize));
    let (_, _, _) = next()?;
    let (_, head_start, head_end) = next()?;
    let (_, name_start, name_end) = next()?;
    let mut out = format!("(declare-fun {} (", &text[name_start..name_end]);
    if &text[head_start..head_end] != "define-const" {
        let (open, _, _) = next()?;
        if open.kind != Kind::Open {
            return None;
        }
        loop {
            let (token, _, _) = next()?;
            match token.kind {
                Kind::Close => break,
                Kind::Open => {
                    next()?;
                    let (start, end) = skip_expression(&mut next)?;
                    out.push_str(&text[start..end]);
                    out.push(' ');
                    next()?;
                }
                _ => return None,
            }
        }
    }
    let (start, end) = skip_expression(&mut next)?;
    out.push_str(") ");
    out.push_str(&text[start..end]);
    out.push(')');
    Some(out)
}

/// The span of the body of a `define-fun`.
fn body_span(text: &str) -> Option<(usize, usize)> {
    let mut lexer = Lexer::new(text);
    let mut next =
        || lexer.next_token().ok().map(|token| (token, token.span.start as usize, token.span.end as usize));
    next()?;
    // The command's name, the function's name, its parameters and its sort.
    for _ in 0..4 {
        skip_expression(&mut next)?;
    }
    skip_expression(&mut next)
}

/// Skips one s-expression and returns its span.
fn skip_expression(
    next: &mut impl FnMut() -> Option<(smt::lexer::Token, usize, usize)>,
) -> Option<(usize, usize)> {
    let (token, start, mut end) = next()?;
    let mut depth = usize::from(token.kind == Kind::Open);
    while depth > 0 {
        let (token, _, to) = next()?;
        end = to;
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::End => return None,
            _ => {}
        }
    }
    Some((start, end))
}
