//! Mining: from formulas that broke solvers to a library.

use super::extract::{ExtractedAtom, Extractor, Parts};
use super::lenient;
use super::library::{Atom, Counted, Library, MOST_BOUND, MinedFormula, Needs, OptionSet, Rank};
use super::names::Declarations;
use super::rules::{RuleSettings, rules};
use super::skeleton::Skeleton;
use crate::kit::draft::{Facts, mark, theory_bit};
use smt::file_access::is_option;
use smt::{Arena, FixedState, Signatures, parse_script};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::mem::take;
use std::sync::Arc;

/// The marks in libraries, with their names.
pub(super) const MARKS: [(u32, &str); 7] = [
    (mark::QUANTIFIER, "quantifier"),
    (mark::NONLINEAR, "nonlinear"),
    (mark::FUNCTIONS, "functions"),
    (mark::DATATYPES, "datatypes"),
    (mark::HIGHER_ORDER, "higher-order"),
    (mark::RECURSIVE, "recursive"),
    (mark::RESTRICTED, "restricted"),
];

/// Options that affect output and checks, not how the solver works.
const IDLE_OPTIONS: [&str; 22] = [
    "produce-",
    "check-",
    "no-check-",
    "print-",
    "dump",
    "verbos",
    "trace",
    "debug",
    "quiet",
    "stats",
    "incremental",
    "global-declarations",
    "global-decls",
    "model_validate",
    "model",
    "proof",
    "unsat_core",
    "timeout",
    "tlimit",
    "rlimit",
    "lang",
    "regular-output-channel",
];

/// A formula that broke a solver.
#[derive(Clone, Debug, Default)]
pub struct Source<'a> {
    /// Its name: the file, or the finding.
    pub name: &'a str,
    /// The hash by which the miner knows it again.
    pub hash: u64,
    /// Its text.
    pub text: &'a str,
    /// The profile name of the solver that it broke.
    pub solver: Option<&'a str>,
    /// The options that the solver ran with, in the syntax of `set-option` without the colon.
    pub options: Vec<(String, String)>,
}

/// Numbers items in the order of their first occurrence.
struct Numbered<T> {
    all: Vec<T>,
    known: HashMap<T, u32, FixedState>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { all: Vec::new(), known: HashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> FromIterator<T> for Numbered<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut numbered = Numbered::default();
        for thing in all {
            numbered.number(thing);
        }
        numbered
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn number(&mut self, thing: T) -> u32 {
        let all = &mut self.all;
        *self.known.entry(thing).or_insert_with_key(|thing| {
            all.push(thing.clone());
            all.len() as u32 - 1
        })
    }
}

/// Mines formulas one by one.
pub struct Miner {
    signatures: Arc<Signatures>,
    keep_ill_formed: bool,
    extractor: Extractor,
    checker: Checker,
    library: Library,
    ranks: Numbered<(String, Vec<u32>)>,
    forms: Numbered<String>,
    needs: Numbered<Needs>,
    options: Numbered<(String, Vec<(String, String)>)>,
    /// The atoms by text and slots; `None` for those that are not well-formed alone.
    atoms: HashMap<(String, Vec<u32>), Option<u32>, FixedState>,
    skeletons: BTreeMap<Skeleton, u32>,
    normal: BTreeMap<Skeleton, u32>,
    /// The hashes of the formulas.
    known: BTreeSet<u64>,
}

impl Miner {
    /// A miner over these operators. It counts ill-typed formulas, and keeps them if `keep_ill_formed`.
    pub fn new(signatures: Arc<Signatures>, keep_ill_formed: bool) -> Miner {
        Miner::resume(signatures, keep_ill_formed, Library::default())
    }

    /// A miner that adds formulas to a library. The result is the library of all formulas, as if it were mined at once.
    pub fn resume(signatures: Arc<Signatures>, keep_ill_formed: bool, mut library: Library) -> Miner {
        let declarations = Declarations::resume(take(&mut library.declarations));
        let atoms = library.atoms.iter().enumerate();
        Miner {
            atoms: atoms
                .map(|(at, atom)| ((atom.text.clone(), atom.slots.clone()), Some(at as u32)))
                .collect(),
            known: library.formulas.iter().map(|formula| formula.hash).collect(),
            ranks: take(&mut library.ranks).into_iter().map(|rank| (rank.text, rank.after)).collect(),
            forms: take(&mut library.forms).into_iter().collect(),
            needs: take(&mut library.needs).into_iter().collect(),
            options: take(&mut library.options).into_iter().map(|set| (set.solver, set.options)).collect(),
            skeletons: counts(take(&mut library.skeletons)),
            normal: counts(take(&mut library.normal)),
            extractor: Extractor::new(signatures.clone(), declarations),
            checker: Checker::new(signatures.clone()),
            signatures,
            keep_ill_formed,
            library,
        }
    }

