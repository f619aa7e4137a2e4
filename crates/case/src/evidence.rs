//! Why something is wrong.

use crate::answer::Answer;
use crate::class::Class;
use crate::crash::Crash;
use crate::outcome::RunResult;
use crate::run_mode::RunMode;
use crate::statement::{Misstatement, Statement};
use crate::wording::shown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Solvers that contradict each other on one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The number of the `check-sat`, from 0.
    pub check: usize,
    /// The solvers that answer `sat`.
    pub sat: Vec<String>,
    /// The solvers that answer `unsat`.
    pub unsat: Vec<String>,
}

impl Conflict {
    /// Whether both are about the same contradiction. Other solvers may have answered in one of them only, and a contradiction
    /// to what is known of the case has one side.
    pub fn shares_contradiction(&self, other: &Conflict) -> bool {
        let shares = |one: &[String], other: &[String]| {
            one.is_empty() || other.is_empty() || one.iter().any(|solver| other.contains(solver))
        };
        self.check == other.check && shares(&self.sat, &other.sat) && shares(&self.unsat, &other.unsat)
    }
}

/// Why something is wrong. Solvers are named as reports name them, such as `z3@5.4.0`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The solver crashed.
    Crashed {
        /// The solver.
        solver: String,
        /// The crash.
        crash: Crash,
    },
    /// Our evaluator confirms a solver's model, so `unsat` is wrong.
    ModelConfirmed {
        /// The solver that returned the model.
        solver: String,
    },
    /// Our evaluator refutes a solver's model.
    ModelRefuted {
        /// The solver that returned the model.
        solver: String,
        /// Which assertion is false under it, and why.
        explanation: String,
    },
    /// Our evaluator confirms a model of an unsat core.
    CoreSatisfied {
        /// The solver that returned the core.
        solver: String,
        /// The core as printed.
        core: String,
        /// The solver that returned the model.
        by: String,
    },
    /// The solver stated something, and it is wrong by our evaluation.
    Misstated {
        /// The solver.
        solver: String,
        /// The statement.
        misstatement: Misstatement,
    },
    /// The solver's own check rejects its model, core or proof.
    OwnCheck {
        /// The solver.
        solver: String,
        /// Its message.
        message: String,
    },
    /// A program that checks proofs rejects the solver's proof.
    ProofRejected {
        /// The solver.
        solver: String,
        /// The command that checks proofs.
        checker: String,
        /// Its message.
        message: String,
    },
    /// The answer is known from how the case was made.
    Construction {
        /// The right answer.
        answer: Answer,
        /// Why it is right.
        reason: String,
        /// The solvers that answer otherwise.
        against: Vec<String>,
    },
    /// Two or more independent solvers contradict one.
    Majority {
        /// The solvers that agree.
        solvers: Vec<String>,
        /// Their answer.
        answer: Answer,
    },
    /// Different solvers contradict each other.
    Disagreement(Conflict),
    /// One solver contradicts itself, under another release or other options.
    SelfContradiction(Conflict),
    /// A process that ran other scripts before behaves differently from a fresh one.
    WarmOnly {
        /// The solver.
        solver: String,
        /// The run mode of the warm process.
        mode: RunMode,
        /// What the warm process did.
        warm: RunResult,
        /// What a fresh process does.
        cold: RunResult,
    },
    /// The script states another answer.
    Label {
        /// The number of the `check-sat`, from 0.
        check: usize,
        /// The `:status` of the script.
        stated: Answer,
        /// The solvers that answer otherwise.
        against: Vec<String>,
    },
    /// One solver needs far more time than all others.
    Slow {
        /// The solver.
        solver: String,
        /// Its milliseconds, up to the time limit.
        milliseconds: u64,
        /// Whether it gave no answer before the time limit.
        #[serde(default)]
        timed_out: bool,
        /// The milliseconds of the slowest other solver.
        others: u64,
    },
    /// A solver answers the seed, from which the answer to the script follows, and gives up on the script.
    GaveUp {
        /// The solver.
        solver: String,
        /// The answer that follows.
        answer: Answer,
        /// The `:reason-unknown` of the solver; empty if it gives none.
        reason: String,
    },
}

