//! A draft: the script of a seed while it is mutated, cut into pieces with their printed text.
//!
//! A mutation prints only the piece that it changes. A case is the concatenation of all pieces.

mod availability;
pub(crate) mod facts;
mod logic;
mod needs;
mod open;
mod pool;
mod position;

pub(crate) use facts::{Fact, Facts, ValuesOnly, mark, theory_bit};
pub(crate) use logic::{Allowance, allowance};
pub(crate) use needs::{Decision, decide};
pub(crate) use open::USUAL_GROWTH;
pub(crate) use pool::Pool;
pub(crate) use position::Position;

use crate::kit::random::Random;
use case::text::head;
use case::{Case, Expectation, Step};
use needs::Decisions;
use smt::rewrite::FreeLocals;
use smt::{Arena, Command, DeclarationForm, Op, OpKind, Scope, Sort, Symbol, Term, View};
use std::rc::Rc;

/// After this many new terms, the seed is read again to bound the memory.
const MAX_NEW_TERMS: usize = 200_000;
/// Terms up to this size are printed without `let`, even if the seed's `let`s were expanded.
const MAX_UNSHARED: u32 = 400;
/// The lineage shows only the operator of a term with more nodes.
const MAX_SHOWN: u32 = 9;
/// The longest text of a term in the lineage, in characters.
const MAX_SHOWN_TEXT: usize = 80;

/// The kind of a piece.
#[derive(Clone, Debug)]
enum PieceKind {
    /// Commands that no mutation changes.
    Fixed,
    /// The `set-logic` command.
    Logic,
    /// The assertions whose roots name this piece.
    Assertions,
    /// A definition. Its bodies are the roots that name this piece.
    Definition(Rc<Command>),
}

/// A part of the script with its text.
#[derive(Clone, Debug)]
struct Piece {
    kind: PieceKind,
    text: Rc<str>,
}

/// A term that mutations may change: an assertion or the body of a definition.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// The term.
    pub term: Term,
    /// Its facts.
    pub fact: Fact,
    /// The index of its command in the seed.
    pub origin: u32,
    /// The parameters of the definition.
    pub params: Rc<[Term]>,
    piece: usize,
}

/// The current script.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pieces: Vec<Piece>,
    roots: Vec<Root>,
    /// Constants that mutations declare, each with the piece that declares it.
    declared: Vec<(usize, Op)>,
    lineage: Vec<Step>,
}

/// What a mutation adds to the script, besides the term that it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Additions {
    /// Constants to declare.
    pub declared: Vec<Op>,
    /// New assertions.
    pub assertions: Vec<Term>,
    /// Whether the new assertions go before all others, if their names are declared there, or after the changed one. The order
    /// matters: what a solver reads first can decide how it handles the rest.
    pub first: bool,
    /// Whether the changed assertion moves to the front, too.
    pub ahead: bool,
}

/// A script that is being mutated.
pub(crate) struct Draft {
    /// The terms.
    pub arena: Arena,
    /// The names in scope at the end of the script.
    pub scope: Scope,
    /// The facts of its terms.
    pub facts: Facts,
    /// The expressions of the formula.
    pub pool: Pool,
    /// The seed's functions with at least one argument.
    pub functions: Vec<smt::Op>,
    /// Whether the seed names a logic.
    pub has_logic: bool,
    free: FreeLocals,
    state: State,
    seed: State,
    /// The needs of the commands without terms.
    base: Fact,
    decisions: Decisions,
    opened_terms: usize,
    /// Whether the seed's `let`s were expanded, so that printing must introduce new ones.
    expanded: bool,
    fresh_prefix: String,
    size_limit: u64,
    buffer: String,
    children: Vec<Term>,
}

impl Draft {
    /// What the current script needs.
    pub fn needs(&self) -> Fact {
        let mut needs = self.base;
        for root in &self.state.roots {
            needs.absorb(&root.fact);
        }
        needs
    }

    /// Whether a root is an assertion.
    pub fn is_assertion(&self, root: usize) -> bool {
        matches!(self.state.pieces[self.state.roots[root].piece].kind, PieceKind::Assertions)
    }

    /// The terms that mutations may change.
    pub fn roots(&self) -> &[Root] {
        &self.state.roots
    }

    /// The number of mutations since the seed.
    pub fn steps(&self) -> usize {
        self.state.lineage.len()
    }

    /// Lets a mutant grow to so many times the size of its seed; 0 for any size. A small seed may always grow by some nodes.
    pub fn limit_growth(&mut self, times: u64) {
        self.size_limit = open::size_limit(&self.seed.roots, times);
    }

