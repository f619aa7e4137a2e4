//! The lexer: text to tokens. It never copies; a token is a kind and a range of the source.

use crate::error::{Error, Span};

/// The kinds of SMT-LIB tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A simple symbol: `x`, `bvadd`, `<=`.
    Symbol,
    /// A quoted symbol, `|x y|`; the range includes the bars.
    Quoted,
    /// `:named`; the range includes the colon.
    Keyword,
    /// `42`
    Numeral,
    /// `4.20`
    Decimal,
    /// `#x2A`
    Hex,
    /// `#b101`
    Binary,
    /// A finite field element, `#f3m5`.
    Field,
    /// A string literal; the range includes the quotes.
    String,
    /// `; …` up to the end of the line. Only [`Lexer::next_with_comments`] returns it.
    Comment,
    /// The end of the input.
    End,
}

/// A token: its kind and its source range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: Kind,
    /// The source range.
    pub span: Span,
}

/// Reads tokens one by one.
///
/// ```
/// use elenchus_smt::lexer::{Kind, Lexer};
///
/// let mut lexer = Lexer::new("(f |x y|) ; comment");
/// let mut kinds = Vec::new();
/// loop {
///     let token = lexer.next_token().unwrap();
///     if token.kind == Kind::End {
///         break;
///     }
///     kinds.push((token.kind, lexer.text(token)));
/// }
/// assert_eq!(kinds, [(Kind::Open, "("), (Kind::Symbol, "f"), (Kind::Quoted, "|x y|"), (Kind::Close, ")")]);
/// ```
#[derive(Clone)]
pub struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

const SPACE: u8 = 1;
const SYMBOL: u8 = 2;
const DIGIT: u8 = 4;
const HEX: u8 = 8;

/// The character classes of each byte.
const CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let c = byte as u8;
        let mut class = 0;
        if matches!(c, b' ' | b'\t' | b'\r' | b'\n' | 0x0c) {
            class |= SPACE;
        }
        if c.is_ascii_alphanumeric()
            || matches!(
                c,
                b'~' | b'!'
                    | b'@'
                    | b'$'
                    | b'%'
                    | b'^'
                    | b'&'
                    | b'*'
                    | b'_'
                    | b'-'
                    | b'+'
                    | b'='
                    | b'<'
                    | b'>'
                    | b'.'
                    | b'?'
                    | b'/'
            )
        {
            class |= SYMBOL;
        }
        if c.is_ascii_digit() {
            class |= DIGIT;
        }
        if c.is_ascii_hexdigit() {
            class |= HEX;
        }
        table[byte] = class;
        byte += 1;
    }
    table
};

