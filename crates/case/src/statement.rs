//! What solvers state besides `sat` and `unsat`. Every kind of statement has an oracle.

use crate::class::Class;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statement {
    /// The result of `simplify` has the value of the term.
    Simplify,
    /// The goals of `apply` have the solutions of the assertions.
    Apply,
    /// The result of `get-qe`, or of a tactic that eliminates quantifiers, has the solutions of the formula.
    Elimination,
    /// `get-value` prints the value of a term under the model.
    Values,
    /// `get-objectives` prints the least or greatest value of a term.
    Optimum,
    /// The result of `get-interpolant` lies between the assertions and the goal.
    Interpolant,
    /// The result of `get-abduct` and the assertions imply the goal.
    Abduct,
    /// The literals of `get-learned-literals` follow from the assertions.
    Learned,
    /// A model after `block-model-values` has other values.
    Blocking,
    /// `display` prints a term with the same value.
    Printing,
}

impl Statement {
    /// All kinds.
    pub const ALL: [Statement; 10] = [
        Statement::Simplify,
        Statement::Apply,
        Statement::Elimination,
        Statement::Values,
        Statement::Optimum,
        Statement::Interpolant,
        Statement::Abduct,
        Statement::Learned,
        Statement::Blocking,
        Statement::Printing,
    ];

    /// The name of its oracle.
    pub fn name(self) -> &'static str {
        match self {
            Statement::Simplify => "simplify",
            Statement::Apply => "apply",
            Statement::Elimination => "elimination",
            Statement::Values => "values",
            Statement::Optimum => "optimum",
            Statement::Interpolant => "interpolant",
            Statement::Abduct => "abduct",
            Statement::Learned => "learned",
            Statement::Blocking => "blocking",
            Statement::Printing => "printing",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Statement> {
        Statement::ALL.into_iter().find(|statement| statement.name() == name)
    }

    /// The class of a bug if it is wrong.
    pub fn class(self) -> Class {
        match self {
            Statement::Simplify | Statement::Apply | Statement::Elimination => Class::WrongRewrite,
            Statement::Values => Class::WrongValue,
            Statement::Optimum => Class::WrongOptimum,
            Statement::Interpolant | Statement::Abduct | Statement::Learned => Class::WrongConsequence,
            Statement::Blocking => Class::RepeatedModel,
            Statement::Printing => Class::WrongPrinting,
        }
    }

    /// What a solver does if it is wrong, as predicates say it.
    pub fn done_wrongly(self) -> &'static str {
        match self {
            Statement::Simplify => "simplifies wrongly",
            Statement::Apply => "applies wrongly",
            Statement::Elimination => "eliminates wrongly",
            Statement::Values => "gives a wrong value",
            Statement::Optimum => "gives a wrong optimum",
            Statement::Interpolant => "gives a wrong interpolant",
            Statement::Abduct => "gives a wrong abduct",
            Statement::Learned => "learns wrongly",
            Statement::Blocking => "blocks wrongly",
            Statement::Printing => "prints wrongly",
        }
    }

    /// What a solver does wrong in a bug of this class, for titles; `None` if the class is not about statements.
    pub fn fault(class: Class) -> Option<&'static str> {
        match class {
            Class::WrongRewrite => Some("rewrites a term to one with another value"),
            Class::WrongValue => Some("gives a term a value that it does not have under the model"),
            Class::WrongOptimum => Some("gives a wrong optimum"),
            Class::WrongConsequence => Some("says that something follows which does not"),
            Class::RepeatedModel => Some("gives a blocked model again, or misses one"),
            Class::WrongPrinting => Some("prints a term with another value"),
            _ => None,
        }
    }

    /// What a solver should give instead, for a class about statements.
    pub fn expected(class: Class) -> Option<&'static str> {
        match class {
            Class::WrongRewrite | Class::WrongPrinting => Some("a term with the same value"),
            Class::WrongValue => Some("the value of the term under the model"),
            Class::WrongOptimum => Some("the best value, and a model that attains it"),
            Class::WrongConsequence => Some("only what follows"),
            Class::RepeatedModel => Some("another model as long as there is one"),
            _ => None,
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A wrong statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misstatement {
    /// Its kind.
    pub kind: Statement,
    /// What the solver states, after its name, such as `simplifies (+ x 0) to 0`.
    pub said: String,
    /// The values that show that it is wrong.
    pub explanation: String,
}
