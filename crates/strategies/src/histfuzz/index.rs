//! The library prepared for making instances: bits for names, texts split at their slots, lists by abstract form.

use super::library::{Atom, Library, Needs};
use super::mine::MARKS;
use super::rules::Rule;
use super::settings::{HistFuzzSettings, Variant};
use super::skeleton::{Part, Skeleton};
use crate::kit::draft::{Fact, Facts, mark, theory_bit};
use smt::{Arena, Signatures};
use std::sync::Arc;

/// A prepared atom.
pub(super) struct Ready {
    /// The text between the slots: slot `order[n]` follows `pieces[n]`.
    pub pieces: Vec<String>,
    pub order: Vec<u16>,
    /// What it needs, including its declarations.
    pub fact: Fact,
    /// All declarations that it depends on, in order.
    pub after: Vec<u32>,
}

/// A prepared rank.
pub(super) struct ReadyRank {
    /// Whether a quantifier may bind it.
    pub bindable: bool,
    /// Whether it takes arguments.
    pub function: bool,
    /// All declarations that it depends on, in order.
    pub after: Vec<u32>,
}

/// A prepared library. What depends on settings is in [`Chosen`].
pub(super) struct Index {
    pub library: Arc<Library>,
    pub atoms: Vec<Ready>,
    pub ranks: Vec<ReadyRank>,
    pub facts: Facts,
    pub arena: Arena,
    /// A hash of the library.
    pub fingerprint: u64,
}

impl Index {
    pub fn new(signatures: &Arc<Signatures>, library: Arc<Library>) -> Index {
        let facts = Facts::without_script(signatures.clone());
        let needs: Vec<Fact> = library.needs.iter().map(|needs| fact_of(needs, &facts, signatures)).collect();
        let ready = |atom: &Atom| {
            let (pieces, order) = cut(&atom.text);
            let ranks = atom.slots.iter().map(|&slot| &library.ranks[slot as usize]);
            let direct: Vec<u32> =
                atom.after.iter().copied().chain(ranks.flat_map(|rank| rank.after.iter().copied())).collect();
            Ready { pieces, order, fact: needs[atom.needs as usize], after: closure(&library, &direct) }
        };
        let ranks: Vec<ReadyRank> = library
            .ranks
            .iter()
            .map(|rank| ReadyRank {
                // Few solvers accept regular languages and functions as values.
                bindable: rank.sort().is_some_and(|sort| !sort.contains("RegLan") && !sort.contains("->")),
                function: rank.sort().is_none(),
                after: closure(&library, &rank.after),
            })
            .collect();
        Index {
            atoms: library.atoms.iter().map(ready).collect(),
            ranks,
            facts,
            arena: Arena::new(signatures.clone()),
            fingerprint: fingerprint(&library),
            library,
        }
    }
}

/// The parts of a library that the settings select.
pub(super) struct Chosen {
    /// The atoms that may be used.
    pub atoms: Vec<u32>,
    /// The same atoms by abstract form.
    pub by_form: Vec<Vec<u32>>,
    pub rules: Vec<Rule>,
    /// The rules by the abstract forms of their antecedents.
    pub rules_of: Vec<Vec<u32>>,
    pub skeletons: Vec<Skeleton>,
    /// Whether a skeleton needs a solver with loose arities: it has `implies`, or a connective with a single argument.
    pub loose: Vec<bool>,
    /// The texts of the skeletons.
    pub texts: Vec<String>,
    /// Whether an atom broke one of the selected solvers.
    pub preferred: Vec<bool>,
    /// The selected solvers, as bits; all if none is named.
    pub selected: u32,
    /// The solvers with loose arities, as bits.
    pub loose_solvers: u32,
}

/// Skeletons with more holes give instances that no solver can solve.
const MOST_HOLES: usize = 12;

