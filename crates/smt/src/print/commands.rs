//! Printing commands and scripts.

use super::names::name_into;
use crate::arena::Arena;
use crate::command::{Command, DeclarationForm, Definition, DefinitionForm, Script};
use crate::datatype::DatatypeId;
use crate::op::Op;
use crate::symbol::Symbol;
use crate::term::Term;

impl Arena {
    /// Appends a script to `out`, one command per line.
    pub fn print_script(&self, script: &Script, out: &mut String) {
        for command in &script.commands {
            self.print_command(command, out);
            out.push('\n');
        }
    }

    /// Prints a script to a new string.
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
