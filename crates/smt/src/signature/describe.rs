//! Ranks as text, for error messages and listings.

use super::declaration::{Associativity, Declaration};
use super::pattern::{IndexExpr, IndexOp, SortPattern};
use super::table::Signatures;
use crate::print::names::sort_into;
use crate::sort::Index;

impl Signatures {
    /// Formats a rank, such as `(concat (_ BitVec m) (_ BitVec n) (_ BitVec (+ m n)))`.
    pub fn describe(&self, declaration: &Declaration) -> String {
        describe(self, declaration)
    }
}

/// Formats a rank in the syntax of signature files, with generated variable names.
fn describe(signatures: &Signatures, declaration: &Declaration) -> String {
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
            sort_into(&signatures.symbols, &signatures.sorts, *sort, text);
        }
        SortPattern::Constructed { head, indices, args } => {
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
