//! Commands and scripts.

use crate::datatype::DatatypeId;
use crate::error::Span;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;

/// A function definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The function.
    pub op: Op,
    /// The parameters, as local terms.
    pub params: Box<[Term]>,
    /// The body.
    pub body: Term,
}

/// Commands without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Plain {
    /// `check-sat`
    CheckSat,
    /// `get-model`
    GetModel,
    /// `get-unsat-core`
    GetUnsatCore,
    /// `get-unsat-assumptions`
    GetUnsatAssumptions,
    /// `get-proof`
    GetProof,
    /// `get-assertions`
    GetAssertions,
    /// `get-assignment`
    GetAssignment,
    /// `get-objectives`
    GetObjectives,
    /// `reset`
    Reset,
    /// `reset-assertions`
    ResetAssertions,
    /// `exit`
    Exit,
}

impl Plain {
    /// All commands without arguments, with their names.
    pub(crate) const ALL: [(&'static str, Plain); 11] = [
        ("check-sat", Plain::CheckSat),
        ("get-model", Plain::GetModel),
        ("get-unsat-core", Plain::GetUnsatCore),
        ("get-unsat-assumptions", Plain::GetUnsatAssumptions),
        ("get-proof", Plain::GetProof),
        ("get-assertions", Plain::GetAssertions),
        ("get-assignment", Plain::GetAssignment),
        ("get-objectives", Plain::GetObjectives),
        ("reset", Plain::Reset),
        ("reset-assertions", Plain::ResetAssertions),
        ("exit", Plain::Exit),
    ];

    /// The command's name.
    pub fn name(self) -> &'static str {
        Plain::ALL[self as usize].0
    }
}

/// The command that makes a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionForm {
    /// `define-fun`
    Fun,
    /// `define-const`
    Const,
    /// `define-fun-rec`
    FunRec,
    /// `define-funs-rec`, with any number of definitions
    FunsRec,
}

/// The command that makes a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclarationForm {
    /// `declare-fun`
    Fun,
    /// `declare-const`
    Const,
    /// `declare-var`, of fixed-point and synthesis problems
    Var,
    /// `declare-rel`, of fixed-point problems
    Rel,
}

/// A command of a script.
///
/// ```
/// use elenchus_smt::{Arena, Command, parse_script};
///
/// let mut arena = Arena::default();
/// let script = parse_script(&mut arena, "(declare-const p Bool) (assert (not p)) (check-sat)").unwrap();
/// let Command::Assert(formula) = script.commands[1] else { panic!("not an assertion") };
/// assert_eq!(arena.term_text(formula), "(not p)");
/// assert!(script.commands[2].is_check());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-option :keyword value)`; the value is kept verbatim.
    SetOption(Symbol, Symbol),
    /// `(set-info :keyword value)`; the value is kept verbatim.
    SetInfo(Symbol, Symbol),
    /// `(declare-sort S n)`
    DeclareSort(Symbol, u32),
    /// `(declare-sort-parameter A)`
    DeclareSortParameter(Symbol),
    /// `(define-sort S (A …) SORT)`; the parameters are parameter sorts.
    DefineSort(Symbol, Box<[Sort]>, Sort),
    /// `declare-datatype` (one) or `declare-datatypes`.
    DeclareDatatypes(Box<[DatatypeId]>),
    /// `declare-fun` and the like.
    Declare(DeclarationForm, Op),
    /// `define-fun` and the like; one definition, or any number for `define-funs-rec`.
    Define(DefinitionForm, Box<[Definition]>),
    /// `(assert t)`
    Assert(Term),
    /// `(check-sat-assuming (t …))`
    CheckSatAssuming(Box<[Term]>),
    /// `(check-sat-using TACTIC)`; the tactic is kept verbatim.
    CheckSatUsing(Symbol),
    /// `(get-value (t …))`
    GetValue(Box<[Term]>),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// A command without arguments.
    Plain(Plain),
    /// A command that takes a term: its name and what precedes the term, the term, and the rest verbatim. Covers `minimize`,
    /// `assert-soft`, `simplify`, `display`, `eval`, `get-qe`, `get-interpolant`, `get-abduct`, `rule` and `constraint`.
    WithTerm(Symbol, Term, Symbol),
    /// Any other command, kept verbatim.
    Other(Symbol),
}

impl Command {
    /// Whether a solver answers the command with `sat`, `unsat` or `unknown`.
    pub fn is_check(&self) -> bool {
        matches!(
            self,
            Command::Plain(Plain::CheckSat) | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_)
        )
    }

    /// The terms of the command, in order: asserted, assumed, defined or queried.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Command::Assert(term) | Command::WithTerm(_, term, _) => vec![*term],
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => terms.to_vec(),
            Command::Define(_, definitions) => definitions.iter().map(|definition| definition.body).collect(),
            _ => Vec::new(),
        }
    }

    /// Maps each of the command's [`terms`](Command::terms).
    pub fn map_terms(&self, mut change: impl FnMut(Term) -> Term) -> Command {
        let mut all = |terms: &[Term]| -> Box<[Term]> { terms.iter().map(|&term| change(term)).collect() };
        match self {
            Command::Assert(term) => Command::Assert(change(*term)),
            Command::WithTerm(name, term, rest) => Command::WithTerm(*name, change(*term), *rest),
            Command::CheckSatAssuming(terms) => Command::CheckSatAssuming(all(terms)),
            Command::GetValue(terms) => Command::GetValue(all(terms)),
            Command::Define(form, definitions) => {
                let define = |definition: &Definition| Definition {
                    body: change(definition.body),
                    ..definition.clone()
                };
                Command::Define(*form, definitions.iter().map(define).collect())
            }
            _ => self.clone(),
        }
    }
}

/// A script: a list of commands over the terms of an arena.
///
/// ```
/// use elenchus_smt::{Arena, parse_script};
///
/// let mut arena = Arena::default();
/// let source = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x 3))\n";
/// let script = parse_script(&mut arena, source).unwrap();
/// assert_eq!(script.logic().map(|logic| arena.name(logic)), Some("QF_LIA"));
/// assert_eq!(script.assertions().count(), 1);
/// assert_eq!(arena.script_text(&script), source);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// The source range of each command; empty if the script was not parsed.
    pub spans: Vec<Span>,
}

impl Script {
    /// Makes a script from commands.
    pub fn new(commands: Vec<Command>) -> Self {
        Script { commands, spans: Vec::new() }
    }

    /// The asserted terms, in order.
    pub fn assertions(&self) -> impl Iterator<Item = Term> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        })
    }

    /// The logic of the first `set-logic`.
    pub fn logic(&self) -> Option<Symbol> {
        self.commands.iter().find_map(|command| match command {
            Command::SetLogic(logic) => Some(*logic),
            _ => None,
        })
    }
}
