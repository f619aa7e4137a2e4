//! Formulas whose names differ from those of all others, so that several fit into one script.

use crate::kit::evaluation::not_one_question;
use smt::print::name_text;
use smt::sexpr::{Sexpr, read_all};
use smt::{Arena, Command, OpKind, Signatures, parse_script};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A formula of the group.
pub(super) struct Formula {
    /// The file that it comes from.
    pub name: String,
    /// Its declarations and definitions.
    pub declarations: String,
    /// What it asserts.
    pub assertions: Vec<String>,
    /// Its constants, with their sorts, that can be replaced.
    pub constants: Vec<(String, String)>,
    /// The profile names of the solvers that support it; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// Its theories.
    pub theories: BTreeSet<String>,
    /// What follows each of its own names.
    suffix: String,
}

impl Formula {
    /// Reads a script. `None` if it asks several questions, or has anything that cannot be joined with another script.
    pub fn read(signatures: &Arc<Signatures>, name: &str, script: &str, suffix: &str) -> Option<Formula> {
        if script.contains(suffix) {
            return None;
        }
        let mut arena = Arena::new(signatures.clone());
        let parsed = parse_script(&mut arena, script).ok()?;
        if not_one_question(&parsed).is_some() {
            return None;
        }
        let features = arena.features(&parsed);
        let mut names = BTreeSet::new();
        for command in read_all(script).ok()? {
            declared_names(&command, &mut names);
        }
        let mut declarations = String::new();
        let mut assertions = Vec::new();
        let mut sorts = BTreeMap::new();
        for command in &parsed.commands {
            let mut text = String::new();
            arena.print_command(command, &mut text);
            match command {
                Command::Assert(term) => {
                    assertions.push(renamed(&arena.term_text(*term), &names, suffix)?);
                }
                Command::DeclareSort(..)
                | Command::DefineSort(..)
                | Command::DeclareDatatypes(_)
                | Command::Declare(..)
                | Command::Define(..) => {
                    declarations.push_str(&renamed(&text, &names, suffix)?);
                    declarations.push('\n');
                }
                _ => {}
            }
            if let Command::Declare(_, op) = command
                && let OpKind::Function { args, result } = &arena.op(*op).kind
                && args.is_empty()
            {
                let sort = renamed(&arena.sort_text(*result), &names, suffix)?;
                sorts.insert(name_text(&format!("{}{suffix}", arena.op_name(*op))), sort);
            }
        }
        let bound: BTreeSet<String> = assertions.iter().filter_map(|text| heads(text)).flatten().collect();
        sorts.retain(|name, _| !bound.contains(name));
        let (solvers, theories) = (features.solvers, features.theories);
        let constants = sorts.into_iter().collect();
        Some(Formula {
            name: name.to_owned(),
            declarations,
            assertions,
            constants,
            solvers,
            theories,
            suffix: suffix.to_owned(),
        })
    }

    /// The definitions of a model, with other names for those that the solver adds. `None` if it is not a list of definitions.
    pub fn definitions(&self, model: &str) -> Option<String> {
        let all = read_all(model).ok()?;
        let [definitions] = all.as_slice() else { return None };
        let definitions: Vec<&Sexpr> =
            definitions.list()?.iter().filter(|one| one.list().is_some()).collect();
        let mut added = BTreeSet::new();
        definitions.iter().for_each(|definition| declared_names(definition, &mut added));
        // The names of the formula have its suffix already.
        added.retain(|name| !name.ends_with(&self.suffix));
        let mut text = String::new();
        for definition in definitions {
            let span = definition.span();
            let written = &model[span.start as usize..span.end as usize];
            text.push_str(&renamed(written, &added, &self.suffix)?);
            text.push('\n');
        }
        Some(text)
    }
}

/// A symbol without its bars.
fn plain(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

/// Collects the names that a command declares: functions, sorts, constructors, selectors and named terms.
fn declared_names(command: &Sexpr, names: &mut BTreeSet<String>) {
    let Some([head, rest @ ..]) = command.list() else { return };
    let mut add = |symbol: Option<&Sexpr>| {
        names.extend(symbol.and_then(Sexpr::atom).map(|name| plain(name).to_owned()))
    };
    match head.atom() {
        Some(
            "declare-fun" | "declare-const" | "declare-sort" | "define-fun" | "define-const" | "define-sort"
            | "define-fun-rec",
        ) => add(rest.first()),
        Some("define-funs-rec") => {
            for signature in rest.first().and_then(Sexpr::list).unwrap_or_default() {
                add(signature.list().and_then(|parts| parts.first()));
            }
        }
        Some("declare-datatype") => {
            add(rest.first());
            rest.get(1).into_iter().for_each(|body| constructors(body, names));
        }
        Some("declare-datatypes") => {
            for sort in rest.first().and_then(Sexpr::list).unwrap_or_default() {
                add(sort.list().and_then(|parts| parts.first()));
            }
            for body in rest.get(1).and_then(Sexpr::list).unwrap_or_default() {
                constructors(body, names);
            }
        }
        _ => {}
    }
    named_terms(command, names);
}

/// Collects the constructors and selectors of a datatype.
fn constructors(body: &Sexpr, names: &mut BTreeSet<String>) {
    let mut parts = body.list().unwrap_or_default();
    if let [head, _, inner] = parts
        && head.atom() == Some("par")
    {
        parts = inner.list().unwrap_or_default();
    }
    let mut add = |symbol: &Sexpr| names.extend(symbol.atom().map(|name| plain(name).to_owned()));
    for constructor in parts {
        match constructor.list() {
            Some([name, selectors @ ..]) => {
                add(name);
                selectors.iter().filter_map(|one| one.list()?.first()).for_each(&mut add);
            }
            _ => add(constructor),
        }
    }
}

/// Collects the names that `:named` gives.
fn named_terms(part: &Sexpr, names: &mut BTreeSet<String>) {
    let Some(parts) = part.list() else { return };
    for pair in parts.windows(2) {
        if pair[0].atom() == Some(":named") {
            names.extend(pair[1].atom().map(|name| plain(name).to_owned()));
        }
    }
    parts.iter().for_each(|part| named_terms(part, names));
}

/// A text with a suffix behind each of these names.
fn renamed(text: &str, names: &BTreeSet<String>, suffix: &str) -> Option<String> {
    let change = |symbol: &str| {
        names.contains(plain(symbol)).then(|| name_text(&format!("{}{suffix}", plain(symbol))))
    };
    replaced(text, &mut |symbol| change(symbol))
}

/// A text with other text for some of its symbols.
pub(super) fn replaced(text: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut at = 0;
    let mut waiting: Vec<Sexpr> = read_all(text).ok()?;
    waiting.reverse();
    while let Some(part) = waiting.pop() {
        match part {
            Sexpr::List(parts, _) => waiting.extend(parts.into_iter().rev()),
            Sexpr::Atom(_, symbol, span) => {
                if let Some(new) = change(&symbol) {
                    out.push_str(&text[at..span.start as usize]);
                    out.push_str(&new);
                    at = span.end as usize;
                }
            }
        }
    }
    out.push_str(&text[at..]);
    Some(out)
}

/// The symbols that lists of a text begin with. A constant among them is bound, or in a pattern.
fn heads(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = read_all(text).ok()?;
    while let Some(part) = waiting.pop() {
        if let Sexpr::List(parts, _) = part {
            found.extend(parts.first().and_then(Sexpr::atom).map(str::to_owned));
            waiting.extend(parts);
        }
    }
    Some(found)
}
