//! Removes commands: assertions in chunks, then unused declarations, then any others.

use super::in_chunks;
use crate::search::{Candidate, Halt, Offer, Search};
use crate::state::{State, Typed};
use smt::rewrite::post_order;
use smt::{Command, DatatypeId, DeclarationForm, OpKind, Plain, Script, Sort, Symbol, Term, View};
use std::collections::BTreeSet;

/// Removes assertions.
pub fn assertions(search: &mut Search<'_>) -> Result<(), Halt> {
    let is_assertion = |command: &Command| matches!(command, Command::Assert(_));
    in_chunks(search, usize::MAX, &mut |state| indices(state, &is_assertion), &mut |state, removed| {
        let typed = state.typed.as_mut()?;
        let script = prune_unused(typed, &without(&typed.script, removed));
        Some(Candidate::preserving_model(script))
    })
}

/// Removes every unused declaration and definition.
pub fn unused(search: &mut Search<'_>) -> Result<(), Halt> {
    search.take_first(&mut |state, index| {
        let (0, Some(typed)) = (index, state.typed.as_mut()) else { return Offer::End };
        let script = prune_unused(typed, &typed.script);
        Offer::Try(Candidate::preserving_model(script))
    })?;
    Ok(())
}

/// Removes any commands, such as options, logics, levels and superfluous checks.
pub fn any(search: &mut Search<'_>) -> Result<(), Halt> {
    in_chunks(search, usize::MAX, &mut |state| indices(state, &|_| true), &mut |state, removed| {
        let typed = state.typed.as_ref()?;
        let script = without(&typed.script, removed);
        let is_assertion = |index: &usize| matches!(typed.script.commands[*index], Command::Assert(_));
        let only_assertions = removed.iter().all(is_assertion);
        is_closed(typed, &script).then(|| match only_assertions {
            true => Candidate::preserving_model(script),
            false => Candidate::of_script(script),
        })
    })
}

/// Removes pairs of `push` and `pop`, with or without the commands between them, and turns `check-sat-assuming` into
/// `check-sat`, with or without asserting the assumptions.
pub fn levels(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut from = 0;
    loop {
        let found = search.take_first(&mut |state, index| {
            let Some(typed) = &state.typed else { return Offer::End };
            let (command, with_content) = (from + index / 2, index % 2 == 0);
            if command >= typed.script.commands.len() {
                return Offer::End;
            }
            match flattened(&typed.script, command, with_content) {
                Some(script) if is_closed(typed, &script) => Offer::Try(Candidate::of_script(script)),
                _ => Offer::Skip,
            }
        })?;
        match found {
            Some(index) => from += index / 2,
            None => return Ok(()),
        }
    }
}

/// Writes `declare-const` for `declare-fun` without arguments, all at once or one by one.
pub fn constants(search: &mut Search<'_>) -> Result<(), Halt> {
    let is_declare_fun = |command: &Command| matches!(command, Command::Declare(DeclarationForm::Fun, _));
    in_chunks(search, usize::MAX, &mut |state| indices(state, &is_declare_fun), &mut |state, chosen| {
        let typed = state.typed.as_ref()?;
        let mut script = typed.script.clone();
        for &index in chosen {
            if let Command::Declare(form, op) = &mut script.commands[index]
                && matches!(&typed.arena.op(*op).kind, OpKind::Function { args, .. } if args.is_empty())
            {
                *form = DeclarationForm::Const;
            }
        }
        Some(Candidate::preserving_model(script))
    })
}

/// Removes what follows the term of a command: attributes such as the weight of a soft assertion, or the grammar of an abduct.
pub fn bare(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut State| {
        let Some(typed) = &state.typed else { return Vec::new() };
        let has_more = |command: &Command| match command {
            Command::WithTerm(_, _, rest) => !typed.arena.name(*rest).is_empty(),
            _ => false,
        };
        indices(state, &has_more)
    };
    in_chunks(search, usize::MAX, &mut items, &mut |state, chosen| {
        let typed = state.typed.as_mut()?;
        let mut script = typed.script.clone();
        for &index in chosen {
            if let Command::WithTerm(_, _, rest) = &mut script.commands[index] {
                *rest = typed.arena.symbol("");
            }
        }
        Some(Candidate::of_script(script))
    })
}

/// The indices of the commands that satisfy a condition.
fn indices(state: &State, wanted: &dyn Fn(&Command) -> bool) -> Vec<usize> {
    let Some(typed) = &state.typed else { return Vec::new() };
    let commands = typed.script.commands.iter().enumerate();
    commands.filter(|(_, command)| wanted(command)).map(|(index, _)| index).collect()
}

/// The script without the commands at the given indices, which are sorted.
pub fn without(script: &Script, removed: &[usize]) -> Script {
    let kept = script.commands.iter().enumerate().filter(|(index, _)| removed.binary_search(index).is_err());
    Script::new(kept.map(|(_, command)| command.clone()).collect())
}

