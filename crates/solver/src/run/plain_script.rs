//! The plain form of a script: the same question without what makes a solver take another path.

use super::script::Script;

/// The script without the levels that it opens and never leaves, and with `check-sat` for each `check-sat-using`. It asks the same
/// question, so a solver must not contradict itself on the two.
pub fn plain_script(text: &str) -> String {
    let script = Script::split(text);
    let mut plain = text.to_owned();
    let open = never_left(&script);
    // From the end, so that the positions before stay valid.
    for (index, command) in script.commands.iter().enumerate().rev() {
        let replacement = match command.name {
            "check-sat-using" => "(check-sat)",
            "push" if open.contains(&index) => "",
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

/// The indices of the `push` commands none of whose levels a later command leaves.
fn never_left(script: &Script<'_>) -> Vec<usize> {
    // The levels that each command opened, with its index unless one of them was left.
    let mut open: Vec<(Option<usize>, u64)> = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        let levels = command.arguments().next().map_or(Some(1), |levels| levels.parse().ok());
        match (command.name, levels) {
            ("push", Some(levels)) => open.push((Some(index), levels)),
            ("pop", Some(mut levels)) => {
                while levels > 0 {
                    let Some((_, opened)) = open.pop() else { break };
                    if opened > levels {
                        open.push((None, opened - levels));
                    }
                    levels = levels.saturating_sub(opened);
                }
            }
            // Nothing is known about the levels any more.
            ("push" | "pop", None) | ("reset" | "reset-assertions", _) => open.clear(),
            _ => {}
        }
    }
    open.into_iter().filter_map(|(index, _)| index).collect()
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
            ("(push 1)(push 2)(pop 1)(check-sat)", "(push 2)(pop 1)(check-sat)"),
            ("(push 1)(push 1)(pop 2)(check-sat)", "(push 1)(push 1)(pop 2)(check-sat)"),
            ("(push 1)(push 1)(pop 1)(push 1)(check-sat)", "(push 1)(pop 1)(check-sat)"),
            ("(push 1)(push 2)(pop 1)(pop 1)(check-sat)", "(push 2)(pop 1)(pop 1)(check-sat)"),
            ("(push 1)(pop 0)(check-sat)", "(pop 0)(check-sat)"),
            ("(push 1)(reset)(push 1)(check-sat)", "(push 1)(reset)(check-sat)"),
            ("(check-sat-using (then simplify smt)) ; (push 1)\n", "(check-sat) ; (push 1)\n"),
            ("(push 1)\n(check-sat-using horn)", "(check-sat)"),
        ];
        for (script, expected) in table {
            assert_eq!(plain_script(script), expected, "{script}");
        }
        let script = "(set-logic ALL)\n(assert (= \"(push 1)\" |(pop 1)|))\n(push 1)\n(check-sat)\n(pop 1)\n";
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
