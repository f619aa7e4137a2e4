//! Splits the output of a solver into responses and matches them with the commands of the script.

use super::script::{Command, end_of_expression, end_of_line, head_word};
pub use case::Answer;

/// One response on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response<'a> {
    /// A parenthesised expression.
    List(&'a str),
    /// Any other line, such as `sat`.
    Line(&'a str),
}

impl<'a> Response<'a> {
    /// The text as printed.
    pub fn text(self) -> &'a str {
        match self {
            Response::List(text) | Response::Line(text) => text,
        }
    }

    /// Whether the solver reports an error.
    pub fn is_error(self) -> bool {
        matches!(self, Response::List(text) if head_word(text) == "error")
    }
}

/// Splits output into responses. An unclosed expression is split into lines, so that nothing is lost.
pub fn responses(output: &str) -> Vec<Response<'_>> {
    let bytes = output.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let closed = if bytes[at] == b'(' { end_of_expression(bytes, at) } else { None };
        match closed {
            Some((end, _)) => {
                found.push(Response::List(&output[at..end]));
                at = end;
            }
            None => {
                let end = end_of_line(bytes, at);
                found.push(Response::Line(output[at..end].trim_end()));
                at = end;
            }
        }
    }
    found
}

/// The command that a piece of output belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// `get-model`.
    Model,
    /// `get-value`.
    Values,
    /// `get-unsat-core`, `get-unsat-assumptions` or `get-timeout-core`.
    Core,
    /// `get-proof`.
    Proof,
    /// `simplify`.
    Simplified,
    /// `apply` or `get-qe`.
    Applied,
    /// `display`.
    Displayed,
    /// `get-objectives`.
    Objectives,
    /// `get-interpolant`, `get-abduct`, or the command for the next one.
    Formula,
    /// `get-learned-literals`.
    Literals,
    /// Any other command that prints.
    Other,
}

/// A response that is neither an answer nor an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its command.
    pub kind: PieceKind,
    /// The number of answers before it; it belongs to the last of them.
    pub answers_before: usize,
    /// The text as printed.
    pub text: String,
}

/// The responses of a run by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    /// The answer to each check in order.
    pub answers: Vec<Answer>,
    /// Models, values, cores and the rest.
    pub pieces: Vec<Piece>,
    /// The errors, as printed.
    pub errors: Vec<String>,
    /// Lines that belong to no command, such as warnings.
    pub strays: Vec<String>,
}