    /// Adds a formula that broke a solver, unless a formula with its hash was added before. Returns whether it is new.
    pub fn add(&mut self, source: &Source<'_>) -> bool {
        if !self.known.insert(source.hash) {
            return false;
        }
        let forms = self.take_apart(source);
        self.library.formulas.push(MinedFormula { name: source.name.to_owned(), hash: source.hash, forms });
        true
    }

    /// Takes the parts of a formula into the library. Returns its abstract forms.
    fn take_apart(&mut self, source: &Source<'_>) -> Vec<u32> {
        self.library.origins.formulas += 1;
        let (parts, ill_formed) = match self.extractor.take_apart(source.text) {
            Some(parts) => (parts, false),
            None => {
                self.library.origins.ill_formed += 1;
                if !self.keep_ill_formed {
                    return Vec::new();
                }
                let facts = Facts::without_script(self.signatures.clone());
                match lenient::take_apart(source.text, &mut self.extractor.declarations, &facts) {
                    Some(parts) => (parts, true),
                    None => return Vec::new(),
                }
            }
        };
        if parts.assertions == 0 {
            self.library.origins.empty += 1;
            return Vec::new();
        }
        self.count(&parts);
        let options = self.option_set(source, &parts);
        let mut forms = BTreeSet::new();
        for atom in parts.atoms {
            let form = self.forms.number(atom.form.clone());
            forms.insert(form);
            let ill_formed = ill_formed || atom.outdated;
            if ill_formed && !self.keep_ill_formed {
                self.library.origins.left_out += 1;
                continue;
            }
            self.take(atom, form, source.solver, options, ill_formed);
        }
        count_once(&mut self.skeletons, parts.skeletons);
        forms.into_iter().collect()
    }

    fn count(&mut self, parts: &Parts) {
        self.library.origins.assertions += parts.assertions as u32;
        self.library.origins.left_out += parts.left_out;
        if let Some(count) = self.library.assertions.get_mut(parts.assertions - 1) {
            *count += 1;
        }
        for &variables in &parts.bound {
            self.library.bound[variables.clamp(1, MOST_BOUND) - 1] += 1;
        }
    }

