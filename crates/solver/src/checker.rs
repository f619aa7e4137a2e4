//! Programs that check proofs. A user who has one names its command; `checkers/NAME.toml` says how it takes a proof, and what its
//! verdicts look like.
//!
//! The command is stored with a finding, and a script may state it in its first line. Both may come from strangers, so no shell reads it,
//! and the program is confined like a solver.

use crate::profile::Expression;
use crate::run::{CommandRun, ConfinedProgram, Ending, Limits, RunError, RunSettings};
use case::Hinted;
use case::text::{collapsed, head};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

// `CHECKERS`: the name and text of every file in `checkers/`, sorted by name. The build script writes it.
include!(concat!(env!("OUT_DIR"), "/checkers.rs"));

/// The names of the two files in arguments and variables.
const PROOF: &str = "proof";
const SCRIPT: &str = "script";
/// The longest message of a checker that is kept, in characters.
const LONGEST_MESSAGE: usize = 400;

/// What the checkers are called, and how they are used.
static KNOWN: LazyLock<BTreeMap<&'static str, Profile>> = LazyLock::new(|| {
    let read = |(name, text): &(&'static str, &str)| match toml::from_str(text) {
        Ok(profile) => (*name, profile),
        Err(error) => panic!("checkers/{name}.toml: {error}"),
    };
    CHECKERS.iter().map(read).collect()
});

/// How a checker is used.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    /// The format of the proofs, as the profiles of solvers name it.
    format: String,
    /// The arguments after the command of the user. `{proof}` and `{script}` stand for files.
    arguments: Vec<String>,
    /// What it prints about a proof without a gap.
    accepts: Expression,
    /// What it prints about a proof that is wrong. The first group is the message.
    rejects: Expression,
    /// What it prints if it cannot tell, also beside a rejection.
    #[serde(default)]
    undecided: Option<Expression>,
}

/// A program that checks proofs.
#[derive(Clone, Debug)]
pub struct ProofChecker {
    /// The command as the user wrote it.
    pub command: String,
    program: ConfinedProgram,
    profile: &'static Profile,
}

/// What a checker says about a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// The proof is right, and has no gap.
    Accepted,
    /// A step of the proof is wrong.
    Rejected {
        /// Its message.
        message: String,
    },
    /// The checker does not know: the proof has a gap, or the checker cannot read it, or did not end.
    Undecided,
}

/// Why a command cannot check proofs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// It is none of the known checkers.
    #[error("`{command}` names no checker of proofs that is known")]
    Unknown {
        /// The command.
        command: String,
    },
    /// Its program is not there.
    #[error("there is no program `{program}`")]
    Missing {
        /// The program.
        program: String,
    },
}

impl Hinted for CheckerError {
    fn hint(&self) -> Option<String> {
        let names: Vec<&str> = KNOWN.keys().copied().collect();
        Some(match self {
            CheckerError::Unknown { .. } => {
                format!(
                    "the name of the program tells the format of proofs: it contains {}",
                    names.join(" or ")
                )
            }
            CheckerError::Missing { .. } => "install it, or give its path".to_owned(),
        })
    }
}

impl ProofChecker {
    /// The checker that a command of the user starts.
    pub fn of_command(command: &str) -> Result<ProofChecker, CheckerError> {
        let words = words(command);
        let file =
            |word: &String| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
        let named = |name: &str| words.iter().filter_map(file).any(|file| file.contains(name));
        let known = KNOWN.iter().find(|(name, _)| named(name)).zip(words.split_first());
        let ((_, profile), (program, arguments)) =
            known.ok_or_else(|| CheckerError::Unknown { command: command.to_owned() })?;
        let mut arguments = arguments.to_vec();
        if !command.contains("{proof}") {
            arguments.extend(profile.arguments.iter().cloned());
        }
        let program = ConfinedProgram::new(program, &arguments);
        if !program.path().is_file() {
            return Err(CheckerError::Missing { program: program.path().display().to_string() });
        }
        Ok(ProofChecker { command: command.to_owned(), program, profile })
    }

    /// The format of the proofs that it checks, as the profiles of solvers name it.
    pub fn format(&self) -> &str {
        &self.profile.format
    }

    /// Checks a proof, as a solver prints it, that a script is unsatisfiable.
    pub fn check(
        &self,
        script: &str,
        proof: &str,
        limits: &Limits,
        settings: &RunSettings,
    ) -> Result<ProofVerdict, RunError> {
        let files = [(PROOF, steps(proof)), (SCRIPT, script)];
        Ok(self.verdict(&self.program.run(&files, limits, settings)?))
    }

    /// What a run says about the proof.
    fn verdict(&self, seen: &CommandRun) -> ProofVerdict {
        let Profile { accepts, rejects, undecided, .. } = self.profile;
        let said = format!("{}\n{}", seen.stdout, seen.stderr);
        if seen.ending != Ending::Own || undecided.as_ref().is_some_and(|pattern| pattern.is_match(&said)) {
            return ProofVerdict::Undecided;
        }
        match rejects.first_group(&said) {
            Some(message) => {
                let message = head(&collapsed(message), LONGEST_MESSAGE).to_owned();
                ProofVerdict::Rejected { message }
            }
            None if accepts.is_match(&said) => ProofVerdict::Accepted,
            None => ProofVerdict::Undecided,
        }
    }
}

