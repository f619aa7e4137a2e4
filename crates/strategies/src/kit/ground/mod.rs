//! Random ground terms: every operator of the signature table over boundary values and random values.
//!
//! Solvers cross-examine the evaluator with them, so they are plain text that both sides parse on their own.

pub(crate) mod draw;
mod templates;
mod values;

use crate::kit::operators::rank::build;
use crate::kit::random::Random;
use smt::signature::{Associativity, Bindings, Declaration, SortPattern};
use smt::{Arena, Index, Scope, Signatures, Sort};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a ground term tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A rank of the signature table, by its index.
    Rank(u32),
    /// Something outside the table, by its index.
    Template(usize),
}

/// A ground term.
#[derive(Clone, Debug)]
pub struct GroundTerm {
    /// The term.
    pub text: String,
    /// The ranks of all operators in it.
    pub ranks: Vec<u32>,
    /// The solvers that support all of them; `None` if every solver may.
    pub solvers: Option<BTreeSet<&'static str>>,
    /// Whether it uses functions as values.
    pub higher_order: bool,
}

impl GroundTerm {
    /// Whether a solver supports all operators of the term.
    pub fn is_known_to(&self, solver: &str) -> bool {
        self.solvers.as_ref().is_none_or(|names| names.contains(solver))
    }
}

/// The state of one term's generation.
#[derive(Default)]
struct Context {
    solvers: u8,
    values_only: bool,
    higher_order: bool,
    locals: Vec<(String, Sort)>,
    ranks: Vec<u32>,
}

