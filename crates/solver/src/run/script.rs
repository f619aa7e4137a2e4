//! A script cut into its commands: as much of SMT-LIB's surface as is needed to run a script inside another process.

/// One command of a script, as it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The word after the opening parenthesis; empty if there is none.
    pub name: &'a str,
    /// The whole command, with its parentheses.
    pub text: &'a str,
    /// The line on which it begins, from 1.
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

    /// Whether the command asks for satisfiability.
    pub fn is_check(&self) -> bool {
        matches!(self.name, "check-sat" | "check-sat-assuming" | "check-sat-using")
    }

    /// Whether the command is one that may stand before `set-logic`.
    pub fn is_head(&self) -> bool {
        matches!(self.name, "set-option" | "set-info" | "set-logic")
    }
}

/// A script cut into its commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script<'a> {
    /// The commands in order, up to the first `(exit)`.
    pub commands: Vec<Command<'a>>,
    /// Where the last of them ends: before the first `(exit)`, or at the end of the text.
    pub end: usize,
    /// What makes the text unfit to be followed by further commands: an open parenthesis, string or symbol, or words
    /// outside any command.
    pub broken: Option<&'static str>,
}

impl<'a> Script<'a> {
    /// Cuts `text` into commands.
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

    /// The script as it stands `lines` lines further down, in the input of a process that has read others before.
    pub fn moved_down(mut self, lines: u32) -> Script<'a> {
        for command in &mut self.commands {
            command.line += lines;
            command.last_line += lines;
        }
        self
    }

    /// How many answers the script asks for.
    pub fn checks(&self) -> usize {
        self.commands.iter().filter(|command| command.is_check()).count()
    }

    /// The logic that the script sets.
    pub fn logic(&self) -> Option<&'a str> {
        self.commands.iter().find(|command| command.name == "set-logic")?.arguments().next()
    }

    /// The options that the script sets, with whether each is set before anything but options and information.
    pub fn options(&self) -> impl Iterator<Item = (&'a str, bool)> + '_ {
        let head = self.commands.iter().take_while(|command| command.is_head()).count();
        let set = move |(place, command): (usize, &Command<'a>)| {
            let name = command.arguments().next()?.trim_start_matches(':');
            (command.name == "set-option").then_some((name, place < head))
        };
        self.commands.iter().enumerate().filter_map(set)
    }
}

/// A text with blanks in the place of some of its commands, so that lines and columns stay what they are.
pub(super) fn blanked<'a>(text: &'a str, commands: impl Iterator<Item = &'a Command<'a>>) -> String {
    let mut rest = text.to_owned();
    for command in commands {
        // The command is a part of the text, so its address tells where it begins.
        let start = command.text.as_ptr() as usize - text.as_ptr() as usize;
        let blank = |c: char| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) };
        let blanks: String = command.text.chars().map(blank).collect();
        rest.replace_range(start..start + command.text.len(), &blanks);
    }
    rest
}

/// The place after the last byte of the line at `at`, before its end mark.
pub(super) fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// The end of the parenthesised expression that begins at `at`, and how many line ends it holds.
pub(super) fn end_of_expression(bytes: &[u8], at: usize) -> Option<(usize, u32)> {
    let (mut depth, mut newlines) = (0usize, 0);
    let mut place = at;
    while place < bytes.len() {
        match bytes[place] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((place + 1, newlines));
                }
            }
            b'\n' => newlines += 1,
            b';' => {
                place = end_of_line(bytes, place);
                continue;
            }
            quote @ (b'"' | b'|') => loop {
                place += 1;
                match bytes.get(place)? {
                    b'\n' => newlines += 1,
                    byte if *byte == quote => break,
                    _ => {}
                }
            },
            _ => {}
        }
        place += 1;
    }
    None
}

/// The first word inside a parenthesised expression.
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
    fn commands_are_cut_whatever_they_hold() {
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
    fn what_cannot_be_followed_is_broken() {
        for text in ["(", "(assert \"", "(assert |x)", "check-sat", "(check-sat))", "(a) b"] {
            assert!(Script::split(text).broken.is_some(), "{text}");
        }
    }

    #[test]
    fn lines_options_and_logic_are_known() {
        let script =
            Script::split("(set-option :a 1)\n(set-logic QF_LIA)\n(assert\n true)\n(set-option :b 2)");
        assert_eq!(script.commands.iter().map(|c| c.line).collect::<Vec<_>>(), [1, 2, 3, 5]);
        assert_eq!(script.commands[2].last_line, 4);
        assert_eq!(script.logic(), Some("QF_LIA"));
        assert_eq!(script.options().collect::<Vec<_>>(), [("a", true), ("b", false)]);
    }
}
