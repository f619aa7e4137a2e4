//! The parts of scripts that oracles for statements ask about and read.

use smt::rewrite::{FreeLocals, post_order, rebuild};
use smt::{
    Arena, AttributeValue, Command, Op, OpKind, Plain, Scope, Script, Signatures, Sizes, Sort, Term, View,
    parse_in_scope,
};
use std::collections::BTreeSet;

/// Larger terms are not asked about, in nodes.
const LARGEST: u64 = 120;
/// Larger assertions are not evaluated together, in nodes.
const LARGEST_CONJUNCTION: u64 = 300;

/// A parsed script with its declarations and assertions.
pub struct Parts {
    /// Its terms.
    pub arena: Arena,
    /// What its names mean at the end.
    pub scope: Scope,
    /// All its commands.
    pub script: Script,
    /// The logic, and everything that is declared or defined.
    pub declarations: String,
    /// What it asserts.
    pub assertions: Vec<Term>,
    /// Whether it asks one question about all assertions: it has one check and no levels.
    pub is_whole: bool,
}

impl Parts {
    /// Reads a script up to the first command that takes assertions away.
    pub fn read(text: &str) -> Option<Parts> {
        let mut arena = Arena::new(Signatures::standard());
        let mut scope = Scope::default();
        let script = parse_in_scope(&mut arena, &mut scope, text).ok()?;
        let mut declarations = String::new();
        let mut assertions = Vec::new();
        let mut is_whole = true;
        let mut checks = 0;
        for command in &script.commands {
            match command {
                Command::SetLogic(_)
                | Command::DeclareSort(..)
                | Command::DefineSort(..)
                | Command::DeclareDatatypes(_)
                | Command::Declare(..)
                | Command::Define(..) => {
                    arena.print_command(command, &mut declarations);
                    declarations.push('\n');
                }
                Command::Assert(term) => {
                    is_whole &= checks == 0;
                    assertions.push(*term);
                }
                Command::Plain(Plain::CheckSat) => checks += 1,
                Command::CheckSatAssuming(_) | Command::CheckSatUsing(_) | Command::Push(_) => {
                    is_whole = false;
                }
                Command::Pop(_) | Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                    is_whole = false;
                    break;
                }
                _ => {}
            }
        }
        is_whole &= checks == 1;
        Some(Parts { arena, scope, script, declarations, assertions, is_whole })
    }

    /// Reads a case to ask about it. Its terms lose their annotations: a command that repeats a term would define its name again.
    pub fn of_case(text: &str) -> Option<Parts> {
        let mut parts = Parts::read(text)?;
        let plain = rebuild(&mut parts.arena, &parts.assertions, |arena, term| match arena.view(term) {
            View::Annotated { body, .. } => Some(body),
            _ => None,
        });
        // A name may stand for its term elsewhere.
        if parts.names().is_disjoint(&constants(&parts.arena, &plain)) {
            parts.assertions = plain;
        }
        Some(parts)
    }

    /// The names of terms in the assertions.
    fn names(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for term in post_order(&self.arena, &self.assertions) {
            if let View::Annotated { attributes, .. } = self.arena.view(term) {
                found.extend(attributes.iter().filter_map(|attribute| match attribute.value {
                    AttributeValue::Text(name) => Some(self.arena.name(name)),
                    _ => None,
                }));
            }
        }
        found
    }

    /// The script with these commands before the logic, all assertions, and these commands after them.
    pub fn asserting(&self, before: &str, after: &str) -> String {
        let mut text = format!("{before}\n{}", self.declarations);
        for &term in &self.assertions {
            text.push_str(&format!("(assert {})\n", self.arena.term_text(term)));
        }
        text.push_str(after);
        text
    }

    /// The assertions, with conjunctions split.
    pub fn conjuncts(&self) -> Vec<Term> {
        let mut waiting: Vec<Term> = self.assertions.iter().rev().copied().collect();
        let mut found = Vec::new();
        while let Some(term) = waiting.pop() {
            match self.arena.view(term) {
                View::App(op, args) if self.arena.op_name(op) == "and" => waiting.extend(args.iter().rev()),
                _ => found.push(term),
            }
        }
        found
    }

    /// The conjunction of all assertions, as text.
    pub fn conjunction(&self) -> String {
        conjunction(self.assertions.iter().map(|&term| self.arena.term_text(term)))
    }

    /// Whether our evaluation of all assertions takes little time: they are small and have no quantifiers.
    pub fn is_easy(&self) -> bool {
        let mut sizes = Sizes::default();
        let size: u64 = self.assertions.iter().map(|&term| sizes.of(&self.arena, term)).sum();
        size <= LARGEST_CONJUNCTION && !self.assertions.iter().any(|&term| binds(&self.arena, term))
    }

    /// The declared constants in the assertions.
    pub fn constants(&self) -> Vec<Term> {
        let is_declared = |op: Op| matches!(self.arena.op(op).kind, OpKind::Function { .. });
        let all = post_order(&self.arena, &self.assertions).into_iter();
        all.filter(|&term| matches!(self.arena.view(term), View::App(op, []) if is_declared(op))).collect()
    }

    /// The applications among the subterms of the assertions that have no free variables and no binders, the smallest first.
    pub fn closed_subterms(&self, most: usize) -> Vec<Term> {
        let arena = &self.arena;
        let (mut free, mut sizes) = (FreeLocals::default(), Sizes::default());
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        let mut waiting = self.assertions.clone();
        let mut found = Vec::new();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            waiting.extend(arena.children(term));
            let applied = matches!(arena.view(term), View::App(_, args) if !args.is_empty());
            let size = sizes.of(arena, term);
            if applied && size <= LARGEST && free.of(arena, term).is_empty() && !binds(arena, term) {
                found.push((size, term));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, term)| term).take(most).collect()
    }

    /// The name of a sort without indices, such as `BitVec`.
    pub fn sort_head(&self, sort: Sort) -> &str {
        self.arena.sort_head(sort)
    }
}

/// The conjunction of formulas.
pub(super) fn conjunction(formulas: impl IntoIterator<Item = String>) -> String {
    joined("and", "true", formulas)
}

/// The disjunction of formulas.
pub(super) fn disjunction(formulas: impl IntoIterator<Item = String>) -> String {
    joined("or", "false", formulas)
}

fn joined(operator: &str, none: &str, formulas: impl IntoIterator<Item = String>) -> String {
    let formulas: Vec<String> = formulas.into_iter().collect();
    match formulas.as_slice() {
        [] => none.to_owned(),
        [one] => one.clone(),
        all => format!("({operator} {})", all.join(" ")),
    }
}

/// Whether a term has a binder, which our evaluation can rarely decide.
fn binds(arena: &Arena, term: Term) -> bool {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if matches!(arena.view(term), View::Binder { .. }) {
            return true;
        }
        waiting.extend(arena.children(term));
    }
    false
}

/// The declared functions that occur in terms.
pub(super) fn symbols(arena: &Arena, terms: &[Term]) -> BTreeSet<Op> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting = terms.to_vec();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let View::App(op, _) = arena.view(term)
            && matches!(arena.op(op).kind, OpKind::Function { .. })
        {
            found.insert(op);
        }
        waiting.extend(arena.children(term));
    }
    found
}

/// The names of all constants in terms.
fn constants<'a>(arena: &'a Arena, terms: &[Term]) -> BTreeSet<&'a str> {
    let name = |term| match arena.view(term) {
        View::App(op, []) => Some(arena.op_name(op)),
        _ => None,
    };
    post_order(arena, terms).into_iter().filter_map(name).collect()
}
