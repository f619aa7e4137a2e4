//! Strings of code points: literals, and the operators without regular expressions.

use std::fmt;
use std::sync::Arc;

use super::integer::Int;
use super::limits::{Limits, Outcome};

/// The greatest code point of SMT-LIB's strings.
pub const MAX_CODE: u32 = 0x2FFFF;

/// A string: code points from 0 to [`MAX_CODE`], surrogates included. Ordered as by `str.<`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Str(Arc<[u32]>);

impl Str {
    /// The empty string.
    pub fn empty() -> Str {
        Str(Arc::from([]))
    }

    /// The string of these code points. `None` if one is above [`MAX_CODE`].
    pub fn new(codes: Vec<u32>) -> Option<Str> {
        codes.iter().all(|&c| c <= MAX_CODE).then(|| Str(Arc::from(codes)))
    }

    fn from_slice(codes: &[u32]) -> Str {
        Str(Arc::from(codes))
    }

    /// Reads the text between the quotes of a literal, in which `""` has already become one quote.
    ///
    /// `\ud₃d₂d₁d₀` and `\u{d…}` with one to five digits up to `2FFFF` are escapes; any other backslash stands for itself.
    /// `None` if the text has a character above [`MAX_CODE`].
    pub fn parse_literal(text: &str) -> Option<Str> {
        let mut codes = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '\\'
                && let Some((code, after)) = read_escape(rest)
            {
                codes.push(code);
                rest = after;
            } else {
                codes.push(u32::from(c));
                rest = &rest[c.len_utf8()..];
            }
        }
        Str::new(codes)
    }

    /// The code points.
    pub fn codes(&self) -> &[u32] {
        &self.0
    }

    /// The number of code points.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no code points.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `(str.len a)`
    pub fn length(&self) -> Int {
        Int::from(self.len())
    }

    /// `(str.++ a …)`
    pub fn concat(parts: &[Str], limits: &Limits) -> Outcome<Str> {
        limits.check_chars(parts.iter().map(|p| p.len() as u64).sum())?;
        if let [only] = parts {
            return Ok(only.clone());
        }
        let codes: Vec<u32> = parts.iter().flat_map(|p| p.codes().iter().copied()).collect();
        Ok(Str(Arc::from(codes)))
    }

    /// `(str.at a index)`: the one code point there, or empty
    pub fn at(&self, index: &Int) -> Str {
        self.substr(index, &Int::ONE)
    }

    /// `(str.substr a start count)`: empty for a start outside the string or a count that is not positive
    pub fn substr(&self, start: &Int, count: &Int) -> Str {
        match slice_bounds(self.len(), start, count) {
            Some((0, end)) if end == self.len() => self.clone(),
            Some((start, end)) => Str::from_slice(&self.0[start..end]),
            None => Str::empty(),
        }
    }

    /// `(str.prefixof a b)`: `b` begins with `a`
    pub fn is_prefix_of(&self, other: &Str) -> bool {
        other.0.starts_with(&self.0)
    }

    /// `(str.suffixof a b)`: `b` ends with `a`
    pub fn is_suffix_of(&self, other: &Str) -> bool {
        other.0.ends_with(&self.0)
    }

    /// `(str.contains a b)`: `b` occurs in `a`
    pub fn contains(&self, other: &Str) -> bool {
        find(&self.0, &other.0, 0).is_some()
    }

    /// `(str.indexof a b start)`: the first occurrence of `b` at or after `start`, or -1
    pub fn index_of(&self, other: &Str, start: &Int) -> Int {
        let found = position(self.len(), start).and_then(|start| find(&self.0, &other.0, start));
        found.map_or_else(|| Int::from(-1), Int::from)
    }

    /// Z3's `(str.last_indexof a b)`: the last occurrence of `b`, or -1
    pub fn last_index_of(&self, other: &Str) -> Int {
        let reversed = |s: &Str| -> Vec<u32> { s.codes().iter().rev().copied().collect() };
        match find(&reversed(self), &reversed(other), 0) {
            Some(from_end) => Int::from(self.len() - from_end - other.len()),
            None => Int::from(-1),
        }
    }

    /// `(str.replace a from to)`: replaces the first occurrence of `from`; an empty `from` occurs at the start
    pub fn replace(&self, from: &Str, to: &Str, limits: &Limits) -> Outcome<Str> {
        match find(&self.0, &from.0, 0) {
            Some(position) => self.splice(position, position + from.len(), to, limits),
            None => Ok(self.clone()),
        }
    }

    /// The string with the code points from `start` to `end` replaced.
    pub(super) fn splice(&self, start: usize, end: usize, to: &Str, limits: &Limits) -> Outcome<Str> {
        let parts = [Str::from_slice(&self.0[..start]), to.clone(), Str::from_slice(&self.0[end..])];
        Str::concat(&parts, limits)
    }

    /// `(str.replace_all a from to)`: replaces all occurrences of `from`, left to right without overlap; unchanged for an empty `from`
    pub fn replace_all(&self, from: &Str, to: &Str, limits: &Limits) -> Outcome<Str> {
        if from.is_empty() {
            return Ok(self.clone());
        }
        let (mut codes, mut done) = (Vec::new(), 0);
        while let Some(position) = find(&self.0, &from.0, done) {
            codes.extend_from_slice(&self.0[done..position]);
            codes.extend_from_slice(&to.0);
            limits.check_chars(codes.len() as u64)?;
            done = position + from.len();
        }
        codes.extend_from_slice(&self.0[done..]);
        limits.check_chars(codes.len() as u64)?;
        Ok(Str(Arc::from(codes)))
    }

    /// `(str.is_digit a)`: one code point from `0` to `9`
    pub fn is_digit(&self) -> bool {
        matches!(*self.0, [0x30..=0x39])
    }

    /// `(str.to_code a)`: the code point of a string of length one, otherwise -1
    pub fn to_code(&self) -> Int {
        match *self.0 {
            [code] => Int::from(code),
            _ => Int::from(-1),
        }
    }

    /// `(str.from_code n)`: empty if `n` is not a code point
    pub fn from_code(code: &Int) -> Str {
        match code.to_u64() {
            Some(code) if code <= u64::from(MAX_CODE) => Str::from_slice(&[code as u32]),
            _ => Str::empty(),
        }
    }

    /// `(str.to_int a)`: the number of a string of digits, otherwise -1
    pub fn to_int(&self, limits: &Limits) -> Outcome<Int> {
        if self.is_empty() || !self.0.iter().all(|c| (0x30..=0x39).contains(c)) {
            return Ok(Int::from(-1));
        }
        let digits: String = self.0.iter().skip_while(|&&c| c == 0x30).map(|&c| c as u8 as char).collect();
        if digits.is_empty() {
            return Ok(Int::ZERO);
        }
        // A decimal digit needs more than three bits.
        limits.check_bits(digits.len() as u64 * 3)?;
        Ok(Int::parse_numeral(&digits).unwrap_or(Int::ZERO))
    }

    /// `(str.from_int n)`: the digits without leading zeros; empty for negative numbers
    pub fn from_int(value: &Int) -> Str {
        if value.is_negative() {
            return Str::empty();
        }
        Str::from(value.to_string().as_str())
    }

    /// cvc5's `(str.update a start b)`: overwrites from `start` without changing the length
    pub fn update(&self, start: &Int, with: &Str) -> Str {
        let Some(start) = position(self.len(), start) else { return self.clone() };
        let mut codes = self.0.to_vec();
        for (old, new) in codes[start..].iter_mut().zip(with.codes()) {
            *old = *new;
        }
        Str(Arc::from(codes))
    }

    /// cvc5's `(str.rev a)`
    pub fn reverse(&self) -> Str {
        Str(self.0.iter().rev().copied().collect())
    }

    /// cvc5's `(str.to_lower a)`: ASCII letters only
    pub fn to_lower(&self) -> Str {
        Str(self.0.iter().map(|&c| if (0x41..=0x5A).contains(&c) { c + 32 } else { c }).collect())
    }

    /// cvc5's `(str.to_upper a)`: ASCII letters only
    pub fn to_upper(&self) -> Str {
        Str(self.0.iter().map(|&c| if (0x61..=0x7A).contains(&c) { c - 32 } else { c }).collect())
    }
}

