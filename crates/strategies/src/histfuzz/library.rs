//! The library: everything that was learned from formulas that broke solvers.

use super::rules::Rule;
use super::skeleton::Skeleton;

/// What a part of the library needs, by name, so that it does not depend on the signature files that are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Needs {
    /// The solvers that support all of it; `None` for every solver.
    pub solvers: Option<Vec<String>>,
    /// The theories.
    pub theories: Vec<String>,
    /// Other facts that affect the choice of a logic: `quantifier`, `nonlinear`, …
    pub marks: Vec<String>,
}

/// A declaration of a sort or of datatypes, with names that are unique in the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declaration {
    /// The command.
    pub text: String,
    /// The declarations that it depends on.
    pub after: Vec<u32>,
}

/// The rank of a slot of an atom: a constant or a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The rank in the syntax of `declare-fun`: `() Int`.
    pub text: String,
    /// The declarations that it depends on.
    pub after: Vec<u32>,
}

impl Rank {
    /// The sort; `None` for functions, which a quantifier cannot bind.
    pub fn sort(&self) -> Option<&str> {
        self.text.strip_prefix("() ")
    }
}

/// An atomic formula with slots for its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The text, with `□N` for the name of slot N.
    pub text: String,
    /// The index of its abstract form.
    pub form: u32,
    /// The indices of the ranks of its slots.
    pub slots: Vec<u32>,
    /// The indices of the declarations that it depends on.
    pub after: Vec<u32>,
    /// The index of its needs.
    pub needs: u32,
    /// The solvers that formulas with it broke.
    pub broke: Vec<String>,
    /// How often it occurred.
    pub count: u32,
    /// Whether our type checker rejects it, or only old releases accept it.
    pub ill_formed: bool,
    /// The indices of the option sets under which formulas with it broke solvers.
    pub options: Vec<u32>,
}

/// The options of a bug report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OptionSet {
    /// The solver that they are for.
    pub solver: String,
    /// Names and values, in the syntax of `set-option` without the colon.
    pub options: Vec<(String, String)>,
}

/// A skeleton with its frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The number of formulas with it.
    pub count: u32,
}

/// A formula that a library was mined from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinedFormula {
    /// Its name: the file, or the finding.
    pub name: String,
    /// The hash that tells whether it was mined before.
    pub hash: u64,
    /// The indices of its abstract forms, in order; none if it was not used.
    pub forms: Vec<u32>,
}

/// The origin of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Formulas that were parsed.
    pub formulas: u32,
    /// Formulas that our type checker rejected.
    pub ill_formed: u32,
    /// Formulas without assertions.
    pub empty: u32,
    /// Assertions.
    pub assertions: u32,
    /// Atoms that are too large, or that are not well-formed alone.
    pub left_out: u32,
    /// Normal formulas that gave skeletons.
    pub normal: u32,
}

/// The length of [`Library::assertions`].
pub const MOST_ASSERTIONS: usize = 5;
/// The length of [`Library::bound`].
pub const MOST_BOUND: usize = 4;

/// Everything that was learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// The formulas that it comes from.
    pub origins: Origins,
    /// How many formulas have one, two, … five assertions.
    pub assertions: [u32; MOST_ASSERTIONS],
    /// How many quantifiers have one, two, … four variables.
    pub bound: [u32; MOST_BOUND],
    /// The needs of atoms.
    pub needs: Vec<Needs>,
    /// Declarations, each after those that it depends on.
    pub declarations: Vec<Declaration>,
    /// Ranks of slots.
    pub ranks: Vec<Rank>,
    /// The options of bug reports.
    pub options: Vec<OptionSet>,
    /// Abstract forms, such as `(= IntConst IntVar)`.
    pub forms: Vec<String>,
    /// Atomic formulas.
    pub atoms: Vec<Atom>,
    /// Skeletons of formulas that broke solvers, the most frequent first.
    pub skeletons: Vec<Counted>,
    /// Skeletons of normal formulas.
    pub normal: Vec<Counted>,
    /// Association rules among abstract forms.
    pub rules: Vec<Rule>,
    /// The formulas, from which rules are mined again when others are added.
    pub formulas: Vec<MinedFormula>,
}

impl Library {
    /// A rule, written with the abstract forms.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let words = |forms: &[u32]| -> String {
            let all: Vec<&str> = forms.iter().map(|&form| self.forms[form as usize].as_str()).collect();
            all.join(" ")
        };
        format!("{} => {}", words(&rule.antecedent), words(&rule.consequent))
    }
}
