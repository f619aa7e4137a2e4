//! The verdict of an oracle: bugs with their evidence.

use case::{Class, Conflict, Evidence, Signature, WitnessIndex, conflict};

/// A bug with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// Its kind.
    pub class: Class,
    /// The witnesses that are probably wrong.
    pub suspects: Vec<WitnessIndex>,
    /// The evidence, strongest first.
    pub evidence: Vec<Evidence>,
    /// What identifies the bug before reduction.
    pub signature: Signature,
}

impl Bug {
    /// One line for people.
    pub fn title(&self) -> String {
        case::title(self.class, &self.evidence)
    }

    /// Who contradicts whom, for a wrong answer.
    pub fn conflict(&self) -> Option<Conflict> {
        conflict(&self.evidence)
    }

    /// Whether the evidence names a solver.
    pub fn involves(&self, solver: &str) -> bool {
        self.evidence.iter().any(|evidence| evidence.solvers().contains(&solver))
    }

    /// Whether both are likely the same bug. Evidence may change the class of a wrong answer, but not who contradicts whom.
    pub fn is_same(&self, other: &Bug) -> bool {
        match (self.class.is_about_answers(), other.class.is_about_answers()) {
            (true, true) => match (self.conflict(), other.conflict()) {
                (Some(one), Some(other)) => one.shares_contradiction(&other),
                (one, other) => one.is_none() && other.is_none(),
            },
            (false, false) => {
                let alike = match self.class {
                    Class::Performance => self.suspects == other.suspects,
                    _ => self.signature.may_equal(&other.signature),
                };
                self.class == other.class && alike
            }
            _ => false,
        }
    }
}

/// The verdict of an oracle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The bugs.
    pub bugs: Vec<Bug>,
    /// The witnesses that report an error on a script that our own checker accepts. They are counted, but are not bugs.
    pub rejected: Vec<WitnessIndex>,
}
