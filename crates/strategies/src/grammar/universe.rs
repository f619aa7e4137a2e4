//! The universe of a group of formulas: sorts, constants, functions and datatypes, drawn so that some operators of some theories
//! can be applied. Everything comes from the signature table, including a user's own theories.

use super::focus::Pair;
use crate::kit::constants::COMMON_FORMATS;
use crate::kit::ground::draw;
use crate::kit::operators::rank::build;
use crate::kit::random::Random;
use smt::signature::Declaration;
use smt::{Arena, Signatures, Sort};
use std::fmt::Write;
use std::sync::Arc;

/// The maximum number of sorts in a universe.
const MOST_SORTS: usize = 9;
/// The maximum nesting of sorts.
pub(super) const DEEPEST: usize = 3;
/// The number of attempts at drawing sorts for an operator.
const ATTEMPTS: usize = 8;
/// Theories whose operators need commands that are not generated.
pub(super) const NOT_GENERATED: [&str; 1] = ["SeparationLogic"];

/// A function with arguments.
pub(super) struct Function {
    pub name: String,
    pub args: Vec<String>,
    pub result: String,
}

/// The names that formulas use, as text.
pub(super) struct Universe {
    /// Declarations of sorts, datatypes and constants, one per line.
    pub declarations: String,
    /// The functions. Each formula declares or defines them.
    pub functions: Vec<Function>,
    /// The only solver whose own operators may occur; `None` for the operators that all share.
    pub only: Option<String>,
    /// Whether only this solver is certain to accept the sorts.
    pub is_narrow: bool,
    /// The pairs of operators that every formula should contain.
    pub focus: Vec<Pair>,
    /// Whether some of them exist only in scripts without a logic.
    pub without_logic: bool,
}

/// Which operators the universe must allow.
pub(super) enum Subject<'a> {
    /// Those of some random theories.
    Any,
    /// A few, drawn by name: each operator of the table has the same chance.
    Focus {
        /// These are not drawn.
        avoided: &'a [String],
    },
    /// These, for one solver.
    Operators { names: &'a [String], solver: Option<&'a str> },
}

impl Universe {
    /// Draws a universe.
    pub fn draw(signatures: &Arc<Signatures>, subject: &Subject<'_>, random: &mut Random) -> Universe {
        let mut arena = Arena::new(signatures.clone());
        let mut drawing =
            Drawing { signatures, sorts: Vec::new(), only: None, focus: Vec::new(), avoided: &[] };
        if let Subject::Focus { avoided } = subject {
            drawing.avoided = avoided;
        }
        let (own_sort, datatypes) = match subject {
            Subject::Focus { .. } => (random.chance(1, 16), usize::from(random.chance(1, 6))),
            Subject::Any => (random.chance(1, 4), random.below(3).saturating_sub(1) as usize),
            Subject::Operators { .. } => (false, 0),
        };
        drawing.only = match subject {
            Subject::Any if random.chance(1, 4) => drawing.random_solver(random),
            Subject::Any => None,
            Subject::Focus { .. } => drawing.begin_focus(random),
            Subject::Operators { solver, .. } => solver.map(str::to_owned),
        };
        let mut elements = draw::elements(&mut arena);
        elements.retain(|&sort| arena.float_format(sort).is_none());
        random.shuffle(&mut elements);
        match subject {
            Subject::Any => elements.truncate(3),
            Subject::Focus { .. } => elements.truncate(2),
            // Other theories would blur what is learned from the formulas.
            Subject::Operators { .. } => elements.retain(|&sort| matches!(sort, Sort::INT | Sort::BOOL)),
        }
        if own_sort {
            elements.push(arena.make_sort("U", &[], &[]));
        }
        for at in 0..datatypes {
            elements.push(arena.make_sort(&format!("D{at}"), &[], &[]));
        }
        let chosen = match subject {
            Subject::Any => drawing.operators_of_theories(random),
            Subject::Focus { .. } => {
                drawing.focus_on_pairs(&mut arena, &elements, random);
                Vec::new()
            }
            Subject::Operators { names, .. } => drawing.operators_named(names, random),
        };
        for id in chosen {
            drawing.add_sorts_for(&mut arena, id, &elements, random);
        }
        if own_sort || datatypes > 0 {
            elements.reverse();
            elements.iter().take(1 + datatypes).for_each(|&sort| drawing.add(&arena, sort));
        }
        drawing.add(&arena, Sort::BOOL);
        drawing.finish(&arena, own_sort, datatypes, random)
    }
}

