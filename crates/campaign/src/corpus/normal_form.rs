//! A form of scripts that is equal for those that differ only in names, layout, and what does not belong in a seed.

use super::script::belongs_in_seed;
use smt::lexer::{Kind, Lexer};
use smt::{Arena, Command, Script};
use std::collections::BTreeMap;

/// Words of the language that are neither operators nor sorts.
const WORDS: [&str; 10] = ["let", "forall", "exists", "lambda", "choice", "match", "par", "as", "_", "!"];

/// The normal form of a script: names of the user are numbered in the order of their first use.
pub(super) fn normal_form(arena: &Arena, script: &Script) -> String {
    let mut numbers = BTreeMap::new();
    let mut form = String::new();
    for command in script.commands.iter().filter(|command| belongs_in_seed(arena, command)) {
        let mut text = String::new();
        arena.print_command(command, &mut text);
        match command {
            // Their values are not terms.
            Command::SetInfo(..) | Command::SetOption(..) | Command::SetLogic(_) => form.push_str(&text),
            _ => number_names(arena, &text, &mut numbers, &mut form),
        }
        form.push('\n');
    }
    form
}

/// Appends the tokens of a command, with numbers for names of the user.
fn number_names(arena: &Arena, command: &str, numbers: &mut BTreeMap<String, usize>, form: &mut String) {
    let mut lexer = Lexer::new(command);
    let mut position = 0;
    while let Ok(token) = lexer.next_token() {
        let text = lexer.text(token);
        match token.kind {
            Kind::End => break,
            // The second token is the name of the command.
            Kind::Symbol | Kind::Quoted if position != 1 => {
                let name = text.trim_matches('|');
                if is_fixed(arena, name) {
                    form.push_str(name);
                } else {
                    let next = numbers.len();
                    let number = *numbers.entry(name.to_owned()).or_insert(next);
                    form.push_str(&format!("${number}"));
                }
            }
            _ => form.push_str(text),
        }
        form.push(' ');
        position += 1;
    }
}

/// Whether a name means the same in every script: an operator, a sort or a word of the language.
fn is_fixed(arena: &Arena, name: &str) -> bool {
    let signatures = arena.signatures();
    let is_built_in =
        |symbol| !signatures.ranks(symbol).is_empty() || !signatures.sort_constructors(symbol).is_empty();
    WORDS.contains(&name) || arena.find_symbol(name).is_some_and(is_built_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::parse_script;

    fn form(text: &str) -> String {
        let mut arena = Arena::default();
        let script = parse_script(&mut arena, text).unwrap();
        normal_form(&arena, &script)
    }

    #[test]
    fn scripts_are_equal_up_to_names_and_layout() {
        let first =
            "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< x (+ y 1)))(check-sat)";
        let table = [
            (
                "; c\n(set-logic QF_LIA) (set-info :source |a|)\n(declare-const a Int)(declare-const |b c| Int)\n(assert (< a (+ |b c| 1)))(check-sat)",
                true,
            ),
            (
                "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< y (+ x 1)))(check-sat)",
                false,
            ),
            (
                "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< x (+ y 2)))(check-sat)",
                false,
            ),
            (
                "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< x (- y 1)))(check-sat)",
                false,
            ),
            (
                "(set-logic ALL)(declare-const x Int)(declare-const y Int)(assert (< x (+ y 1)))(check-sat)",
                false,
            ),
            (
                "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(declare-const y Int)(assert (< x (+ y 1)))(check-sat)",
                false,
            ),
        ];
        for (text, expected) in table {
            assert_eq!(form(first) == form(text), expected, "{text}");
        }
        let bound =
            ["forall ((a Int)) (exists ((b Int)) (< a b))", "forall ((q Int)) (exists ((a Int)) (< q a))"];
        let [one, two] = bound.map(|term| form(&format!("(assert ({term}))(check-sat)")));
        assert_eq!(one, two);
    }
}
