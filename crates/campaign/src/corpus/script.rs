//! One script of a corpus: what it uses, and the form in which it is imported.

use super::normal_form::normal_form;
use case::hash::fnv1a;
use smt::{Arena, Command, ErrorKind, Plain, Script, ScriptSummary, parse_script};
use std::collections::BTreeSet;
use strategies::NamedOptions;

/// A script that was parsed and type-checked.
#[derive(Clone, Debug)]
pub struct CorpusScript {
    /// Its size in bytes.
    pub bytes: usize,
    /// What it uses, or what is wrong with it.
    pub result: Result<WellTyped, ErrorKind>,
}

/// What a well-typed script uses.
#[derive(Clone, Debug)]
pub struct WellTyped {
    /// The logic that it sets, or the smallest that covers it.
    pub logic: String,
    /// Its theories.
    pub theories: BTreeSet<String>,
    /// Its operators.
    pub operators: BTreeSet<String>,
    /// The `:status` that it states last, if any.
    pub status: Option<String>,
    /// How many checks it has.
    pub checks: usize,
    /// The hash of its normal form: equal for scripts that differ only in names and layout.
    pub normal_hash: u64,
    /// The script as a seed: without descriptions, commands that concern files or end the script, and comments other than those that name
    /// options.
    pub seed: String,
}

impl CorpusScript {
    /// Checks a script.
    pub fn new(text: &str) -> CorpusScript {
        let mut arena = Arena::default();
        let result = match parse_script(&mut arena, text) {
            Ok(script) => Ok(WellTyped::new(&mut arena, &script, text)),
            Err(errors) => Err(errors.first().map_or(ErrorKind::Syntax, |error| error.kind)),
        };
        CorpusScript { bytes: text.len(), result }
    }
}

impl WellTyped {
    fn new(arena: &mut Arena, script: &Script, text: &str) -> WellTyped {
        let summary = ScriptSummary::new(arena, script);
        let mut seed = NamedOptions::of(text).comments();
        let commands = script.commands.iter().zip(&script.spans);
        for (_, span) in commands.filter(|(command, _)| belongs_in_seed(arena, command)) {
            seed.push_str(&text[span.start as usize..span.end as usize]);
            seed.push('\n');
        }
        let status = script.commands.iter().rev().find_map(|command| match command {
            Command::SetInfo(keyword, value) if arena.name(*keyword) == ":status" => {
                Some(arena.name(*value).to_owned())
            }
            _ => None,
        });
        WellTyped {
            logic: summary.declared_logic.unwrap_or(summary.smallest_logic),
            theories: summary.features.theories,
            operators: summary.features.operators.into_keys().collect(),
            status,
            checks: summary.checks,
            normal_hash: fnv1a(&normal_form(arena, script)),
            seed,
        }
    }
}

/// Whether a command belongs in a seed. Descriptions make scripts longer, output belongs on standard output, and what follows
/// `exit` does not run.
pub(super) fn belongs_in_seed(arena: &Arena, command: &Command) -> bool {
    match command {
        Command::SetInfo(keyword, _) => arena.name(*keyword) == ":status",
        Command::SetOption(keyword, _) => !arena.name(*keyword).ends_with("-output-channel"),
        Command::Plain(Plain::Exit) => false,
        Command::Other(text) => {
            !matches!(first_word(arena.name(*text)), "echo" | "include" | "get-info" | "help")
        }
        _ => true,
    }
}

/// The name of a command that is kept verbatim.
fn first_word(command: &str) -> &str {
    command.trim_start_matches(['(', ' ']).split([' ', ')', '\n']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_keep_what_matters() {
        let text = "; a comment\n; COMMAND-LINE: --nl-ext\n(set-info :source |web|)\n(set-info :status sat)\n(set-option :produce-models true)\n\
            (set-option :regular-output-channel \"x\")\n(set-logic QF_LIA)(declare-const x Int) ; another\n\
            (push 1)(assert (> x\n  1))(check-sat)(pop 1)(echo \"done\")(check-sat)(exit)\n";
        let script = CorpusScript::new(text).result.unwrap();
        let expected = "; solver: cvc5\n; options: nl-ext=true\n(set-info :status sat)\n(set-option :produce-models true)\n(set-logic QF_LIA)\n(declare-const x Int)\n\
            (push 1)\n(assert (> x\n  1))\n(check-sat)\n(pop 1)\n(check-sat)\n";
        assert_eq!(script.seed, expected);
        assert_eq!(
            (script.logic.as_str(), script.status.as_deref(), script.checks),
            ("QF_LIA", Some("sat"), 2)
        );
    }

    #[test]
    fn wrong_scripts_say_what_is_wrong() {
        let table = [
            ("(assert", ErrorKind::Syntax),
            ("(assert x)", ErrorKind::Undeclared),
            ("(assert (+ 1 true))", ErrorKind::Sort),
        ];
        for (text, expected) in table {
            assert_eq!(CorpusScript::new(text).result.unwrap_err(), expected, "{text}");
        }
    }
}
