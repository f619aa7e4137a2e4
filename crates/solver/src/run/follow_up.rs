//! Queries that are valid only after one answer: a model after `sat`, a core after `unsat`.
//!
//! Some solvers exit at the first error, so a warm process gets these queries once the answer is known.

use super::error::RunError;
use super::observation::{Measured, Observation};
use super::request::Limits;
use super::script::{Command, Script};
use super::warm::WarmProcess;
use crate::profile::Profile;
use case::{Exit, Outcome, RunMode};

/// The answer that a query requires, if any.
fn required_answer(command: &Command<'_>) -> Option<&'static str> {
    match command.name {
        "get-model" | "get-value" => Some("sat"),
        "get-unsat-core" | "get-proof" | "get-unsat-assumptions" => Some("unsat"),
        _ => None,
    }
}

/// A text split at the queries after its last check.
#[derive(Debug, PartialEq, Eq)]
struct Cut<'a> {
    /// Everything up to the last check.
    before: &'a str,
    /// The queries.
    queries: Vec<Command<'a>>,
    /// Everything after the queries.
    rest: &'a str,
}

/// Splits the text of a script, if queries follow its last check.
fn cut<'a>(text: &'a str, script: &Script<'a>) -> Option<Cut<'a>> {
    let commands = &script.commands;
    let last = commands.iter().rposition(Command::is_check)?;
    let queries: Vec<Command<'_>> = commands[last + 1..]
        .iter()
        .copied()
        .take_while(|command| required_answer(command).is_some())
        .collect();
    // Commands are slices of the text, so their addresses give their positions.
    let end =
        |command: &Command<'_>| command.text.as_ptr() as usize - text.as_ptr() as usize + command.text.len();
    let rest = &text[end(queries.last()?)..];
    Some(Cut { before: &text[..end(&commands[last])], queries, rest })
}

/// Sends a text to a warm process, without the queries that are invalid after the last answer.
pub(super) fn exchange(
    process: &mut WarmProcess,
    text: &str,
    profile: &Profile,
    limits: &Limits,
) -> Result<Observation, RunError> {
    let observe = |measured: Measured, script: &Script<'_>| {
        measured.observe(profile, script, limits.memory, RunMode::Incremental)
    };
    let script = Script::split(text);
    let Some(cut) = cut(text, &script) else {
        let measured = process.exchange("", text, limits)?;
        return Ok(observe(measured, &script.shifted(process.lines_before)));
    };
    let mut measured = process.exchange("", cut.before, limits)?;
    let mut script = Script::split(cut.before).shifted(process.lines_before);
    if measured.exit != Exit::Running {
        return Ok(observe(measured, &script));
    }
    let answer = last_line(&measured.stdout);
    let valid =
        |command: &&Command<'_>| required_answer(command).is_some_and(|needed| needed.as_bytes() == answer);
    let mut further: String = cut.queries.iter().filter(valid).map(|command| command.text).collect();
    further.push_str(cut.rest);
    let more = process.exchange("", &further, limits)?;
    script.commands.extend(Script::split(&further).shifted(process.lines_before).commands);
    measured.stdout.extend(more.stdout);
    measured.stderr.extend(more.stderr);
    let (wall, cpu) = (measured.wall + more.wall, measured.cpu + more.cpu);
    Ok(observe(Measured { stdout: measured.stdout, stderr: measured.stderr, wall, cpu, ..more }, &script))
}

/// Whether a process can take the next text. After an error its assertion level is unknown; a missing model does no harm.
pub(super) fn can_continue(seen: &Observation) -> bool {
    !seen.stdout.contains("(error") || seen.outcome == Outcome::Answered
}

/// The last non-empty line of an output.
fn last_line(output: &[u8]) -> &[u8] {
    let mut lines = output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.rfind(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_at_the_queries_after_its_last_check() {
        let table = [
            ("(push 1)\n(check-sat)\n(pop 1)", None),
            ("(get-model)", None),
            ("(check-sat)(get-model)(check-sat)(echo \"x\")(get-model)", None),
            (
                "(check-sat)\n(get-model)\n(get-unsat-core)\n(pop 1)",
                Some(("(check-sat)", vec!["get-model", "get-unsat-core"], "\n(pop 1)")),
            ),
            (
                "(check-sat)(get-info :all)(check-sat)(get-value (x))",
                Some(("(check-sat)(get-info :all)(check-sat)", vec!["get-value"], "")),
            ),
        ];
        for (text, expected) in table {
            let cut = cut(text, &Script::split(text));
            let found = cut.as_ref().map(|cut| {
                (cut.before, cut.queries.iter().map(|command| command.name).collect::<Vec<_>>(), cut.rest)
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
