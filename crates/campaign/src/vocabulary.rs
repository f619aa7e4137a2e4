//! Which operators a release does not know, as its own error messages tell. A profile says which theories a solver knows, but
//! every release adds operators to them; what one has refused as unknown it is not asked about again.

use smt::Signatures;
use solver::{Observation, Outcome, Profile};
use std::sync::Arc;

/// Theories whose operators every release knows, so that a complaint about one of them is about something else.
const ALWAYS_KNOWN: &[&str] = &["Core", "Ints", "Reals", "Reals_Ints"];

/// The operators that one solver was found not to know.
pub struct Vocabulary {
    profile: Arc<Profile>,
    signatures: Arc<Signatures>,
    unknown: Vec<String>,
}

impl Vocabulary {
    /// Nothing is known to be unknown yet.
    pub fn new(profile: Arc<Profile>) -> Vocabulary {
        Vocabulary { profile, signatures: Signatures::standard(), unknown: Vec::new() }
    }

    /// Takes in what the solver complained about.
    pub fn note(&mut self, seen: &Observation) {
        if let Outcome::Error { message } | Outcome::Refused { reason: message } = &seen.outcome {
            self.note_message(message);
        }
    }

    fn note_message(&mut self, message: &str) {
        let Some(name) = self.profile.unknown_operator(message) else { return };
        if self.is_special(name) && !self.unknown.iter().any(|known| known == name) {
            self.unknown.push(name.to_owned());
        }
    }

    /// Whether a name is that of an operator which releases may lack.
    fn is_special(&self, name: &str) -> bool {
        let signatures = &self.signatures;
        let mut ranks =
            signatures.declarations.iter().filter(|rank| signatures.name(rank.name) == name).peekable();
        ranks.peek().is_some()
            && ranks.all(|rank| !ALWAYS_KNOWN.contains(&signatures.theories[rank.theory].name.as_str()))
    }

    /// Whether a script uses something that the solver does not know.
    pub fn lacks(&self, script: &str) -> bool {
        self.unknown.iter().any(|name| mentions(script, name))
    }
}

/// Whether a name stands in a script as a word of its own.
fn mentions(script: &str, name: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || b"()".contains(byte));
    script.match_indices(name).any(|(at, _)| {
        let bytes = script.as_bytes();
        ends(at.checked_sub(1).map(|before| &bytes[before])) && ends(bytes.get(at + name.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_not_asked_again() {
        // The solver, what it says, a script, and whether it lacks something of it.
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
            vocabulary.note_message(message);
            assert_eq!(vocabulary.lacks(script), lacks, "{message}");
        }
    }
}
