//! The library: all that was learned from formulas that broke solvers, ready to be put together anew.

use super::rules::Rule;
use super::skeleton::Skeleton;

/// What a library can tell solvers and theories about a part of it, by name, so that it means the same whatever signature
/// files are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Needs {
    /// The solvers that know all of it; nothing for every solver.
    pub solvers: Option<Vec<String>>,
    /// The theories.
    pub theories: Vec<String>,
    /// What else matters for the choice of a logic, as words: `quantifier`, `nonlinear`, …
    pub marks: Vec<String>,
}

/// A declaration of a sort or of datatypes, under names that no other declaration of the library has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declaration {
    /// The command.
    pub text: String,
    /// The declarations that it mentions: they come first.
    pub after: Vec<u32>,
}

/// What may stand in a slot of an atomic formula: a constant or function of one rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The rank as `declare-fun` takes it: `() Int`.
    pub text: String,
    /// The declarations that it mentions.
    pub after: Vec<u32>,
}

impl Rank {
    /// The sort, if a variable of a quantifier can have this rank.
    pub fn sort(&self) -> Option<&str> {
        self.text.strip_prefix("() ")
    }
}

/// An atomic formula with its names taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The text, with `□N` in the places of names: the N-th slot.
    pub text: String,
    /// Its abstract form, by number.
    pub form: u32,
    /// The rank of each slot, by number.
    pub slots: Vec<u32>,
    /// The declarations that it mentions, by number.
    pub after: Vec<u32>,
    /// What it needs, by number.
    pub needs: u32,
    /// The solvers that formulas with it broke.
    pub broke: Vec<String>,
    /// How often it stood in a formula.
    pub count: u32,
    /// Whether our type checker refuses it, or it uses what only old releases knew.
    pub ill_formed: bool,
    /// Sets of options under which formulas with it broke solvers, by number.
    pub options: Vec<u32>,
}

/// Options that a report came with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OptionSet {
    /// The solver that they are for.
    pub solver: String,
    /// Names and values, as `set-option` takes them without the colon.
    pub options: Vec<(String, String)>,
}

/// A skeleton of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// How many formulas had it.
    pub count: u32,
}

/// Where a library comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Formulas that were read.
    pub formulas: u32,
    /// Formulas that our type checker refused.
    pub ill_formed: u32,
    /// Formulas that assert nothing.
    pub empty: u32,
    /// Assertions.
    pub assertions: u32,
    /// Atomic formulas that are too large to be kept, or that cannot stand alone.
    pub left_out: u32,
    /// Normal formulas that skeletons were taken from.
    pub normal: u32,
}

/// The numbers of assertions, one to five, with how many formulas have so many.
pub const MOST_ASSERTIONS: usize = 5;
/// The numbers of variables of a quantifier, one to four, with how often each occurs.
pub const MOST_BOUND: usize = 4;

/// All that was learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// Where it comes from.
    pub origins: Origins,
    /// How many formulas have one, two … five assertions.
    pub assertions: [u32; MOST_ASSERTIONS],
    /// How many quantifiers have one, two … four variables.
    pub bound: [u32; MOST_BOUND],
    /// What atoms need.
    pub needs: Vec<Needs>,
    /// Declarations; each comes after those that it mentions.
    pub declarations: Vec<Declaration>,
    /// Ranks of slots.
    pub ranks: Vec<Rank>,
    /// Options of reports.
    pub options: Vec<OptionSet>,
    /// Abstract forms, such as `(= IntConst IntVar)`.
    pub forms: Vec<String>,
    /// Atomic formulas.
    pub atoms: Vec<Atom>,
    /// Skeletons of formulas that broke solvers, the commonest first.
    pub skeletons: Vec<Counted>,
    /// Skeletons of normal formulas, for the variant that uses them.
    pub normal: Vec<Counted>,
    /// Association rules among abstract forms.
    pub rules: Vec<Rule>,
}

impl Library {
    /// The rule in the words of the abstract forms.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let words = |forms: &[u32]| -> String {
            let all: Vec<&str> = forms.iter().map(|&form| self.forms[form as usize].as_str()).collect();
            all.join(" ")
        };
        format!("{} => {}", words(&rule.antecedent), words(&rule.consequent))
    }
}