/// Whether `name` can be written as a simple symbol, without bars. Does not test for reserved words.
pub fn is_simple_symbol(name: &str) -> bool {
    let bytes = name.as_bytes();
    !bytes.is_empty()
        && !bytes[0].is_ascii_digit()
        && bytes.iter().all(|&byte| CLASS[byte as usize] & SYMBOL != 0)
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of `source`.
    pub fn new(source: &'a str) -> Self {
        Lexer { source, at: 0 }
    }

    /// The source text.
    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// Moves to another byte offset.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The text of a token.
    #[inline]
    pub fn text(&self, token: Token) -> &'a str {
        &self.source[token.span.start as usize..token.span.end as usize]
    }

    /// Reads the next token if it is a parenthesis or a simple symbol, as most are; otherwise does not advance. Separate from
    /// [`Lexer::next_token`] and always inlined, so that the token stays in registers.
    #[inline(always)]
    pub(crate) fn common_token(&mut self) -> Option<Token> {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while at < bytes.len() && CLASS[bytes[at] as usize] & SPACE != 0 {
            at += 1;
        }
        let start = at;
        let first = *bytes.get(at)?;
        at += 1;
        let kind = match first {
            b'(' => Kind::Open,
            b')' => Kind::Close,
            _ if CLASS[first as usize] & (SYMBOL | DIGIT) == SYMBOL => {
                while at < bytes.len() && CLASS[bytes[at] as usize] & SYMBOL != 0 {
                    at += 1;
                }
                Kind::Symbol
            }
            _ => return None,
        };
        self.at = at;
        Some(Token { kind, span: Span::new(start, at) })
    }

    /// Reads the next token, skipping white space and comments.
    pub fn next_token(&mut self) -> Result<Token, Error> {
        let bytes = self.source.as_bytes();
        loop {
            while self.at < bytes.len() && CLASS[bytes[self.at] as usize] & SPACE != 0 {
                self.at += 1;
            }
            if bytes.get(self.at) != Some(&b';') {
                return self.token();
            }
            self.skip_line();
        }
    }

    /// Reads the next token, including comments.
    pub fn next_with_comments(&mut self) -> Result<Token, Error> {
        let bytes = self.source.as_bytes();
        while self.at < bytes.len() && CLASS[bytes[self.at] as usize] & SPACE != 0 {
            self.at += 1;
        }
        if bytes.get(self.at) != Some(&b';') {
            return self.token();
        }
        let start = self.at;
        self.skip_line();
        Ok(Token { kind: Kind::Comment, span: Span::new(start, self.at) })
    }

    fn skip_line(&mut self) {
        let bytes = self.source.as_bytes();
        while self.at < bytes.len() && bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn token(&mut self) -> Result<Token, Error> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let Some(&first) = bytes.get(start) else {
            return Ok(Token { kind: Kind::End, span: Span::new(start, start) });
        };
        let kind = match first {
            b'(' => {
                self.at += 1;
                Kind::Open
            }
            b')' => {
                self.at += 1;
                Kind::Close
            }
            b'0'..=b'9' => self.number()?,
            b'"' => {
                self.string()?;
                Kind::String
            }
            b'|' => {
                self.quoted()?;
                Kind::Quoted
            }
            b':' => {
                self.at += 1;
                self.take_class(SYMBOL);
                if self.at == start + 1 {
                    return Err(Error::syntax(Span::new(start, start + 1), "empty keyword")
                        .expected("a name after `:`"));
                }
                Kind::Keyword
            }
            b'#' => self.hash()?,
            _ if CLASS[first as usize] & SYMBOL != 0 => {
                self.take_class(SYMBOL);
                Kind::Symbol
            }
            _ => {
                let character = self.source[start..].chars().next().unwrap_or('\u{fffd}');
                return Err(Error::syntax(
                    Span::new(start, start + character.len_utf8()),
                    format!("unexpected character {character:?}"),
                )
                .expected("a parenthesis, a symbol or a literal"));
            }
        };
        Ok(Token { kind, span: Span::new(start, self.at) })
    }

    #[inline]
    fn take_class(&mut self, class: u8) {
        let bytes = self.source.as_bytes();
        while self.at < bytes.len() && CLASS[bytes[self.at] as usize] & class != 0 {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<Kind, Error> {
        let start = self.at;
        self.take_class(DIGIT);
        let bytes = self.source.as_bytes();
        let mut kind = Kind::Numeral;
        // Some solvers accept `2.` for `2.0`.
        let ends_with_dot =
            |at: usize| bytes.get(at + 1).is_none_or(|&next| CLASS[next as usize] & (SYMBOL | DIGIT) == 0);
        if bytes.get(self.at) == Some(&b'.')
            && (bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) || ends_with_dot(self.at))
        {
            self.at += 1;
            self.take_class(DIGIT);
            kind = Kind::Decimal;
        }
        let number_end = self.at;
        self.take_class(SYMBOL);
        if self.at != number_end {
            let text = &self.source[start..self.at];
            return Err(Error::syntax(Span::new(start, self.at), format!("invalid token `{text}`"))
                .expected("a numeral, a decimal, or a symbol that does not start with a digit"));
        }
        Ok(kind)
    }

    fn hash(&mut self) -> Result<Kind, Error> {
        let start = self.at;
        let bytes = self.source.as_bytes();
        let form = bytes.get(start + 1).copied();
        self.at = (start + 2).min(bytes.len());
        let kind = match form {
            Some(b'x' | b'X') => {
                self.take_class(HEX);
                Kind::Hex
            }
            Some(b'b' | b'B') => {
                self.take_class(DIGIT);
                Kind::Binary
            }
            Some(b'f') => {
                self.take_class(SYMBOL);
                Kind::Field
            }
            _ => {
                let end = start + 1;
                return Err(
                    Error::syntax(Span::new(start, end), "invalid literal `#`").expected("`#x…` or `#b…`")
                );
            }
        };
        let digits_end = self.at;
        self.take_class(SYMBOL);
        let text = &self.source[start..self.at];
        let digits = &text[2..];
        let well_formed = digits_end == self.at
            && !digits.is_empty()
            && (kind != Kind::Binary || digits.bytes().all(|digit| matches!(digit, b'0' | b'1')));
        if well_formed {
            Ok(kind)
        } else {
            Err(Error::syntax(Span::new(start, self.at), format!("invalid literal `{text}`"))
                .expected("hexadecimal digits after `#x`, binary digits after `#b`"))
        }
    }

    fn string(&mut self) -> Result<(), Error> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                None => {
                    return Err(Error::syntax(Span::new(start, start + 1), "unterminated string literal")
                        .expected("a closing `\"`"));
                }
                Some(b'"') if bytes.get(self.at + 1) == Some(&b'"') => self.at += 2,
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn quoted(&mut self) -> Result<(), Error> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            if byte == b'|' {
                return Ok(());
            }
        }
        Err(Error::syntax(Span::new(start, start + 1), "unterminated quoted symbol")
            .expected("a closing `|`"))
    }
}

