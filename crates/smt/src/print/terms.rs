//! Printing terms.

use super::names::{index_into, name_into, sort_into};
use crate::arena::Arena;
use crate::op::{Op, OpKind};
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Attribute, AttributeValue, Literal, Pattern, Term, View};

/// A pending piece of output.
enum Step<'a> {
    Term(Term),
    Text(&'static str),
    /// A `let` binding: variable and value.
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
                out.push_str(self.name(kind.symbol()));
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

    /// Appends the identifier of an operator.
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
    pub(super) fn print_variables(&self, variables: &[Term], out: &mut String) {
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

    /// Prints a term to a new string.
    pub fn term_text(&self, term: Term) -> String {
        let mut out = String::new();
        self.print_term(term, &mut out);
        out
    }

    /// Prints a sort to a new string.
    pub fn sort_text(&self, sort: Sort) -> String {
        let mut text = String::new();
        sort_into(&self.symbols, &self.sorts, sort, &mut text);
        text
    }
}

fn push_spaced(terms: &[Term], steps: &mut Vec<Step<'_>>) {
    for &term in terms.iter().rev() {
        steps.push(Step::Term(term));
        steps.push(Step::Text(" "));
    }
}
