//! What a script uses: operators, theories, the solvers that support all of them, and facts that decide its logic.

use crate::arena::Arena;
use crate::command::{Command, DefinitionForm, Plain, Script};
use crate::op::OpKind;
use crate::rewrite::post_order;
use crate::signature::{SortConstructor, Theory};
use crate::sort::{Sort, SortNode};
use crate::symbol::Symbol;
use crate::term::{Binder, Term, View};
use std::collections::{BTreeMap, BTreeSet};

/// What a script uses.
///
/// ```
/// use elenchus_smt::{Arena, parse_script};
///
/// let mut arena = Arena::default();
/// let source = "(declare-const x (_ BitVec 8)) (assert (forall ((y (_ BitVec 8))) (bvult y (bvmul x x))))";
/// let script = parse_script(&mut arena, source).unwrap();
/// let features = arena.features(&script);
/// assert_eq!(features.operators["bvmul"], 1);
/// assert!(features.theories.contains("FixedSizeBitVectors"));
/// assert!(features.quantifiers);
/// assert_eq!(features.solvers, None); // standard SMT-LIB: no operator is specific to a solver
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The number of uses of each theory operator; a shared term counts once.
    pub operators: BTreeMap<String, usize>,
    /// The theories of its operators, literals and sorts, by the names that the signature files give them.
    pub theories: BTreeSet<String>,
    /// The solvers that support everything in the script; `None` if it contains nothing solver-specific.
    pub solvers: Option<BTreeSet<String>>,
    /// Uses quantifiers.
    pub quantifiers: bool,
    /// Declares functions with arguments, or sorts.
    pub uninterpreted: bool,
    /// Uses datatypes.
    pub datatypes: bool,
    /// Defines recursive functions.
    pub recursive: bool,
    /// Uses functions as values: lambdas, function sorts, partial application.
    pub higher_order: bool,
    /// Uses nonlinear arithmetic.
    pub nonlinear: bool,
    /// All arithmetic atoms compare a variable or a difference of two variables with a constant.
    pub difference: bool,
    /// Has more than one check, or uses `push`, `pop` or `reset-assertions`.
    pub incremental: bool,
    /// Contains commands outside the standard, which are kept verbatim.
    pub other_commands: bool,
}

impl Arena {
    /// Computes what a script uses.
    pub fn features(&mut self, script: &Script) -> Features {
        let mut roots: Vec<Term> = Vec::new();
        for command in &script.commands {
            roots.extend(command.terms());
        }
        // A `let` variable may stand for a constant factor, so expand before testing for linearity.
        let roots: Vec<Term> = roots.into_iter().map(|root| self.expand_lets(root)).collect();
        let mut features = Features { difference: true, ..Features::default() };
        features.theories.insert("Core".to_owned());
        features.add_commands(self, script);
        let nodes = post_order(self, &roots);
        let mut sorts: BTreeSet<Sort> = declared_sorts(self, script);
        for &node in &nodes {
            features.add_node(self, node);
            sorts.insert(self.sort(node));
        }
        for sort in sorts {
            features.add_sort(self, sort);
        }
        features
    }
}

impl Features {
    fn add_commands(&mut self, arena: &Arena, script: &Script) {
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
                    self.recursive |= matches!(form, DefinitionForm::FunRec | DefinitionForm::FunsRec);
                }
                Command::Other(_) | Command::WithTerm(..) => self.other_commands = true,
                _ => {}
            }
            checks += usize::from(command.is_check());
        }
        self.incremental |= checks > 1;
    }

    fn add_sort(&mut self, arena: &Arena, sort: Sort) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            let node = arena.sort_node(sort);
            stack.extend(node.args.iter());
            if Some(node.head) == arena.sorts.arrow {
                self.higher_order = true;
            }
            if arena.datatypes.named(node.head).is_none() {
                self.add_sort_constructor(arena, node);
            }
        }
    }

    /// Records the theory that declares a sort. If several theories declare it, the solvers of any of them qualify.
    fn add_sort_constructor(&mut self, arena: &Arena, node: &SortNode) {
        let matches = |constructor: &&SortConstructor| {
            constructor.indices == node.indices.len()
                && constructor.arity.is_none_or(|arity| arity == node.args.len())
        };
        let theories: Vec<&Theory> = arena
            .signatures
            .sort_constructors(node.head)
            .iter()
            .filter(matches)
            .map(|constructor| &arena.signatures.theories[constructor.theory])
            .collect();
        let Some(first) = theories.first() else { return };
        self.theories.insert(first.name.clone());
        let solvers: Option<Vec<&Vec<String>>> =
            theories.iter().map(|theory| theory.solvers.as_ref()).collect();
        if let Some(solvers) = solvers {
            self.restrict_to(solvers.into_iter().flatten());
        }
    }

    fn restrict_to<'a>(&mut self, solvers: impl IntoIterator<Item = &'a String>) {
        let new: BTreeSet<String> = solvers.into_iter().cloned().collect();
        self.solvers = Some(match self.solvers.take() {
            Some(old) => old.intersection(&new).cloned().collect(),
            None => new,
        });
    }

    /// Restricts the solvers to those that support syntax outside the standard, such as `choice` or tuples.
    fn restrict_to_syntax(&mut self, arena: &Arena, name: Symbol) {
        if let Some(solvers) = arena.signatures.syntax_solvers(arena.name(name)) {
            self.restrict_to(solvers);
        }
    }

    fn add_node(&mut self, arena: &Arena, node: Term) {
        match arena.view(node) {
            View::App(op, args) => match &arena.op(op).kind {
                OpKind::Theory(id) => self.add_operator(arena, node, *id, args),
                OpKind::Function { args, .. } => self.uninterpreted |= !args.is_empty(),
                OpKind::Constructor(..) | OpKind::Selector(..) | OpKind::Tester(..) | OpKind::Updater(..) => {
                    self.datatypes = true;
                }
                OpKind::Apply | OpKind::FunctionValue(_) => self.higher_order = true,
                OpKind::Map(_)
                | OpKind::Tuple
                | OpKind::TupleSelect
                | OpKind::TupleUpdate
                | OpKind::TupleProject => self.restrict_to_syntax(arena, arena.op(op).name),
                OpKind::Opaque => {}
            },
            View::Binder { kind, .. } => {
                match kind {
                    Binder::Lambda => self.higher_order = true,
                    _ => self.quantifiers = true,
                }
                self.restrict_to_syntax(arena, kind.symbol());
            }
            View::Match { .. } => self.datatypes = true,
            _ => {}
        }
    }

    fn add_operator(&mut self, arena: &Arena, node: Term, id: u32, args: &[Term]) {
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
                // A quotient is linear if every divisor is a constant.
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

/// The sorts of declared functions and of datatype fields.
fn declared_sorts(arena: &Arena, script: &Script) -> BTreeSet<Sort> {
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

/// Whether a term is a number: a literal, its negation, or a quotient of two numbers.
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

/// Whether a comparison has the form `x ⋈ y`, `x − y ⋈ c` or `x ⋈ c`.
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
