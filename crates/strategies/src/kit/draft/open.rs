//! Opens a seed: parses it, drops commands that only print, and computes the facts of its terms.

use super::availability::{Availability, functions_of};
use super::facts::{Fact, Facts, mark, theory_bit};
use super::logic::{Allowance, allowance};
use super::needs::Decisions;
use super::pool::Pool;
use super::{Draft, Piece, PieceKind, Root, State, print_assertion};
use crate::api::Unsuitable;
use case::Seed;
use smt::rewrite::{Definitions, FreeLocals, post_order};
use smt::{
    Arena, Command, DefinitionForm, Features, FixedState, OpKind, Pattern, Plain, Scope, Script, Signatures,
    Symbol, Term, View, parse_in_scope,
};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// The smallest seed may grow by this many nodes.
const LEAST_ROOM: u64 = 300;
/// A seed may usually grow to this many times its size.
pub(crate) const USUAL_GROWTH: u64 = 4;

/// The maximum size of a script that may grow to so many times its size; 0 for any size.
pub(super) fn size_limit(roots: &[Root], times: u64) -> u64 {
    let size: u64 = roots.iter().map(|root| u64::from(root.fact.size)).sum();
    if times == 0 { u64::MAX } else { times.saturating_mul(size).max(size + LEAST_ROOM) }
}

/// Commands outside the standard that only print.
const OUTPUT_ONLY: [&str; 12] = [
    "get-",
    "echo",
    "help",
    "display",
    "labels",
    "dbg-",
    "apply",
    "block-model",
    "check-sat-assuming-model",
    "print-",
    "set-info",
    "include",
];

impl Draft {
    /// Opens a seed.
    pub fn open(signatures: &Arc<Signatures>, seed: &Seed) -> Result<Draft, Unsuitable> {
        Ok(Draft::open_with_script(signatures, seed)?.0)
    }

    /// Opens a seed and returns its script, too. The roots are the terms of its assertions and definitions, in order.
    pub fn open_with_script(
        signatures: &Arc<Signatures>,
        seed: &Seed,
    ) -> Result<(Draft, Script), Unsuitable> {
        let (arena, scope, script) = read(signatures, seed)?;
        let draft = Draft::begin(signatures, seed, arena, scope, script.clone(), false)?;
        Ok((draft, script))
    }

    /// Opens a seed and expands every `let` in its assertions and every function that is defined without recursion, unless the
    /// seed names terms or uses functions as values. Returns the expanded script, too.
    pub fn open_expanded(signatures: &Arc<Signatures>, seed: &Seed) -> Result<(Draft, Script), Unsuitable> {
        // A named term must occur exactly once, so nothing around it can be expanded.
        if seed.text.contains(":named") {
            return Draft::open_with_script(signatures, seed);
        }
        let (mut arena, scope, script) = read(signatures, seed)?;
        let definitions = Definitions::of(&mut arena, &script);
        let mut commands = Vec::with_capacity(script.commands.len());
        for command in script.commands {
            if matches!(command, Command::Define(DefinitionForm::Fun | DefinitionForm::Const, _)) {
                continue;
            }
            let assertion = matches!(command, Command::Assert(_));
            commands.push(command.map_terms(|term| {
                let term = definitions.inline(&mut arena, term);
                if assertion { arena.expand_lets(term) } else { term }
            }));
        }
        let script = Script::new(commands);
        if uses_function_values(&arena, &script) {
            return Draft::open_with_script(signatures, seed);
        }
        let draft = Draft::begin(signatures, seed, arena, scope, script.clone(), true)?;
        Ok((draft, script))
    }

    fn begin(
        signatures: &Arc<Signatures>,
        seed: &Seed,
        mut arena: Arena,
        scope: Scope,
        script: Script,
        expanded: bool,
    ) -> Result<Draft, Unsuitable> {
        let availability = Availability::of_script(&mut arena, &script);
        let locals = local_names(&arena, &script);
        let mut facts = Facts::new(signatures.clone(), availability, locals);
        let base = base_needs(&mut arena, &facts, &script);
        let state = cut(&mut arena, &mut facts, &script, expanded);
        if state.roots.is_empty() {
            return Err(Unsuitable("the script has no assertions or definitions".to_owned()));
        }
        let pool = fill_pool(&mut arena, &mut facts, &script, &state.roots);
        let allowed = match script.logic() {
            Some(logic) => allowance(signatures, arena.name(logic)),
            None => Allowance::Everything { higher_order: true },
        };
        let functions = script
            .commands
            .iter()
            .flat_map(|command| functions_of(&arena, command))
            .filter(|&op| matches!(&arena.op(op).kind, OpKind::Function { args, .. } if !args.is_empty()))
            .collect();
        let size_limit = size_limit(&state.roots, USUAL_GROWTH);
        Ok(Draft {
            opened_terms: arena.len(),
            expanded,
            fresh_prefix: fresh_prefix(&seed.text),
            has_logic: script.logic().is_some(),
            arena,
            scope,
            facts,
            pool,
            functions,
            free: FreeLocals::default(),
            seed: state.clone(),
            state,
            base,
            decisions: Decisions::new(allowed),
            size_limit,
            buffer: String::new(),
            children: Vec::new(),
        })
    }
}