    /// The index of the options of a report; `None` if no option matters.
    fn option_set(&mut self, source: &Source<'_>, parts: &Parts) -> Option<u32> {
        let solver = source.solver?;
        let idle = |name: &str| IDLE_OPTIONS.iter().any(|prefix| name.starts_with(prefix)) || is_option(name);
        let both = source.options.iter().chain(&parts.options);
        let kept: BTreeMap<String, String> =
            both.filter(|(name, _)| !idle(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
        (!kept.is_empty()).then(|| self.options.number((solver.to_owned(), kept.into_iter().collect())))
    }

    fn take(
        &mut self,
        atom: ExtractedAtom,
        form: u32,
        solver: Option<&str>,
        options: Option<u32>,
        ill_formed: bool,
    ) {
        let slots: Vec<u32> = atom
            .ranks
            .iter()
            .map(|(text, after)| self.ranks.number((text.clone(), after.iter().copied().collect())))
            .collect();
        let key = (atom.text.clone(), slots.clone());
        let known = match self.atoms.get(&key) {
            Some(known) => *known,
            None => {
                let new = self.new_atom(atom, form, slots, ill_formed);
                self.atoms.insert(key, new);
                new
            }
        };
        let Some(number) = known else {
            self.library.origins.left_out += 1;
            return;
        };
        let atom = &mut self.library.atoms[number as usize];
        atom.count += 1;
        if let Some(solver) = solver
            && !atom.broke.iter().any(|known| known == solver)
        {
            atom.broke.push(solver.to_owned());
            atom.broke.sort();
        }
        if let Some(options) = options
            && !atom.options.contains(&options)
        {
            atom.options.push(options);
        }
    }

    fn new_atom(&mut self, atom: ExtractedAtom, form: u32, slots: Vec<u32>, ill_formed: bool) -> Option<u32> {
        let mut needs = needs_of(&atom, &self.checker.facts, &self.signatures);
        if !ill_formed {
            let script = self.alone(&atom);
            let (theories, solvers) = self.checker.check(&script)?;
            needs.theories = union(&needs.theories, &theories);
            if script.contains("(declare-codatatypes") {
                needs.solvers = self.signatures.syntax_solvers("declare-codatatypes").map(<[String]>::to_vec);
            } else if let Some(more) = solvers {
                let both = |known: Vec<String>| known.into_iter().filter(|one| more.contains(one)).collect();
                needs.solvers = Some(needs.solvers.take().map_or(more.clone(), both));
            }
            if needs.solvers.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
        }
        let needs = self.needs.number(needs);
        let number = self.library.atoms.len() as u32;
        self.library.atoms.push(Atom {
            text: atom.text,
            form,
            slots,
            after: atom.after.into_iter().collect(),
            needs,
            broke: Vec::new(),
            count: 0,
            ill_formed,
            options: Vec::new(),
        });
        Some(number)
    }

    /// A script with one atom and everything that it needs.
    fn alone(&self, atom: &ExtractedAtom) -> String {
        let declarations = &self.extractor.declarations.all;
        let mut needed = BTreeSet::new();
        let mut waiting: Vec<u32> = atom.after.iter().copied().collect();
        waiting.extend(atom.ranks.iter().flat_map(|(_, after)| after.iter().copied()));
        while let Some(number) = waiting.pop() {
            if needed.insert(number) {
                waiting.extend(&declarations[number as usize].after);
            }
        }
        let mut script: String =
            needed.iter().map(|&number| format!("{}\n", declarations[number as usize].text)).collect();
        let mut text = atom.text.clone();
        for (at, (rank, _)) in atom.ranks.iter().enumerate().rev() {
            let name = format!("{}{at}", if rank.starts_with("()") { 'v' } else { 'f' });
            text = text.replace(&format!("□{at}"), &name);
            script.push_str(&format!("(declare-fun {name} {rank})\n"));
        }
        script.push_str(&format!("(assert {text})\n"));
        script
    }

    /// Adds the skeletons of a formula that is not known to have broken a solver.
    pub fn add_normal(&mut self, text: &str) {
        let Some(parts) = self.extractor.take_apart(text) else { return };
        self.library.origins.normal += 1;
        count_once(&mut self.normal, parts.skeletons);
    }

    /// The library of everything that was added.
    pub fn finish(self, settings: &RuleSettings) -> Library {
        let in_order = |counts: BTreeMap<Skeleton, u32>| {
            let mut all: Vec<Counted> =
                counts.into_iter().map(|(skeleton, count)| Counted { skeleton, count }).collect();
            all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.skeleton.cmp(&b.skeleton)));
            all
        };
        let mut library = self.library;
        library.declarations = self.extractor.declarations.all;
        library.ranks = self.ranks.all.into_iter().map(|(text, after)| Rank { text, after }).collect();
        library.forms = self.forms.all;
        library.needs = self.needs.all;
        library.options =
            self.options.all.into_iter().map(|(solver, options)| OptionSet { solver, options }).collect();
        library.skeletons = in_order(self.skeletons);
        library.normal = in_order(self.normal);
        let transactions: Vec<Vec<u32>> =
            library.formulas.iter().map(|formula| formula.forms.clone()).collect();
        library.rules = rules(&transactions, settings);
        library
    }
}

fn counts(list: Vec<Counted>) -> BTreeMap<Skeleton, u32> {
    list.into_iter().map(|counted| (counted.skeleton, counted.count)).collect()
}

/// Counts each skeleton once per formula.
fn count_once(counts: &mut BTreeMap<Skeleton, u32>, skeletons: Vec<Skeleton>) {
    for skeleton in skeletons.into_iter().collect::<BTreeSet<Skeleton>>() {
        *counts.entry(skeleton).or_default() += 1;
    }
}

fn union(one: &[String], other: &[String]) -> Vec<String> {
    let all: BTreeSet<&String> = one.iter().chain(other).collect();
    all.into_iter().cloned().collect()
}

fn needs_of(atom: &ExtractedAtom, facts: &Facts, signatures: &Signatures) -> Needs {
    let fact = &atom.fact;
    let solvers = (fact.solvers != u32::MAX).then(|| {
        let names = facts.solver_names().iter().enumerate();
        names.filter(|(at, _)| fact.solvers >> at & 1 == 1).map(|(_, name)| name.clone()).collect()
    });
    let theories = signatures.theories.iter().enumerate();
    let marks = MARKS.iter().filter(|(bit, _)| fact.marks & bit != 0);
    Needs {
        solvers,
        theories: theories
            .filter(|(at, _)| fact.theories & theory_bit(*at) != 0)
            .map(|(_, theory)| theory.name.clone())
            .collect::<BTreeSet<String>>()
            .into_iter()
            .collect(),
        marks: marks.map(|(_, word)| (*word).to_owned()).collect(),
    }
}

/// Checks that atoms are well-formed alone.
struct Checker {
    signatures: Arc<Signatures>,
    facts: Facts,
    arena: Arena,
}

/// With more terms, a new arena is started.
const MOST_TERMS: usize = 100_000;

impl Checker {
    fn new(signatures: Arc<Signatures>) -> Checker {
        let facts = Facts::without_script(signatures.clone());
        Checker { arena: Arena::new(signatures.clone()), facts, signatures }
    }

    /// The theories and solvers of a script; `None` if it is ill-typed or prints differently.
    fn check(&mut self, text: &str) -> Option<(Vec<String>, Option<Vec<String>>)> {
        if self.arena.len() > MOST_TERMS {
            self.arena = Arena::new(self.signatures.clone());
        }
        let script = parse_script(&mut self.arena, text).ok()?;
        if self.arena.script_text(&script) != text {
            return None;
        }
        let features = self.arena.features(&script);
        let solvers = features.solvers.map(|solvers| solvers.into_iter().collect());
        Some((features.theories.into_iter().collect(), solvers))
    }
}