    /// A copy of the current script, for [`Draft::restore`].
    pub fn state(&self) -> State {
        self.state.clone()
    }

    /// Returns to an earlier state of the script.
    pub fn restore(&mut self, state: &State) {
        self.state.clone_from(state);
    }

    /// Returns to the seed. The result says whether the seed should be read again to free memory.
    pub fn restart(&mut self) -> bool {
        self.state.clone_from(&self.seed);
        self.pool.forget_new();
        self.has_grown()
    }

    /// Whether the seed should be read again to free memory.
    pub fn has_grown(&self) -> bool {
        self.arena.len() > self.opened_terms + MAX_NEW_TERMS
    }

    /// Whether a term may occur at a position: its free variables are bound there, its names are declared, and none is hidden.
    pub fn usable(&mut self, position: &Position, term: Term) -> bool {
        if !position.admits(&self.facts.of(&self.arena, term)) {
            return false;
        }
        if self.arena.has_no_locals(term) {
            return true;
        }
        let free = self.free.of(&self.arena, term);
        free.iter().all(|&local| position.binds(&self.arena, local))
    }

    /// Puts `new` at a position. Fails if the script would become too large, or if no solver would support all of it.
    pub fn replace(&mut self, position: &Position, new: Term, action: &'static str) -> bool {
        let root = self.rebuilt(position, new);
        let step =
            Step { action: action.into(), before: self.abridged(position.term()), after: self.abridged(new) };
        self.commit(position.root, root, step)
    }

    /// The root of a position, with `new` at the position.
    pub fn rebuilt(&mut self, position: &Position, new: Term) -> Term {
        let mut result = new;
        let mut children = std::mem::take(&mut self.children);
        for (&node, &step) in position.nodes.iter().zip(&position.path).rev() {
            children.clear();
            children.extend_from_slice(self.arena.children(node));
            children[step as usize] = result;
            result = self.arena.with_children(node, &children);
        }
        self.children = children;
        result
    }

    /// Replaces a root. The caller ensures that the new term has the right sort.
    pub fn commit(&mut self, root: usize, term: Term, step: Step) -> bool {
        if term == self.state.roots[root].term || !self.try_set_root(root, term) {
            return false;
        }
        self.state.lineage.push(step);
        true
    }

    /// Replaces two roots in one step.
    pub fn commit_pair(&mut self, first: (usize, Term), second: (usize, Term), step: Step) -> bool {
        let before = self.state.roots[first.0].term;
        if !self.try_set_root(first.0, first.1) {
            return false;
        }
        if !self.try_set_root(second.0, second.1) {
            // The old term was valid here, so this succeeds.
            self.try_set_root(first.0, before);
            return false;
        }
        self.state.lineage.push(step);
        true
    }

    /// Replaces an assertion and adds constants and assertions, in one step.
    pub fn commit_with(&mut self, root: usize, term: Term, additions: &Additions, step: Step) -> bool {
        let mut new = vec![self.facts.of(&self.arena, term)];
        new.extend(additions.assertions.iter().map(|&added| self.facts.of(&self.arena, added)));
        let mut needs = self.base;
        let kept =
            self.state.roots.iter().enumerate().filter(|(at, _)| *at != root).map(|(_, kept)| &kept.fact);
        let mut size = 0;
        for fact in kept.chain(&new) {
            needs.absorb(fact);
            size += u64::from(fact.size);
        }
        if size > self.size_limit || needs.solvers == 0 || term == self.state.roots[root].term {
            return false;
        }
        let slot = &mut self.state.roots[root];
        (slot.term, slot.fact) = (term, new[0]);
        let behind = (slot.piece, slot.origin);
        let mut changed = vec![behind.0];
        let (mut front, mut root) = (0, root);
        for (&term, &fact) in additions.assertions.iter().zip(&new[1..]) {
            let (piece, origin) =
                if additions.first { self.first_assertions(fact.since) } else { None }.unwrap_or(behind);
            let added = Root { term, fact, origin, params: Rc::from([]), piece };
            // A piece prints its roots in this order.
            let at = if additions.first { front } else { self.state.roots.len() };
            self.state.roots.insert(at, added);
            front += 1;
            root += usize::from(additions.first);
            changed.push(piece);
        }
        if additions.ahead
            && let Some((piece, origin)) = self.first_assertions(new[0].since)
        {
            let moved = Root { piece, origin, ..self.state.roots.remove(root) };
            self.state.roots.insert(0, moved);
            changed.push(piece);
        }
        for &op in &additions.declared {
            let piece = self.first_assertions_for(op).unwrap_or(behind.0);
            self.state.declared.push((piece, op));
            changed.push(piece);
        }
        self.state.lineage.push(step);
        changed.sort_unstable();
        changed.dedup();
        for piece in changed {
            self.print_piece(piece);
        }
        true
    }