impl Evidence {
    /// How strong it is: smaller is stronger.
    pub fn rank(&self) -> u8 {
        match self {
            Evidence::Crashed { .. } | Evidence::ModelConfirmed { .. } => 0,
            Evidence::ModelRefuted { .. } | Evidence::CoreSatisfied { .. } | Evidence::Misstated { .. } => 1,
            Evidence::OwnCheck { .. } | Evidence::ProofRejected { .. } => 2,
            Evidence::Construction { .. } => 3,
            Evidence::Majority { .. } => 4,
            Evidence::Disagreement { .. } => 5,
            Evidence::SelfContradiction { .. } | Evidence::WarmOnly { .. } => 6,
            Evidence::Label { .. } => 7,
            Evidence::Slow { .. } => 8,
            Evidence::GaveUp { .. } => 9,
        }
    }

    /// The solvers that it names.
    pub fn solvers(&self) -> Vec<&str> {
        match self {
            Evidence::CoreSatisfied { solver, by, .. } => vec![solver, by],
            Evidence::Crashed { solver, .. }
            | Evidence::ModelConfirmed { solver }
            | Evidence::ModelRefuted { solver, .. }
            | Evidence::Misstated { solver, .. }
            | Evidence::OwnCheck { solver, .. }
            | Evidence::ProofRejected { solver, .. }
            | Evidence::WarmOnly { solver, .. }
            | Evidence::GaveUp { solver, .. }
            | Evidence::Slow { solver, .. } => vec![solver],
            Evidence::Construction { against: solvers, .. }
            | Evidence::Label { against: solvers, .. }
            | Evidence::Majority { solvers, .. } => solvers.iter().map(String::as_str).collect(),
            Evidence::Disagreement(conflict) | Evidence::SelfContradiction(conflict) => {
                conflict.sat.iter().chain(&conflict.unsat).map(String::as_str).collect()
            }
        }
    }
}

/// The answers that evidence is about: those of solvers that contradict each other, or contradict what is known.
pub fn conflict(evidence: &[Evidence]) -> Option<Conflict> {
    let between = evidence.iter().find_map(|one| match one {
        Evidence::Disagreement(conflict) | Evidence::SelfContradiction(conflict) => Some(conflict.clone()),
        _ => None,
    });
    between.or_else(|| {
        evidence.iter().find_map(|one| match one {
            Evidence::Construction { answer: Answer::Sat, against, .. } => {
                Some(Conflict { check: 0, sat: Vec::new(), unsat: against.clone() })
            }
            Evidence::Construction { against, .. } => {
                Some(Conflict { check: 0, sat: against.clone(), unsat: Vec::new() })
            }
            _ => None,
        })
    })
}

/// One line about a bug of `class` with this evidence.
pub fn title(class: Class, evidence: &[Evidence]) -> String {
    let text = evidence.iter().find_map(|one| title_from(class, one));
    let text = text.or_else(|| conflict(evidence).map(|conflict| title_of_conflict(&conflict)));
    shown(text.unwrap_or_else(|| class.name().to_owned()))
}

/// The title that one piece of evidence gives, if it is what a bug of `class` rests on.
fn title_from(class: Class, evidence: &Evidence) -> Option<String> {
    match (class, evidence) {
        (Class::Crash, Evidence::Crashed { solver, crash }) => {
            Some(format!("{solver} crashes: {}", crash.key()))
        }
        (Class::InvalidModel, Evidence::ModelRefuted { solver, .. }) => {
            Some(format!("{solver} returns an invalid model"))
        }
        (Class::InvalidModel, Evidence::OwnCheck { solver, message }) => {
            Some(format!("{solver} fails its own model check: {message}"))
        }
        (Class::InvalidProof, Evidence::OwnCheck { solver, message }) => {
            Some(format!("{solver} fails its own proof check: {message}"))
        }
        (Class::InvalidProof, Evidence::ProofRejected { solver, checker, .. }) => {
            Some(format!("{solver} returns a proof that {checker} rejects"))
        }
        (Class::InvalidCore, Evidence::CoreSatisfied { solver, .. }) => {
            Some(format!("{solver} returns a satisfiable unsat core"))
        }
        (class, Evidence::Misstated { solver, .. }) => {
            Statement::fault(class).map(|fault| format!("{solver} {fault}"))
        }
        (Class::StateLeak, Evidence::WarmOnly { solver, mode, warm, cold }) => Some(format!(
            "{solver} depends on earlier scripts ({mode}): {} instead of {}",
            warm.key(),
            cold.key()
        )),
        (Class::WrongLabel, Evidence::Label { check, stated, against }) => {
            let answer = if *stated == Answer::Sat { Answer::Unsat } else { Answer::Sat };
            let who = who_answers(against, answer);
            Some(format!("the script is labelled {}, but {who}{}", stated.word(), at_check(*check)))
        }
        (Class::Incompleteness, Evidence::GaveUp { solver, answer, .. }) => Some(match answer {
            Answer::Unsat => {
                format!("{solver} gives up on an unsatisfiable script, and answers a weaker one")
            }
            _ => format!("{solver} gives up on a satisfiable script, and answers a stronger one"),
        }),
        (Class::Performance, Evidence::Slow { solver, milliseconds, timed_out, others }) => Some(format!(
            "{solver} {} {}; others take at most {}",
            if *timed_out { "gives no answer within" } else { "takes" },
            duration(*milliseconds),
            duration(*others)
        )),
        _ => None,
    }
}

