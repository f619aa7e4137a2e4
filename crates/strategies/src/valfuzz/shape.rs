//! The shape of a seed: its skeleton, its monitors, and the meta-formulas that solvers are asked about.

use super::domains::{domains, relations};
use super::holes::{Skeleton, constant};
use super::monitors::{Extraction, Monitor};
use super::settings::{Domains, ValFuzzSettings};
use crate::api::Unsuitable;
use crate::kit::draft::Draft;
use crate::kit::random::Random;
use semantics::Definitions;
use semantics::validate::questions;
use smt::{
    Arena, Command, DeclarationForm, FixedState, Op, OpKind, Scope, Script, Sort, Symbol, Term,
    parse_in_scope,
};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The maximum size of a seed, in tree nodes.
const MOST_NODES: u64 = 20_000;
/// The maximum number of holes.
const MOST_HOLES: usize = 300;
/// The maximum number of monitors of each kind.
const MOST_MONITORS: usize = 300;

/// The maximum size of all monitored expressions together. Each is written out in full.
const MOST_TEXT: u64 = 60_000;

/// A monitor with its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    /// The Boolean constant.
    pub name: Term,
    /// The same as an operator.
    pub op: Op,
    /// What it watches.
    pub monitor: Monitor,
}

/// A meta-formula.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    /// Its text, up to the check.
    pub prelude: Arc<str>,
    /// What it asserts.
    pub assertions: Vec<Term>,
}

/// The shape of a seed.
pub(super) struct Shape {
    /// The formula with holes.
    pub skeleton: Skeleton,
    /// The monitors: Boolean expressions, then domains, then relations.
    pub monitors: Vec<Named>,
    /// The meta-formula; with CPOG, the one with the skeleton and the one with its negation.
    pub metas: Vec<Meta>,
    /// The names of a meta-formula.
    pub scope: Scope,
    /// The functions that the seed defines, with holes.
    pub definitions: Definitions,
    /// The constants of a meta-formula that are not in the seed.
    pub fresh: BTreeSet<String>,
    /// The constants for quantified variables and `let`s.
    pub locals: Vec<(Op, Term)>,
    /// The solvers that support all operators; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories.
    pub theories: BTreeSet<String>,
}

/// Prefixes that do not occur in the seed's text.
struct Prefixes {
    hole: String,
    monitor: String,
    binding: String,
    variable: String,
}

impl Shape {
    /// The shape of a seed. The holes to compare with each other are random.
    pub fn of(
        draft: &mut Draft,
        script: &Script,
        text: &str,
        settings: &ValFuzzSettings,
        random: &mut Random,
    ) -> Result<Shape, Unsuitable> {
        let size: u64 = draft.roots().iter().map(|root| u64::from(root.fact.size)).sum();
        if size > MOST_NODES {
            return Err(Unsuitable(format!("the formula has {size} nodes; the limit is {MOST_NODES}")));
        }
        check_names(&draft.arena, script)?;
        let prefix = |letter: &str| fresh_prefix(text, letter);
        let prefixes =
            Prefixes { hole: prefix("h"), monitor: prefix("m"), binding: prefix("l"), variable: prefix("q") };
        let skeleton = Skeleton::of(draft, &prefixes.hole, MOST_HOLES);
        if skeleton.holes.is_empty() {
            return Err(Unsuitable("the formula has no constants".to_owned()));
        }
        let mut shape = Shape {
            skeleton,
            monitors: Vec::new(),
            metas: Vec::new(),
            scope: Scope::default(),
            definitions: Definitions::new(),
            fresh: BTreeSet::new(),
            locals: Vec::new(),
            solvers: None,
            theories: BTreeSet::new(),
        };
        if settings.random {
            return Ok(shape);
        }
        if shape.skeleton.open().next().is_none() {
            return Err(Unsuitable("no constant of the formula can become a variable".to_owned()));
        }
        shape.watch(draft, script, settings, &prefixes, random);
        if shape.metas.is_empty() || shape.monitors.is_empty() {
            return Err(Unsuitable("the formula has no Boolean expression to enforce".to_owned()));
        }
        Ok(shape)
    }

