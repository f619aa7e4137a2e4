//! Normalises the names of formulas: equal declarations of two formulas get one name in the library, different ones never share a
//! name.

use super::library::Declaration;
use smt::lexer::{Kind, Lexer};
use smt::{Arena, Command, FixedState, Script};
use std::collections::{BTreeSet, HashMap};

/// The prefix of slot names during extraction.
const SLOT: &str = "slot!";

/// The name of a slot during extraction.
pub(super) fn slot_name(number: usize) -> String {
    format!("{SLOT}{number}!")
}

/// The declarations of a library under construction.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub all: Vec<Declaration>,
    known: HashMap<String, u32, FixedState>,
}

impl Declarations {
    /// The declarations of a library, to add others.
    pub fn resume(all: Vec<Declaration>) -> Declarations {
        let template = |(number, declaration): (usize, &Declaration)| {
            (without_number(&declaration.text, number), number as u32)
        };
        Declarations { known: all.iter().enumerate().map(template).collect(), all }
    }

    /// The index of a declaration. `text` has `\u{2}` where the index belongs into names.
    fn number(&mut self, text: String, after: Vec<u32>) -> u32 {
        let all = &mut self.all;
        *self.known.entry(text).or_insert_with_key(|text| {
            let number = all.len() as u32;
            all.push(Declaration { text: text.replace('\u{2}', &number.to_string()), after });
            number
        })
    }

    /// The index of a declaration that keeps its names.
    pub fn as_written(&mut self, text: &str) -> u32 {
        self.number(text.to_owned(), Vec::new())
    }
}

