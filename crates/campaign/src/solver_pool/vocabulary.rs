//! Operators that a release rejects, learned from its error messages. A profile lists the theories of a solver, but every
//! release adds operators to them. An operator that a release rejected once is not sent to it again.

use smt::Signatures;
use solver::{Observation, Outcome, Profile};
use std::sync::Arc;

/// Theories whose operators every release supports, so that an error about one of them has another cause.
const ALWAYS_SUPPORTED: &[&str] = &["Core", "Ints", "Reals", "Reals_Ints"];

/// The operators that one solver rejected.
pub struct Vocabulary {
    profile: Arc<Profile>,
    signatures: Arc<Signatures>,
    unknown: Vec<String>,
}

impl Vocabulary {
    /// A vocabulary without rejected operators.
    pub fn new(profile: Arc<Profile>) -> Vocabulary {
        Vocabulary { profile, signatures: Signatures::standard(), unknown: Vec::new() }
    }

    /// Learns from the error of a run. Returns the rejected operator if it is new.
    pub fn learn(&mut self, seen: &Observation) -> Option<&str> {
        match &seen.outcome {
            Outcome::Error { message } | Outcome::Refused { reason: message } => self.learn_message(message),
            _ => None,
        }
    }

    fn learn_message(&mut self, message: &str) -> Option<&str> {
        let name = self.profile.unknown_operator(message)?;
        if !self.may_be_missing(name) || self.unknown.iter().any(|known| known == name) {
            return None;
        }
        self.unknown.push(name.to_owned());
        self.unknown.last().map(String::as_str)
    }

    /// Whether a name is an operator that some releases lack.
    fn may_be_missing(&self, name: &str) -> bool {
        let signatures = &self.signatures;
        let mut ranks =
            signatures.declarations.iter().filter(|rank| signatures.name(rank.name) == name).peekable();
        ranks.peek().is_some()
            && ranks.all(|rank| !ALWAYS_SUPPORTED.contains(&signatures.theories[rank.theory].name.as_str()))
    }

    /// Whether a script uses a rejected operator.
    pub fn lacks(&self, script: &str) -> bool {
        self.unknown.iter().any(|name| mentions(script, name))
    }
}

/// Whether a name occurs in a script as a whole word.
fn mentions(script: &str, name: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || b"()".contains(byte));
    script.match_indices(name).any(|(start, _)| {
        let bytes = script.as_bytes();
        ends(start.checked_sub(1).map(|before| &bytes[before])) && ends(bytes.get(start + name.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_operators_are_not_sent_again() {
        // The solver, its message, a script, and whether the script uses a rejected operator.
        let table = [
            (
                "z3",
                "line 4 column 27: unknown function/constant str.power",
                "(assert (= s (str.power s 2)))",
                true,
            ),
            (
                "z3",
                "line 4 column 27: unknown constant str.power (String Int) ",
                "(= s (str.power s 2))",
                true,
            ),
            ("z3", "unknown constant str.power (String Int) ", "(= s (str.powers s 2))", false),
            ("z3", "unknown builtin function int_to_bv", "((_ int_to_bv 8) i)", true),
            ("z3", "unknown constant + (String Int)", "(+ 1 2)", false),
            ("z3", "unknown constant x", "(assert x)", false),
            ("z3", "something else about str.power", "(str.power s 2)", false),
            ("cvc5", "Parse Error: f: Symbol 'str.rev' not declared as a variable", "(str.rev s)", true),
            ("cvc5", "Parse Error: f: Unknown indexed function `int_to_bv'", "((_ int_to_bv 8) i)", true),
        ];
        for (solver, message, script, lacks) in table {
            let mut vocabulary = Vocabulary::new(Profile::built_in(solver).unwrap());
            vocabulary.learn_message(message);
            assert_eq!(vocabulary.lacks(script), lacks, "{message}");
        }
    }
}
