//! The language of `--keep`.

use crate::signature;
use solver::Answer;
use std::fmt;
use std::time::Duration;

/// What is said of one solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It gives this answer.
    Says(Answer),
    /// It crashes; the text is what identifies the crash, where one was given or seen.
    Crashes(Option<String>),
    /// It says `sat`, and our evaluation refutes its model.
    WrongModel,
    /// Its own check finds its model wrong.
    OwnModelCheck,
    /// Its own check finds its proof wrong.
    OwnProofCheck,
    /// It says `unsat` and prints a core that has a model by our evaluation.
    WrongCore,
    /// It gives a model of the wrong core.
    SatisfiesCore,
    /// It takes long; the time is what it has to take at the least, once that was seen.
    Slow(Option<Duration>),
    /// It knows the answer soon; the time is what it may take at the most, once that was seen.
    Fast(Option<Duration>),
}

/// A solver, its options and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The solver as the user names it.
    pub spec: String,
    /// Options for its command line.
    pub options: Vec<String>,
    /// What is said of it.
    pub claim: Claim,
}

/// What must go on being shown: all of these at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// Why a text is no such sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateError {
    /// The part that is not understood.
    pub part: String,
}

impl PredicateError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        "write it as in 'z3@4.8.10 says unsat, cvc5 says sat', 'z3@4.8.7 crashes', 'z3@4.8.7 crashes with TEXT', \
         'z3@4.8.7 gives a wrong model', 'cvc5 finds its model wrong', 'cvc5 finds its proof wrong', 'z3 gives a wrong core, \
         cvc5 satisfies it' or 'z3@4.8.7 is slow, cvc5 is fast'; options stand after the solver"
    }
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` does not say what a solver does", self.part)
    }
}

impl Predicate {
    /// Reads a sentence.
    pub fn parse(text: &str) -> Result<Predicate, PredicateError> {
        let clauses: Vec<Clause> = parts(text).iter().map(|part| clause(part)).collect::<Result<_, _>>()?;
        if clauses.is_empty() {
            return Err(PredicateError { part: text.trim().to_owned() });
        }
        Ok(Predicate { clauses })
    }
}

/// The parts between commas; what a crash is called may hold commas itself and goes on to the end.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in text.split(',') {
        match parts.last_mut() {
            Some(last) if last.contains(" crashes with ") => {
                last.push(',');
                last.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

impl Claim {
    /// Whether the solver shows it by itself, without anybody else's answer or evaluation.
    pub fn is_by_itself(&self) -> bool {
        matches!(self, Claim::Crashes(_) | Claim::OwnModelCheck | Claim::OwnProofCheck)
    }

    /// What another release would have to show: of a crash by a signal not the functions, which change.
    pub fn in_any_release(&self) -> Claim {
        match self {
            Claim::Crashes(Some(what)) => Claim::Crashes(Some(signature::in_any_release(what).to_owned())),
            other => other.clone(),
        }
    }
}

fn clause(part: &str) -> Result<Clause, PredicateError> {
    let wrong = || PredicateError { part: part.to_owned() };
    let words: Vec<&str> = part.split_whitespace().collect();
    let verb = words
        .iter()
        .position(|word| matches!(*word, "says" | "crashes" | "gives" | "finds" | "satisfies" | "is"))
        .filter(|at| *at > 0)
        .ok_or_else(wrong)?;
    let claim = match words[verb..] {
        ["says", "sat"] => Claim::Says(Answer::Sat),
        ["says", "unsat"] => Claim::Says(Answer::Unsat),
        ["says", "unknown"] => Claim::Says(Answer::Unknown),
        ["crashes"] => Claim::Crashes(None),
        ["crashes", "with", _, ..] => {
            let (_, what) = part.split_once(" crashes with ").ok_or_else(wrong)?;
            Claim::Crashes(Some(what.trim().trim_matches('"').to_owned()))
        }
        ["gives", "a", "wrong", "model"] => Claim::WrongModel,
        ["gives", "a", "wrong", "core"] => Claim::WrongCore,
        ["satisfies", "it"] => Claim::SatisfiesCore,
        ["finds", "its", "model", "wrong"] => Claim::OwnModelCheck,
        ["finds", "its", "proof", "wrong"] => Claim::OwnProofCheck,
        ["is", "slow"] => Claim::Slow(None),
        ["is", "fast"] => Claim::Fast(None),
        _ => return Err(wrong()),
    };
    let options = words[1..verb].iter().map(|word| (*word).to_owned()).collect();
    Ok(Clause { spec: words[0].to_owned(), options, claim })
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, clause) in self.clauses.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{clause}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec)?;
        for option in &self.options {
            write!(f, " {option}")?;
        }
        match &self.claim {
            Claim::Says(answer) => write!(f, " says {}", answer.word()),
            Claim::Crashes(None) => f.write_str(" crashes"),
            Claim::Crashes(Some(what)) => write!(f, " crashes with {what}"),
            Claim::WrongModel => f.write_str(" gives a wrong model"),
            Claim::OwnModelCheck => f.write_str(" finds its model wrong"),
            Claim::OwnProofCheck => f.write_str(" finds its proof wrong"),
            Claim::WrongCore => f.write_str(" gives a wrong core"),
            Claim::SatisfiesCore => f.write_str(" satisfies it"),
            Claim::Slow(_) => f.write_str(" is slow"),
            Claim::Fast(_) => f.write_str(" is fast"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Predicate;

    #[test]
    fn sentences_are_read_and_written_alike() {
        let table = [
            ("z3@4.8.10 says unsat, cvc5 says sat", Ok("z3@4.8.10 says unsat, cvc5 says sat")),
            (
                " z3 smt.string_solver=z3str3   says unsat ,cvc5 -q --strings-exp says sat,",
                Ok("z3 smt.string_solver=z3str3 says unsat, cvc5 -q --strings-exp says sat"),
            ),
            ("z3 crashes", Ok("z3 crashes")),
            ("z3 crashes with Failed to verify: a, b", Ok("z3 crashes with Failed to verify: a, b")),
            ("z3 gives a wrong model", Ok("z3 gives a wrong model")),
            ("cvc5 finds its model wrong", Ok("cvc5 finds its model wrong")),
            ("cvc5@1.3.0 finds its proof wrong", Ok("cvc5@1.3.0 finds its proof wrong")),
            ("z3 gives a wrong core,  cvc5 satisfies it", Ok("z3 gives a wrong core, cvc5 satisfies it")),
            ("z3 is slow, cvc5  is fast", Ok("z3 is slow, cvc5 is fast")),
            ("z3 is late", Err("z3 is late")),
            ("z3 says maybe", Err("z3 says maybe")),
            ("says sat", Err("says sat")),
            ("z3", Err("z3")),
            ("", Err("")),
        ];
        for (text, expected) in table {
            let found =
                Predicate::parse(text).map(|predicate| predicate.to_string()).map_err(|error| error.part);
            assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
        }
    }
}
