//! Finds the operators of a script in its text, without parsing it.
//!
//! One pass over the bytes with a stack of open parentheses. It follows `let`, indexed and qualified names and annotations, and
//! skips declarations, sorts and the variables of quantifiers. Names that the script declares are not operators.

use super::table::OperatorTable;

/// Stands for everything that is not an operator of the table.
const NONE: u16 = u16::MAX;

/// The operators of a script.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Operators, each once, in order of appearance.
    pub operators: Vec<u16>,
    /// Pairs: an operator, and one directly inside an application of it. There may be duplicates.
    pub pairs: Vec<(u16, u16)>,
}

/// What the text after an open parenthesis means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing has been read yet.
    Head,
    /// Arguments.
    Arguments,
    /// The name after `_` or `as`.
    Name,
    /// A term, then attributes: `(! term :named n)`.
    Annotated,
    /// The bindings of a `let`, then its body.
    Let,
    /// The list of bindings.
    Bindings,
    /// The name of a binding, then its term.
    Binding,
    /// The variables of a quantifier, then its body.
    Quantifier,
    /// Names that the script declares.
    Declaration,
    /// A definition: this many parts, the name first, then its body.
    Definition(u8),
    /// The operator is known, and nothing else counts.
    Done,
    /// Nothing in it counts.
    Skipped,
}

/// An open parenthesis.
#[derive(Clone, Copy, Debug)]
struct Frame {
    role: Role,
    /// The operator that the whole stands for, once it is known.
    operator: u16,
    /// The name of a binding, as a range of the text.
    name: (usize, usize),
}

/// Scans scripts. Keeps its buffers between them.
#[derive(Debug)]
pub struct Scanner {
    table: OperatorTable,
    stack: Vec<Frame>,
    /// The operators that the names of `let` stand for; the names are ranges of the text.
    bound: Vec<((usize, usize), u16)>,
    /// Operators whose names the script declares for itself.
    hidden: Vec<u16>,
    found: Scan,
}

impl Scanner {
    /// A scanner for these operators.
    pub fn new(table: OperatorTable) -> Scanner {
        Scanner { table, stack: Vec::new(), bound: Vec::new(), hidden: Vec::new(), found: Scan::default() }
    }

