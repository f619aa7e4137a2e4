//! Leaving out commands: assertions in chunks, then everything that nothing needs, then whatever is left.

use super::in_chunks;
use crate::search::{Body, Candidate, Fate, Halt, Offer, Search};
use crate::state::{State, Typed};
use smt::rewrite::post_order;
use smt::{Command, DatatypeId, DeclarationForm, OpKind, Plain, Script, Sort, Symbol, Term, View};
use std::collections::BTreeSet;

/// Leaves out assertions.
pub fn assertions(search: &mut Search<'_>) -> Result<(), Halt> {
    let is_assertion = |command: &Command| matches!(command, Command::Assert(_));
    in_chunks(search, usize::MAX, &mut |state| places(state, &is_assertion), &mut |state, gone| {
        let typed = state.typed.as_mut()?;
        let script = used_only(typed, &without(&typed.script, gone));
        // A model of more assertions is one of fewer.
        Some(Candidate { body: Body::Script(script), fate: Fate::Kept })
    })
}

/// Leaves out every declaration and definition that nothing needs.
pub fn unused(search: &mut Search<'_>) -> Result<(), Halt> {
    search.first(&mut |state, number| {
        let (0, Some(typed)) = (number, state.typed.as_mut()) else { return Offer::End };
        let script = used_only(typed, &typed.script);
        Offer::Try(Candidate { body: Body::Script(script), fate: Fate::Kept })
    })?;
    Ok(())
}

/// Leaves out any commands: options, logics, levels, questions after the last one that matters.
pub fn any(search: &mut Search<'_>) -> Result<(), Halt> {
    in_chunks(search, usize::MAX, &mut |state| places(state, &|_| true), &mut |state, gone| {
        let typed = state.typed.as_ref()?;
        let script = without(&typed.script, gone);
        let dropped = |at: &usize| matches!(typed.script.commands[*at], Command::Assert(_));
        let fate = if gone.iter().all(dropped) { Fate::Kept } else { Fate::Checked };
        is_closed(typed, &script).then_some(Candidate { body: Body::Script(script), fate })
    })
}

/// Leaves out pairs of `push` and `pop` with or without what stands between them, and makes `check-sat-assuming` a plain
/// `check-sat` with or without its assumptions asserted.
pub fn levels(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut from = 0;
    loop {
        let found = search.first(&mut |state, number| {
            let Some(typed) = &state.typed else { return Offer::End };
            let Some(place) = (from + number / 2 < typed.script.commands.len()).then_some(from + number / 2)
            else {
                return Offer::End;
            };
            let variant = number % 2;
            match flattened(&typed.script, place, variant == 0) {
                Some(script) if is_closed(typed, &script) => Offer::Try(Candidate::checked(script)),
                _ => Offer::Skip,
            }
        })?;
        match found {
            Some(number) => from += number / 2,
            None => return Ok(()),
        }
    }
}

/// `declare-const` for every `declare-fun` without arguments, all at once or one by one.
pub fn constants(search: &mut Search<'_>) -> Result<(), Halt> {
    let long = |command: &Command| matches!(command, Command::Declare(DeclarationForm::Fun, _));
    in_chunks(search, usize::MAX, &mut |state| places(state, &long), &mut |state, chosen| {
        let typed = state.typed.as_ref()?;
        let mut script = typed.script.clone();
        for &place in chosen {
            if let Command::Declare(form, op) = &mut script.commands[place]
                && matches!(&typed.arena.op(*op).kind, OpKind::Function { args, .. } if args.is_empty())
            {
                *form = DeclarationForm::Const;
            }
        }
        Some(Candidate { body: Body::Script(script), fate: Fate::Kept })
    })
}

fn places(state: &State, wanted: &dyn Fn(&Command) -> bool) -> Vec<usize> {
    let Some(typed) = &state.typed else { return Vec::new() };
    let commands = typed.script.commands.iter().enumerate();
    commands.filter(|(_, command)| wanted(command)).map(|(place, _)| place).collect()
}

/// The script without the commands at some places (sorted).
pub fn without(script: &Script, gone: &[usize]) -> Script {
    let kept = script.commands.iter().enumerate().filter(|(place, _)| gone.binary_search(place).is_err());
    Script::new(kept.map(|(_, command)| command.clone()).collect())
}

/// The script with the level that is opened at `place` dissolved.
fn flattened(script: &Script, place: usize, with_content: bool) -> Option<Script> {
    match &script.commands[place] {
        Command::Push(1) => {
            let mut depth = 0u32;
            let mut end = script.commands.len();
            for (at, command) in script.commands.iter().enumerate().skip(place) {
                match command {
                    Command::Push(count) => depth += count,
                    Command::Pop(count) => depth = depth.saturating_sub(*count),
                    _ => {}
                }
                if depth == 0 {
                    end = at;
                    break;
                }
            }
            let gone: Vec<usize> = if with_content { (place..=end).collect() } else { vec![place, end] };
            Some(without(script, &gone))
        }
        Command::CheckSatAssuming(assumed) => {
            let mut commands = script.commands.clone();
            let asserted = assumed.iter().filter(|_| !with_content).map(|&term| Command::Assert(term));
            let plain = asserted.chain([Command::Plain(Plain::CheckSat)]);
            commands.splice(place..=place, plain);
            Some(Script::new(commands))
        }
        Command::CheckSatUsing(_) => {
            let mut commands = script.commands.clone();
            commands[place] = Command::Plain(Plain::CheckSat);
            Some(Script::new(commands))
        }
        _ => None,
    }
}