    /// The first assertions after a command: their piece and their command.
    fn first_assertions(&self, since: u32) -> Option<(usize, u32)> {
        let assertions = (0..self.state.roots.len()).filter(|&root| self.is_assertion(root));
        let slots = assertions.map(|root| (self.state.roots[root].piece, self.state.roots[root].origin));
        slots.filter(|&(_, origin)| origin >= since).min()
    }

    /// The piece of the first assertions that may use a new constant. It is declared there.
    fn first_assertions_for(&mut self, op: Op) -> Option<usize> {
        let OpKind::Function { result, .. } = self.arena.op(op).kind else { return None };
        let since = self.facts.of_sort(&self.arena, result).since;
        self.first_assertions(since).map(|(piece, _)| piece)
    }

    /// The constants of a sort that mutations declared.
    pub fn declared_of(&mut self, sort: Sort) -> Vec<Term> {
        let is =
            |&op: &Op| matches!(self.arena.op(op).kind, OpKind::Function { result, .. } if result == sort);
        let declared: Vec<Op> = self.declared().into_iter().filter(is).collect();
        declared.into_iter().map(|op| self.arena.app_unchecked(op, &[], sort)).collect()
    }

    /// Replaces all roots of the seed, discarding earlier mutations, and adds constants and assertions.
    pub fn commit_all(&mut self, terms: &[Term], additions: &Additions, lineage: Vec<Step>) -> bool {
        self.state.clone_from(&self.seed);
        let mut needs = self.base;
        let facts: Vec<Fact> = terms.iter().map(|&term| self.facts.of(&self.arena, term)).collect();
        let added: Vec<Fact> =
            additions.assertions.iter().map(|&term| self.facts.of(&self.arena, term)).collect();
        for fact in facts.iter().chain(&added) {
            needs.absorb(fact);
        }
        if u64::from(needs.size) > self.size_limit || needs.solvers == 0 {
            return false;
        }
        let mut changed: Vec<usize> = Vec::new();
        for (slot, (&term, fact)) in self.state.roots.iter_mut().zip(terms.iter().zip(facts)) {
            if slot.term != term {
                (slot.term, slot.fact) = (term, fact);
                changed.push(slot.piece);
            }
        }
        let last = self
            .state
            .roots
            .iter()
            .rfind(|root| matches!(self.state.pieces[root.piece].kind, PieceKind::Assertions));
        if let Some((piece, origin)) = last.map(|root| (root.piece, root.origin)) {
            for (&term, fact) in additions.assertions.iter().zip(added) {
                self.state.roots.push(Root { term, fact, origin, params: Rc::from([]), piece });
            }
            self.state.declared.extend(additions.declared.iter().map(|&op| (piece, op)));
            changed.push(piece);
        }
        changed.dedup();
        for piece in changed {
            self.print_piece(piece);
        }
        self.state.lineage = lineage;
        true
    }

    /// Asserts these terms instead of all assertions of the seed, discarding earlier mutations.
    pub fn assert_instead(&mut self, terms: &[Term], lineage: Vec<Step>) -> bool {
        self.state.clone_from(&self.seed);
        let is_assertion =
            |state: &State, piece: usize| matches!(state.pieces[piece].kind, PieceKind::Assertions);
        let last = self.state.roots.iter().rfind(|root| is_assertion(&self.state, root.piece));
        let Some((piece, origin)) = last.map(|root| (root.piece, root.origin)) else { return false };
        let mut roots = std::mem::take(&mut self.state.roots);
        roots.retain(|root| !is_assertion(&self.state, root.piece));
        for &term in terms {
            let fact = self.facts.of(&self.arena, term);
            roots.push(Root { term, fact, origin, params: Rc::from([]), piece });
        }
        self.state.roots = roots;
        let needs = self.needs();
        if u64::from(needs.size) > self.size_limit || needs.solvers == 0 {
            self.state.clone_from(&self.seed);
            return false;
        }
        for piece in 0..self.state.pieces.len() {
            if is_assertion(&self.state, piece) {
                self.print_piece(piece);
            }
        }
        self.state.lineage = lineage;
        true
    }

    /// The constants that mutations declared.
    pub fn declared(&self) -> Vec<Op> {
        self.state.declared.iter().map(|&(_, op)| op).collect()
    }