/// The script without the level opened at `index`: without its commands too, or without `push` and `pop` only.
fn flattened(script: &Script, index: usize, with_content: bool) -> Option<Script> {
    match &script.commands[index] {
        Command::Push(1) => {
            let mut depth = 0u32;
            let mut end = script.commands.len();
            for (at, command) in script.commands.iter().enumerate().skip(index) {
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
            let removed: Vec<usize> = if with_content { (index..=end).collect() } else { vec![index, end] };
            Some(without(script, &removed))
        }
        Command::CheckSatAssuming(assumed) => {
            let mut commands = script.commands.clone();
            let asserted = assumed.iter().filter(|_| !with_content).map(|&term| Command::Assert(term));
            let plain = asserted.chain([Command::Plain(Plain::CheckSat)]);
            commands.splice(index..=index, plain);
            Some(Script::new(commands))
        }
        Command::CheckSatUsing(_) => {
            let mut commands = script.commands.clone();
            commands[index] = Command::Plain(Plain::CheckSat);
            Some(Script::new(commands))
        }
        _ => None,
    }
}

/// What commands use: symbols, sorts and datatypes.
#[derive(Default)]
pub struct Uses {
    names: BTreeSet<Symbol>,
    sorts: BTreeSet<Symbol>,
    walked: BTreeSet<Sort>,
    datatypes: BTreeSet<DatatypeId>,
}

impl Uses {
    /// Everything that the given commands use.
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
                    // A recursive datatype does not count as a use of itself.
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

    /// Whether a command is needed: it introduces something used, or introduces nothing.
    fn needs(&self, typed: &Typed, command: &Command) -> bool {
        match command {
            Command::Declare(_, op) => self.names.contains(&typed.arena.op(*op).name),
            Command::Define(_, definitions) => {
                definitions.iter().any(|definition| self.names.contains(&typed.arena.op(definition.op).name))
            }
            Command::DeclareSort(name, _) | Command::DeclareSortParameter(name) => self.sorts.contains(name),
            // Terms hold expanded sorts, so the printed script never mentions an abbreviation.
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

/// The script without unused declarations and definitions.
pub fn prune_unused(typed: &Typed, script: &Script) -> Script {
    let mut commands = script.commands.clone();
    loop {
        let uses = Uses::of(typed, &commands);
        let before = commands.len();
        commands.retain(|command| uses.needs(typed, command));
        if commands.len() == before {
            return Script::new(commands);
        }
    }
}

/// Whether a changed script still declares everything that it uses.
pub fn is_closed(typed: &Typed, script: &Script) -> bool {
    let uses = Uses::of(typed, &script.commands);
    let used = |command: &&Command| uses.needs(typed, command);
    let needed = typed.script.commands.iter().filter(|command| introduces(command)).filter(used).count();
    let kept = script.commands.iter().filter(|command| introduces(command)).filter(used).count();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Typed {
        Typed::read(text, None).unwrap()
    }

    #[test]
    fn unused_declarations_are_pruned() {
        let table = [
            ("(declare-const x Int)(assert true)", "(assert true)\n"),
            ("(declare-const x Int)(assert (> x 0))", "(declare-const x Int)\n(assert (> x 0))\n"),
            ("(define-fun f () Int 1)(define-fun g () Int f)(assert true)", "(assert true)\n"),
            (
                "(define-fun-rec f ((n Int)) Int (f n))(assert true)",
                "(define-fun-rec f ((n Int)) Int (f n))\n(assert true)\n",
            ),
            ("(declare-sort S 0)(declare-const x S)(assert true)", "(assert true)\n"),
            ("(declare-datatype L ((nil) (cons (head Int) (tail L))))(assert true)", "(assert true)\n"),
            (
                "(define-sort I () Int)(declare-const x I)(assert (> x 0))",
                "(declare-const x Int)\n(assert (> x 0))\n",
            ),
        ];
        for (source, expected) in table {
            let typed = read(source);
            let pruned = prune_unused(&typed, &typed.script);
            assert_eq!(typed.arena.script_text(&pruned), expected, "{source}");
        }
    }

    #[test]
    fn a_script_is_closed_while_it_declares_what_it_uses() {
        let typed = read("(declare-const x Int)(declare-const y Int)(assert (> x 0))(check-sat)");
        for (removed, closed) in [(vec![0], false), (vec![1], true), (vec![0, 2], true), (vec![], true)] {
            assert_eq!(is_closed(&typed, &without(&typed.script, &removed)), closed, "{removed:?}");
        }
    }

    #[test]
    fn levels_are_flattened() {
        let source = "(declare-const p Bool)(push)(assert p)(push)(pop)(pop)(check-sat-assuming (p))";
        let table = [
            (1, true, Some("(declare-const p Bool)\n(check-sat-assuming (p))\n")),
            (
                1,
                false,
                Some("(declare-const p Bool)\n(assert p)\n(push 1)\n(pop 1)\n(check-sat-assuming (p))\n"),
            ),
            (
                3,
                true,
                Some("(declare-const p Bool)\n(push 1)\n(assert p)\n(pop 1)\n(check-sat-assuming (p))\n"),
            ),
            (
                6,
                true,
                Some(
                    "(declare-const p Bool)\n(push 1)\n(assert p)\n(push 1)\n(pop 1)\n(pop 1)\n(check-sat)\n",
                ),
            ),
            (
                6,
                false,
                Some(
                    "(declare-const p Bool)\n(push 1)\n(assert p)\n(push 1)\n(pop 1)\n(pop 1)\n(assert p)\n(check-sat)\n",
                ),
            ),
            (0, true, None),
        ];
        let typed = read(source);
        for (index, with_content, expected) in table {
            let script = flattened(&typed.script, index, with_content);
            let text = script.map(|script| typed.arena.script_text(&script));
            assert_eq!(text.as_deref(), expected, "{index} {with_content}");
        }
    }
}
