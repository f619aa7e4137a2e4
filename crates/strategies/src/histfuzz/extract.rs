//! Extracts the skeletons and the atoms of a formula, under the names of the library.

use super::names::{Declarations, Names, slot_name};
use super::skeleton::{CONNECTIVES, Part, Skeleton};
use crate::kit::constants::COMMON_FORMATS;
use crate::kit::draft::{Fact, Facts, mark};
use smt::rewrite::{Definitions, FreeLocals};
use smt::signature::Associativity;
use smt::{
    Arena, Binder, Command, OpKind, Plain, Script, Signatures, Sizes, Sort, Term, View, parse_script,
    reserved,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Larger atoms are dropped, in nodes.
const LARGEST_ATOM: u64 = 60;
/// Larger skeletons are dropped, in parts.
const LARGEST_SKELETON: usize = 64;

/// An extracted atom: an atomic formula.
#[derive(Debug)]
pub(super) struct ExtractedAtom {
    /// The text, with `□N` for slots.
    pub text: String,
    /// The rank of each slot, with the declarations that it mentions.
    pub ranks: Vec<(String, BTreeSet<u32>)>,
    /// The abstract form.
    pub form: String,
    /// The declarations that the text mentions.
    pub after: BTreeSet<u32>,
    /// What it needs.
    pub fact: Fact,
    /// Whether current solvers reject it: it uses names of old releases, or too many arguments.
    pub outdated: bool,
}

/// The parts of a formula.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The skeleton of each assertion, except for those that are too large.
    pub skeletons: Vec<Skeleton>,
    /// Its atoms.
    pub atoms: Vec<ExtractedAtom>,
    /// The number of assertions.
    pub assertions: usize,
    /// The number of variables of each quantifier.
    pub bound: Vec<usize>,
    /// The options that it sets.
    pub options: Vec<(String, String)>,
    /// The number of atoms that are too large.
    pub left_out: u32,
}

/// Extracts the parts of formulas.
pub(super) struct Extractor {
    signatures: Arc<Signatures>,
    pub declarations: Declarations,
}

impl Extractor {
    pub fn new(signatures: Arc<Signatures>, declarations: Declarations) -> Self {
        Extractor { signatures, declarations }
    }

    /// The parts of a formula; `None` if our type checker rejects it.
    pub fn take_apart(&mut self, text: &str) -> Option<Parts> {
        let mut arena = Arena::new(self.signatures.clone());
        let script = parse_script(&mut arena, text).ok()?;
        let names = Names::of(&arena, &script, &mut self.declarations);
        let definitions = Definitions::of(&mut arena, &script);
        let mut parts = Parts { options: options_of(&arena, &script), ..Parts::default() };
        let facts = Facts::without_script(self.signatures.clone());
        let mut extractor = AtomExtractor {
            arena,
            names,
            facts,
            sizes: Sizes::default(),
            free: FreeLocals::default(),
            parts: &mut parts,
        };
        for assertion in script.assertions() {
            let term = definitions.inline(&mut extractor.arena, assertion);
            let term = extractor.arena.expand_lets(term);
            extractor.assertion(term);
        }
        Some(parts)
    }
}

/// The options that a script sets.
fn options_of(arena: &Arena, script: &Script) -> Vec<(String, String)> {
    let option = |command: &Command| match command {
        Command::SetOption(keyword, value) => {
            let name = arena.name(*keyword).trim_start_matches(':').to_owned();
            Some((name, arena.name(*value).to_owned()))
        }
        _ => None,
    };
    // Commands after a reset or an exit do not count.
    let first = script
        .commands
        .iter()
        .take_while(|command| !matches!(command, Command::Plain(Plain::Reset | Plain::Exit)));
    first.filter_map(option).collect()
}

struct AtomExtractor<'a> {
    arena: Arena,
    names: Names,
    facts: Facts,
    sizes: Sizes,
    free: FreeLocals,
    parts: &'a mut Parts,
}