/// What a script's commands need of each other.
#[derive(Default)]
pub struct Uses {
    names: BTreeSet<Symbol>,
    sorts: BTreeSet<Symbol>,
    walked: BTreeSet<Sort>,
    datatypes: BTreeSet<DatatypeId>,
}

impl Uses {
    /// What the given commands use.
    pub fn of(typed: &Typed, commands: &[Command]) -> Uses {
        let mut uses = Uses::default();
        let terms: Vec<Term> = commands.iter().flat_map(Command::terms).collect();
        for node in post_order(&typed.arena, &terms) {
            uses.node(typed, node);
        }
        for command in commands {
            match command {
                Command::Declare(_, op) => uses.rank(typed, *op),
                Command::Define(_, definitions) => {
                    for definition in definitions {
                        uses.rank(typed, definition.op);
                    }
                }
                Command::DefineSort(_, _, sort) => uses.sort(typed, *sort),
                Command::DeclareDatatypes(ids) => {
                    // That a recursive datatype mentions itself does not keep it.
                    let own: Vec<Symbol> = ids.iter().map(|id| typed.arena.datatype(*id).name).collect();
                    let constructors = ids.iter().flat_map(|id| &typed.arena.datatype(*id).constructors);
                    for (_, sort) in constructors.flat_map(|constructor| &constructor.fields) {
                        if !own.contains(&typed.arena.sort_node(*sort).head) {
                            uses.sort(typed, *sort);
                        }
                    }
                }
                _ => {}
            }
        }
        uses
    }

    fn node(&mut self, typed: &Typed, node: Term) {
        let arena = &typed.arena;
        self.sort(typed, arena.sort(node));
        for &name in arena.bound_names(node) {
            self.sort(typed, arena.sort(name));
        }
        match arena.view(node) {
            View::App(op, _) => self.op(typed, op),
            View::Match { patterns, .. } => {
                for pattern in patterns {
                    if let smt::Pattern::Constructor(op, _) = pattern {
                        self.op(typed, *op);
                    }
                }
            }
            _ => {}
        }
    }

    fn op(&mut self, typed: &Typed, op: smt::Op) {
        let node = typed.arena.op(op);
        match &node.kind {
            OpKind::Function { .. } => {
                self.names.insert(node.name);
            }
            OpKind::Constructor(id, _)
            | OpKind::Selector(id, ..)
            | OpKind::Tester(id, _)
            | OpKind::Updater(id, ..) => {
                self.datatypes.insert(*id);
            }
            OpKind::FunctionValue(inner) | OpKind::Map(inner) => self.op(typed, *inner),
            _ => {}
        }
        if let Some(sort) = node.ascription {
            self.sort(typed, sort);
        }
    }

    fn rank(&mut self, typed: &Typed, op: smt::Op) {
        let (args, result) = typed.rank(op);
        args.iter().chain([&result]).for_each(|&sort| self.sort(typed, sort));
    }

    fn sort(&mut self, typed: &Typed, sort: Sort) {
        if self.walked.insert(sort) {
            let node = typed.arena.sort_node(sort);
            self.sorts.insert(node.head);
            node.args.iter().for_each(|&arg| self.sort(typed, arg));
        }
    }

    /// Whether something uses what a command introduces; commands that introduce nothing are always used.
    fn needs(&self, typed: &Typed, command: &Command) -> bool {
        match command {
            Command::Declare(_, op) => self.names.contains(&typed.arena.op(*op).name),
            Command::Define(_, definitions) => {
                definitions.iter().any(|definition| self.names.contains(&typed.arena.op(definition.op).name))
            }
            Command::DeclareSort(name, _) | Command::DeclareSortParameter(name) => self.sorts.contains(name),
            // Sorts are kept as what they stand for, so an abbreviation is never needed once the script is printed.
            Command::DefineSort(..) => false,
            Command::DeclareDatatypes(ids) => {
                let used = |id: &DatatypeId| {
                    self.datatypes.contains(id) || self.sorts.contains(&typed.arena.datatype(*id).name)
                };
                ids.iter().any(used)
            }
            _ => true,
        }
    }
}

/// The script without declarations and definitions that nothing needs any more.
pub fn used_only(typed: &Typed, script: &Script) -> Script {
    let mut commands = script.commands.clone();
    loop {
        let uses = Uses::of(typed, &commands);
        let before = commands.len();
        // A recursive function uses itself; that alone does not keep it.
        commands.retain(|command| uses.needs(typed, command));
        if commands.len() == before {
            return Script::new(commands);
        }
    }
}

/// Whether everything that the script uses is declared somewhere in it.
pub fn is_closed(typed: &Typed, script: &Script) -> bool {
    let uses = Uses::of(typed, &script.commands);
    let gone = |command: &&Command| uses.needs(typed, command);
    let needed = typed.script.commands.iter().filter(|command| introduces(command)).filter(gone).count();
    let kept = script.commands.iter().filter(|command| introduces(command)).filter(gone).count();
    kept >= needed
}

fn introduces(command: &Command) -> bool {
    matches!(
        command,
        Command::Declare(..)
            | Command::Define(..)
            | Command::DeclareSort(..)
            | Command::DeclareSortParameter(_)
            | Command::DeclareDatatypes(_)
    )
}