impl Universe {
    /// The declarations of all functions, one per line.
    pub fn declared_functions(&self) -> String {
        let line = |function: &Function| {
            format!("(declare-fun {} ({}) {})\n", function.name, function.args.join(" "), function.result)
        };
        self.functions.iter().map(line).collect()
    }
}

/// A universe that is being drawn.
pub(super) struct Drawing<'a> {
    pub(super) signatures: &'a Signatures,
    sorts: Vec<Sort>,
    pub(super) only: Option<String>,
    pub(super) focus: Vec<Pair>,
    pub(super) avoided: &'a [String],
}

impl Drawing<'_> {
    /// A solver that some signature names.
    pub(super) fn random_solver(&self, random: &mut Random) -> Option<String> {
        let mut names: Vec<&String> =
            self.signatures.theories.iter().filter_map(|theory| theory.solvers.as_ref()).flatten().collect();
        names.sort();
        names.dedup();
        random.pick(&names).map(|name| (*name).clone())
    }

    /// Whether formulas may use a rank: the solvers that they are for support it.
    pub(super) fn is_generated(&self, declaration: &Declaration) -> bool {
        let theory = &self.signatures.theories[declaration.theory];
        let name = self.signatures.name(declaration.name);
        if declaration.removed
            || NOT_GENERATED.contains(&theory.name.as_str())
            || self.avoided.iter().any(|avoided| avoided == name)
        {
            return false;
        }
        match (&self.only, self.signatures.solvers_of(declaration)) {
            (Some(only), _) if declaration.experimental.contains(only) => false,
            (Some(only), Some(names)) => names.contains(only),
            (_, None) => true,
            // A theory of its own is fine: its solvers share it. A single operator would leave only one solver.
            (None, Some(_)) => declaration.solvers.is_none() && declaration.experimental.is_empty(),
        }
    }

    /// A few ranks of one to three theories, mostly standard ones.
    fn operators_of_theories(&self, random: &mut Random) -> Vec<u32> {
        let mut by_theory: Vec<Vec<u32>> = vec![Vec::new(); self.signatures.theories.len()];
        for (id, declaration) in self.signatures.declarations.iter().enumerate() {
            if self.is_generated(declaration) {
                by_theory[declaration.theory].push(id as u32);
            }
        }
        let mut weights: Vec<f64> = by_theory
            .iter()
            .zip(&self.signatures.theories)
            .map(|(ranks, theory)| match (ranks.is_empty(), &theory.solvers) {
                (true, _) => 0.0,
                (false, None) => 6.0,
                (false, Some(_)) => 1.5,
            })
            .collect();
        let mut chosen = Vec::new();
        let mut known: Option<Vec<String>> = None;
        for _ in 0..1 + random.below(3) {
            let Some(theory) = random.weighted(&weights) else { break };
            weights[theory] = 0.0;
            // Skip a theory that no solver supports together with the others.
            if let Some(names) = &self.signatures.theories[theory].solvers {
                let both: Vec<String> = match &known {
                    None => names.clone(),
                    Some(known) => known.iter().filter(|name| names.contains(name)).cloned().collect(),
                };
                if both.is_empty() {
                    continue;
                }
                known = Some(both);
            }
            for _ in 0..2 + random.below(4) {
                chosen.extend(random.pick(&by_theory[theory]));
            }
        }
        chosen
    }

    /// One or two ranks of each named operator.
    fn operators_named(&self, names: &[String], random: &mut Random) -> Vec<u32> {
        let mut chosen = Vec::new();
        for name in names {
            let fits = |id: &u32| {
                let declaration = &self.signatures.declarations[*id as usize];
                self.signatures.name(declaration.name) == name && self.is_generated(declaration)
            };
            let ranks: Vec<u32> = (0..self.signatures.declarations.len() as u32).filter(fits).collect();
            chosen.extend(random.pick(&ranks));
        }
        chosen
    }

    /// Draws sorts for the variables of a rank and adds all sorts that it needs.
    fn add_sorts_for(&mut self, arena: &mut Arena, id: u32, elements: &[Sort], random: &mut Random) {
        let declaration = &self.signatures.declarations[id as usize];
        for _ in 0..ATTEMPTS {
            let Some((bindings, result)) = draw::draw(arena, declaration, None, elements, random) else {
                continue;
            };
            let args: Option<Vec<Sort>> =
                declaration.args.iter().map(|pattern| build(arena, &bindings, pattern)).collect();
            let Some(mut needed) = args else { continue };
            needed.push(result);
            if needed.iter().all(|&sort| self.is_usable(arena, sort, DEEPEST)) {
                needed.into_iter().for_each(|sort| self.add(arena, sort));
                return;
            }
        }
    }

    /// Whether constants of a sort can be declared or written.
    pub(super) fn is_usable(&self, arena: &Arena, sort: Sort, depth: usize) -> bool {
        if arena.float_format(sort).is_some_and(|format| !COMMON_FORMATS.contains(&format)) {
            return self.only.as_deref().is_some_and(|only| self.supports_any_format(only));
        }
        let node = arena.sort_node(sort);
        let inner = |&arg: &Sort| arg != Sort::REGLAN && self.is_usable(arena, arg, depth - 1);
        arena.sort_head(sort) != "->" && depth > 0 && node.args.iter().all(inner)
    }

    /// Whether signatures name a solver and do not say that it lacks some floating-point formats.
    pub(super) fn supports_any_format(&self, solver: &str) -> bool {
        let named =
            |theory: &smt::signature::Theory| theory.solvers.iter().flatten().any(|name| name == solver);
        self.signatures.theories.iter().any(named)
            && self.signatures.solvers_without("float-formats").all(|name| name != solver)
    }

    /// Adds a sort and its component sorts.
    pub(super) fn add(&mut self, arena: &Arena, sort: Sort) {
        let mut waiting = vec![sort];
        while let Some(sort) = waiting.pop() {
            if !self.sorts.contains(&sort) && (self.sorts.len() < MOST_SORTS || sort == Sort::BOOL) {
                self.sorts.push(sort);
                waiting.extend(arena.sort_node(sort).args.iter().rev());
            }
        }
    }

    fn finish(self, arena: &Arena, own_sort: bool, datatypes: usize, random: &mut Random) -> Universe {
        let mut text = String::new();
        if own_sort {
            text.push_str("(declare-sort U 0)\n");
        }
        let names: Vec<String> = self.sorts.iter().map(|&sort| arena.sort_text(sort)).collect();
        // Regular languages are written, not declared. Sorts that contain datatypes cannot be fields.
        let plain: Vec<&String> = names
            .iter()
            .zip(&self.sorts)
            .filter(|(name, sort)| **sort != Sort::REGLAN && !name.contains('D'))
            .map(|(name, _)| name)
            .collect();
        if datatypes > 0 {
            datatypes_into(datatypes, &plain, random, &mut text);
        }
        let mut count = 0;
        let declared: Vec<&String> = names
            .iter()
            .zip(&self.sorts)
            .filter(|(_, sort)| **sort != Sort::REGLAN)
            .map(|(name, _)| name)
            .collect();
        for name in &declared {
            // Few constants occur often, and so connect the assertions.
            let most = if self.focus.is_empty() { 3 } else { 2 };
            for _ in 0..1 + random.below(most) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "(declare-const v{count} {name})");
                count += 1;
            }
        }
        let functions = (0..random.below(3))
            .map(|at| {
                let mut sort = || declared[random.index(declared.len())].clone();
                let (result, first) = (sort(), sort());
                let mut args = vec![first];
                if random.chance(1, 3) {
                    args.push(declared[random.index(declared.len())].clone());
                }
                Function { name: format!("f{at}"), args, result }
            })
            .collect();
        let is_narrow = self
            .sorts
            .iter()
            .any(|&sort| arena.float_format(sort).is_some_and(|format| !COMMON_FORMATS.contains(&format)));
        let without_logic = self.needs_no_logic();
        Universe {
            declarations: text,
            functions,
            only: self.only,
            is_narrow,
            focus: self.focus,
            without_logic,
        }
    }
}

/// Declares datatypes `D0`, `D1`, … over each other and the given sorts. The first constructor of each is not recursive.
fn datatypes_into(count: usize, sorts: &[&String], random: &mut Random, out: &mut String) {
    let heads: Vec<String> = (0..count).map(|at| format!("(D{at} 0)")).collect();
    let mut bodies = Vec::new();
    for datatype in 0..count {
        let mut constructors = Vec::new();
        for constructor in 0..1 + random.below(3) {
            let mut body = format!("(c{datatype}_{constructor}");
            for field in 0..random.below(3) {
                // The first constructor takes no datatype, so every value can be written.
                let sort = if constructor > 0 && random.chance(1, 2) {
                    format!("D{}", random.index(count))
                } else {
                    random.pick(sorts).map_or_else(|| "Bool".to_owned(), |sort| (*sort).clone())
                };
                let _ = write!(body, " (s{datatype}_{constructor}_{field} {sort})");
            }
            body.push(')');
            constructors.push(body);
        }
        bodies.push(format!("({})", constructors.join(" ")));
    }
    let _ = writeln!(out, "(declare-datatypes ({}) ({}))", heads.join(" "), bodies.join(" "));
}