/// Matches each response with its command, by order and kind.
pub fn sort(commands: &[Command<'_>], output: &str) -> Sorted {
    let mut sorted = Sorted::default();
    let mut next = 0;
    for response in responses(output) {
        if let Response::Line(line) = response
            && let Some(answer) = answer_of(line)
        {
            if let Some(skipped) = commands.iter().skip(next).position(Command::is_check) {
                next += skipped + 1;
            }
            sorted.answers.push(answer);
            continue;
        }
        match response {
            Response::Line("success") => {}
            error if error.is_error() => {
                if let Some(index) = index_of_error(error.text(), commands, next) {
                    let lost = commands[next..=index].iter().filter(|command| command.is_check()).count();
                    sorted.answers.extend(std::iter::repeat_n(Answer::Missing, lost));
                    next = index + 1;
                }
                sorted.errors.push(error.text().to_owned());
            }
            other => match printing_command(commands, next) {
                Some((index, kind)) => {
                    next = index + 1;
                    let text = other.text().to_owned();
                    sorted.pieces.push(Piece { kind, answers_before: sorted.answers.len(), text });
                }
                None => sorted.strays.push(other.text().to_owned()),
            },
        }
    }
    sorted
}

/// The line of the script that an error message with `line N` names.
pub fn line_of_error(message: &str) -> Option<u32> {
    let (_, rest) = message.split_once("line ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The command that an error message with `line N` refers to, if it comes after the answered ones.
fn index_of_error(message: &str, commands: &[Command<'_>], next: usize) -> Option<usize> {
    let line = line_of_error(message)?;
    let on_line = |command: &Command<'_>| command.line <= line && line <= command.last_line;
    let index = next + commands[next..].iter().position(on_line)?;
    // With several commands on the line it is unknown which one the error refers to.
    let alone = commands.get(index + 1).is_none_or(|command| !on_line(command));
    alone.then_some(index)
}

/// The next command that prints something other than an answer, before the next check.
fn printing_command(commands: &[Command<'_>], next: usize) -> Option<(usize, PieceKind)> {
    for (index, command) in commands.iter().enumerate().skip(next) {
        let kind = match command.name {
            "get-model" => PieceKind::Model,
            "get-value" | "eval" | "get-assignment" => PieceKind::Values,
            "get-unsat-core" | "get-unsat-assumptions" | "get-timeout-core" => PieceKind::Core,
            "get-proof" => PieceKind::Proof,
            "simplify" => PieceKind::Simplified,
            "apply" | "get-qe" => PieceKind::Applied,
            "display" => PieceKind::Displayed,
            "get-objectives" => PieceKind::Objectives,
            "get-interpolant" | "get-interpolant-next" | "get-abduct" | "get-abduct-next" => {
                PieceKind::Formula
            }
            "get-learned-literals" => PieceKind::Literals,
            "echo" | "help" | "labels" => PieceKind::Other,
            name if name.starts_with("get-") => PieceKind::Other,
            _ if command.is_check() => return None,
            _ => continue,
        };
        return Some((index, kind));
    }
    None
}

/// The answer in a line, if it is one.
fn answer_of(line: &str) -> Option<Answer> {
    match line {
        "sat" => Some(Answer::Sat),
        "unsat" => Some(Answer::Unsat),
        // Z3 prints `timeout` instead of an answer.
        "unknown" | "timeout" => Some(Answer::Unknown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;
    use super::{Answer, PieceKind, Response, responses, sort};

    #[test]
    fn output_is_split_into_responses() {
        use Response::{Line, List};
        let table: &[(&str, &[Response<'static>])] = &[
            ("sat\n", &[Line("sat")]),
            ("sat\r\nunsat\r\n", &[Line("sat"), Line("unsat")]),
            ("(\n  (define-fun x () Int 1)\n)\nsat", &[List("(\n  (define-fun x () Int 1)\n)"), Line("sat")]),
            ("(error \"a ) b\")\nsat", &[List("(error \"a ) b\")"), Line("sat")]),
            ("(half a line\nsat\n", &[Line("(half a line"), Line("sat")]),
            ("((x \"a\"\"b\"))", &[List("((x \"a\"\"b\"))")]),
        ];
        for (output, expected) in table {
            assert_eq!(responses(output), *expected, "{output}");
        }
    }

    #[test]
    fn responses_are_matched_with_commands() {
        let text = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n(get-model)\n(get-value (x))\n(push 1)\n\
                    (assert false)\n(check-sat)\n(get-unsat-core)\n(check-sat)\n";
        let script = Script::split(text);
        let output = "sat\n((define-fun x () Int 1))\n((x 1))\nunsat\n()\nunknown\n";
        let sorted = sort(&script.commands, output);
        let answers = [Answer::Sat, Answer::Unsat, Answer::Unknown];
        assert_eq!(sorted.answers, answers);
        let kinds: Vec<_> = sorted.pieces.iter().map(|p| (p.kind, p.answers_before)).collect();
        assert_eq!(kinds, [(PieceKind::Model, 1), (PieceKind::Values, 1), (PieceKind::Core, 2)]);
    }

    #[test]
    fn an_error_instead_of_an_answer_does_not_shift_the_others() {
        let script = Script::split("(check-sat)\n(check-sat-assuming (y))\n(check-sat)\n(get-model)");
        let output = "sat\n(error \"line 2 column 21: unknown constant y\")\nunsat\n(error \"line 4 column 1: none\")\n";
        let sorted = sort(&script.commands, output);
        assert_eq!(sorted.answers, [Answer::Sat, Answer::Missing, Answer::Unsat]);
        assert_eq!(sorted.errors.len(), 2);
    }

    #[test]
    fn lines_of_no_command_are_strays() {
        let script = Script::split("(check-sat)\n");
        let sorted = sort(&script.commands, "WARNING: hm\nsat\nsat\n");
        assert_eq!(sorted.strays, ["WARNING: hm"]);
        assert_eq!(sorted.answers, [Answer::Sat, Answer::Sat]);
    }
}
