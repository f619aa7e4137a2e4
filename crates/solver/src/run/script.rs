//! Splits a script into its commands, as far as running it in a warm process requires.

/// One command of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The first word; empty if there is none.
    pub name: &'a str,
    /// The text with its parentheses.
    pub text: &'a str,
    /// The line on which it begins, counted from 1.
    pub line: u32,
    /// The line on which it ends.
    pub last_line: u32,
}

impl<'a> Command<'a> {
    /// The words of a flat command after its name: `:produce-models` and `true` of a `set-option`.
    pub fn arguments(&self) -> impl Iterator<Item = &'a str> {
        let inner = self.text.trim_start_matches('(').trim_end_matches(')');
        inner.split_ascii_whitespace().skip(1)
    }

    /// Whether the command checks satisfiability.
    pub fn is_check(&self) -> bool {
        matches!(self.name, "check-sat" | "check-sat-assuming" | "check-sat-using")
    }

    /// Whether the command is an option, an annotation or the logic.
    pub fn is_head(&self) -> bool {
        matches!(self.name, "set-option" | "set-info" | "set-logic")
    }
}

/// A script split into its commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script<'a> {
    /// The commands in order, up to the first `(exit)`.
    pub commands: Vec<Command<'a>>,
    /// The offset of the first `(exit)`, or the end of the text.
    pub end: usize,
    /// Why no commands can follow the text: it ends inside a command, or has words outside of commands.
    pub broken: Option<&'static str>,
}

impl<'a> Script<'a> {
    /// Splits `text` into commands.
    pub fn split(text: &'a str) -> Script<'a> {
        let bytes = text.as_bytes();
        let mut script = Script::default();
        let (mut at, mut line) = (0, 1);
        while at < bytes.len() {
            match bytes[at] {
                b'\n' => {
                    line += 1;
                    at += 1;
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                b';' => at = end_of_line(bytes, at),
                b'(' => {
                    let Some((end, newlines)) = end_of_expression(bytes, at) else {
                        script.broken = Some("it ends inside a command");
                        return script;
                    };
                    let text = &text[at..end];
                    let command = Command { name: head_word(text), text, line, last_line: line + newlines };
                    if command.name == "exit" {
                        script.end = at;
                        return script;
                    }
                    script.commands.push(command);
                    line += newlines;
                    at = end;
                }
                _ => {
                    script.broken = Some("it has words outside any command");
                    return script;
                }
            }
        }
        script.end = bytes.len();
        script
    }

    /// The script with all line numbers increased, for a process that has read other scripts before.
    pub fn shifted(mut self, lines: u32) -> Script<'a> {
        for command in &mut self.commands {
            command.line += lines;
            command.last_line += lines;
        }
        self
    }

    /// Why the script needs its own process, if it does.
    pub(super) fn isolation_reason(&self) -> Option<String> {
        self.broken.map(|broken| format!("no commands can follow the script: {broken}"))
    }

    /// The number of checks.
    pub fn checks(&self) -> usize {
        self.commands.iter().filter(|command| command.is_check()).count()
    }

    /// Whether models are blocked before a check. Which ones depends on the models that a solver found, and so do later answers.
    pub fn blocks_models(&self) -> bool {
        let mut commands =
            self.commands.iter().skip_while(|command| !command.name.starts_with("block-model"));
        commands.any(|command| command.is_check())
    }

    /// The logic that the script sets.
    pub fn logic(&self) -> Option<&'a str> {
        self.commands.iter().find(|command| command.name == "set-logic")?.arguments().next()
    }