/// The escape at the start of the text and what follows it, if there is one.
fn read_escape(text: &str) -> Option<(u32, &str)> {
    let body = text.strip_prefix("\\u")?;
    let (digits, after) = match body.strip_prefix('{') {
        Some(braced) => {
            let (digits, after) = braced.split_once('}')?;
            (1..=5).contains(&digits.len()).then_some((digits, after))?
        }
        None => (body.get(..4)?, &body[4..]),
    };
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    (code <= MAX_CODE).then_some((code, after))
}

/// An index from 0 to the length inclusive.
pub(super) fn position(length: usize, index: &Int) -> Option<usize> {
    index.to_u64().filter(|&i| i <= length as u64).map(|i| i as usize)
}

/// The part of a string or sequence that `substr` and `extract` select, if it is not empty.
pub(crate) fn slice_bounds(length: usize, start: &Int, count: &Int) -> Option<(usize, usize)> {
    let start = position(length, start)?;
    if start == length || count.signum() <= 0 {
        return None;
    }
    let count = count.to_u64().unwrap_or(u64::MAX).min((length - start) as u64) as usize;
    Some((start, start + count))
}

/// The first occurrence of `needle` at or after `from`, in linear time (Knuth, Morris and Pratt).
pub(crate) fn find<T: PartialEq>(haystack: &[T], needle: &[T], from: usize) -> Option<usize> {
    let tail = haystack.get(from..)?;
    if needle.is_empty() {
        return Some(from);
    }
    if tail.len() < needle.len() {
        return None;
    }
    // The naive search needs no table and is faster on short strings.
    if tail.len().saturating_mul(needle.len()) <= 1 << 12 {
        return tail
            .windows(needle.len())
            .position(|window| window == needle)
            .map(|position| from + position);
    }
    let borders = border_lengths(needle);
    let mut matched = 0;
    for (position, item) in tail.iter().enumerate() {
        while matched > 0 && needle[matched] != *item {
            matched = borders[matched - 1];
        }
        if needle[matched] == *item {
            matched += 1;
        }
        if matched == needle.len() {
            return Some(from + position + 1 - matched);
        }
    }
    None
}

/// For each prefix, the length of its longest proper prefix that is also its suffix.
fn border_lengths<T: PartialEq>(pattern: &[T]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len()];
    let mut border = 0;
    for end in 1..pattern.len() {
        while border > 0 && pattern[border] != pattern[end] {
            border = borders[border - 1];
        }
        if pattern[border] == pattern[end] {
            border += 1;
        }
        borders[end] = border;
    }
    borders
}

impl From<&str> for Str {
    /// The characters as they are, without escapes; one above [`MAX_CODE`] becomes U+FFFD.
    fn from(text: &str) -> Str {
        Str(text.chars().map(u32::from).map(|c| if c <= MAX_CODE { c } else { 0xFFFD }).collect())
    }
}

impl fmt::Display for Str {
    /// Writes the literal: printable ASCII as it is, everything else and the backslash as `\u{…}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for &code in self.codes() {
            match code {
                0x22 => f.write_str("\"\"")?,
                0x5C => f.write_str("\\u{5c}")?,
                0x20..=0x7E => write!(f, "{}", code as u8 as char)?,
                _ => write!(f, "\\u{{{code:x}}}")?,
            }
        }
        f.write_str("\"")
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
