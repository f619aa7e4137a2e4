//! What a script uses: operators, theories, solvers that know them all, and the smallest logic that holds it.

use crate::arena::Arena;
use crate::command::{Command, Plain, Script};
use crate::op::OpKind;
use crate::reserved;
use crate::rewrite::post_order;
use crate::signature::{SortConstructor, Theory};
use crate::sort::{Sort, SortNode};
use crate::term::{Binder, Literal, Term, View};
use std::collections::{BTreeMap, BTreeSet};

/// What a script uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// How often each operator of a theory stands in the terms (each shared term counted once).
    pub operators: BTreeMap<String, usize>,
    /// The theories of its operators, literals and sorts, by the names of the signature files.
    pub theories: BTreeSet<String>,
    /// The solvers that know every operator; `None` if there is no restriction.
    pub solvers: Option<BTreeSet<String>>,
    /// There are quantifiers.
    pub quantifiers: bool,
    /// There are declared functions with arguments, or declared sorts.
    pub uninterpreted: bool,
    /// There are datatypes.
    pub datatypes: bool,
    /// There are recursive definitions.
    pub recursive: bool,
    /// Functions are values: lambdas, function sorts, partial application.
    pub higher_order: bool,
    /// There is arithmetic beyond the linear.
    pub nonlinear: bool,
    /// All arithmetic is comparison of differences with constants.
    pub difference: bool,
    /// More than one check, or `push` and `pop`.
    pub incremental: bool,
    /// Commands beyond the standard, kept word for word.
    pub other_commands: bool,
}

impl Arena {
    /// What a script uses.
    pub fn features(&mut self, script: &Script) -> Features {
        let mut roots: Vec<Term> = Vec::new();
        for command in &script.commands {
            roots.extend(command.terms());
        }
        // Names of `let` hide whether a factor is a constant.
        let roots: Vec<Term> = roots.into_iter().map(|root| self.expand_lets(root)).collect();
        let mut features = Features { difference: true, ..Features::default() };
        features.theories.insert("Core".to_owned());
        features.note_commands(self, script);
        let nodes = post_order(self, &roots);
        let mut sorts: BTreeSet<Sort> = features.declared_sorts(self, script);
        for &node in &nodes {
            features.note_node(self, node);
            sorts.insert(self.sort(node));
        }
        for sort in sorts {
            features.note_sort(self, sort);
        }
        features
    }
}

impl Features {
    fn note_commands(&mut self, arena: &Arena, script: &Script) {
        let mut checks = 0;
        for command in &script.commands {
            match command {
                Command::Push(_) | Command::Pop(_) | Command::Plain(Plain::ResetAssertions) => {
                    self.incremental = true
                }
                Command::DeclareDatatypes(_) => self.datatypes = true,
                Command::DeclareSort(..) => self.uninterpreted = true,
                Command::Declare(_, op) => {
                    if let OpKind::Function { args, .. } = &arena.op(*op).kind
                        && !args.is_empty()
                    {
                        self.uninterpreted = true;
                    }
                }
                Command::Define(form, _) => {
                    use crate::command::DefinitionForm::{FunRec, FunsRec};
                    self.recursive |= matches!(form, FunRec | FunsRec);
                }
                Command::Other(_) | Command::WithTerm(..) => self.other_commands = true,
                _ => {}
            }
            checks += usize::from(command.is_check());
        }
        self.incremental |= checks > 1;
    }

    fn declared_sorts(&self, arena: &Arena, script: &Script) -> BTreeSet<Sort> {
        let mut sorts = BTreeSet::new();
        for command in &script.commands {
            match command {
                Command::Declare(_, op) => {
                    let (args, result) = arena.rank_of(&arena.op(*op).kind);
                    sorts.extend(args);
                    sorts.insert(result);
                }
                Command::DeclareDatatypes(ids) => {
                    for &id in ids {
                        for constructor in &arena.datatype(id).constructors {
                            sorts.extend(constructor.fields.iter().map(|(_, sort)| *sort));
                        }
                    }
                }
                _ => {}
            }
        }
        sorts
    }