impl AtomExtractor<'_> {
    /// Descends to the atoms of an assertion.
    fn assertion(&mut self, term: Term) {
        self.parts.assertions += 1;
        let mut skeleton = Vec::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if skeleton.len() > LARGEST_SKELETON {
                self.parts.left_out += 1;
                return;
            }
            match self.arena.view(term) {
                View::Annotated { body, .. } => stack.push(body),
                View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                    skeleton.push(if kind == Binder::Forall { Part::Forall } else { Part::Exists });
                    self.parts.bound.push(variables.len());
                    stack.push(bodies[0]);
                }
                View::App(op, args) => match self.connective(op) {
                    Some(name) if args.len() <= usize::from(u16::MAX) => {
                        skeleton.push(Part::Connective(name, args.len() as u16));
                        stack.extend(args.iter().rev());
                    }
                    _ => {
                        skeleton.push(Part::Hole);
                        self.atom(term);
                    }
                },
                _ => {
                    skeleton.push(Part::Hole);
                    self.atom(term);
                }
            }
        }
        self.parts.skeletons.push(Skeleton(skeleton));
    }

    fn connective(&self, op: smt::Op) -> Option<&'static str> {
        let name = self.arena.op_name(op);
        let theory = matches!(self.arena.op(op).kind, OpKind::Theory(_));
        CONNECTIVES.into_iter().find(|connective| theory && *connective == name)
    }

    /// Adds the needs of single operators. Returns whether one is outdated.
    fn inspect(&self, term: Term, fact: &mut Fact) -> bool {
        let signatures = self.arena.signatures();
        let mut outdated = false;
        for node in smt::rewrite::post_order(&self.arena, &[term]) {
            for feature in self.unusual_features(self.arena.sort(node)) {
                fact.solvers &= !self.facts.lacking_set(feature);
            }
            let View::App(op, args) = self.arena.view(node) else { continue };
            match &self.arena.op(op).kind {
                OpKind::Theory(id) => {
                    let declaration = &signatures.declarations[*id as usize];
                    outdated |=
                        declaration.removed || declaration.at_most.is_some_and(|most| args.len() > most);
                    let open_ended = declaration.associativity == Associativity::Variadic;
                    if args.len() < declaration.args.len() && !open_ended {
                        // Few solvers accept `(bvor x)`, or a missing argument.
                        fact.solvers &= self.facts.syntax_set("loose-arity");
                    }
                    if !declaration.without_logic.is_empty() {
                        fact.marks |= mark::RESTRICTED;
                    }
                }
                OpKind::Updater(..) => {
                    fact.solvers &= self.facts.syntax_set(self.arena.op_name(op));
                    fact.marks |= mark::RESTRICTED;
                }
                _ => {}
            }
        }
        outdated
    }

    /// The features of a sort that some solvers lack: uncommon floating-point formats, and arrays indexed by arrays.
    fn unusual_features(&self, sort: Sort) -> BTreeSet<&'static str> {
        let mut features = BTreeSet::new();
        let mut waiting = vec![sort];
        while let Some(sort) = waiting.pop() {
            let node = self.arena.sort_node(sort);
            let is_array = |sort: Sort| self.arena.sort_head(sort) == "Array";
            if is_array(sort) && node.args.first().is_some_and(|&index| is_array(index)) {
                features.insert("array-indices");
            }
            if self.arena.float_format(sort).is_some_and(|format| !COMMON_FORMATS.contains(&format)) {
                features.insert("float-formats");
            }
            waiting.extend(node.args.iter());
        }
        features
    }

    fn atom(&mut self, term: Term) {
        match self.extract_atom(term) {
            Some(atom) => self.parts.atoms.push(atom),
            None => self.parts.left_out += 1,
        }
    }

    fn extract_atom(&mut self, term: Term) -> Option<ExtractedAtom> {
        if self.sizes.of(&self.arena, term) > LARGEST_ATOM {
            return None;
        }
        let mut fact = self.facts.of(&self.arena, term);
        let outdated = self.inspect(term, &mut fact);
        let form = abstract_form(&self.arena, term);
        // Quantified variables and declared functions become constants and functions with the names of slots.
        let mut ranks: Vec<(Vec<Sort>, Sort)> = Vec::new();
        let free: Vec<Term> = self.free.of(&self.arena, term).to_vec();
        let mut pairs = Vec::new();
        for local in free {
            let sort = self.arena.sort(local);
            let name = self.arena.symbol(&slot_name(ranks.len()));
            let op = self.arena.function(name, &[], sort);
            pairs.push((local, self.arena.app_unchecked(op, &[], sort)));
            ranks.push((Vec::new(), sort));
        }
        let bare = self.arena.substitute(term, &pairs);
        let own = ranks.len();
        let mut known: Vec<smt::Op> = Vec::new();
        let bare = self.arena.map_ops(bare, &mut |arena, op| {
            let OpKind::Function { args, result } = &arena.op(op).kind else { return None };
            let (args, result) = (args.to_vec(), *result);
            if arena.op_name(op).starts_with("slot!") {
                return None;
            }
            let at = known.iter().position(|one| *one == op).unwrap_or_else(|| {
                known.push(op);
                ranks.push((args.clone(), result));
                known.len() - 1
            });
            let name = arena.symbol(&slot_name(own + at));
            Some(arena.function(name, &args, result))
        });
        let bare = strip_annotations(&mut self.arena, bare);
        let text = self.arena.term_text(bare);
        let renamed = self.names.rename(&text)?;
        let mut slots = Vec::with_capacity(renamed.slots.len());
        for &number in &renamed.slots {
            let (args, result) = &ranks[number];
            let words: Vec<String> = args.iter().map(|&sort| self.arena.sort_text(sort)).collect();
            let rank = format!("({}) {}", words.join(" "), self.arena.sort_text(*result));
            let rank = self.names.rename(&rank)?;
            slots.push((rank.text, rank.after));
        }
        Some(ExtractedAtom { text: renamed.text, ranks: slots, form, after: renamed.after, fact, outdated })
    }
}

