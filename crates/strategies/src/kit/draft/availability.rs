//! The range of commands that may use a declared name: from its declaration to the `pop` that removes it.

use smt::{
    Arena, AttributeValue, Command, DatatypeId, FixedState, Op, OpKind, Plain, Script, Symbol, Term, View,
    reserved,
};
use std::collections::HashMap;

/// For each declared function, datatype and sort, the commands that may use it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Availability {
    spans: HashMap<Declared, (u32, u32), FixedState>,
}

/// Something that a script declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Declared {
    Function(Op),
    Datatype(DatatypeId),
    Sort(Symbol),
}

impl Availability {
    /// Reads the declarations of a script.
    pub fn of_script(arena: &mut Arena, script: &Script) -> Self {
        let mut found = Availability::default();
        let mut levels: Vec<Vec<Declared>> = vec![Vec::new()];
        let mut global = false;
        for (at, command) in script.commands.iter().enumerate() {
            let at = at as u32;
            let mut declared: Vec<(Declared, u32)> = Vec::new();
            match command {
                Command::Declare(_, op) => declared.push((Declared::Function(*op), at + 1)),
                Command::DeclareSort(name, _) => declared.push((Declared::Sort(*name), at + 1)),
                Command::DeclareDatatypes(ids) => {
                    declared.extend(ids.iter().map(|&id| (Declared::Datatype(id), at + 1)));
                }
                Command::Define(form, definitions) => {
                    use smt::DefinitionForm::{FunRec, FunsRec};
                    // A recursive function may occur in its own body.
                    let since = if matches!(form, FunRec | FunsRec) { at } else { at + 1 };
                    declared.extend(definitions.iter().map(|one| (Declared::Function(one.op), since)));
                }
                Command::SetOption(keyword, value) if arena.name(*keyword) == ":global-declarations" => {
                    global = arena.name(*value) == "true";
                }
                Command::Push(count) => levels.extend((0..*count).map(|_| Vec::new())),
                Command::Pop(count) if !global => {
                    for _ in 0..*count {
                        if levels.len() > 1 {
                            found.end(levels.pop().unwrap_or_default(), at);
                        }
                    }
                }
                Command::Plain(Plain::Reset) => {
                    found.end(levels.drain(..).flatten().collect(), at);
                    levels.push(Vec::new());
                }
                _ => {}
            }
            for term in command.terms() {
                declared.extend(named_in(arena, term).into_iter().map(|op| (Declared::Function(op), at + 1)));
            }
            for (what, since) in declared {
                found.spans.insert(what, (since, u32::MAX));
                if let Some(level) = levels.last_mut() {
                    level.push(what);
                }
            }
        }
        found
    }

    fn end(&mut self, all: Vec<Declared>, at: u32) {
        for what in all {
            if let Some((_, until)) = self.spans.get_mut(&what) {
                *until = at;
            }
        }
    }

    /// The first command that may use a function, and the first one after it that may not.
    pub fn of(&self, op: Op) -> (u32, u32) {
        self.spans.get(&Declared::Function(op)).copied().unwrap_or((0, u32::MAX))
    }

    /// The same for the constructors, selectors and testers of a datatype.
    pub fn of_datatype(&self, id: DatatypeId) -> (u32, u32) {
        self.spans.get(&Declared::Datatype(id)).copied().unwrap_or((0, u32::MAX))
    }

    /// The same for a declared sort.
    pub fn of_sort(&self, name: Symbol) -> (u32, u32) {
        self.spans.get(&Declared::Sort(name)).copied().unwrap_or((0, u32::MAX))
    }
}

/// The names that `:named` introduces inside a term, as operators.
fn named_in(arena: &mut Arena, root: Term) -> Vec<Op> {
    let mut names = Vec::new();
    for term in smt::rewrite::post_order(arena, &[root]) {
        let View::Annotated { body, attributes, .. } = arena.view(term) else { continue };
        for attribute in attributes {
            if let (reserved::NAMED, AttributeValue::Text(text)) = (attribute.keyword, &attribute.value) {
                names.push((*text, arena.sort(body)));
            }
        }
    }
    let mut ops = Vec::new();
    for (text, sort) in names {
        let name = arena.name(text).trim_matches('|').to_owned();
        let name = arena.symbol(&name);
        ops.push(arena.function(name, &[], sort));
    }
    ops
}

/// The functions that a command declares or defines.
pub(crate) fn functions_of(arena: &Arena, command: &Command) -> Vec<Op> {
    let is_function = |op: &Op| matches!(arena.op(*op).kind, OpKind::Function { .. });
    match command {
        Command::Declare(_, op) => vec![*op].into_iter().filter(is_function).collect(),
        Command::Define(_, definitions) => {
            definitions.iter().map(|definition| definition.op).filter(is_function).collect()
        }
        _ => Vec::new(),
    }
}