    /// The operators of a script.
    pub fn scan(&mut self, text: &str) -> &Scan {
        self.stack.clear();
        self.bound.clear();
        self.hidden.clear();
        self.found.operators.clear();
        self.found.pairs.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'(' => self.open(),
                b')' => self.close(),
                b' ' | b'\n' | b'\t' | b'\r' => {}
                b'"' => at = past(bytes, at, b'"'),
                b';' => at = past(bytes, at, b'\n'),
                b'|' => {
                    let start = at;
                    at = past(bytes, at, b'|');
                    self.symbol(bytes, start, at.saturating_sub(1).max(start));
                }
                _ => {
                    let start = at - 1;
                    while bytes.get(at).is_some_and(|&byte| !ENDS_SYMBOL[usize::from(byte)]) {
                        at += 1;
                    }
                    self.symbol(bytes, start, at);
                }
            }
        }
        &self.found
    }

    /// Starts a parenthesis. What it may contain follows from where it is.
    fn open(&mut self) {
        let role = match self.stack.last_mut() {
            None => Role::Head,
            Some(parent) => match parent.role {
                Role::Head | Role::Arguments | Role::Annotated | Role::Binding => Role::Head,
                Role::Let => {
                    // The body stands for the whole, as in an annotation.
                    parent.role = Role::Annotated;
                    Role::Bindings
                }
                Role::Bindings => Role::Binding,
                Role::Quantifier => {
                    parent.role = Role::Arguments;
                    Role::Skipped
                }
                Role::Declaration => Role::Declaration,
                Role::Definition(0) => Role::Head,
                Role::Definition(_) | Role::Name | Role::Done | Role::Skipped => Role::Skipped,
            },
        };
        self.stack.push(Frame { role, operator: NONE, name: (0, 0) });
    }

    /// Ends a parenthesis, and tells the one around it what it stood for.
    fn close(&mut self) {
        let Some(Frame { role, operator, name }) = self.stack.pop() else { return };
        match role {
            Role::Binding => self.bound.push((name, operator)),
            Role::Bindings | Role::Declaration => {}
            _ => self.part(operator),
        }
    }

    /// A symbol, keyword or number.
    fn symbol(&mut self, bytes: &[u8], start: usize, end: usize) {
        let text = &bytes[start..end];
        let Some(&Frame { role, .. }) = self.stack.last() else { return };
        match role {
            Role::Skipped | Role::Done => {}
            Role::Head => self.head(text),
            Role::Name => {
                let operator = self.operator(text);
                self.set(Role::Done, operator);
            }
            Role::Declaration => self.hidden.extend(self.table.get(text)),
            Role::Definition(parts) if parts > 0 => {
                // The last part before the body is the sort, a list of variables is no symbol.
                if parts > 1 {
                    self.hidden.extend(self.table.get(text));
                }
                self.part(NONE);
            }
            Role::Binding if self.stack.last().is_some_and(|frame| frame.name == (0, 0)) => {
                if let Some(frame) = self.stack.last_mut() {
                    frame.name = (start, end);
                }
            }
            _ => {
                if matches!(text.first(), Some(b'0'..=b'9' | b'#' | b':')) {
                    return;
                }
                let bound = self.bound.iter().rev().find(|((from, to), _)| bytes[*from..*to] == *text);
                match bound {
                    Some(&(_, operator)) => self.part(operator),
                    None => {
                        let operator = self.operator(text);
                        self.part(operator);
                    }
                }
            }
        }
    }

    /// The first word after a parenthesis.
    fn head(&mut self, text: &[u8]) {
        let role = match text {
            b"_" | b"as" => Role::Name,
            b"let" => Role::Let,
            b"!" => Role::Annotated,
            b"forall" | b"exists" | b"lambda" | b"choice" | b"set.comprehension" => Role::Quantifier,
            b"define-fun" | b"define-fun-rec" => Role::Definition(DEFINED_PARTS),
            b"define-const" => Role::Definition(DEFINED_PARTS - 1),
            _ if text.starts_with(b"declare-") => Role::Declaration,
            // Assumptions are literals.
            b"check-sat-assuming" => Role::Skipped,
            _ if text.starts_with(b"set-") && self.stack.len() == 1 => Role::Skipped,
            _ => {
                let operator = self.operator(text);
                return self.set(Role::Arguments, operator);
            }
        };
        self.set(role, NONE);
    }

    /// A part of the innermost parenthesis is complete.
    fn part(&mut self, operator: u16) {
        let Some(frame) = self.stack.last_mut() else { return };
        match frame.role {
            // `((_ extract 3 0) x)`
            Role::Head => (frame.role, frame.operator) = (Role::Arguments, operator),
            Role::Arguments if frame.operator != NONE && operator != NONE => {
                self.found.pairs.push((frame.operator, operator));
            }
            Role::Annotated => (frame.role, frame.operator) = (Role::Done, operator),
            Role::Binding => frame.operator = operator,
            Role::Definition(parts) => frame.role = Role::Definition(parts.saturating_sub(1)),
            _ => {}
        }
    }

    fn set(&mut self, role: Role, operator: u16) {
        if let Some(frame) = self.stack.last_mut() {
            (frame.role, frame.operator) = (role, operator);
        }
    }

    /// The operator with a name, which counts as found.
    fn operator(&mut self, name: &[u8]) -> u16 {
        match self.table.get(name) {
            Some(operator) if !self.hidden.contains(&operator) => {
                if !self.found.operators.contains(&operator) {
                    self.found.operators.push(operator);
                }
                operator
            }
            _ => NONE,
        }
    }
}

/// For each byte, whether it ends a symbol.
const ENDS_SYMBOL: [bool; 256] = {
    let mut ends = [false; 256];
    let (bytes, mut at) = (b"() \n\t\r\";|", 0);
    while at < bytes.len() {
        ends[bytes[at] as usize] = true;
        at += 1;
    }
    ends
};

/// The parts of `define-fun` before its body: name, variables, sort.
const DEFINED_PARTS: u8 = 3;

/// The position after the next `end`.
fn past(bytes: &[u8], from: usize, end: u8) -> usize {
    bytes[from..].iter().position(|&byte| byte == end).map_or(bytes.len(), |length| from + length + 1)
}