    /// A constant with a name that is not in the seed, told apart by `number`.
    pub fn fresh_constant(&mut self, number: u64, sort: Sort) -> (Op, Term) {
        let name = format!("{}{number}", self.fresh_prefix);
        let name = self.arena.symbol(&name);
        let op = self.arena.function(name, &[], sort);
        (op, self.arena.app_unchecked(op, &[], sort))
    }

    fn try_set_root(&mut self, root: usize, term: Term) -> bool {
        let fact = self.facts.of(&self.arena, term);
        let mut needs = self.base;
        needs.absorb(&fact);
        let others = self.state.roots.iter().enumerate().filter(|(at, _)| *at != root);
        let mut size = u64::from(fact.size);
        for (_, other) in others {
            needs.absorb(&other.fact);
            size += u64::from(other.fact.size);
        }
        if size > self.size_limit || needs.solvers == 0 {
            return false;
        }
        let slot = &mut self.state.roots[root];
        (slot.term, slot.fact) = (term, fact);
        let piece = slot.piece;
        self.print_piece(piece);
        true
    }

    /// The number of slots for new assertions, each before some `check-sat`.
    pub fn assertion_slots(&self) -> usize {
        self.state.pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::Assertions)).count()
    }

    /// The position of a new assertion in a slot, for [`Draft::usable`].
    pub fn assertion_slot(&self, at: usize) -> Option<Position> {
        let pieces = self.state.pieces.iter().enumerate();
        let (piece, _) = pieces.filter(|(_, piece)| matches!(piece.kind, PieceKind::Assertions)).nth(at)?;
        let origin = self.state.roots.iter().find(|root| root.piece == piece)?.origin;
        Some(Position { origin, ..Position::default() })
    }

    /// Removes an assertion. The last one stays. Fails if no solver would support the rest.
    pub fn remove_assertion(&mut self, root: usize) -> bool {
        let assertions = (0..self.state.roots.len()).filter(|&root| self.is_assertion(root)).count();
        let is_named = self.state.roots[root].fact.marks & mark::NAMED != 0;
        if assertions < 2 || is_named || !self.is_assertion(root) {
            return false;
        }
        let removed = self.state.roots.remove(root);
        if self.needs().solvers == 0 {
            self.state.roots.insert(root, removed);
            return false;
        }
        let before = self.abridged(removed.term);
        self.state.lineage.push(Step { action: "remove".into(), before, after: String::new() });
        self.print_piece(removed.piece);
        true
    }

    /// Adds an assertion to a slot (see [`Draft::assertion_slot`]).
    pub fn add_assertion(&mut self, at: usize, term: Term) -> bool {
        let pieces = self.state.pieces.iter().enumerate();
        let chosen = pieces.filter(|(_, piece)| matches!(piece.kind, PieceKind::Assertions)).nth(at);
        let Some((piece, _)) = chosen else { return false };
        let Some(like) = self.state.roots.iter().find(|root| root.piece == piece) else { return false };
        let fact = self.facts.of(&self.arena, term);
        let mut needs = self.needs();
        needs.absorb(&fact);
        if u64::from(needs.size) > self.size_limit || needs.solvers == 0 {
            return false;
        }
        let root = Root { term, fact, origin: like.origin, params: Rc::from([]), piece };
        self.state.roots.push(root);
        let step = Step { action: "assert".into(), before: String::new(), after: self.abridged(term) };
        self.state.lineage.push(step);
        self.print_piece(piece);
        true
    }

    fn print_piece(&mut self, piece: usize) {
        let mut out = std::mem::take(&mut self.buffer);
        out.clear();
        let roots = self.state.roots.iter().filter(|root| root.piece == piece);
        match &self.state.pieces[piece].kind {
            PieceKind::Assertions => {
                for &(_, op) in self.state.declared.iter().filter(|(at, _)| *at == piece) {
                    self.arena.print_command(&Command::Declare(DeclarationForm::Fun, op), &mut out);
                    out.push('\n');
                }
                for root in roots {
                    print_assertion(&mut self.arena, root.term, root.fact.size, self.expanded, &mut out);
                    out.push('\n');
                }
            }
            PieceKind::Definition(command) => {
                let mut terms = roots.map(|root| root.term);
                let changed = command.map_terms(|old| terms.next().unwrap_or(old));
                self.arena.print_command(&changed, &mut out);
                out.push('\n');
            }
            PieceKind::Fixed | PieceKind::Logic => return,
        }
        self.state.pieces[piece].text = Rc::from(out.as_str());
        self.buffer = out;
    }

    /// The current script as a case.
    pub fn case(&mut self) -> Case {
        let needs = self.needs();
        let decision = self.decisions.of(&self.facts, &self.arena, needs);
        let length: usize = self.state.pieces.iter().map(|piece| piece.text.len()).sum();
        let mut text = String::with_capacity(length + decision.logic.as_ref().map_or(0, String::len));
        for piece in &self.state.pieces {
            match (&piece.kind, &decision.logic) {
                (PieceKind::Logic, Some(logic)) => text.push_str(logic),
                _ => text.push_str(&piece.text),
            }
        }
        Case {
            text,
            expectation: Expectation::Unknown,
            lineage: self.state.lineage.clone(),
            solvers: decision.solvers.clone(),
            theories: decision.theories.clone(),
        }
    }

    /// The logic, theories and solvers of a case with these needs.
    pub fn decision(&mut self, needs: Fact) -> Decision {
        self.decisions.of(&self.facts, &self.arena, needs).clone()
    }

    /// The number of assertions that mutations added.
    pub fn added_assertions(&self) -> usize {
        self.state.roots.len() - self.seed.roots.len()
    }

    /// A name for a variable that is new in the seed and in this chain.
    pub fn fresh_name(&mut self) -> Symbol {
        let name = format!("{}{}", self.fresh_prefix, self.state.lineage.len());
        self.arena.symbol(&name)
    }

    /// Moves `inner` to occurrence number `at` inside the term at `outer`; its path starts there. Returns whether a mutation may
    /// replace it.
    pub fn choose_inside(&mut self, outer: &Position, at: u64, inner: &mut Position) -> bool {
        let term = outer.term();
        let fact = self.facts.of(&self.arena, term);
        let root = Root { term, fact, origin: outer.origin, params: Rc::from([]), piece: 0 };
        inner.descend(&self.arena, &mut self.facts, outer.root, &root, at)
    }

    /// A short form of a term, for the lineage.
    pub fn abridged(&mut self, term: Term) -> String {
        let mut text = String::new();
        if self.facts.of(&self.arena, term).size <= MAX_SHOWN {
            self.arena.print_term(term, &mut text);
        } else {
            text.push('(');
            match self.arena.view(term) {
                View::App(op, _) => self.arena.print_head(op, &mut text),
                View::Let { .. } => text.push_str("let"),
                View::Binder { kind, .. } => text.push_str(binder_name(kind)),
                View::Match { .. } => text.push_str("match"),
                View::Annotated { .. } => text.push('!'),
                View::Literal(..) | View::Local(_) => {}
            }
            text.push_str(" …)");
        }
        let end = head(&text, MAX_SHOWN_TEXT).len();
        if end < text.len() {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    /// Moves to a random occurrence, each with the same probability. Returns whether a mutation may replace it.
    pub fn choose(&mut self, random: &mut Random, position: &mut Position) -> bool {
        let total: u64 = self.state.roots.iter().map(|root| u64::from(root.fact.size)).sum();
        let mut at = random.below(total);
        for (index, root) in self.state.roots.iter().enumerate() {
            let size = u64::from(root.fact.size);
            if at < size {
                return position.descend(&self.arena, &mut self.facts, index, root, at);
            }
            at -= size;
        }
        false
    }

    /// Moves to a random occurrence by descending from a random root: at each node, staying and each of the arguments are equally
    /// likely. Returns whether a mutation may replace it.
    pub fn choose_by_descent(&mut self, random: &mut Random, position: &mut Position) -> bool {
        let index = random.index(self.state.roots.len());
        let Some(root) = self.state.roots.get(index) else { return false };
        let (mut term, mut at) = (root.term, 0);
        loop {
            let children = self.arena.children(term);
            let chosen = random.index(children.len() + 1);
            let Some(step) = chosen.checked_sub(1) else { break };
            let before =
                children[..step].iter().map(|&child| u64::from(self.facts.of(&self.arena, child).size));
            at += 1 + before.sum::<u64>();
            term = children[step];
        }
        position.descend(&self.arena, &mut self.facts, index, root, at)
    }
}

/// Prints an assertion. A large one gets `let`s if the seed's were expanded, because sharing can hide any size.
fn print_assertion(arena: &mut Arena, term: Term, size: u32, expanded: bool, out: &mut String) {
    let term = if expanded && size > MAX_UNSHARED { arena.introduce_lets(term) } else { term };
    out.push_str("(assert ");
    arena.print_term(term, out);
    out.push(')');
}

fn binder_name(kind: smt::Binder) -> &'static str {
    use smt::Binder::{Choice, Comprehension, Exists, Forall, Lambda, Witness};
    match kind {
        Forall => "forall",
        Exists => "exists",
        Lambda => "lambda",
        Choice => "choice",
        Witness => "witness",
        Comprehension => "set.comprehension",
    }
}