    /// Extracts the monitors and writes the meta-formulas.
    fn watch(
        &mut self,
        draft: &mut Draft,
        script: &Script,
        settings: &ValFuzzSettings,
        prefixes: &Prefixes,
        random: &mut Random,
    ) {
        let roots = self.skeleton.without_fixed(&mut draft.arena, &self.skeleton.roots);
        let params: Vec<Vec<Term>> = draft.roots().iter().map(|root| root.params.to_vec()).collect();
        let locals = [prefixes.binding.as_str(), prefixes.variable.as_str()];
        let mut extraction = Extraction::new(&mut draft.arena, &mut draft.scope, settings, locals);
        for (&root, params) in roots.iter().zip(&params) {
            extraction.take(root, params);
        }
        let Extraction { monitors, domains: inner, locals, variables, equations, .. } = extraction;
        let mut watched = sampled(monitors, random);
        if settings.domains != Domains::None {
            watched.extend(sampled(domains_of(draft, script, &variables), random));
        }
        watched.extend(sampled(inner, random));
        watched.extend(self.relations(&mut draft.arena, settings, random));
        self.locals = locals;
        let mut room = MOST_TEXT;
        for monitor in watched {
            let size = u64::from(draft.facts.of(&draft.arena, monitor.expression).size);
            if size > room {
                continue;
            }
            room -= size;
            let number = self.monitors.len() + 1;
            let (op, name) = constant(&mut draft.arena, &prefixes.monitor, number, Sort::BOOL);
            self.monitors.push(Named { name, op, monitor });
        }
        let fresh = self.skeleton.holes.iter().map(|hole| hole.op);
        let fresh = fresh.chain(self.locals.iter().map(|&(op, _)| op));
        let fresh = fresh.chain(self.monitors.iter().map(|named| named.op));
        self.fresh = fresh.map(|op| draft.arena.op_name(op).to_owned()).collect();
        let basic = self.prelude(&draft.arena, script, &roots, &equations);
        let asserted: Vec<Term> =
            (0..roots.len()).filter(|&root| draft.is_assertion(root)).map(|root| roots[root]).collect();
        if settings.original {
            self.add_meta(&mut draft.arena, &basic, &asserted);
            let negated: Vec<Term> =
                asserted.iter().filter_map(|&term| draft.arena.apply("not", &[term]).ok()).collect();
            self.add_meta(&mut draft.arena, &basic, &negated);
        } else {
            self.add_meta(&mut draft.arena, &basic, &[]);
        }
    }

    /// Monitors of the relations between a few holes.
    fn relations(&self, arena: &mut Arena, settings: &ValFuzzSettings, random: &mut Random) -> Vec<Monitor> {
        let mut holes: Vec<Term> = self.skeleton.open().map(|hole| hole.term).collect();
        let numbers: Vec<usize> = chosen(holes.len(), settings.related, random);
        holes = numbers.into_iter().map(|at| holes[at]).collect();
        let mut found = Vec::new();
        for (at, &one) in holes.iter().enumerate() {
            for &other in &holes[at + 1..] {
                found.extend(relations(arena, one, other, settings.all_orders));
            }
        }
        found.into_iter().map(|term| Monitor { expression: term, expanded: term }).collect()
    }

    /// The declarations and definitions, and perhaps the assertions, with these terms. Each hole is declared before the command that
    /// contains it.
    fn commands(&self, arena: &Arena, script: &Script, roots: &[Term], with_assertions: bool) -> String {
        let mut out = String::new();
        if let Some(logic) = script.logic() {
            let all = if arena.name(logic).starts_with("HO_") { "HO_ALL" } else { "ALL" };
            out.push_str(&format!("(set-logic {all})\n"));
        }
        let mut root = 0;
        for command in &script.commands {
            let terms = match command {
                Command::Assert(_) => 1,
                Command::Define(_, definitions) => definitions.len(),
                Command::DeclareSort(..)
                | Command::DeclareSortParameter(_)
                | Command::DefineSort(..)
                | Command::DeclareDatatypes(_)
                | Command::Declare(..) => 0,
                _ => continue,
            };
            let here = root..root + terms;
            root += terms;
            for hole in self.skeleton.open().filter(|hole| here.contains(&hole.root)) {
                declare(arena, hole.op, &mut out);
            }
            if with_assertions || !matches!(command, Command::Assert(_)) {
                let mut bodies = roots[here].iter().copied();
                let changed = command.map_terms(|term| bodies.next().unwrap_or(term));
                arena.print_command(&changed, &mut out);
                out.push('\n');
            }
        }
        out
    }

    /// The question whether the skeleton is satisfiable.
    pub fn skeleton_question(&self, arena: &mut Arena, script: &Script) -> String {
        let roots = self.skeleton.without_fixed(arena, &self.skeleton.roots);
        self.commands(arena, script, &roots, true) + "(check-sat)\n"
    }

    /// Declarations, and the definition of each monitor.
    fn prelude(&self, arena: &Arena, script: &Script, roots: &[Term], equations: &[(Term, Term)]) -> String {
        let mut out = self.commands(arena, script, roots, false);
        self.monitors.iter().for_each(|named| declare(arena, named.op, &mut out));
        self.locals.iter().for_each(|&(op, _)| declare(arena, op, &mut out));
        for &(local, value) in equations {
            assert_equal(arena, local, value, &mut out);
        }
        for named in &self.monitors {
            assert_equal(arena, named.name, named.monitor.expression, &mut out);
        }
        out
    }