    /// The options that the script sets, and whether each is set in the head of the script.
    pub fn options(&self) -> impl Iterator<Item = (&'a str, bool)> + '_ {
        let head = self.commands.iter().take_while(|command| command.is_head()).count();
        let set = move |(index, command): (usize, &Command<'a>)| {
            let name = command.arguments().next()?.trim_start_matches(':');
            (command.name == "set-option").then_some((name, index < head))
        };
        self.commands.iter().enumerate().filter_map(set)
    }
}

/// The text with some commands replaced by blanks, so that line and column numbers stay the same.
pub(super) fn blanked<'a>(text: &'a str, commands: impl Iterator<Item = &'a Command<'a>>) -> String {
    let mut rest = text.to_owned();
    for command in commands {
        // The command is a slice of the text, so its address gives its position.
        let start = command.text.as_ptr() as usize - text.as_ptr() as usize;
        let blank = |c: char| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) };
        let blanks: String = command.text.chars().map(blank).collect();
        rest.replace_range(start..start + command.text.len(), &blanks);
    }
    rest
}

/// The offset of the end of the line at `at`.
pub(super) fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// The end of the parenthesised expression at `at`, and the number of newlines in it.
pub(super) fn end_of_expression(bytes: &[u8], at: usize) -> Option<(usize, u32)> {
    let (mut depth, mut newlines) = (0usize, 0);
    let mut position = at;
    while position < bytes.len() {
        match bytes[position] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((position + 1, newlines));
                }
            }
            b'\n' => newlines += 1,
            b';' => {
                position = end_of_line(bytes, position);
                continue;
            }
            quote @ (b'"' | b'|') => loop {
                position += 1;
                match bytes.get(position)? {
                    b'\n' => newlines += 1,
                    byte if *byte == quote => break,
                    _ => {}
                }
            },
            _ => {}
        }
        position += 1;
    }
    None
}

/// The first word of a parenthesised expression.
pub(super) fn head_word(text: &str) -> &str {
    let inner = text[1..].trim_start();
    let end =
        inner.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"')).unwrap_or(inner.len());
    &inner[..end]
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn commands_are_split_whatever_they_contain() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("; only ( a comment", &[]),
            ("(check-sat)", &["check-sat"]),
            ("(assert (= s \"a)\"\"(\"))(check-sat)", &["assert", "check-sat"]),
            ("(declare-const |a )( b| Int) ; (x\n ( check-sat )", &["declare-const", "check-sat"]),
            ("(check-sat)(exit)(check-sat)", &["check-sat"]),
            ("(assert ; ))) \n true)(get-model)", &["assert", "get-model"]),
            ("()", &[""]),
        ];
        for (text, names) in table {
            let script = Script::split(text);
            assert_eq!(script.commands.iter().map(|c| c.name).collect::<Vec<_>>(), *names, "{text}");
            assert_eq!(script.broken, None, "{text}");
        }
    }

    #[test]
    fn blocked_models_matter_to_later_checks() {
        let table = [
            ("(check-sat)(block-model :values)(check-sat)", true),
            ("(check-sat)(block-model-values (x))(check-sat-assuming (a))", true),
            ("(check-sat)(block-model :literals)", false),
            ("(check-sat)(check-sat)", false),
            ("(check-sat)(echo \"(block-model :values)\")(check-sat)", false),
        ];
        for (text, blocks) in table {
            assert_eq!(Script::split(text).blocks_models(), blocks, "{text}");
        }
    }

    #[test]
    fn incomplete_texts_are_broken() {
        for text in ["(", "(assert \"", "(assert |x)", "check-sat", "(check-sat))", "(a) b"] {
            assert!(Script::split(text).broken.is_some(), "{text}");
        }
    }

    #[test]
    fn lines_options_and_logic_are_found() {
        let script =
            Script::split("(set-option :a 1)\n(set-logic QF_LIA)\n(assert\n true)\n(set-option :b 2)");
        assert_eq!(script.commands.iter().map(|c| c.line).collect::<Vec<_>>(), [1, 2, 3, 5]);
        assert_eq!(script.commands[2].last_line, 4);
        assert_eq!(script.logic(), Some("QF_LIA"));
        assert_eq!(script.options().collect::<Vec<_>>(), [("a", true), ("b", false)]);
    }
}
