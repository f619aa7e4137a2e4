//! The questions of an incremental script, each asked from scratch.

use super::script::{Command, Script};

/// What is in force between two commands of a script.
#[derive(Default)]
struct Stack<'a> {
    /// The commands in force, each with the level that it belongs to.
    commands: Vec<(&'a str, u64)>,
    level: u64,
    /// Whether declarations outlive their level.
    global: bool,
}

impl<'a> Stack<'a> {
    fn execute(&mut self, command: Command<'a>) {
        let levels = command.arguments().next().map_or(Some(1), |levels| levels.parse().ok());
        match command.name {
            "push" => self.level += levels.unwrap_or(1),
            "pop" => self.leave(self.level.saturating_sub(levels.unwrap_or(1))),
            "reset" => *self = Stack::default(),
            "reset-assertions" => {
                self.leave(0);
                let global = self.global;
                self.commands.retain(|(text, _)| is_head(text) || (global && !is_assertion(text)));
            }
            "set-option" => {
                let mut words = command.arguments();
                if words.next() == Some(":global-declarations") {
                    self.global = words.next() == Some("true");
                }
                self.commands.push((command.text, 0));
            }
            "set-logic" | "set-info" => self.commands.push((command.text, 0)),
            "assert" => self.commands.push((command.text, self.level)),
            name if name.starts_with("declare-") || name.starts_with("define-") => {
                let level = if self.global { 0 } else { self.level };
                self.commands.push((command.text, level));
            }
            // Everything else asks for something or is an objective.
            _ => {}
        }
    }

    fn leave(&mut self, level: u64) {
        self.level = level;
        self.commands.retain(|(_, own)| *own <= level);
    }

    /// Appends the script that asks what `check` asks now.
    fn ask(&self, check: &Command<'_>, out: &mut String) {
        for (text, _) in &self.commands {
            out.push_str(text);
            out.push('\n');
        }
        if check.name == "check-sat-assuming" {
            for literal in literals(check.text) {
                out.push_str(&format!("(assert {literal})\n"));
            }
        }
        out.push_str("(check-sat)\n");
    }
}

fn is_head(command: &str) -> bool {
    ["(set-option", "(set-logic", "(set-info"].iter().any(|head| command.starts_with(head))
}

fn is_assertion(command: &str) -> bool {
    command.starts_with("(assert")
}

/// The assumptions of a `check-sat-assuming`.
fn literals(command: &str) -> Vec<&str> {
    let Ok(read) = smt::sexpr::read_all(command) else { return Vec::new() };
    let list = read.first().and_then(|read| read.list()?.get(1)?.list());
    let text = |span: smt::Span| &command[span.start as usize..span.end as usize];
    list.unwrap_or_default().iter().map(|literal| text(literal.span())).collect()
}

/// Whether a script asks several questions, or leaves levels or assumes something for one.
pub fn is_incremental(text: &str) -> bool {
    let script = Script::split(text);
    script.broken.is_none() && asks_incrementally(&script)
}

/// The script up to the check with this number, from 0; `None` if that is the last one or there is none.
pub fn up_to_check(text: &str, check: usize) -> Option<String> {
    let script = Script::split(text);
    let mut checks = script.commands.iter().filter(|command| command.is_check()).skip(check);
    let (wanted, _) = (checks.next()?, checks.next()?);
    // The command is a slice of the text, so its address gives its position.
    let end = wanted.text.as_ptr() as usize - text.as_ptr() as usize + wanted.text.len();
    Some(format!("{}\n", &text[..end]))
}

/// The same of a script that could be split.
pub(super) fn asks_incrementally(script: &Script<'_>) -> bool {
    let retracts =
        |command: &Command<'_>| matches!(command.name, "pop" | "reset-assertions" | "check-sat-assuming");
    script.checks() > 1 || script.commands.iter().any(retracts)
}

/// The questions of a script, each with exactly what it depends on and with `reset` in between.
pub(super) fn from_scratch(script: &Script<'_>) -> String {
    let mut stack = Stack::default();
    let mut text = String::new();
    for command in &script.commands {
        if command.is_check() {
            if !text.is_empty() {
                text.push_str("(reset)\n");
            }
            stack.ask(command, &mut text);
        } else {
            stack.execute(*command);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{from_scratch, is_incremental, up_to_check};
    use crate::run::Script;

    #[test]
    fn each_question_has_what_is_in_force() {
        let table = [
            (
                "(assert a)(check-sat)(assert b)(check-sat)",
                "(assert a) (check-sat) (reset) (assert a) (assert b) (check-sat)",
            ),
            (
                "(set-logic QF_UF)(declare-const a Bool)(push 1)(declare-const b Bool)(assert b)(check-sat)(pop 1)\
                 (assert a)(check-sat)",
                "(set-logic QF_UF) (declare-const a Bool) (declare-const b Bool) (assert b) (check-sat) (reset) \
                 (set-logic QF_UF) (declare-const a Bool) (assert a) (check-sat)",
            ),
            ("(push 2)(assert a)(push)(assert b)(pop 2)(assert c)(check-sat)", "(assert c) (check-sat)"),
            ("(push 2)(assert a)(pop 1)(check-sat)", "(check-sat)"),
            (
                "(assert a)(check-sat-assuming (b (not |c )|)))(check-sat)",
                "(assert a) (assert b) (assert (not |c )|)) (check-sat) (reset) (assert a) (check-sat)",
            ),
            (
                "(set-option :global-declarations true)(push 1)(declare-const a Bool)(assert a)(reset-assertions)\
                 (assert (not a))(check-sat)(get-model)",
                "(set-option :global-declarations true) (declare-const a Bool) (assert (not a)) (check-sat)",
            ),
            ("(declare-const a Bool)(assert a)(reset-assertions)(check-sat)", "(check-sat)"),
            ("(set-logic ALL)(assert a)(reset)(assert b)(check-sat)(pop 1)", "(assert b) (check-sat)"),
            (
                "(push 1)(define-fun f () Bool true)(assert f)(check-sat)(pop 1)(check-sat-using smt)",
                "(define-fun f () Bool true) (assert f) (check-sat) (reset) (check-sat)",
            ),
        ];
        for (script, expected) in table {
            let script = Script::split(script);
            let found = from_scratch(&script);
            assert_eq!(found.trim_end().replace('\n', " "), expected);
        }
    }

    #[test]
    fn one_question_about_everything_is_not_incremental() {
        let table = [
            ("(assert a)(check-sat)", false),
            ("(push 1)(assert a)(check-sat)", false),
            ("(push 1)(pop 1)(check-sat)", true),
            ("(check-sat-assuming (a))", true),
            ("(check-sat)(check-sat)", true),
            ("(reset-assertions)(check-sat)", true),
        ];
        for (script, expected) in table {
            assert_eq!(is_incremental(script), expected, "{script}");
        }
    }

    #[test]
    fn a_script_ends_at_any_check_but_the_last() {
        let script = "(check-sat)\n(assert a)(check-sat-assuming (b))(check-sat)";
        let table = [
            (0, Some("(check-sat)\n")),
            (1, Some("(check-sat)\n(assert a)(check-sat-assuming (b))\n")),
            (2, None),
            (3, None),
        ];
        for (check, expected) in table {
            assert_eq!(up_to_check(script, check).as_deref(), expected);
        }
    }
}
