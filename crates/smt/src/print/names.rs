//! Printing symbols, indices and sorts, which needs no arena.

use crate::lexer::is_simple_symbol;
use crate::reserved::must_quote;
use crate::sort::{Index, Sort, SortTable};
use crate::symbol::SymbolTable;

/// Appends a symbol, quoted with bars if necessary.
pub fn name_into(name: &str, out: &mut String) {
    if is_simple_symbol(name) && !must_quote(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

/// A symbol, quoted with bars if necessary.
pub fn name_text(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    name_into(name, &mut text);
    text
}

pub(super) fn index_into(symbols: &SymbolTable, index: Index, out: &mut String) {
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

/// Appends a sort.
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
        // The sort of the empty tuple has its own name.
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