/// The words of a command, of which some may stand in quotes.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut is_open) = (None, false);
    for character in command.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                if !is_open {
                    words.push(String::new());
                }
                is_open = true;
            }
            None if character.is_whitespace() => is_open = false,
            _ => {
                if !is_open {
                    words.push(String::new());
                }
                is_open = true;
                words.last_mut().expect("a word is open").push(character);
            }
        }
    }
    words
}

/// The steps of a proof: a solver prints them as one list.
fn steps(proof: &str) -> &str {
    let inside = proof.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.filter(|steps| steps.trim_start().starts_with('(')).unwrap_or(proof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::Exit;

    fn checker(command: &str) -> ProofChecker {
        ProofChecker::of_command(&format!("sh -c {command}")).unwrap()
    }

    #[test]
    fn names_tell_the_format() {
        let table = [
            ("sh /opt/carcara-1.2", Ok("alethe")),
            ("sh ethos --include=/opt/cpc/Cpc.eo", Ok("cpc")),
            ("/nonexistent/carcara", Err("there is no program `/nonexistent/carcara`")),
            ("'sh' \"/opt/my carcara\"", Ok("alethe")),
            ("sh check", Err("`sh check` names no checker of proofs that is known")),
            ("", Err("`` names no checker of proofs that is known")),
        ];
        for (command, expected) in table {
            let found = ProofChecker::of_command(command);
            let found = found.as_ref().map(ProofChecker::format).map_err(ToString::to_string);
            assert_eq!(found, expected.map_err(str::to_owned), "{command}");
        }
    }

    #[test]
    fn verdicts_are_recognised() {
        let rejected = |message: &str| ProofVerdict::Rejected { message: message.to_owned() };
        let step = "checking failed on step 't2' with rule 'resolution': term '(= a b)' is missing in conclusion clause";
        let table = [
            ("carcara", "valid\n", "", ProofVerdict::Accepted),
            ("carcara", "holey\n", "", ProofVerdict::Undecided),
            ("carcara", "invalid\n", &format!("[ERROR] {step}\n"), rejected(step)),
            (
                "carcara",
                "invalid\n",
                "[ERROR] checking failed on step 't2' with rule 'new_rule': unknown rule\n",
                ProofVerdict::Undecided,
            ),
            (
                "carcara",
                "invalid\n",
                "[ERROR] parser error: identifier 'f' is not defined",
                ProofVerdict::Undecided,
            ),
            ("ethos", "correct\n", "", ProofVerdict::Accepted),
            ("ethos", "incomplete\n", "", ProofVerdict::Undecided),
            (
                "ethos",
                "",
                "Error: proof:12.3\nA step of rule eq_resolve failed to check.\nExpected: …",
                rejected("A step of rule eq_resolve failed to check."),
            ),
            ("ethos", "", "Error: cannot include file Cpc.eo", ProofVerdict::Undecided),
        ];
        for (name, stdout, stderr, expected) in table {
            let seen = |ending| CommandRun {
                stdout: stdout.to_owned(),
                stderr: stderr.to_owned(),
                exit: Exit::Code(0),
                ending,
            };
            assert_eq!(checker(name).verdict(&seen(Ending::Own)), expected, "{stdout}{stderr}");
            assert_eq!(checker(name).verdict(&seen(Ending::Wall)), ProofVerdict::Undecided);
        }
    }

    #[test]
    fn a_checker_gets_the_steps_and_the_script() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my-carcara");
        std::fs::write(&program, "shift 5; cat \"$1\" \"$2\" \"$proof\" | tr '\\n' ' '\n").unwrap();
        let checker = ProofChecker::of_command(&format!("sh {}", program.display())).unwrap();
        let check = |proof: &str, script: &str| {
            checker.check(script, proof, &Limits::default(), &RunSettings::default()).unwrap()
        };
        assert_eq!(
            check("(\n(step a)\n)\n", "checking failed on step 'b' "),
            ProofVerdict::Rejected { message: "checking failed on step 'b' (step a)".to_owned() }
        );
        assert_eq!(check("((step a))", "(check-sat)"), ProofVerdict::Undecided);
    }

    #[test]
    fn commands_are_split_into_words() {
        let table: [(&str, &[&str]); 5] = [
            ("ethos  --include=a.eo ", &["ethos", "--include=a.eo"]),
            ("'a b'c \"d'e\"", &["a bc", "d'e"]),
            ("a '' b", &["a", "", "b"]),
            ("a 'b c", &["a", "b c"]),
            (" ", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(words(command), expected, "{command}");
        }
    }

    #[test]
    fn a_list_of_steps_loses_its_parentheses() {
        let table = [
            ("(\n(step a)\n(step b)\n)\n", "\n(step a)\n(step b)\n"),
            ("(step a)\n(step b)", "(step a)\n(step b)"),
            ("(step a)", "(step a)"),
            ("()", "()"),
        ];
        for (proof, expected) in table {
            assert_eq!(steps(proof), expected, "{proof}");
        }
    }
}