    /// Adds a meta-formula with these assertions besides those of the monitors. One that cannot be parsed again is dropped.
    fn add_meta(&mut self, arena: &mut Arena, basic: &str, asserted: &[Term]) {
        let mut text = basic.to_owned();
        for &term in asserted {
            text.push_str("(assert ");
            arena.print_term(term, &mut text);
            text.push_str(")\n");
        }
        let mut scope = Scope::default();
        let Ok(script) = parse_in_scope(arena, &mut scope, &text) else { return };
        let features = arena.features(&script);
        (self.solvers, self.theories) = (features.solvers, features.theories);
        let question = questions(&script).pop().unwrap_or_default();
        (self.scope, self.definitions) = (scope, question.definitions);
        self.metas.push(Meta { prelude: text.into(), assertions: question.assertions });
    }

    /// The skeleton as a script. Each hole is declared before the command that contains it.
    pub fn skeleton_text(&self, arena: &mut Arena, script: &Script) -> String {
        let roots = self.skeleton.without_fixed(arena, &self.skeleton.roots);
        let mut out = String::new();
        let mut root = 0;
        let mut said = false;
        for command in &script.commands {
            let terms = match command {
                Command::Assert(_) => 1,
                Command::Define(_, definitions) => definitions.len(),
                _ => 0,
            };
            let here = root..root + terms;
            root += terms;
            let mut holes = self.skeleton.open().filter(|hole| here.contains(&hole.root)).peekable();
            if holes.peek().is_some() {
                if !said {
                    out.push_str("; Fresh variables representing holes\n");
                    said = true;
                }
                holes.for_each(|hole| declare(arena, hole.op, &mut out));
                out.push('\n');
            }
            let mut bodies = roots[here].iter().copied();
            let changed = if terms > 0 {
                command.map_terms(|term| bodies.next().unwrap_or(term))
            } else {
                command.clone()
            };
            arena.print_command(&changed, &mut out);
            out.push('\n');
        }
        out
    }
}

/// Monitors of the domains of all variables: declared constants, and those for quantified variables.
fn domains_of(draft: &mut Draft, script: &Script, variables: &[Term]) -> Vec<Monitor> {
    let mut constants = Vec::new();
    for command in &script.commands {
        let Command::Declare(_, op) = command else { continue };
        if let OpKind::Function { args, result } = &draft.arena.op(*op).kind
            && args.is_empty()
        {
            let sort = *result;
            constants.push(draft.arena.app_unchecked(*op, &[], sort));
        }
    }
    constants.extend_from_slice(variables);
    let mut found = Vec::new();
    for term in constants {
        found.extend(domains(&mut draft.arena, &mut draft.scope, term));
    }
    found.into_iter().map(|term| Monitor { expression: term, expanded: term }).collect()
}

/// Up to `most` random numbers below `count`, in order.
fn chosen(count: usize, most: usize, random: &mut Random) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    if count > most {
        random.shuffle(&mut numbers);
        numbers.truncate(most);
        numbers.sort_unstable();
    }
    numbers
}

fn sampled(monitors: Vec<Monitor>, random: &mut Random) -> Vec<Monitor> {
    chosen(monitors.len(), MOST_MONITORS, random).into_iter().map(|at| monitors[at]).collect()
}

/// A meta-formula has all declarations in one scope, so no name may be declared twice.
fn check_names(arena: &Arena, script: &Script) -> Result<(), Unsuitable> {
    let mut names: HashSet<Symbol, FixedState> = HashSet::default();
    for command in &script.commands {
        let declared: Vec<Op> = match command {
            Command::Declare(_, op) => vec![*op],
            Command::Define(_, definitions) => definitions.iter().map(|one| one.op).collect(),
            _ => continue,
        };
        if let Some(op) = declared.into_iter().find(|&op| !names.insert(arena.op(op).name)) {
            return Err(Unsuitable(format!("the script declares `{}` twice", arena.op_name(op))));
        }
    }
    Ok(())
}

/// A letter, followed by underscores until no word of the text starts with it and continues with a digit.
fn fresh_prefix(text: &str, letter: &str) -> String {
    let mut prefix = letter.to_owned();
    let taken = |prefix: &str| {
        text.match_indices(prefix)
            .any(|(at, _)| text[at + prefix.len()..].starts_with(|next: char| next.is_ascii_digit()))
    };
    while taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

fn declare(arena: &Arena, op: Op, out: &mut String) {
    arena.print_command(&Command::Declare(DeclarationForm::Fun, op), out);
    out.push('\n');
}

fn assert_equal(arena: &Arena, one: Term, other: Term, out: &mut String) {
    out.push_str("(assert (= ");
    arena.print_term(one, out);
    out.push(' ');
    arena.print_term(other, out);
    out.push_str("))\n");
}
