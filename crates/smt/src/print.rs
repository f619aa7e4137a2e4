//! Printing, into a caller's buffer. What is printed reads back as the same terms.

use crate::arena::Arena;
use crate::command::{Command, DeclarationForm, Definition, DefinitionForm, Script};
use crate::datatype::DatatypeId;
use crate::lexer::is_simple_symbol;
use crate::op::{Op, OpKind};
use crate::reserved::must_quote;
use crate::sort::{Index, Sort, SortTable};
use crate::symbol::{Symbol, SymbolTable};
use crate::term::{Attribute, AttributeValue, Binder, Literal, Pattern, Term, View};

/// A name, between bars where it has to be.
pub fn name_into(name: &str, out: &mut String) {
    if is_simple_symbol(name) && !must_quote(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

fn index_into(symbols: &SymbolTable, index: Index, out: &mut String) {
    match index {
        Index::Num(number) => {
            let mut buffer = [0u8; 20];
            out.push_str(decimal(number, &mut buffer));
        }
        Index::Sym(symbol) => {
            let text = symbols.name(symbol);
            match text.as_bytes().first() {
                Some(b'(' | b'#' | b'0'..=b'9') => out.push_str(text),
                _ => name_into(text, out),
            }
        }
    }
}

fn decimal(mut number: u64, buffer: &mut [u8; 20]) -> &str {
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return std::str::from_utf8(&buffer[at..]).expect("digits are ASCII");
        }
    }
}

/// A sort.
pub(crate) fn sort_into(symbols: &SymbolTable, sorts: &SortTable, sort: Sort, out: &mut String) {
    let node = sorts.node(sort);
    let name = symbols.name(node.head);
    if !node.indices.is_empty() {
        out.push_str("(_ ");
        name_into(name, out);
        for &index in &node.indices {
            out.push(' ');
            index_into(symbols, index, out);
        }
        out.push(')');
    } else if node.args.is_empty() {
        // The sort of the empty tuple has a name of its own.
        name_into(if name == "Tuple" && !node.is_param { "UnitTuple" } else { name }, out);
    } else {
        out.push('(');
        name_into(name, out);
        for &arg in &node.args {
            out.push(' ');
            sort_into(symbols, sorts, arg, out);
        }
        out.push(')');
    }
}