impl Chosen {
    pub fn new(index: &Index, settings: &HistFuzzSettings) -> Chosen {
        let library = &index.library;
        let usable = |at: &usize| settings.ill_formed || !library.atoms[*at].ill_formed;
        let atoms: Vec<u32> = (0..library.atoms.len()).filter(usable).map(|at| at as u32).collect();
        let mut by_form = vec![Vec::new(); library.forms.len()];
        for &atom in &atoms {
            by_form[library.atoms[atom as usize].form as usize].push(atom);
        }
        let fits = |rule: &&Rule| {
            settings.variant == Variant::Full
                && rule.support >= settings.support
                && rule.confidence() > settings.confidence
                && rule.consequent.iter().any(|&form| !by_form[form as usize].is_empty())
        };
        let rules: Vec<Rule> = library.rules.iter().filter(fits).cloned().collect();
        let mut rules_of = vec![Vec::new(); library.forms.len()];
        for (at, rule) in rules.iter().enumerate() {
            for &form in &rule.antecedent {
                rules_of[form as usize].push(at as u32);
            }
        }
        let source = match settings.variant {
            Variant::Full | Variant::Random => &library.skeletons,
            Variant::Normal => &library.normal,
        };
        let fits = |skeleton: &&Skeleton| {
            // Current solvers require arguments; old ones accepted a bare connective.
            let complete = || !skeleton.0.iter().any(|part| matches!(part, Part::Connective(_, 0)));
            skeleton.holes() <= MOST_HOLES && (settings.ill_formed || complete())
        };
        let skeletons: Vec<Skeleton> =
            source.iter().map(|counted| &counted.skeleton).filter(fits).cloned().collect();
        let preferred = |atom: &Atom| atom.broke.iter().any(|solver| settings.solvers.contains(solver));
        Chosen {
            atoms,
            by_form,
            rules,
            rules_of,
            loose: skeletons.iter().map(is_loose).collect(),
            texts: skeletons.iter().map(ToString::to_string).collect(),
            skeletons,
            preferred: library.atoms.iter().map(preferred).collect(),
            selected: selected(&index.facts, &settings.solvers),
            loose_solvers: index.facts.syntax_set("loose-arity"),
        }
    }
}

fn is_loose(skeleton: &Skeleton) -> bool {
    skeleton.0.iter().any(|part| match part {
        Part::Connective("implies", _) => true,
        Part::Connective(name, count) => *name != "not" && *count < 2,
        _ => false,
    })
}

/// A set of solvers as bits. Those that no signature names share the highest bit.
fn selected(facts: &Facts, solvers: &[String]) -> u32 {
    if solvers.is_empty() {
        return u32::MAX;
    }
    let named = |solver: &&String| facts.solver_names().contains(solver);
    let others = solvers.iter().any(|solver| !named(&solver));
    facts.solver_set(solvers) | if others { 1 << 31 } else { 0 }
}

/// Splits a text at its slots.
fn cut(text: &str) -> (Vec<String>, Vec<u16>) {
    let mut parts = text.split('□');
    let mut pieces = vec![parts.next().unwrap_or_default().to_owned()];
    let mut order = Vec::new();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        order.push(part[..digits].parse().unwrap_or_default());
        pieces.push(part[digits..].to_owned());
    }
    (pieces, order)
}

/// Declarations with everything that they depend on, in order.
fn closure(library: &Library, direct: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    let mut waiting: Vec<u32> = direct.to_vec();
    while let Some(number) = waiting.pop() {
        if !all.contains(&number) {
            all.push(number);
            waiting.extend(&library.declarations[number as usize].after);
        }
    }
    all.sort_unstable();
    all
}

fn fact_of(needs: &Needs, facts: &Facts, signatures: &Signatures) -> Fact {
    let mut fact = Fact { size: 1, ..Fact::NEUTRAL };
    if let Some(solvers) = &needs.solvers {
        fact.solvers = facts.solver_set(solvers);
    }
    for (at, theory) in signatures.theories.iter().enumerate() {
        if needs.theories.contains(&theory.name) {
            fact.theories |= theory_bit(at);
        }
    }
    // Nothing is known about a theory that is not loaded.
    let known = |name: &String| signatures.theories.iter().any(|theory| theory.name == *name);
    if !needs.theories.iter().all(known) {
        fact.marks |= mark::RESTRICTED;
    }
    for (bit, word) in MARKS {
        if needs.marks.iter().any(|one| one == word) {
            fact.marks |= bit;
        }
    }
    fact
}

/// A hash of everything that instances are made of.
fn fingerprint(library: &Library) -> u64 {
    case::hash::fnv1a(&library.write())
}