/// Whether a function occurs as a value. Its definition has to stay.
fn uses_function_values(arena: &Arena, script: &Script) -> bool {
    let roots: Vec<Term> = script.commands.iter().flat_map(|command| command.terms()).collect();
    let is_value = |&term: &Term| match arena.view(term) {
        View::App(op, _) => matches!(arena.op(op).kind, OpKind::FunctionValue(_) | OpKind::Map(_)),
        _ => false,
    };
    post_order(arena, &roots).iter().any(is_value)
}

/// Parses a seed and drops commands that only print.
fn read(signatures: &Arc<Signatures>, seed: &Seed) -> Result<(Arena, Scope, Script), Unsuitable> {
    let mut arena = Arena::new(signatures.clone());
    let mut scope = Scope::default();
    let script = match parse_in_scope(&mut arena, &mut scope, &seed.text) {
        Ok(script) => script,
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            return Err(Unsuitable(format!("the script does not parse: {first}")));
        }
    };
    let commands = kept_commands(&arena, script.commands)?;
    Ok((arena, scope, Script::new(commands)))
}

/// A prefix that occurs nowhere in the text.
fn fresh_prefix(text: &str) -> String {
    let mut prefix = String::from("q");
    while text.contains(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// The commands to keep, with a `check-sat` at the end if there is none.
fn kept_commands(arena: &Arena, commands: Vec<Command>) -> Result<Vec<Command>, Unsuitable> {
    let mut kept = Vec::with_capacity(commands.len());
    let mut exit = false;
    for command in commands {
        let keep = match &command {
            Command::Plain(Plain::Exit) => {
                exit = true;
                break;
            }
            Command::Plain(plain) => {
                matches!(plain, Plain::CheckSat | Plain::Reset | Plain::ResetAssertions)
            }
            // A stated status does not hold for a mutant, and whoever runs the script chooses the options.
            Command::SetInfo(..) | Command::GetValue(_) => false,
            Command::SetOption(keyword, _) => arena.name(*keyword) == ":global-declarations",
            Command::WithTerm(name, ..) => !matches!(arena.name(*name), "simplify" | "eval"),
            Command::Other(text) => keep_other(arena.name(*text))?,
            _ => true,
        };
        if keep {
            kept.push(command);
        }
    }
    if !kept.iter().any(Command::is_check) {
        kept.push(Command::Plain(Plain::CheckSat));
    }
    if exit {
        kept.push(Command::Plain(Plain::Exit));
    }
    Ok(kept)
}

fn keep_other(text: &str) -> Result<bool, Unsuitable> {
    let name = text.trim_start_matches('(').trim_start();
    if name.starts_with("synth-") || name.starts_with("check-synth") || name.starts_with("inv-constraint") {
        return Err(Unsuitable("synthesis problems are not mutated".to_owned()));
    }
    Ok(!OUTPUT_ONLY.iter().any(|prefix| name.starts_with(prefix)))
}

/// The names of all local variables.
fn local_names(arena: &Arena, script: &Script) -> HashSet<Symbol, FixedState> {
    let mut names = HashSet::default();
    let mut note = |local: Term| {
        if let View::Local(name) = arena.view(local) {
            names.insert(name);
        }
    };
    let mut roots = Vec::new();
    for command in &script.commands {
        roots.extend(command.terms());
        if let Command::Define(_, definitions) = command {
            definitions.iter().flat_map(|definition| definition.params.iter()).for_each(|&local| note(local));
        }
    }
    for term in post_order(arena, &roots) {
        arena.bound_names(term).iter().for_each(|&local| note(local));
        if let View::Match { patterns, .. } = arena.view(term) {
            for pattern in patterns {
                match pattern {
                    Pattern::Constructor(_, variables) => variables.iter().for_each(|&local| note(local)),
                    Pattern::Variable(variable) => note(*variable),
                }
            }
        }
    }
    names
}

/// The needs of everything but the terms: declared sorts, and commands that only some solvers support.
fn base_needs(arena: &mut Arena, facts: &Facts, script: &Script) -> Fact {
    let mut base = Fact::NEUTRAL;
    let signatures = arena.signatures().clone();
    let supporting = |command: &str| match signatures.syntax_solvers(command) {
        Some(solvers) => facts.solver_set(solvers),
        None => facts.syntax_set("any-command"),
    };
    let mut declarations = Vec::new();
    for command in &script.commands {
        match command {
            Command::WithTerm(name, ..) => base.solvers &= supporting(arena.name(*name)),
            Command::CheckSatUsing(_) => base.solvers &= supporting("check-sat-using"),
            Command::Other(text) => {
                let text = arena.name(*text).trim_start_matches('(');
                let name = text.split(|c: char| c.is_whitespace() || "()".contains(c)).next();
                base.solvers &= supporting(name.unwrap_or_default());
            }
            _ if command.terms().is_empty() => declarations.push(command.clone()),
            Command::Define(form, _) => {
                use smt::DefinitionForm::{FunRec, FunsRec};
                if matches!(form, FunRec | FunsRec) {
                    base.marks |= mark::RECURSIVE;
                }
            }
            _ => {}
        }
    }
    let features: Features = arena.features(&Script::new(declarations));
    let marks = [
        (features.uninterpreted, mark::FUNCTIONS),
        (features.datatypes, mark::DATATYPES),
        (features.recursive, mark::RECURSIVE),
        (features.higher_order, mark::HIGHER_ORDER),
    ];
    base.marks |= marks.iter().filter(|(present, _)| *present).fold(0, |set, (_, bit)| set | bit);
    if let Some(solvers) = &features.solvers {
        base.solvers &= facts.solver_set(&solvers.iter().cloned().collect::<Vec<_>>());
        base.marks |= mark::RESTRICTED;
    }
    let theories = &arena.signatures().theories;
    for (at, theory) in theories.iter().enumerate() {
        if features.theories.contains(&theory.name) {
            base.theories |= theory_bit(at);
        }
    }
    base
}

/// Cuts the script into pieces. Adjacent commands that never change share one.
fn cut(arena: &mut Arena, facts: &mut Facts, script: &Script, expanded: bool) -> State {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut roots: Vec<Root> = Vec::new();
    let mut fixed = String::new();
    for (at, command) in script.commands.iter().enumerate() {
        let (kind, params): (PieceKind, Vec<Rc<[Term]>>) = match command {
            Command::Assert(_) => (PieceKind::Assertions, vec![Rc::from([])]),
            Command::Define(_, definitions) => {
                let params = definitions.iter().map(|definition| Rc::from(&*definition.params)).collect();
                (PieceKind::Definition(Rc::new(command.clone())), params)
            }
            Command::SetLogic(_) => (PieceKind::Logic, Vec::new()),
            _ => {
                arena.print_command(command, &mut fixed);
                fixed.push('\n');
                continue;
            }
        };
        if !fixed.is_empty() {
            pieces.push(Piece { kind: PieceKind::Fixed, text: Rc::from(fixed.as_str()) });
            fixed.clear();
        }
        let mut text = String::new();
        match command {
            Command::Assert(term) => {
                let size = facts.of(arena, *term).size;
                print_assertion(arena, *term, size, expanded, &mut text);
            }
            _ => arena.print_command(command, &mut text),
        }
        text.push('\n');
        for (term, params) in command.terms().into_iter().zip(params) {
            let fact = facts.of(arena, term);
            roots.push(Root { term, fact, origin: at as u32, params, piece: pieces.len() });
        }
        pieces.push(Piece { kind, text: Rc::from(text.as_str()) });
    }
    if !fixed.is_empty() {
        pieces.push(Piece { kind: PieceKind::Fixed, text: Rc::from(fixed.as_str()) });
    }
    State { pieces, roots, declared: Vec::new(), lineage: Vec::new() }
}

/// The distinct expressions of the script, and its declared constants.
fn fill_pool(arena: &mut Arena, facts: &mut Facts, script: &Script, roots: &[Root]) -> Pool {
    let mut pool = Pool::default();
    let terms: Vec<Term> = roots.iter().map(|root| root.term).collect();
    let order = post_order(arena, &terms);
    let mut seen: HashSet<Term, FixedState> = HashSet::default();
    for term in order {
        seen.insert(term);
        let annotated = matches!(arena.view(term), View::Annotated { .. });
        if !annotated && facts.of(arena, term).marks & mark::NAMED == 0 {
            pool.add(arena.sort(term), term);
        }
    }
    for command in &script.commands {
        for op in functions_of(arena, command) {
            let OpKind::Function { args, result } = &arena.op(op).kind else { continue };
            if !args.is_empty() || arena.sort_node(*result).is_polymorphic {
                continue;
            }
            let result = *result;
            let constant = arena.app_unchecked(op, &[], result);
            if seen.insert(constant) {
                pool.add(result, constant);
            }
        }
    }
    pool
}