/// What is still to be printed.
enum Step<'a> {
    Term(Term),
    Text(&'static str),
    /// A binding of a `let`: the name, then the value.
    Binding(Term, Term),
    Case(&'a Pattern, Term),
    Attributes(&'a [Attribute], &'a [Term]),
}

impl Arena {
    /// Appends a term to `out`.
    pub fn print_term(&self, term: Term, out: &mut String) {
        let mut steps = vec![Step::Term(term)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(text) => out.push_str(text),
                Step::Term(term) => self.print_step(term, &mut steps, out),
                Step::Binding(name, value) => {
                    out.push('(');
                    self.print_local(name, out);
                    out.push(' ');
                    steps.push(Step::Text(")"));
                    steps.push(Step::Term(value));
                }
                Step::Case(pattern, body) => {
                    out.push('(');
                    self.print_pattern(pattern, out);
                    out.push(' ');
                    steps.push(Step::Text(")"));
                    steps.push(Step::Term(body));
                }
                Step::Attributes(attributes, terms) => {
                    self.print_attributes(attributes, terms, &mut steps, out)
                }
            }
        }
    }

    fn print_step<'a>(&'a self, term: Term, steps: &mut Vec<Step<'a>>, out: &mut String) {
        match self.view(term) {
            View::Literal(literal, text) => self.print_literal(literal, text, self.sort(term), out),
            View::Local(name) => name_into(self.name(name), out),
            View::App(op, []) => self.print_head(op, out),
            View::App(op, args) => {
                out.push('(');
                steps.push(Step::Text(")"));
                let mut args = args;
                if matches!(self.op(op).kind, OpKind::Apply) {
                    let (first, rest) = args.split_first().expect("an application has a function");
                    push_spaced(rest, steps);
                    steps.push(Step::Term(*first));
                    args = &[];
                } else {
                    self.print_head(op, out);
                }
                push_spaced(args, steps);
            }
            View::Let { names, values, body } => {
                out.push_str("(let (");
                steps.push(Step::Text(")"));
                steps.push(Step::Term(body));
                steps.push(Step::Text(") "));
                for (at, (&name, &value)) in names.iter().zip(values).enumerate().rev() {
                    steps.push(Step::Binding(name, value));
                    if at > 0 {
                        steps.push(Step::Text(" "));
                    }
                }
            }
            View::Binder { kind, variables, bodies } => {
                out.push('(');
                out.push_str(match kind {
                    Binder::Forall => "forall",
                    Binder::Exists => "exists",
                    Binder::Lambda => "lambda",
                    Binder::Choice => "choice",
                    Binder::Witness => "witness",
                    Binder::Comprehension => "set.comprehension",
                });
                out.push(' ');
                self.print_variables(variables, out);
                steps.push(Step::Text(")"));
                push_spaced(bodies, steps);
            }
            View::Match { scrutinee, patterns, bodies } => {
                out.push_str("(match ");
                steps.push(Step::Text("))"));
                for (at, (pattern, &body)) in patterns.iter().zip(bodies).enumerate().rev() {
                    steps.push(Step::Case(pattern, body));
                    if at > 0 {
                        steps.push(Step::Text(" "));
                    }
                }
                steps.push(Step::Text(" ("));
                steps.push(Step::Term(scrutinee));
            }
            View::Annotated { body, attributes, terms } => {
                out.push_str("(! ");
                steps.push(Step::Attributes(attributes, terms));
                steps.push(Step::Term(body));
            }
        }
    }

    fn print_local(&self, local: Term, out: &mut String) {
        if let View::Local(name) = self.view(local) {
            name_into(self.name(name), out);
        }
    }

    fn print_pattern(&self, pattern: &Pattern, out: &mut String) {
        match pattern {
            Pattern::Variable(local) => self.print_local(*local, out),
            Pattern::Constructor(op, variables) if variables.is_empty() => self.print_head(*op, out),
            Pattern::Constructor(op, variables) => {
                out.push('(');
                self.print_head(*op, out);
                for &variable in variables {
                    out.push(' ');
                    self.print_local(variable, out);
                }
                out.push(')');
            }
        }
    }

    fn print_attributes<'a>(
        &'a self,
        attributes: &'a [Attribute],
        terms: &'a [Term],
        steps: &mut Vec<Step<'a>>,
        out: &mut String,
    ) {
        let Some((first, rest)) = attributes.split_first() else {
            out.push(')');
            return;
        };
        out.push(' ');
        out.push_str(self.name(first.keyword));
        match first.value {
            AttributeValue::None => steps.push(Step::Attributes(rest, terms)),
            AttributeValue::Text(text) => {
                out.push(' ');
                out.push_str(self.name(text));
                steps.push(Step::Attributes(rest, terms));
            }
            AttributeValue::Term => {
                let (now, later) = terms.split_first().expect("the attribute has a term");
                out.push(' ');
                steps.push(Step::Attributes(rest, later));
                steps.push(Step::Term(*now));
            }
            AttributeValue::Terms(count) => {
                let (now, later) = terms.split_at(count as usize);
                out.push_str(" (");
                steps.push(Step::Attributes(rest, later));
                steps.push(Step::Text(")"));
                if let Some((first, rest)) = now.split_first() {
                    push_spaced(rest, steps);
                    steps.push(Step::Term(*first));
                }
            }
        }
    }

    fn print_literal(&self, literal: Literal, text: Symbol, sort: Sort, out: &mut String) {
        let text = self.name(text);
        match literal {
            Literal::Numeral | Literal::Decimal | Literal::Hex | Literal::Binary => out.push_str(text),
            Literal::String => {
                out.push('"');
                for (at, part) in text.split('"').enumerate() {
                    if at > 0 {
                        out.push_str("\"\"");
                    }
                    out.push_str(part);
                }
                out.push('"');
            }
            Literal::BvDecimal => {
                out.push_str("(_ ");
                out.push_str(text);
                out.push(' ');
                index_into(&self.symbols, self.sort_node(sort).indices[0], out);
                out.push(')');
            }
            Literal::Char => {
                out.push_str("(_ char ");
                out.push_str(text);
                out.push(')');
            }
            Literal::Field if text.starts_with('#') => out.push_str(text),
            Literal::Field => {
                out.push_str("(as ");
                out.push_str(text);
                out.push(' ');
                self.print_sort(sort, out);
                out.push(')');
            }
        }
    }

    /// Appends an operator as it stands before its arguments.
    pub fn print_head(&self, op: Op, out: &mut String) {
        let node = self.op(op);
        if node.ascription.is_some() {
            out.push_str("(as ");
        }
        if node.indices.is_empty() {
            name_into(self.name(node.name), out);
        } else {
            out.push_str("(_ ");
            name_into(self.name(node.name), out);
            for &index in &node.indices {
                out.push(' ');
                index_into(&self.symbols, index, out);
            }
            out.push(')');
        }
        if let Some(sort) = node.ascription {
            out.push(' ');
            self.print_sort(sort, out);
            out.push(')');
        }
    }

    /// Appends a sort to `out`.
    pub fn print_sort(&self, sort: Sort, out: &mut String) {
        sort_into(&self.symbols, &self.sorts, sort, out);
    }

    /// Appends `((x SORT) …)`.
    fn print_variables(&self, variables: &[Term], out: &mut String) {
        out.push('(');
        for (at, &variable) in variables.iter().enumerate() {
            out.push_str(if at > 0 { " (" } else { "(" });
            self.print_local(variable, out);
            out.push(' ');
            self.print_sort(self.sort(variable), out);
            out.push(')');
        }
        out.push(')');
    }

    /// A term as a new string.
    pub fn term_text(&self, term: Term) -> String {
        let mut out = String::new();
        self.print_term(term, &mut out);
        out
    }

    /// Appends a script to `out`, one command a line.
    pub fn print_script(&self, script: &Script, out: &mut String) {
        for command in &script.commands {
            self.print_command(command, out);
            out.push('\n');
        }
    }

    /// A script as a new string.
    pub fn script_text(&self, script: &Script) -> String {
        let mut out = String::new();
        self.print_script(script, &mut out);
        out
    }

    /// Appends a command to `out`.
    pub fn print_command(&self, command: &Command, out: &mut String) {
        match command {
            Command::Plain(plain) => {
                out.push('(');
                out.push_str(plain.name());
            }
            Command::SetLogic(logic) => {
                out.push_str("(set-logic ");
                name_into(self.name(*logic), out);
            }
            Command::SetOption(keyword, value) => self.print_raw("(set-option ", &[*keyword, *value], out),
            Command::SetInfo(keyword, value) => self.print_raw("(set-info ", &[*keyword, *value], out),
            Command::CheckSatUsing(tactic) => self.print_raw("(check-sat-using ", &[*tactic], out),
            Command::DeclareSort(name, arity) => {
                out.push_str("(declare-sort ");
                name_into(self.name(*name), out);
                out.push_str(&format!(" {arity}"));
            }
            Command::DeclareSortParameter(name) => {
                out.push_str("(declare-sort-parameter ");
                name_into(self.name(*name), out);
            }
            Command::DefineSort(name, params, body) => {
                out.push_str("(define-sort ");
                name_into(self.name(*name), out);
                out.push_str(" (");
                for (at, &param) in params.iter().enumerate() {
                    out.push_str(if at > 0 { " " } else { "" });
                    self.print_sort(param, out);
                }
                out.push_str(") ");
                self.print_sort(*body, out);
            }
            Command::DeclareDatatypes(ids) => self.print_datatypes(ids, out),
            Command::Declare(form, op) => self.print_declaration(*form, *op, out),
            Command::Define(form, definitions) => self.print_definitions(*form, definitions, out),
            Command::Assert(term) => {
                out.push_str("(assert ");
                self.print_term(*term, out);
            }
            Command::CheckSatAssuming(terms) => self.print_list("(check-sat-assuming (", terms, out),
            Command::GetValue(terms) => self.print_list("(get-value (", terms, out),
            Command::Push(count) => out.push_str(&format!("(push {count}")),
            Command::Pop(count) => out.push_str(&format!("(pop {count}")),
            Command::WithTerm(name, term, rest) => {
                out.push('(');
                out.push_str(self.name(*name));
                out.push(' ');
                self.print_term(*term, out);
                if !self.name(*rest).is_empty() {
                    out.push(' ');
                    out.push_str(self.name(*rest));
                }
            }
            Command::Other(text) => {
                out.push_str(self.name(*text));
                return;
            }
        }
        out.push(')');
    }

    fn print_raw(&self, opening: &str, parts: &[Symbol], out: &mut String) {
        out.push_str(opening);
        for (at, &part) in parts.iter().enumerate() {
            let text = self.name(part);
            if at > 0 && !text.is_empty() {
                out.push(' ');
            }
            out.push_str(text);
        }
    }

    fn print_list(&self, opening: &str, terms: &[Term], out: &mut String) {
        out.push_str(opening);
        for (at, &term) in terms.iter().enumerate() {
            out.push_str(if at > 0 { " " } else { "" });
            self.print_term(term, out);
        }
        out.push(')');
    }

    fn print_datatypes(&self, ids: &[DatatypeId], out: &mut String) {
        let codatatype = ids.first().is_some_and(|&id| self.datatype(id).codatatype);
        out.push_str(if codatatype { "(declare-codatatypes (" } else { "(declare-datatypes (" });
        for (at, &id) in ids.iter().enumerate() {
            let datatype = self.datatype(id);
            out.push_str(if at > 0 { " (" } else { "(" });
            name_into(self.name(datatype.name), out);
            out.push_str(&format!(" {})", datatype.params.len()));
        }
        out.push_str(") (");
        for (at, &id) in ids.iter().enumerate() {
            let datatype = self.datatype(id);
            out.push_str(if at > 0 { " " } else { "" });
            if !datatype.params.is_empty() {
                out.push_str("(par (");
                for (at, &param) in datatype.params.iter().enumerate() {
                    out.push_str(if at > 0 { " " } else { "" });
                    name_into(self.name(param), out);
                }
                out.push_str(") ");
            }
            out.push('(');
            for (at, constructor) in datatype.constructors.iter().enumerate() {
                out.push_str(if at > 0 { " (" } else { "(" });
                name_into(self.name(constructor.name), out);
                for &(selector, sort) in &constructor.fields {
                    out.push_str(" (");
                    name_into(self.name(selector), out);
                    out.push(' ');
                    self.print_sort(sort, out);
                    out.push(')');
                }
                out.push(')');
            }
            out.push_str(if datatype.params.is_empty() { ")" } else { "))" });
        }
        out.push(')');
    }

    fn print_declaration(&self, form: DeclarationForm, op: Op, out: &mut String) {
        let node = self.op(op);
        let (args, result) = self.rank_of(&node.kind);
        out.push_str(match form {
            DeclarationForm::Fun => "(declare-fun ",
            DeclarationForm::Const => "(declare-const ",
            DeclarationForm::Var => "(declare-var ",
            DeclarationForm::Rel => "(declare-rel ",
        });
        name_into(self.name(node.name), out);
        if matches!(form, DeclarationForm::Fun | DeclarationForm::Rel) {
            out.push_str(" (");
            for (at, &arg) in args.iter().enumerate() {
                out.push_str(if at > 0 { " " } else { "" });
                self.print_sort(arg, out);
            }
            out.push(')');
        }
        if form != DeclarationForm::Rel {
            out.push(' ');
            self.print_sort(result, out);
        }
    }

    fn print_definitions(&self, form: DefinitionForm, definitions: &[Definition], out: &mut String) {
        let header = |definition: &Definition, out: &mut String| {
            let node = self.op(definition.op);
            name_into(self.name(node.name), out);
            out.push(' ');
            if form != DefinitionForm::Const {
                self.print_variables(&definition.params, out);
                out.push(' ');
            }
            self.print_sort(self.rank_of(&node.kind).1, out);
        };
        if form == DefinitionForm::FunsRec {
            out.push_str("(define-funs-rec (");
            for (at, definition) in definitions.iter().enumerate() {
                out.push_str(if at > 0 { " (" } else { "(" });
                header(definition, out);
                out.push(')');
            }
            let bodies: Vec<Term> = definitions.iter().map(|definition| definition.body).collect();
            self.print_list(") (", &bodies, out);
            return;
        }
        out.push_str(match form {
            DefinitionForm::Const => "(define-const ",
            DefinitionForm::FunRec => "(define-fun-rec ",
            _ => "(define-fun ",
        });
        for definition in definitions {
            header(definition, out);
            out.push(' ');
            self.print_term(definition.body, out);
        }
    }
}

fn push_spaced(terms: &[Term], steps: &mut Vec<Step<'_>>) {
    for &term in terms.iter().rev() {
        steps.push(Step::Term(term));
        steps.push(Step::Text(" "));
    }
}
