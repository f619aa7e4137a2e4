//! Other names for the functions that a script declares.

use smt::print::name_text;
use smt::sexpr::{Sexpr, read_all};
use smt::{Arena, Command, Script};
use std::collections::BTreeMap;

/// New names for old ones, both as they are printed.
#[derive(Clone, Debug, Default)]
pub(super) struct Renaming(Vec<(String, String)>);

impl Renaming {
    /// New names for the functions that a script declares or defines, in another order. Every third one is quoted.
    pub fn of(arena: &Arena, script: &Script, printed: &str) -> Renaming {
        let mut old: Vec<String> = Vec::new();
        let mut add = |op| {
            let name = name_text(arena.op_name(op));
            if !old.contains(&name) {
                old.push(name);
            }
        };
        for command in &script.commands {
            match command {
                Command::Declare(_, op) => add(*op),
                Command::Define(_, definitions) => definitions.iter().for_each(|one| add(one.op)),
                _ => {}
            }
        }
        let mut prefix = String::from("n");
        while (0..old.len()).any(|number| printed.contains(&format!("{prefix}{number}"))) {
            prefix.push('n');
        }
        let count = old.len();
        let new = |number: usize| match number % 3 {
            2 => format!("|{prefix} {number}|"),
            _ => format!("{prefix}{number}"),
        };
        Renaming(old.into_iter().enumerate().map(|(index, name)| (name, new(count - 1 - index))).collect())
    }

    /// The text with new names for old ones.
    pub fn apply(&self, text: &str) -> String {
        renamed(text, &self.0.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect())
    }

    /// The text with old names for new ones.
    pub fn undo(&self, text: &str) -> String {
        renamed(text, &self.0.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect())
    }
}

/// The text with other symbols. Every occurrence of a name changes, so variables of the same name remain what they are.
fn renamed(text: &str, names: &BTreeMap<&str, &str>) -> String {
    let Ok(read) = read_all(text) else { return text.to_owned() };
    if names.is_empty() {
        return text.to_owned();
    }
    let mut result = String::with_capacity(text.len());
    let mut end = 0;
    let mut waiting: Vec<&Sexpr> = read.iter().rev().collect();
    while let Some(next) = waiting.pop() {
        if let Some(list) = next.list() {
            waiting.extend(list.iter().rev());
            continue;
        }
        let (from, to) = (next.span().start as usize, next.span().end as usize);
        if let Some(new) = names.get(&text[from..to]) {
            result.push_str(&text[end..from]);
            result.push_str(new);
            end = to;
        }
    }
    result.push_str(&text[end..]);
    result
}
