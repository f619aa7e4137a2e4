//! The plain form of a script: the same question without what makes a solver take another path.

use super::from_scratch::{asks_incrementally, from_scratch};
use super::script::Script;

/// The script without objectives and without the levels that it opens and never leaves, and with `check-sat` for each
/// `check-sat-using`. An incremental script becomes its questions, each asked from scratch. The result asks the same, so a solver
/// must not contradict itself on the two.
pub fn plain_script(text: &str) -> String {
    let script = Script::split(text);
    if script.broken.is_none() && asks_incrementally(&script) {
        return from_scratch(&script);
    }
    let mut plain = text.to_owned();
    // From the end, so that the positions before stay valid.
    for command in script.commands.iter().rev() {
        let replacement = match command.name {
            "check-sat-using" => "(check-sat)",
            "push" | "minimize" | "maximize" | "assert-soft" | "get-objectives" => "",
            // The model of one objective
            "get-model" if command.arguments().next().is_some() => "(get-model)",
            _ => continue,
        };
        // The command is a slice of the text, so its address gives its position.
        let at = command.text.as_ptr() as usize - text.as_ptr() as usize;
        let mut end = at + command.text.len();
        if replacement.is_empty() && text[end..].starts_with('\n') {
            end += 1;
        }
        plain.replace_range(at..end, replacement);
    }
    plain
}

/// The script with `check-sat-using` and a tactic for its only `check-sat`; `None` unless there is exactly one check, a plain one.
pub fn using_tactic(text: &str, tactic: &str) -> Option<String> {
    let script = Script::split(text);
    if script.broken.is_some() || script.checks() != 1 {
        return None;
    }
    let check = script.commands.iter().find(|command| command.name == "check-sat")?;
    let at = check.text.as_ptr() as usize - text.as_ptr() as usize;
    Some(format!("{}(check-sat-using {tactic}){}", &text[..at], &text[at + check.text.len()..]))
}

#[cfg(test)]
mod tests {
    use super::{plain_script, using_tactic};
    use crate::run::inside_push;

    #[test]
    fn levels_that_are_never_left_and_tactics_go() {
        let table = [
            ("(assert a)(check-sat)", "(assert a)(check-sat)"),
            (
                "(set-logic QF_LIA)\n(push 1)\n(assert a)\n(check-sat)",
                "(set-logic QF_LIA)\n(assert a)\n(check-sat)",
            ),
            ("(push)(assert a)(check-sat)", "(assert a)(check-sat)"),
            ("(push 1)(assert a)(pop 1)(check-sat)", "(check-sat)\n"),
            ("(check-sat)(check-sat)", "(check-sat)\n(reset)\n(check-sat)\n"),
            ("(check-sat-using (then simplify smt)) ; (push 1)\n", "(check-sat) ; (push 1)\n"),
            ("(push 1)\n(check-sat-using horn)", "(check-sat)"),
            ("(minimize x)(assert-soft p :id a)(check-sat)(get-model 0)", "(check-sat)(get-model)"),
        ];
        for (script, expected) in table {
            assert_eq!(plain_script(script), expected, "{script}");
        }
        let script = "(set-logic ALL)\n(assert (= \"(push 1)\" |(pop 1)|))\n(check-sat)\n";
        assert_eq!(plain_script(&inside_push(script).unwrap()), script);
    }

    #[test]
    fn only_one_plain_check_gets_a_tactic() {
        let table = [
            ("(assert a)(check-sat)(get-model)", Some("(assert a)(check-sat-using smt)(get-model)")),
            ("(check-sat)(check-sat)", None),
            ("(check-sat-assuming (a))", None),
            ("(assert a)", None),
            ("(check-sat)(", None),
        ];
        for (script, expected) in table {
            assert_eq!(using_tactic(script, "smt").as_deref(), expected, "{script}");
        }
    }
}
