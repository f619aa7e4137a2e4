//! Tests whether a short string is in a language, from the syntax alone: maps a set of start positions to the positions where a
//! match can end. A set is a machine word, so nothing is allocated and no automaton is built.

use super::syntax::{Kind, Regex};
use crate::value::string::Str;

/// The longest string: one bit for each position, and one for the end.
const LONGEST: usize = 63;
/// The deepest expression: the walk is recursive.
const MAX_DEPTH: u32 = 200;
/// The most steps before the automaton is likely to be faster.
const MAX_STEPS: u32 = 20_000;

/// A set of positions.
type Places = u64;

struct Walk<'a> {
    text: &'a [u32],
    steps: u32,
}

/// Whether a string is in the language. `None` if an automaton should decide it.
pub fn contains(language: &Regex, text: &Str) -> Option<bool> {
    if text.len() > LONGEST {
        return None;
    }
    let mut walk = Walk { text: text.codes(), steps: MAX_STEPS };
    let ends = walk.ends(language, 1, 0)?;
    Some(ends >> text.len() & 1 == 1)
}

impl Walk<'_> {
    /// The positions where matches that begin at one of `starts` can end.
    fn ends(&mut self, language: &Regex, starts: Places, depth: u32) -> Option<Places> {
        self.steps = self.steps.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        if starts == 0 {
            return Some(0);
        }
        let depth = depth + 1;
        match language.kind() {
            Kind::None => Some(0),
            Kind::Literal(word) => {
                let mut ends = starts;
                for &code in word.codes() {
                    ends = self.next(ends, |own| own == code);
                }
                Some(ends)
            }
            Kind::Range(low, high) => Some(self.next(starts, |own| *low <= own && own <= *high)),
            Kind::Concat(a, b) => {
                let middle = self.ends(a, starts, depth)?;
                self.ends(b, middle, depth)
            }
            Kind::Union(a, b) => Some(self.ends(a, starts, depth)? | self.ends(b, starts, depth)?),
            // A match must begin at the same position in both, so each start is tested separately.
            Kind::Intersection(a, b) => self.for_each(starts, |walk, start| {
                Some(walk.ends(a, start, depth)? & walk.ends(b, start, depth)?)
            }),
            Kind::Complement(a) => {
                let all = u64::MAX >> (LONGEST - self.text.len());
                self.for_each(starts, |walk, start| {
                    let later = all & !(start - 1);
                    Some(later & !walk.ends(a, start, depth)?)
                })
            }
            Kind::Repeat(a, low, high) => self.repeated(a, *low, *high, starts, depth),
        }
    }

    /// Repetition. Nothing changes after one round more than there are positions: either each round consumes at least one code point
    /// until none is left, or a round can be empty and reached positions stay reached.
    fn repeated(
        &mut self,
        language: &Regex,
        low: u64,
        high: Option<u64>,
        starts: Places,
        depth: u32,
    ) -> Option<Places> {
        let most = self.text.len() as u64 + 2;
        let mut now = starts;
        for _ in 0..low.min(most) {
            now = self.ends(language, now, depth)?;
            if now == 0 {
                return Some(0);
            }
        }
        let mut all = now;
        for _ in 0..high.map_or(most, |high| high.saturating_sub(low).min(most)) {
            now = self.ends(language, now, depth)?;
            if now & !all == 0 {
                break;
            }
            all |= now;
        }
        Some(all)
    }

    /// The positions after those whose code point matches.
    fn next(&self, starts: Places, fits: impl Fn(u32) -> bool) -> Places {
        let mut ends = 0;
        let mut left = starts;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.text.get(at).is_some_and(|&own| fits(own)) {
                ends |= 1 << (at + 1);
            }
        }
        ends
    }

    fn for_each(
        &mut self,
        starts: Places,
        mut ends: impl FnMut(&mut Self, Places) -> Option<Places>,
    ) -> Option<Places> {
        let mut found = 0;
        let mut left = starts;
        while left != 0 {
            let start = left & left.wrapping_neg();
            left &= left - 1;
            found |= ends(self, start)?;
        }
        Some(found)
    }
}
