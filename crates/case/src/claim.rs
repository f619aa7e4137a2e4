//! What a script must go on showing, and the language of `--keep` that states it.
//!
//! A predicate reads `z3@4.8.10 says unsat, cvc5 says sat`. Words between a solver and its verb are options for its command line.

use crate::answer::Answer;
use crate::crash::Crash;
use crate::hinted::Hinted;
use crate::statement::Statement;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What one solver does with a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// It gives this answer.
    Says(Answer),
    /// It gives this answer to the plain form of the script: every question from scratch, without objectives and tactics.
    SaysPlainly(Answer),
    /// It crashes like this.
    Crashes(CrashPattern),
    /// It answers `sat`, and our evaluation refutes its model.
    WrongModel,
    /// Its own check rejects its model.
    OwnModelCheck,
    /// Its own check rejects its proof.
    OwnProofCheck,
    /// It answers `unsat` with a proof that this command of the user rejects.
    RejectedProof(String),
    /// It answers `unsat` with a core that is satisfiable by our evaluation.
    WrongCore,
    /// It states something of this kind that is wrong by our evaluation.
    Misstates(Statement),
    /// It returns a model of the wrong core.
    SatisfiesCore,
    /// It returns a model that shows that the statement of another solver is wrong.
    RefutesStatement,
    /// It is slow. The duration, once measured, is the least it must take.
    Slow(Option<Duration>),
    /// It is fast. The duration, once measured, is the most it may take.
    Fast(Option<Duration>),
}

/// Which crashes count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashPattern {
    /// Any.
    Any,
    /// One whose text contains these words of a user.
    Containing(String),
    /// This one.
    Like(Crash),
}

impl CrashPattern {
    /// Whether a crash counts.
    pub fn matches(&self, seen: &Crash) -> bool {
        match self {
            CrashPattern::Any => true,
            CrashPattern::Containing(text) => seen.key().contains(text.as_str()),
            CrashPattern::Like(crash) => crash.matches(seen),
        }
    }
}

/// A solver, its options and its claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// The solver as the user names it.
    pub spec: String,
    /// Options for its command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What it does.
    pub claim: Claim,
}

/// What a script must go on showing: all of these at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predicate {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// Why a text is not a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateError {
    /// The part that cannot be parsed.
    pub part: String,
}

