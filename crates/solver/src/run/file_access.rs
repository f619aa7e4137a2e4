//! Removes what would make a solver open files, before the script reaches a process.

use super::script::{Script, blanked};
use smt::file_access::{find, is_command};
use std::borrow::Cow;

/// The script without the commands that may make a solver open a file or start a program.
///
/// Blanks replace them, so that positions in error messages stay the same. `None` if that is not enough, since the words are in a
/// term, a string or a comment: without those, the script could have another answer.
pub fn without_file_access(text: &str) -> Option<Cow<'_, str>> {
    if find(text).is_none() {
        return Some(Cow::Borrowed(text));
    }
    let script = Script::split(text);
    let settings = script.commands.iter().filter(|command| {
        matches!(command.name, "set-option" | "set-info") && find(command.text).is_some()
            || is_command(command.name)
    });
    let rest = blanked(text, settings);
    find(&rest).is_none().then_some(Cow::Owned(rest))
}

#[cfg(test)]
mod tests {
    use super::without_file_access;

    #[test]
    fn commands_that_open_files_become_blanks() {
        let table = [
            ("(check-sat)", Some("(check-sat)")),
            ("(set-option :out \"x\")\n(check-sat)", Some("                     \n(check-sat)")),
            ("(include \"x\")(check-sat)", Some("             (check-sat)")),
            ("(assert (= s \":out\"))(check-sat)", None),
            ("(check-sat-using (using-params sat :drat.file x))", None),
            ("(check-sat)(exit)(set-option :out x)", None),
            ("(check-sat) ; :out", None),
            ("(set-option :out", None),
        ];
        for (text, expected) in table {
            assert_eq!(without_file_access(text).as_deref(), expected, "{text}");
        }
    }
}