/// A term without annotations: names must be unique, and patterns mention variables that are elsewhere.
fn strip_annotations(arena: &mut Arena, term: Term) -> Term {
    smt::rewrite::rebuild(arena, &[term], |arena, node| match arena.view(node) {
        View::Annotated { body, .. } => Some(body),
        _ => None,
    })[0]
}

/// The operator of an atom, with the theory of each argument and whether it contains variables.
pub(super) fn abstract_form(arena: &Arena, term: Term) -> String {
    let kind = |term: Term| {
        let variable = has_variable(arena, term);
        format!("{}{}", theory_of(arena, arena.sort(term)), if variable { "Var" } else { "Const" })
    };
    match arena.view(term) {
        View::App(op, []) if !matches!(arena.op(op).kind, OpKind::Function { .. }) => {
            arena.op_name(op).to_owned()
        }
        View::App(_, []) | View::Local(_) => "BoolVar".to_owned(),
        View::App(op, args) => {
            let name = match &arena.op(op).kind {
                OpKind::Function { .. } => "uf",
                OpKind::Selector(..) => "selector",
                OpKind::Tester(..) => "tester",
                OpKind::Apply => "apply",
                _ => arena.op_name(op),
            };
            let args: Vec<String> = args.iter().map(|&arg| kind(arg)).collect();
            format!("({name} {})", args.join(" "))
        }
        View::Binder { .. } => "binder".to_owned(),
        View::Match { scrutinee, .. } => format!("(match {})", kind(scrutinee)),
        View::Literal(..) | View::Let { .. } | View::Annotated { .. } => "other".to_owned(),
    }
}

fn has_variable(arena: &Arena, term: Term) -> bool {
    smt::rewrite::post_order(arena, &[term]).into_iter().any(|node| match arena.view(node) {
        View::Local(_) => true,
        View::App(op, _) => matches!(arena.op(op).kind, OpKind::Function { .. } | OpKind::Opaque),
        _ => false,
    })
}

/// The theory of a sort, in one word.
fn theory_of(arena: &Arena, sort: Sort) -> &str {
    let node = arena.sort_node(sort);
    if arena.datatype_of(sort).is_some() {
        return "Datatype";
    }
    match arena.sort_head(sort) {
        "->" => return "Function",
        _ if node.head == reserved::TUPLE_SORT => return "Tuple",
        _ => {}
    }
    let known = !arena.signatures().sort_constructors(node.head).is_empty() || node.is_param;
    if known { arena.sort_head(sort) } else { "Sort" }
}