/// The text of a declaration with `\u{2}` for its index in names, as it was before it had one.
fn without_number(text: &str, number: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lexer = Lexer::new(text);
    let mut copied = 0;
    while let Ok(token) = lexer.next_token()
        && token.kind != Kind::End
    {
        if token.kind == Kind::Symbol
            && let Some((prefix, rest)) = numbered(lexer.text(token), number)
        {
            out.push_str(&text[copied..token.span.start as usize]);
            out.push_str(&format!("{prefix}\u{2}{rest}"));
            copied = token.span.end as usize;
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// A name with the index of its declaration, such as `D3_0`, cut in two around the index.
fn numbered(name: &str, number: usize) -> Option<(&str, &str)> {
    ["is-c", "D", "c", "s"].iter().find_map(|prefix| {
        let rest = name.strip_prefix(prefix)?;
        let digits = rest.find('_')?;
        (rest[..digits].parse() == Ok(number)).then(|| (&name[..prefix.len()], &rest[digits..]))
    })
}

/// The new names for one formula.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The new name of each declared sort, constructor and selector, with the index of its declaration.
    new: HashMap<String, (String, u32), FixedState>,
}

/// A text under the names of the library.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    /// The text, with `□N` for slots, numbered by first occurrence.
    pub text: String,
    /// The former numbers of the slots, by first occurrence.
    pub slots: Vec<usize>,
    /// The declarations that it depends on.
    pub after: BTreeSet<u32>,
}

impl Names {
    /// Adds the sorts and datatypes that a script declares.
    pub fn of(arena: &Arena, script: &Script, declarations: &mut Declarations) -> Names {
        let mut names = Names::default();
        let mut sorts = 0;
        for command in &script.commands {
            match command {
                Command::DeclareSort(name, arity) => {
                    let name = arena.name(*name).to_owned();
                    if names.new.contains_key(&name) {
                        continue;
                    }
                    // Uninterpreted sorts differ only by their number in the formula.
                    let new = if *arity == 0 { format!("S{sorts}") } else { format!("S{sorts}_{arity}") };
                    sorts += 1;
                    let number = declarations.number(format!("(declare-sort {new} {arity})"), Vec::new());
                    names.new.insert(name, (new, number));
                }
                Command::DeclareDatatypes(ids) => names.datatypes(arena, command, ids, declarations),
                _ => {}
            }
        }
        names
    }

    fn datatypes(
        &mut self,
        arena: &Arena,
        command: &Command,
        ids: &[smt::DatatypeId],
        declarations: &mut Declarations,
    ) {
        let mut own: Vec<(String, String)> = Vec::new();
        for (at, &id) in ids.iter().enumerate() {
            let datatype = arena.datatype(id);
            own.push((arena.name(datatype.name).to_owned(), format!("D\u{2}_{at}")));
            for (number, constructor) in datatype.constructors.iter().enumerate() {
                let name = arena.name(constructor.name);
                own.push((name.to_owned(), format!("c\u{2}_{at}_{number}")));
                own.push((format!("is-{name}"), format!("is-c\u{2}_{at}_{number}")));
                for (field, (selector, _)) in constructor.fields.iter().enumerate() {
                    own.push((arena.name(*selector).to_owned(), format!("s\u{2}_{at}_{number}_{field}")));
                }
            }
        }
        // A sort and a function may share a name, which renaming cannot tell apart. Such datatypes are kept as they are.
        let distinct: BTreeSet<&String> = own.iter().map(|(name, _)| name).collect();
        if distinct.len() < own.len() || distinct.iter().any(|name| self.new.contains_key(*name)) {
            return;
        }
        let mut inner = Names { new: self.new.clone() };
        inner.new.extend(own.iter().map(|(name, new)| (name.clone(), (new.clone(), u32::MAX))));
        let mut text = String::new();
        arena.print_command(command, &mut text);
        let Some(mut renamed) = inner.rename(&text) else { return };
        renamed.after.remove(&u32::MAX);
        let number = declarations.number(renamed.text, renamed.after.into_iter().collect());
        for (name, new) in own {
            self.new.insert(name, (new.replace('\u{2}', &number.to_string()), number));
        }
    }

    /// A text of the formula under the names of the library; `None` if it cannot be tokenised.
    pub fn rename(&self, text: &str) -> Option<Renamed> {
        // The slot mark itself looks like a slot.
        if text.contains('□') {
            return None;
        }
        let mut renamed = Renamed::default();
        let mut lexer = Lexer::new(text);
        let mut copied = 0;
        loop {
            let token = lexer.next_token().ok()?;
            if token.kind == Kind::End {
                renamed.text.push_str(&text[copied..]);
                return Some(renamed);
            }
            if !matches!(token.kind, Kind::Symbol | Kind::Quoted) {
                continue;
            }
            renamed.text.push_str(&text[copied..token.span.start as usize]);
            copied = token.span.end as usize;
            let written = lexer.text(token);
            let name = written.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(written);
            if let Some(number) = slot_number(name) {
                let at = renamed.slots.iter().position(|known| *known == number).unwrap_or_else(|| {
                    renamed.slots.push(number);
                    renamed.slots.len() - 1
                });
                renamed.text.push_str(&format!("□{at}"));
            } else if let Some((new, declaration)) = self.new.get(name) {
                renamed.text.push_str(new);
                renamed.after.insert(*declaration);
            } else if looks_like_ours(name) {
                renamed.text.push_str("l_");
                renamed.text.push_str(name);
            } else {
                renamed.text.push_str(written);
            }
        }
    }
}

fn slot_number(name: &str) -> Option<usize> {
    name.strip_prefix(SLOT)?.strip_suffix('!')?.parse().ok()
}

/// Whether a name looks like those that the library and instances use: a letter, digits and underscores.
fn looks_like_ours(name: &str) -> bool {
    let mut rest = name.chars();
    rest.next().is_some_and(|first| "vfSDcs".contains(first))
        && name.len() > 1
        && rest.all(|c| c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Signatures, parse_script};

    #[test]
    fn equal_declarations_share_a_name() {
        let table = [
            (
                "(declare-sort A 0)(declare-datatypes ((L 0)) (((nil) (cons (hd A) (tl L)))))",
                "(forall ((x L)) ((_ is cons) (cons (hd x) slot!3!)))",
                "(forall ((x D1_0)) ((_ is c1_0_1) (c1_0_1 (s1_0_1_0 x) □0)))",
            ),
            (
                "(declare-sort B 0)(declare-datatypes ((M 0)) (((e) (k (f B) (g M)))))",
                "(= slot!5! (f slot!2!) slot!5! v3 |a b|)",
                "(= □0 (s1_0_1_0 □1) □0 l_v3 |a b|)",
            ),
            (
                "(declare-sort P 2)(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))",
                "(as nil (L (P Int Int)))",
                "(as c3_0_0 (D3_0 (S0_2 Int Int)))",
            ),
        ];
        let mut declarations = Declarations::default();
        for (source, text, expected) in table {
            let mut arena = Arena::new(Signatures::standard());
            let script = parse_script(&mut arena, source).unwrap();
            let names = Names::of(&arena, &script, &mut declarations);
            assert_eq!(names.rename(text).unwrap().text, expected);
        }
        assert_eq!(declarations.all.len(), 4);
        assert_eq!(
            declarations.all[1].text,
            "(declare-datatypes ((D1_0 0)) (((c1_0_0) (c1_0_1 (s1_0_1_0 S0) (s1_0_1_1 D1_0)))))"
        );
        assert_eq!(declarations.all[1].after, [0]);
        let resumed = Declarations::resume(declarations.all.clone());
        assert_eq!(resumed.known, declarations.known);
    }
}
