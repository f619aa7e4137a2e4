//! The answers that a script states about itself.

use case::Answer;
use smt::lexer::{Kind, Lexer};

/// The `:status` of each check of a script, `unknown` for a check without one. A status is about the next check.
pub(crate) fn stated_answers(script: &str) -> Vec<Answer> {
    let mut lexer = Lexer::new(script);
    let mut answers = Vec::new();
    let mut stated = Answer::Unknown;
    let mut previous = ["", ""];
    while let Ok(token) = lexer.next_token() {
        let text = match token.kind {
            Kind::End => break,
            // A quoted word is never the name of a command.
            Kind::String => "",
            _ => lexer.text(token),
        };
        match previous {
            [_, "("] if text.starts_with("check-sat") => {
                answers.push(std::mem::replace(&mut stated, Answer::Unknown));
            }
            ["set-info", ":status"] => {
                stated = match text {
                    "sat" => Answer::Sat,
                    "unsat" => Answer::Unsat,
                    _ => Answer::Unknown,
                };
            }
            _ => {}
        }
        previous = [previous[1], text];
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_about_the_next_check() {
        use Answer::{Sat, Unknown, Unsat};
        let table: [(&str, &[Answer]); 7] = [
            ("(check-sat)", &[Unknown]),
            ("(set-info :status sat)(check-sat)", &[Sat]),
            ("(set-info :status unsat)\n(check-sat)(check-sat)", &[Unsat, Unknown]),
            (
                "(set-info :status sat)(check-sat-assuming (a))(set-info :status unsat)(check-sat)",
                &[Sat, Unsat],
            ),
            ("(set-info :status unknown)(check-sat)", &[Unknown]),
            ("; (set-info :status sat)\n(set-info :notes |:status unsat|)(check-sat)", &[Unknown]),
            ("(echo \"(set-info :status sat)\")(check-sat-using smt)", &[Unknown]),
        ];
        for (script, expected) in table {
            assert_eq!(stated_answers(script), expected, "{script}");
        }
    }
}