impl Context {
    const Z3: u8 = 1;
    const CVC5: u8 = 2;
    const NAMES: [(u8, &'static str); 2] = [(Context::Z3, "z3"), (Context::CVC5, "cvc5")];

    /// The solvers of a bit set; `None` for all of them.
    fn names(solvers: u8) -> Option<BTreeSet<&'static str>> {
        let is_member = |(bit, _): &&(u8, &'static str)| solvers & bit != 0;
        let names: BTreeSet<&str> = Self::NAMES.iter().filter(is_member).map(|(_, name)| *name).collect();
        (names.len() < Self::NAMES.len()).then_some(names)
    }

    /// A set of solvers as bits. Solvers that are not examined have none.
    fn bits(solvers: &[String]) -> u8 {
        let named = |(_, name): &&(u8, &str)| solvers.iter().any(|solver| solver == name);
        Self::NAMES.iter().filter(named).fold(0, |set, (bit, _)| set | bit)
    }

    fn only(&mut self, solvers: u8) {
        self.solvers &= solvers;
    }
}

/// Makes ground terms.
pub struct GroundTerms {
    arena: Arena,
    scope: Scope,
    signatures: Arc<Signatures>,
    elements: Vec<Sort>,
    wide_elements: Vec<Sort>,
    by_head: BTreeMap<String, Vec<u32>>,
}

impl GroundTerms {
    /// Declarations that the terms may use. Read them before any term.
    pub const PRELUDE: &'static str = templates::PRELUDE;

    /// A generator over a signature table.
    pub fn new(signatures: &Arc<Signatures>) -> GroundTerms {
        let mut arena = Arena::new(signatures.clone());
        let mut scope = Scope::default();
        let read = smt::parse_in_scope(&mut arena, &mut scope, templates::PRELUDE);
        debug_assert!(read.is_ok(), "the prelude reads: {read:?}");
        let elements = draw::elements(&mut arena);
        let mut wide_elements = elements.clone();
        for text in WIDE {
            wide_elements.extend(smt::parse_sort(&mut arena, &mut scope, text).ok());
        }
        let mut by_head: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (id, declaration) in signatures.declarations.iter().enumerate() {
            if !is_generated(signatures, declaration) || declaration.args.is_empty() {
                continue;
            }
            let head = match &declaration.result {
                SortPattern::Variable(_) => continue,
                SortPattern::Ground(sort) => arena.sort_head(*sort).to_owned(),
                SortPattern::Constructed { head, .. } => arena.name(*head).to_owned(),
            };
            by_head.entry(head).or_default().push(id as u32);
        }
        let signatures = signatures.clone();
        GroundTerms { arena, scope, signatures, elements, wide_elements, by_head }
    }

    /// Everything that terms can test: the ranks that current releases support and that have an evaluation rule, and the
    /// templates.
    pub fn subjects(&self) -> Vec<Subject> {
        let made = |id: &u32| is_generated(&self.signatures, &self.signatures.declarations[*id as usize]);
        let ranks = (0..self.signatures.declarations.len() as u32).filter(made).map(Subject::Rank);
        ranks.chain((0..templates::TEMPLATES.len()).map(Subject::Template)).collect()
    }

    /// The name of a subject, for display.
    pub fn name(&self, subject: Subject) -> String {
        match subject {
            Subject::Rank(id) => self.signatures.describe(&self.signatures.declarations[id as usize]),
            Subject::Template(at) => templates::TEMPLATES[at].name.to_owned(),
        }
    }

    /// The theory of a subject.
    pub fn theory(&self, subject: Subject) -> &str {
        match subject {
            Subject::Rank(id) => {
                let theory = self.signatures.declarations[id as usize].theory;
                &self.signatures.theories[theory].name
            }
            Subject::Template(_) => "language",
        }
    }

    /// Whether the standard leaves the value open for some arguments, so that more terms are needed to test it.
    pub fn is_open(&self, subject: Subject) -> bool {
        match subject {
            Subject::Rank(id) => self.signatures.declarations[id as usize].open,
            Subject::Template(_) => false,
        }
    }

    /// A term with the subject at its root; `None` if the draw fails.
    pub fn make(&mut self, subject: Subject, random: &mut Random) -> Option<GroundTerm> {
        let mut context = Context { solvers: Context::Z3 | Context::CVC5, ..Context::default() };
        let depth = random.below(3) as u32;
        let text = match subject {
            Subject::Rank(id) => {
                let (text, sort) = self.apply(id, None, depth, &mut context, random)?;
                self.observable(text, sort, &mut context, random)?
            }
            Subject::Template(at) => {
                let template = &templates::TEMPLATES[at];
                context.only(template.solvers);
                context.higher_order = template.text.contains("lambda");
                self.fill(template.text, depth, &mut context, random)?
            }
        };
        let Context { solvers, higher_order, ranks, .. } = context;
        (solvers != 0).then(|| GroundTerm { text, ranks, solvers: Context::names(solvers), higher_order })
    }

    /// Regular languages and functions cannot be compared, so the term asks about a member or a result instead.
    fn observable(
        &mut self,
        text: String,
        sort: Sort,
        context: &mut Context,
        random: &mut Random,
    ) -> Option<String> {
        if sort == Sort::REGLAN {
            let word = values::constant(&mut self.arena, Sort::STRING, context, random)?;
            return Some(format!("(str.in_re {word} {text})"));
        }
        if self.arena.sort_head(sort) != "->" {
            return Some(text);
        }
        let args = self.arena.sort_node(sort).args.clone();
        if context.solvers == Context::Z3 {
            // In Z3, functions are arrays.
            let key = values::constant(&mut self.arena, args[0], context, random)?;
            return Some(format!("(select {text} {key})"));
        }
        let mut applied = text;
        for &arg in &args[..args.len() - 1] {
            applied = format!("(@ {applied} {})", values::constant(&mut self.arena, arg, context, random)?);
        }
        Some(applied)
    }

    /// The template with each sort in braces replaced by a constant of that sort; `None` if a sort has no constants.
    pub fn with_constants(&mut self, template: &str, random: &mut Random) -> Option<String> {
        let mut context = Context { solvers: Context::Z3 | Context::CVC5, ..Context::default() };
        self.fill(template, 0, &mut context, random)
    }

    fn fill(
        &mut self,
        template: &str,
        depth: u32,
        context: &mut Context,
        random: &mut Random,
    ) -> Option<String> {
        let mut text = String::new();
        for part in template.split('{') {
            let Some((sort, rest)) = part.split_once('}') else {
                text.push_str(part);
                continue;
            };
            let sort = smt::parse_sort(&mut self.arena, &mut self.scope, sort).ok()?;
            text.push_str(&self.term(sort, depth, context, random)?);
            text.push_str(rest);
        }
        Some(text)
    }

    /// A term of a sort: a constant, a variable in scope, or an operator applied to smaller terms.
    fn term(&mut self, sort: Sort, depth: u32, context: &mut Context, random: &mut Random) -> Option<String> {
        let fitting: Vec<usize> =
            (0..context.locals.len()).filter(|&at| context.locals[at].1 == sort).collect();
        if !fitting.is_empty() && random.chance(1, 2) {
            return Some(context.locals[fitting[random.index(fitting.len())]].0.clone());
        }
        if self.arena.sort_head(sort) == "->" {
            return self.lambda(sort, depth, context, random);
        }
        if depth > 0 && random.chance(3, 5) {
            let candidates = self.by_head.get(self.arena.sort_head(sort)).cloned().unwrap_or_default();
            for _ in 0..3 {
                let Some(&id) = random.pick(&candidates) else { break };
                if solver_set(&self.signatures, id) & context.solvers == 0 {
                    continue;
                }
                let before = (context.solvers, context.ranks.len(), context.higher_order);
                if let Some((text, _)) = self.apply(id, Some(sort), depth - 1, context, random)
                    && context.solvers != 0
                {
                    return Some(text);
                }
                context.solvers = before.0;
                context.ranks.truncate(before.1);
                context.higher_order = before.2;
            }
        }
        values::constant(&mut self.arena, sort, context, random)
    }

    /// A function whose body may use its parameters.
    fn lambda(
        &mut self,
        sort: Sort,
        depth: u32,
        context: &mut Context,
        random: &mut Random,
    ) -> Option<String> {
        context.higher_order = true;
        let args = self.arena.sort_node(sort).args.clone();
        let (&result, params) = args.split_last()?;
        let before = context.locals.len();
        let mut list = Vec::new();
        for &param in params {
            let name = format!("x{}", context.locals.len());
            list.push(format!("({name} {})", self.arena.sort_text(param)));
            context.locals.push((name, param));
        }
        let body = self.term(result, depth.max(1), context, random);
        context.locals.truncate(before);
        Some(format!("(lambda ({}) {})", list.join(" "), body?))
    }

    /// Applies a rank to random terms.
    fn apply(
        &mut self,
        id: u32,
        wanted: Option<Sort>,
        depth: u32,
        context: &mut Context,
        random: &mut Random,
    ) -> Option<(String, Sort)> {
        let signatures = self.signatures.clone();
        let declaration = &signatures.declarations[id as usize];
        context.only(solver_set(&signatures, id));
        context.ranks.push(id);
        let name = signatures.name(declaration.name);
        if matches!(name, "NUMERAL" | "DECIMAL" | "STRING") {
            let SortPattern::Ground(sort) = declaration.result else { return None };
            return Some((values::constant(&mut self.arena, sort, context, random)?, sort));
        }
        let core = signatures.theories[declaration.theory].name == "Core";
        let elements = if core && wanted.is_none() { &self.wide_elements } else { &self.elements };
        let (bindings, result) = draw::draw(&mut self.arena, declaration, wanted, elements, random)?;
        let mut sorts = Vec::new();
        for pattern in &declaration.args {
            sorts.push(build(&mut self.arena, &bindings, pattern)?);
        }
        self.repeat(declaration, result, &mut sorts, random);
        let mut text = self.head(declaration, &bindings, result)?;
        let outer = context.values_only;
        let mut last_only = false;
        let strict = Context::bits(&declaration.values_only);
        if strict != 0 {
            values_or_without(strict, context, random, |context| context.values_only = true);
        }
        let strict = Context::bits(&declaration.last_value_only);
        if strict != 0 {
            values_or_without(strict, context, random, |_| last_only = true);
        }
        let count = sorts.len();
        for (at, &sort) in sorts.iter().enumerate() {
            let values_only = context.values_only;
            context.values_only |= last_only && at + 1 == count;
            let arg = if context.values_only {
                values::constant(&mut self.arena, sort, context, random)
            } else if self.takes_functions(declaration, at) && random.chance(2, 3) {
                self.lambda(sort, depth, context, random)
            } else {
                self.term(sort, depth, context, random)
            };
            context.values_only = values_only;
            text.push(' ');
            text.push_str(&arg?);
        }
        context.values_only = outer;
        if count > 0 {
            text = format!("({text})");
        }
        Some((text, result))
    }

    /// Whether an argument may be a function: Z3 accepts arrays there, and its functions are arrays.
    fn takes_functions(&self, declaration: &Declaration, at: usize) -> bool {
        let name = self.signatures.name(declaration.name);
        let array = matches!(declaration.args.get(at), Some(SortPattern::Constructed { head, .. }) if self.arena.name(*head) == "Array");
        array && (name.starts_with("seq.") || name.starts_with("set."))
    }

    /// Adds arguments to a variadic operator.
    fn repeat(&self, declaration: &Declaration, result: Sort, sorts: &mut Vec<Sort>, random: &mut Random) {
        let Some(&last) = sorts.last() else { return };
        let more = match declaration.associativity {
            Associativity::None => false,
            Associativity::Left => sorts.len() == 2 && sorts[0] == result && sorts[1] == result,
            Associativity::Right => last == result,
            _ => true,
        };
        if more && random.chance(1, 3) {
            let most = declaration.at_most.unwrap_or(4).max(sorts.len());
            let count = sorts.len() + random.index(most + 1 - sorts.len());
            sorts.resize(count, last);
        }
    }

    fn head(&self, declaration: &Declaration, bindings: &Bindings, result: Sort) -> Option<String> {
        let mut name = String::new();
        smt::print::name_into(self.signatures.name(declaration.name), &mut name);
        if declaration.qualified {
            return Some(format!("(as {name} {})", self.arena.sort_text(result)));
        }
        if declaration.indices.is_empty() {
            return Some(name);
        }
        let mut text = format!("(_ {name}");
        for expr in &declaration.indices {
            let Index::Num(number) = bindings.index(expr)? else { return None };
            text.push_str(&format!(" {number}"));
        }
        text.push(')');
        Some(text)
    }
}

/// More sorts for operators that accept any sort.
const WIDE: &[&str] = &[
    "(Array Int Bool)",
    "(Array (_ BitVec 2) Int)",
    "(Set Int)",
    "(Bag Int)",
    "(Tuple Int Bool)",
    "(Nullable Int)",
    "Unicode",
    "RoundingMode",
    "(_ FiniteField 17)",
    "(_ FloatingPoint 8 24)",
    "(_ BitVec 65)",
    "(FiniteSet Int)",
    "Color",
    "Tree",
    "(Box Int)",
];

/// Whether terms are generated for a rank: current releases support it, and the evaluator has a rule.
fn is_generated(signatures: &Signatures, declaration: &Declaration) -> bool {
    let reason = |ranks: &[u32]| {
        !ranks.is_empty()
            && ranks.iter().all(|&rank| signatures.declarations[rank as usize].unevaluated.is_some())
    };
    let alias = declaration.alias.is_some_and(|alias| reason(signatures.ranks(alias)));
    !declaration.removed && declaration.unevaluated.is_none() && !alias
}

/// Either obeys strict solvers, which accept only values, or drops them.
fn values_or_without(
    strict: u8,
    context: &mut Context,
    random: &mut Random,
    keep: impl FnOnce(&mut Context),
) {
    if context.solvers == strict || random.chance(2, 3) {
        keep(context);
    } else {
        context.only(!strict);
    }
}

/// The solvers that support a rank, as bits.
fn solver_set(signatures: &Signatures, id: u32) -> u8 {
    match signatures.solvers_of(&signatures.declarations[id as usize]) {
        None => Context::Z3 | Context::CVC5,
        Some(names) => Context::bits(names),
    }
}