impl PredicateError {
    /// How to write a predicate.
    pub fn hint(&self) -> &'static str {
        "write it as in 'z3@4.8.10 says unsat, cvc5 says sat', 'z3@4.8.7 crashes', 'z3@4.8.7 crashes with TEXT', \
         'z3@4.8.7 gives a wrong model', 'cvc5 finds its model wrong', 'cvc5 finds its proof wrong', 'cvc5 gives a proof that carcara rejects', \
         'z3 gives a wrong core, \
         cvc5 satisfies it', 'z3 simplifies wrongly' (or applies, eliminates, learns, blocks, prints), 'z3 gives a wrong value' (or optimum, \
         interpolant, abduct), each perhaps with 'cvc5 refutes it', 'z3 says unsat, z3 says sat plainly' (to the script without \
         push and tactics) or \
         'z3@4.8.7 is slow, cvc5 is fast'; options go after the solver"
    }
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` does not say what a solver does", self.part)
    }
}

impl std::error::Error for PredicateError {}

impl Hinted for PredicateError {
    fn hint(&self) -> Option<String> {
        Some(PredicateError::hint(self).to_owned())
    }
}

impl Predicate {
    /// Parses a predicate.
    pub fn parse(text: &str) -> Result<Predicate, PredicateError> {
        let clauses: Vec<Clause> = parts(text).iter().map(|part| clause(part)).collect::<Result<_, _>>()?;
        if clauses.is_empty() {
            return Err(PredicateError { part: text.trim().to_owned() });
        }
        Ok(Predicate { clauses })
    }
}

/// The parts between commas. The text of a crash may contain commas itself and runs to the end.
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
    /// The answer that is claimed, if the claim is about an answer.
    pub fn answer(&self) -> Option<Answer> {
        match self {
            Claim::Says(answer) | Claim::SaysPlainly(answer) => Some(*answer),
            _ => None,
        }
    }

    /// Whether the solver's own run shows it, without another solver or our evaluation.
    pub fn needs_no_witness(&self) -> bool {
        matches!(self, Claim::Crashes(_) | Claim::OwnModelCheck | Claim::OwnProofCheck)
    }

    /// The claim for another release: only the signal of a crash counts, since functions change.
    pub fn in_any_release(&self) -> Claim {
        match self {
            Claim::Crashes(CrashPattern::Like(crash)) => {
                Claim::Crashes(CrashPattern::Like(crash.in_any_release()))
            }
            other => other.clone(),
        }
    }
}

fn clause(part: &str) -> Result<Clause, PredicateError> {
    let wrong = || PredicateError { part: part.to_owned() };
    let words: Vec<&str> = part.split_whitespace().collect();
    let verb = words
        .iter()
        .position(|word| {
            matches!(
                *word,
                "says"
                    | "crashes"
                    | "gives"
                    | "finds"
                    | "satisfies"
                    | "simplifies"
                    | "applies"
                    | "prints"
                    | "eliminates"
                    | "learns"
                    | "blocks"
                    | "refutes"
                    | "is"
            )
        })
        .filter(|index| *index > 0)
        .ok_or_else(wrong)?;
    let claim = match words[verb..] {
        ["says", "sat"] => Claim::Says(Answer::Sat),
        ["says", "unsat"] => Claim::Says(Answer::Unsat),
        ["says", "unknown"] => Claim::Says(Answer::Unknown),
        ["says", "sat", "plainly"] => Claim::SaysPlainly(Answer::Sat),
        ["says", "unsat", "plainly"] => Claim::SaysPlainly(Answer::Unsat),
        ["crashes"] => Claim::Crashes(CrashPattern::Any),
        ["crashes", "with", _, ..] => {
            let (_, what) = part.split_once(" crashes with ").ok_or_else(wrong)?;
            Claim::Crashes(CrashPattern::Containing(what.trim().trim_matches('"').to_owned()))
        }
        ["gives", "a", "wrong", "model"] => Claim::WrongModel,
        ["gives", "a", "wrong", "core"] => Claim::WrongCore,
        ["gives", "a", "proof", "that", ref checker @ .., "rejects"] if !checker.is_empty() => {
            Claim::RejectedProof(checker.join(" "))
        }
        ["satisfies", "it"] => Claim::SatisfiesCore,
        ["refutes", "it"] => Claim::RefutesStatement,
        ["finds", "its", "model", "wrong"] => Claim::OwnModelCheck,
        ["finds", "its", "proof", "wrong"] => Claim::OwnProofCheck,
        ["is", "slow"] => Claim::Slow(None),
        ["is", "fast"] => Claim::Fast(None),
        _ => Claim::Misstates(misstated(&words[verb..]).ok_or_else(wrong)?),
    };
    let options = words[1..verb].iter().map(|word| (*word).to_owned()).collect();
    Ok(Clause { spec: words[0].to_owned(), options, claim })
}

/// The kind of statement that these words call wrong.
fn misstated(words: &[&str]) -> Option<Statement> {
    Statement::ALL.into_iter().find(|statement| statement.done_wrongly().split(' ').eq(words.iter().copied()))
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, clause) in self.clauses.iter().enumerate() {
            if index > 0 {
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
            Claim::SaysPlainly(answer) => write!(f, " says {} plainly", answer.word()),
            Claim::Crashes(CrashPattern::Any) => f.write_str(" crashes"),
            Claim::Crashes(CrashPattern::Containing(text)) => write!(f, " crashes with {text}"),
            Claim::Crashes(CrashPattern::Like(crash)) => write!(f, " crashes with {}", crash.key()),
            Claim::WrongModel => f.write_str(" gives a wrong model"),
            Claim::OwnModelCheck => f.write_str(" finds its model wrong"),
            Claim::OwnProofCheck => f.write_str(" finds its proof wrong"),
            Claim::RejectedProof(checker) => write!(f, " gives a proof that {checker} rejects"),
            Claim::WrongCore => f.write_str(" gives a wrong core"),
            Claim::SatisfiesCore => f.write_str(" satisfies it"),
            Claim::RefutesStatement => f.write_str(" refutes it"),
            Claim::Misstates(statement) => write!(f, " {}", statement.done_wrongly()),
            Claim::Slow(_) => f.write_str(" is slow"),
            Claim::Fast(_) => f.write_str(" is fast"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Predicate;

    #[test]
    fn predicates_are_parsed_and_printed() {
        let table = [
            ("z3@4.8.10 says unsat, cvc5 says sat", Ok("z3@4.8.10 says unsat, cvc5 says sat")),
            (
                " z3 smt.string_solver=z3str3   says unsat ,cvc5 -q --strings-exp says sat,",
                Ok("z3 smt.string_solver=z3str3 says unsat, cvc5 -q --strings-exp says sat"),
            ),
            ("z3 says unsat, z3 says sat plainly", Ok("z3 says unsat, z3 says sat plainly")),
            ("z3 crashes", Ok("z3 crashes")),
            ("z3 crashes with Failed to verify: a, b", Ok("z3 crashes with Failed to verify: a, b")),
            ("z3 gives a wrong model", Ok("z3 gives a wrong model")),
            ("cvc5 finds its model wrong", Ok("cvc5 finds its model wrong")),
            ("cvc5@1.3.0 finds its proof wrong", Ok("cvc5@1.3.0 finds its proof wrong")),
            (
                "cvc5 gives a proof that  ethos --include=Cpc.eo rejects",
                Ok("cvc5 gives a proof that ethos --include=Cpc.eo rejects"),
            ),
            ("cvc5 gives a proof that rejects", Err("cvc5 gives a proof that rejects")),
            ("z3 gives a wrong core,  cvc5 satisfies it", Ok("z3 gives a wrong core, cvc5 satisfies it")),
            ("z3@4.8.7 simplifies wrongly", Ok("z3@4.8.7 simplifies wrongly")),
            ("z3 applies wrongly", Ok("z3 applies wrongly")),
            ("z3 gives a wrong  value", Ok("z3 gives a wrong value")),
            ("z3 -v:1 gives a wrong optimum", Ok("z3 -v:1 gives a wrong optimum")),
            ("cvc5 prints wrongly", Ok("cvc5 prints wrongly")),
            ("cvc5 prints", Err("cvc5 prints")),
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