/// Which check, unless it is the first.
fn at_check(check: usize) -> String {
    if check == 0 { String::new() } else { format!(" at check {}", check + 1) }
}

fn who_answers(solvers: &[String], answer: Answer) -> String {
    let verb = if solvers.len() == 1 { "answers" } else { "answer" };
    format!("{} {verb} {}", solvers.join(" and "), answer.word())
}

fn title_of_conflict(conflict: &Conflict) -> String {
    let check = at_check(conflict.check);
    match (conflict.sat.is_empty(), conflict.unsat.is_empty()) {
        (true, _) => {
            format!("{} on a satisfiable script{check}", who_answers(&conflict.unsat, Answer::Unsat))
        }
        (_, true) => format!("{} on an unsatisfiable script{check}", who_answers(&conflict.sat, Answer::Sat)),
        _ => format!(
            "{}, {}{check}",
            who_answers(&conflict.sat, Answer::Sat),
            who_answers(&conflict.unsat, Answer::Unsat)
        ),
    }
}

fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 {
        format!("{milliseconds} ms")
    } else {
        format!("{:.1} s", milliseconds as f64 / 1000.0)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(sentence(self)))
    }
}

fn sentence(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Crashed { solver, crash } => format!("{solver} crashes: {}", crash.key()),
        Evidence::ModelConfirmed { solver } => {
            format!("the model of {solver} makes every assertion true by our own evaluation")
        }
        Evidence::ModelRefuted { solver, explanation } => {
            format!("our own evaluation refutes the model of {solver}: {explanation}")
        }
        Evidence::CoreSatisfied { solver, core, by } => format!(
            "the unsat core of {solver}, {core}, is satisfiable: the model of {by} makes every assertion of it true by our own evaluation"
        ),
        Evidence::Misstated { solver, misstatement } => format!(
            "{solver} {}, which is wrong by our own evaluation: {}",
            misstatement.said, misstatement.explanation
        ),
        Evidence::OwnCheck { solver, message } => format!("{solver} rejects its own result: {message}"),
        Evidence::ProofRejected { solver, checker, message } => {
            format!("{checker} rejects the proof of {solver}: {message}")
        }
        Evidence::Construction { answer, reason, .. } => {
            format!("{} by construction: {reason}", answer.word())
        }
        Evidence::Majority { solvers, answer } => {
            format!("independent solvers answer {}: {}", answer.word(), solvers.join(", "))
        }
        Evidence::Disagreement(conflict) => {
            format!("sat by {}, unsat by {}", conflict.sat.join(", "), conflict.unsat.join(", "))
        }
        Evidence::SelfContradiction(conflict) => format!(
            "one solver contradicts itself: sat by {}, unsat by {}",
            conflict.sat.join(", "),
            conflict.unsat.join(", ")
        ),
        Evidence::WarmOnly { solver, mode, warm, cold } => format!(
            "{solver} after other scripts ({mode}): {}; in a fresh process: {}",
            warm.key(),
            cold.key()
        ),
        Evidence::Label { check, stated, .. } => {
            format!("the script states (set-info :status {}){}", stated.word(), at_check(*check))
        }
        Evidence::GaveUp { solver, answer, reason } => {
            let answer = answer.word();
            let said = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            format!(
                "{solver} answers {answer} to the seed, so this script is {answer}, too, but says unknown{said}"
            )
        }
        Evidence::Slow { solver, milliseconds, timed_out, others } => {
            let took = duration(*milliseconds);
            let took =
                if *timed_out { format!("gives no answer within {took}") } else { format!("takes {took}") };
            format!("{solver} {took}, all others take at most {}", duration(*others))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn all() -> Vec<(Class, Evidence, &'static str)> {
        let solver = || "z3@5.4.0".to_owned();
        let conflict =
            |check| Conflict { check, sat: names(&["cvc5", "yices"]), unsat: names(&["z3@5.4.0"]) };
        let result =
            |answers: &[Answer]| RunResult { outcome: crate::Outcome::Answered, answers: answers.to_vec() };
        vec![
            (
                Class::Crash,
                Evidence::Crashed { solver: solver(), crash: Crash::signal(11) },
                "z3@5.4.0 crashes: SIGSEGV",
            ),
            (
                Class::Contradiction,
                Evidence::Disagreement(conflict(0)),
                "cvc5 and yices answer sat, z3@5.4.0 answers unsat",
            ),
            (
                Class::Contradiction,
                Evidence::SelfContradiction(conflict(1)),
                "cvc5 and yices answer sat, z3@5.4.0 answers unsat at check 2",
            ),
            (
                Class::WrongUnsat,
                Evidence::Construction {
                    answer: Answer::Sat,
                    reason: "made so".to_owned(),
                    against: names(&["z3@5.4.0"]),
                },
                "z3@5.4.0 answers unsat on a satisfiable script",
            ),
            (
                Class::InvalidModel,
                Evidence::ModelRefuted { solver: solver(), explanation: "(= x 1) is false".to_owned() },
                "z3@5.4.0 returns an invalid model",
            ),
            (
                Class::InvalidModel,
                Evidence::OwnCheck { solver: solver(), message: "invalid model".to_owned() },
                "z3@5.4.0 fails its own model check: invalid model",
            ),
            (
                Class::InvalidProof,
                Evidence::ProofRejected {
                    solver: solver(),
                    checker: "carcara".to_owned(),
                    message: "checking failed on step 't1'".to_owned(),
                },
                "z3@5.4.0 returns a proof that carcara rejects",
            ),
            (
                Class::InvalidCore,
                Evidence::CoreSatisfied { solver: solver(), core: "(a)".to_owned(), by: "cvc5".to_owned() },
                "z3@5.4.0 returns a satisfiable unsat core",
            ),
            (
                Class::StateLeak,
                Evidence::WarmOnly {
                    solver: solver(),
                    mode: RunMode::Session,
                    warm: result(&[Answer::Sat]),
                    cold: result(&[Answer::Unsat]),
                },
                "z3@5.4.0 depends on earlier scripts (session): sat instead of unsat",
            ),
            (
                Class::WrongLabel,
                Evidence::Label { check: 1, stated: Answer::Sat, against: names(&["cvc5", "z3@5.4.0"]) },
                "the script is labelled sat, but cvc5 and z3@5.4.0 answer unsat at check 2",
            ),
            (
                Class::Incompleteness,
                Evidence::GaveUp {
                    solver: solver(),
                    answer: Answer::Sat,
                    reason: "(incomplete quantifiers)".to_owned(),
                },
                "z3@5.4.0 gives up on a satisfiable script, and answers a stronger one",
            ),
            (
                Class::Performance,
                Evidence::Slow { solver: solver(), milliseconds: 4_099, timed_out: true, others: 73 },
                "z3@5.4.0 gives no answer within 4.1 s; others take at most 73 ms",
            ),
        ]
    }

    #[test]
    fn titles_say_who_does_what() {
        for (class, evidence, expected) in all() {
            assert_eq!(title(class, &[evidence]), expected);
        }
    }

    #[test]
    fn evidence_survives_serialization() {
        for (_, evidence, _) in all() {
            let text = serde_json::to_string(&evidence).unwrap();
            assert_eq!(serde_json::from_str::<Evidence>(&text).unwrap(), evidence, "{text}");
        }
    }
}