/// The top-level s-expressions of a text, verbatim and without the comments between them. Tokens outside parentheses are
/// expressions too. The last expression may be incomplete.
pub fn top_level(source: &str) -> impl Iterator<Item = Result<&str, Error>> {
    let mut lexer = Lexer::new(source);
    std::iter::from_fn(move || {
        let mut depth = 0usize;
        let mut start = None;
        loop {
            let token = match lexer.next_token() {
                Ok(token) => token,
                Err(error) => {
                    lexer.seek(source.len());
                    return Some(Err(error));
                }
            };
            if token.kind == Kind::End {
                return start.map(|start: usize| Ok(&source[start..]));
            }
            let begin = *start.get_or_insert(token.span.start as usize);
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(Ok(&source[begin..token.span.end as usize]));
            }
        }
    })
}

/// The elements of a parenthesised list, verbatim; `None` if the text is not a single list.
pub fn elements(list: &str) -> Option<Vec<&str>> {
    let mut whole = top_level(list);
    let (first, rest) = (whole.next()?.ok()?, whole.next());
    let inner = first.strip_prefix('(')?;
    // `top_level` also returns a list that is not closed.
    let all: Vec<&str> = top_level(inner).collect::<Result<_, _>>().ok()?;
    match all.split_last() {
        Some((&")", elements)) if rest.is_none() => Some(elements.to_vec()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Result<Vec<Kind>, Error> {
        let mut lexer = Lexer::new(source);
        let mut all = Vec::new();
        loop {
            let token = lexer.next_token()?;
            if token.kind == Kind::End {
                return Ok(all);
            }
            all.push(token.kind);
        }
    }

    #[test]
    fn texts_have_these_tokens() {
        use Kind::*;
        let table: &[(&str, &[Kind])] = &[
            ("", &[]),
            (" ; only a comment", &[]),
            ("(a)", &[Open, Symbol, Close]),
            ("; c\n|a b|;d\n:k", &[Quoted, Keyword]),
            ("0 01 1.50 #xfF #b01 #f1m5", &[Numeral, Numeral, Decimal, Hex, Binary, Field]),
            ("\"a\"\"b\" \"\"", &[String, String]),
            ("<= x!1 -", &[Symbol, Symbol, Symbol]),
            ("||", &[Quoted]),
        ];
        for (source, expected) in table {
            assert_eq!(kinds(source).as_deref(), Ok(*expected), "{source}");
        }
    }

    #[test]
    fn invalid_tokens_are_rejected() {
        for source in ["\"", "|", "#", "#q", "#b2", "#x", "1a", "1.5x", ":", "é", "[", "\"\"\"", "#xg"] {
            assert!(kinds(source).is_err(), "{source}");
        }
    }

    #[test]
    fn top_level_splits_expressions() {
        let all: Vec<_> = top_level("(a (b)) ; c\n x (c \")\" |)|) (d").map(Result::unwrap).collect();
        assert_eq!(all, ["(a (b))", "x", "(c \")\" |)|)", "(d"]);
    }
}