    fn note_sort(&mut self, arena: &Arena, sort: Sort) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            let node = arena.sort_node(sort);
            stack.extend(node.args.iter());
            if Some(node.head) == arena.sorts.arrow {
                self.higher_order = true;
            }
            if node.head == reserved::TUPLE_SORT {
                self.restrict_to(&["cvc5".to_owned()]);
                self.theories.insert("Relations".to_owned());
            }
            if arena.datatypes.named(node.head).is_none() {
                self.note_constructor(arena, node);
            }
        }
    }

    /// Notes the theory that brings a sort; where several do, any of their solvers will do.
    fn note_constructor(&mut self, arena: &Arena, node: &SortNode) {
        let fits = |one: &&SortConstructor| {
            one.indices == node.indices.len() && one.arity.is_none_or(|arity| arity == node.args.len())
        };
        let theories: Vec<&Theory> = arena
            .signatures
            .sort_constructors(node.head)
            .iter()
            .filter(fits)
            .map(|one| &arena.signatures.theories[one.theory])
            .collect();
        let Some(first) = theories.first() else { return };
        self.theories.insert(first.name.clone());
        let solvers: Option<Vec<&Vec<String>>> =
            theories.iter().map(|theory| theory.solvers.as_ref()).collect();
        if let Some(solvers) = solvers {
            self.restrict_to(&solvers.into_iter().flatten().cloned().collect::<Vec<String>>());
        }
    }

    fn restrict_to(&mut self, solvers: &[String]) {
        let new: BTreeSet<String> = solvers.iter().cloned().collect();
        self.solvers = Some(match self.solvers.take() {
            Some(old) => old.intersection(&new).cloned().collect(),
            None => new,
        });
    }

    fn note_node(&mut self, arena: &Arena, node: Term) {
        match arena.view(node) {
            View::App(op, args) => match &arena.op(op).kind {
                OpKind::Theory(id) => self.note_operator(arena, node, *id, args),
                OpKind::Function { args, .. } => self.uninterpreted |= !args.is_empty(),
                OpKind::Constructor(..) | OpKind::Selector(..) | OpKind::Tester(..) | OpKind::Updater(..) => {
                    self.datatypes = true;
                }
                OpKind::Apply | OpKind::FunctionValue(_) => self.higher_order = true,
                OpKind::Map(_) => self.restrict_to(&["z3".to_owned()]),
                OpKind::Tuple | OpKind::TupleSelect | OpKind::TupleUpdate | OpKind::TupleProject => {
                    self.restrict_to(&["cvc5".to_owned()])
                }
                OpKind::Opaque => {}
            },
            View::Binder { kind: Binder::Forall | Binder::Exists, .. } => self.quantifiers = true,
            View::Binder { kind: Binder::Lambda, .. } => self.higher_order = true,
            View::Binder { .. } => {
                self.quantifiers = true;
                self.restrict_to(&["cvc5".to_owned()]);
            }
            View::Match { .. } => self.datatypes = true,
            View::Literal(Literal::Field, _) => self.restrict_to(&["cvc5".to_owned(), "z3".to_owned()]),
            _ => {}
        }
    }

    fn note_operator(&mut self, arena: &Arena, node: Term, id: u32, args: &[Term]) {
        let declaration = &arena.signatures.declarations[id as usize];
        let name = arena.name(declaration.name);
        *self.operators.entry(name.to_owned()).or_insert(0) += 1;
        self.theories.insert(arena.signatures.theories[declaration.theory].name.clone());
        if let Some(solvers) = arena.signatures.solvers_of(declaration) {
            self.restrict_to(solvers);
        }
        if declaration.fragment.as_deref() == Some("nonlinear") {
            let constants = args.iter().filter(|&&arg| is_constant(arena, arg)).count();
            let linear = match name {
                "*" => args.len() - constants <= 1,
                // A quotient is linear if what it divides by is a constant.
                _ => args[1..].iter().all(|&arg| is_constant(arena, arg)),
            };
            self.nonlinear |= !linear;
        }
        let arithmetic = |sort: Sort| sort == Sort::INT || sort == Sort::REAL;
        if args.iter().any(|&arg| arithmetic(arena.sort(arg))) {
            let comparison = matches!(name, "=" | "distinct" | "<" | "<=" | ">" | ">=");
            let difference_atom = comparison && is_difference(arena, args);
            let part_of_atom = name == "-" || name == "ite" || is_constant(arena, node);
            self.difference &= difference_atom || part_of_atom;
        }
    }
}

/// Whether a term is a number: a literal, its negation, or a quotient of two.
fn is_constant(arena: &Arena, term: Term) -> bool {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match arena.view(term) {
            View::Literal(..) => {}
            View::App(op, args)
                if !args.is_empty()
                    && args.len() <= 2
                    && matches!(arena.op_name(op), "-" | "/" | "to_real") =>
            {
                stack.extend(args);
            }
            _ => return false,
        }
    }
    true
}

fn is_variable(arena: &Arena, term: Term) -> bool {
    matches!(arena.view(term), View::App(_, []) | View::Local(_))
}

/// `x ⋈ y`, `x − y ⋈ c` or `x ⋈ c`.
fn is_difference(arena: &Arena, args: &[Term]) -> bool {
    let difference = |term: Term| match arena.view(term) {
        View::App(op, [left, right]) => {
            arena.op_name(op) == "-" && is_variable(arena, *left) && is_variable(arena, *right)
        }
        _ => false,
    };
    match *args {
        [left, right] => {
            (is_variable(arena, left) && (is_variable(arena, right) || is_constant(arena, right)))
                || (difference(left) && is_constant(arena, right))
                || (difference(right) && is_constant(arena, left))
                || (is_constant(arena, left) && is_variable(arena, right))
        }
        _ => args.iter().all(|&arg| is_variable(arena, arg)),
    }
}
