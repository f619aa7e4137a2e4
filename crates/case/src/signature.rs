//! What identifies a finding before reduction: crude, but the same on every machine.

use crate::answer::Answer;
use crate::class::Class;
use crate::crash::Crash;
use crate::outcome::RunResult;
use crate::run_mode::RunMode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What identifies a finding before reduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signature {
    /// A wrong answer or an invalid model: who answers what, with which theories and operators.
    Answers {
        /// The kind of bug.
        class: Class,
        /// Each solver with its answer, or without one for an invalid model.
        said: BTreeSet<(String, Option<Answer>)>,
        /// The theories of the script.
        theories: BTreeSet<String>,
        /// The operators of the script beyond the Boolean ones, sorted.
        operators: Vec<String>,
    },
    /// A crash. If it is vague, the theories count, too.
    Crash {
        /// The solver's profile name.
        solver: String,
        /// The crash.
        crash: Crash,
        /// The theories of the script.
        theories: BTreeSet<String>,
    },
    /// A process that behaves differently after other scripts.
    StateLeak {
        /// The solver's profile name.
        solver: String,
        /// The run mode of the warm process.
        mode: RunMode,
        /// What the warm process did.
        warm: RunResult,
        /// What a fresh process does.
        cold: RunResult,
        /// The theories of the script.
        theories: BTreeSet<String>,
    },
    /// A label that answers contradict.
    Label {
        /// The hash of the script.
        script: String,
        /// The `:status` that it states.
        stated: Answer,
    },
    /// Anything else that concerns one solver.
    Solver {
        /// The kind of bug.
        class: Class,
        /// The solver.
        solver: String,
        /// The theories of the script.
        theories: BTreeSet<String>,
    },
}

impl Signature {
    /// The signature as one line: equal lines mean equal findings. It is the same in every version of the program and is never
    /// parsed.
    pub fn key(&self) -> String {
        match self {
            Signature::Answers { class, said, theories, operators } => {
                let said: Vec<String> = said
                    .iter()
                    .map(|(solver, answer)| match answer {
                        Some(answer) => format!("{solver}:{}", answer.word()),
                        None => solver.clone(),
                    })
                    .collect();
                format!("{class} {} [{}] {}", said.join(" "), listed(theories), operators.join(" "))
            }
            Signature::Crash { solver, crash, theories } if crash.is_vague() => {
                format!("{} {solver} {} [{}]", Class::Crash, crash.key(), listed(theories))
            }
            Signature::Crash { solver, crash, .. } => format!("{} {solver} {}", Class::Crash, crash.key()),
            Signature::StateLeak { solver, mode, warm, cold, theories } => {
                let results = format!("{}/{}", warm.key(), cold.key());
                format!("{} {solver} {mode} {results} [{}]", Class::StateLeak, listed(theories))
            }
            Signature::Label { script, stated } => {
                format!("{} {} {script}", Class::WrongLabel, stated.word())
            }
            Signature::Solver { class, solver, theories } => {
                format!("{class} {solver} [{}]", listed(theories))
            }
        }
    }

    /// Whether it is a crash of which only the signal is known.
    pub fn is_bare_signal(&self) -> bool {
        matches!(self, Signature::Crash { crash, .. } if crash.is_bare_signal())
    }

    /// Whether the two may be one bug. A warm process shows only the signal of a crash.
    pub fn may_equal(&self, other: &Signature) -> bool {
        match (self, other) {
            (
                Signature::Crash { solver, crash, .. },
                Signature::Crash { solver: other_solver, crash: other_crash, .. },
            ) => solver == other_solver && crash.may_equal(other_crash),
            _ => self == other,
        }
    }
}

/// The theories beyond the core theory, which every script uses.
fn listed(theories: &BTreeSet<String>) -> String {
    let names: Vec<&str> = theories.iter().map(String::as_str).filter(|name| *name != "Core").collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &str) -> BTreeSet<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn keys_never_change() {
        let theories = || set("Core Strings Ints");
        let crash = |crash| Signature::Crash { solver: "z3".into(), crash, theories: theories() };
        let table = [
            (crash(Crash::signal(11)), "crash z3 SIGSEGV [Ints Strings]"),
            (crash(Crash::message("theory_str.cpp false")), "crash z3 theory_str.cpp false"),
            (
                Signature::Answers {
                    class: Class::Contradiction,
                    said: [("z3".into(), Some(Answer::Unsat)), ("cvc5".into(), Some(Answer::Sat))].into(),
                    theories: theories(),
                    operators: vec!["+".into(), "<".into()],
                },
                "contradiction cvc5:sat z3:unsat [Ints Strings] + <",
            ),
            (
                Signature::Solver {
                    class: Class::InvalidProof,
                    solver: "cvc5".into(),
                    theories: set("Core"),
                },
                "invalid-proof cvc5 []",
            ),
            (Signature::Label { script: "00ff".into(), stated: Answer::Sat }, "wrong-label sat 00ff"),
        ];
        for (signature, key) in table {
            assert_eq!(signature.key(), key);
        }
    }
}
