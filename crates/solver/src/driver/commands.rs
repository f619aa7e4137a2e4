//! Splits a stream of SMT-LIB text into commands as it arrives.

/// The lexical state of the splitter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Plain,
    Comment,
    Text,
    Quoted,
}

/// Collects text and returns commands once they are complete.
pub struct Commands {
    text: Vec<u8>,
    /// Everything before this offset has been returned.
    start: usize,
    /// Everything before this offset has been scanned.
    seen: usize,
    depth: usize,
    inside: Inside,
}

impl Commands {
    /// No text yet.
    pub fn new() -> Commands {
        Commands { text: Vec::new(), start: 0, seen: 0, depth: 0, inside: Inside::Plain }
    }

    /// Adds text that has arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.text.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.text.extend_from_slice(bytes);
    }

    /// All complete commands with the text before them, up to and including the first that `is_last`.
    pub fn next_up_to(&mut self, is_last: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
        let mut end = self.start;
        while self.complete_next() {
            let command = end..self.seen;
            end = self.seen;
            if is_last(&self.text[command]) {
                break;
            }
        }
        (end > self.start).then(|| self.cut(end))
    }

    /// Scans to the end of the next complete command, or of the text.
    fn complete_next(&mut self) -> bool {
        while self.seen < self.text.len() {
            let byte = self.text[self.seen];
            self.seen += 1;
            match (self.inside, byte) {
                (Inside::Comment, b'\n' | b'\r') => self.inside = Inside::Plain,
                // A doubled quote ends the literal and starts it again, which has the same effect.
                (Inside::Text, b'"') | (Inside::Quoted, b'|') => self.inside = Inside::Plain,
                (Inside::Plain, b';') => self.inside = Inside::Comment,
                (Inside::Plain, b'"') => self.inside = Inside::Text,
                (Inside::Plain, b'|') => self.inside = Inside::Quoted,
                (Inside::Plain, b'(') => self.depth += 1,
                (Inside::Plain, b')') => {
                    // An extra parenthesis ends a command, too, so that the parser reports it now.
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// The incomplete command at the end of the input, unless it is only space and comments.
    pub fn rest(&mut self) -> Option<Vec<u8>> {
        let rest = self.cut(self.seen);
        let mut comment = false;
        let has_content = rest.iter().any(|byte| {
            comment = match byte {
                b';' => true,
                b'\n' => false,
                _ => comment,
            };
            !comment && !byte.is_ascii_whitespace()
        });
        has_content.then_some(rest)
    }

    fn cut(&mut self, end: usize) -> Vec<u8> {
        let commands = self.text[self.start..end].to_vec();
        self.start = end;
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::Commands;

    fn split(pieces: &[&str]) -> (Vec<String>, Option<String>) {
        let mut commands = Commands::new();
        let mut found = Vec::new();
        for piece in pieces {
            commands.push(piece.as_bytes());
            while let Some(command) = commands.next_up_to(|_| true) {
                found.push(String::from_utf8(command).unwrap());
            }
        }
        (found, commands.rest().map(|rest| String::from_utf8(rest).unwrap()))
    }

    #[test]
    fn commands_end_at_their_last_parenthesis() {
        let table: [(&[&str], &[&str], Option<&str>); 8] = [
            (&["(check-sat)(exit)"], &["(check-sat)", "(exit)"], None),
            (&["(assert (", "> x 1", "))\n"], &["(assert (> x 1))"], None),
            (&["(echo \"a)\"\"(\")"], &["(echo \"a)\"\"(\")"], None),
            (&["(declare-const |a(| Int)"], &["(declare-const |a(| Int)"], None),
            (&["; not (this\n(exit) ; end"], &["; not (this\n(exit)"], None),
            (&["(assert (> x 1)"], &[], Some("(assert (> x 1)")),
            (&[")"], &[")"], None),
            (&["word"], &[], Some("word")),
        ];
        for (pieces, expected, rest) in table {
            let (found, left) = split(pieces);
            assert_eq!(
                (&found[..], left.as_deref()),
                (&expected.iter().map(|s| s.to_string()).collect::<Vec<_>>()[..], rest)
            );
        }
    }

    #[test]
    fn several_commands_are_returned_at_once() {
        let mut commands = Commands::new();
        commands.push(b"(push 1)(check-sat)\n(reset)(echo \"a\")(pop");
        let mut next = || {
            let found = commands.next_up_to(|command| command.ends_with(b"(reset)"));
            found.map(|found| String::from_utf8(found).unwrap())
        };
        assert_eq!(next().as_deref(), Some("(push 1)(check-sat)\n(reset)"));
        assert_eq!(next().as_deref(), Some("(echo \"a\")"));
        assert_eq!(next(), None);
        commands.push(b" 1)");
        assert_eq!(commands.next_up_to(|_| false).as_deref(), Some(&b"(pop 1)"[..]));
    }
}
