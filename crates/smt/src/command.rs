//! Commands and scripts.

use crate::datatype::DatatypeId;
use crate::error::Span;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;

/// A function with its definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The function.
    pub op: Op,
    /// The parameters, as local terms.
    pub params: Box<[Term]>,
    /// The body.
    pub body: Term,
}

/// Commands that are a name and nothing else.
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
    /// All of them, with their names.
    pub const ALL: [(&'static str, Plain); 11] = [
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

/// Whether a definition may call itself.
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

/// How a function symbol is declared.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-option :keyword value)`; the value is kept as written.
    SetOption(Symbol, Symbol),
    /// `(set-info :keyword value)`; the value is kept as written.
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
    /// `define-fun` and the like; one definition, but for `define-funs-rec`.
    Define(DefinitionForm, Box<[Definition]>),
    /// `(assert t)`
    Assert(Term),
    /// `(check-sat-assuming (t …))`
    CheckSatAssuming(Box<[Term]>),
    /// `(check-sat-using TACTIC)`; the tactic is kept as written.
    CheckSatUsing(Symbol),
    /// `(get-value (t …))`
    GetValue(Box<[Term]>),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// A command that is only a name.
    Plain(Plain),
    /// A command that takes a term: its name, the term, and what follows it as written. For example `minimize`,
    /// `assert-soft`, `simplify`, `eval`, `rule`, `constraint`.
    WithTerm(Symbol, Term, Symbol),
    /// Any other command, kept word for word.
    Other(Symbol),
}

impl Command {
    /// Whether the solver answers it with `sat`, `unsat` or `unknown`.
    pub fn is_check(&self) -> bool {
        matches!(
            self,
            Command::Plain(Plain::CheckSat) | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_)
        )
    }

    /// The terms of a command, in order: what is asserted, assumed, defined or asked for.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Command::Assert(term) | Command::WithTerm(_, term, _) => vec![*term],
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => terms.to_vec(),
            Command::Define(_, definitions) => definitions.iter().map(|definition| definition.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The same command with each of its [`Command::terms`] replaced.
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

/// A script: commands over the terms of an arena.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// Where each command stood in the text it was read from; empty for a script that was made.
    pub spans: Vec<Span>,
}

impl Script {
    /// A script of these commands.
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

    /// The logic that the script sets first.
    pub fn logic(&self) -> Option<Symbol> {
        self.commands.iter().find_map(|command| match command {
            Command::SetLogic(logic) => Some(*logic),
            _ => None,
        })
    }
}
