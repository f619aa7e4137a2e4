//! Questions that can only be answered after one of the answers: a model after `sat`, a core after `unsat`. Some solvers end at
//! the first error, so a process that stays is asked them when it is known that they fit.

use super::RunMode;
use super::observation::{Measured, Observation};
use super::request::Limits;
use super::script::{Command, Script};
use super::warm::WarmProcess;
use super::{Exit, Outcome, RunError};
use crate::profile::Profile;

/// After which answer a command makes sense, if only after one.
fn fitting_answer(command: &Command<'_>) -> Option<&'static str> {
    match command.name {
        "get-model" | "get-value" => Some("sat"),
        "get-unsat-core" | "get-proof" | "get-unsat-assumptions" => Some("unsat"),
        _ => None,
    }
}

/// A text, cut at the questions that follow its last check.
#[derive(Debug, PartialEq, Eq)]
struct Cut<'a> {
    /// All up to the last check.
    before: &'a str,
    /// The questions.
    follow_ups: Vec<Command<'a>>,
    /// What comes after them.
    rest: &'a str,
}

/// Cuts the text of a script, if questions follow its last check.
fn cut<'a>(text: &'a str, script: &Script<'a>) -> Option<Cut<'a>> {
    let commands = &script.commands;
    let last = commands.iter().rposition(Command::is_check)?;
    let follow_ups: Vec<Command<'_>> = commands[last + 1..]
        .iter()
        .copied()
        .take_while(|command| fitting_answer(command).is_some())
        .collect();
    // Commands are parts of the text, so their addresses tell where they end.
    let end =
        |command: &Command<'_>| command.text.as_ptr() as usize - text.as_ptr() as usize + command.text.len();
    let rest = &text[end(follow_ups.last()?)..];
    Some(Cut { before: &text[..end(&commands[last])], follow_ups, rest })
}

/// Hands a text to a process that stays. Questions that do not fit the last answer are left out.
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
        return Ok(observe(measured, &script.moved_down(process.lines_before)));
    };
    let mut measured = process.exchange("", cut.before, limits)?;
    let mut script = Script::split(cut.before).moved_down(process.lines_before);
    if measured.exit != Exit::Running {
        return Ok(observe(measured, &script));
    }
    let answer = last_line(&measured.stdout);
    let fits = |command: &&Command<'_>| fitting_answer(command).is_some_and(|fit| fit.as_bytes() == answer);
    let mut further: String = cut.follow_ups.iter().filter(fits).map(|command| command.text).collect();
    further.push_str(cut.rest);
    let more = process.exchange("", &further, limits)?;
    script.commands.extend(Script::split(&further).moved_down(process.lines_before).commands);
    measured.stdout.extend(more.stdout);
    measured.stderr.extend(more.stderr);
    let (wall, cpu) = (measured.wall + more.wall, measured.cpu + more.cpu);
    Ok(observe(Measured { stdout: measured.stdout, stderr: measured.stderr, wall, cpu, ..more }, &script))
}

/// Whether a process can take the next text. After an error it is not known at which level it stands; that there is no model
/// does no harm.
pub(super) fn in_step(seen: &Observation) -> bool {
    !seen.stdout.contains("(error") || seen.outcome == Outcome::Answered
}

/// The last line of an output that is not empty.
fn last_line(output: &[u8]) -> &[u8] {
    let mut lines = output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.rfind(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_questions_after_its_last_check() {
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
                (cut.before, cut.follow_ups.iter().map(|command| command.name).collect::<Vec<_>>(), cut.rest)
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
