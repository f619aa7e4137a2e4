//! Our own evaluation of mutants: its limits, and which scripts it can judge.

use semantics::eval::Limits;
use smt::{Command, Plain, Script};

/// Limits on the evaluation of one mutant.
pub(crate) fn limits() -> Limits {
    let values =
        semantics::value::limits::Limits { bits: 1 << 14, chars: 1 << 14, steps: 1 << 14, degree: 16 };
    Limits { values, steps: 1 << 20, ..Limits::default() }
}

/// Why the script's answer is not about all of its assertions together; `None` if it is.
///
/// A model can be judged only if the script has one `check-sat`, with every assertion before it and in force.
pub(crate) fn not_one_question(script: &Script) -> Option<&'static str> {
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    if checks != 1 {
        return Some("the script does not have exactly one `check-sat`");
    }
    let level = |command: &Command| {
        matches!(
            command,
            Command::Push(_)
                | Command::Pop(_)
                | Command::CheckSatAssuming(_)
                | Command::Plain(Plain::Reset | Plain::ResetAssertions)
        )
    };
    if script.commands.iter().any(level) {
        return Some("the script retracts assertions or has assumptions");
    }
    let after = script.commands.iter().skip_while(|command| !command.is_check());
    if after.into_iter().any(|command| matches!(command, Command::Assert(_))) {
        return Some("the script asserts something after the `check-sat`");
    }
    None
}
