//! Strings. Constraints are regular languages, so membership stays decidable.

use super::{Rules, Site};
use crate::diver::domain::{Abstract, Interval, Language, number};
use semantics::Value;
use semantics::value::integer::Int;
use semantics::value::regex::Regex;
use semantics::value::string::{MAX_CODE, Str};

pub(super) const RULES: Rules = &[
    ("str.<", |site| order(site, true)),
    ("str.<=", |site| order(site, false)),
    ("str.prefixof", |site| part(site, Part::Prefix)),
    ("str.suffixof", |site| part(site, Part::Suffix)),
    ("str.contains", |site| part(site, Part::Inside)),
    ("str.++", concatenation),
    ("str.len", length),
    ("str.at", |site| slice(site, true)),
    ("str.substr", |site| slice(site, false)),
    ("str.is_digit", is_digit),
    ("str.to_code", to_code),
    ("str.to_int", to_int),
];
pub(super) const CURRENT: &[&str] = &[
    "str.indexof",
    "str.indexof_re",
    "str.replace",
    "str.replace_all",
    "str.replace_re",
    "str.replace_re_all",
    "str.from_code",
    "str.from_int",
    "str.from_ubv",
    "str.from_sbv",
    "str.update",
    "str.rev",
    "str.to_lower",
    "str.to_upper",
    "str.power",
];

/// Longer strings get a simpler language where the complete one grows with the length.
const LONG: usize = 64;
/// Longer strings have too many substrings to list.
const MANY_PARTS: usize = 16;
/// Positions beyond this are not encoded in a language.
const FAR: u64 = 4096;

fn text<'a>(site: &'a Site<'_>, at: usize) -> Option<&'a Str> {
    match site.value(at)? {
        Value::Str(text) => Some(text),
        _ => None,
    }
}

fn language(regex: Regex) -> Abstract {
    Abstract::Language(Language::of(regex))
}

/// The language or its complement.
fn either(regex: Regex, wanted: bool) -> Abstract {
    language(if wanted { regex } else { regex.complement() })
}

fn literal(codes: &[u32]) -> Regex {
    Regex::literal(Str::new(codes.to_vec()).unwrap_or_else(Str::empty))
}

fn characters(low: u32, high: u32) -> Regex {
    let one = |code: u32| Str::new(vec![code]).unwrap_or_else(Str::empty);
    Regex::range(&one(low), &one(high))
}

/// The union of languages.
fn any_of(parts: impl Iterator<Item = Regex>) -> Regex {
    parts.reduce(|all, part| all.union(&part)).unwrap_or_else(Regex::none)
}

/// The strings before `bound` in lexicographic order: a prefix of it, followed by nothing or by something smaller.
fn before(bound: &[u32]) -> Regex {
    let mut result = Regex::none();
    for &code in bound.iter().rev() {
        let smaller = match code {
            0 => Regex::none(),
            _ => characters(0, code - 1).concat(&Regex::all()),
        };
        let same = literal(&[code]).concat(&result);
        result = literal(&[]).union(&smaller).union(&same);
    }
    result
}

/// The strings after `bound`: the complement of `bound` and the strings before it.
fn after(bound: &[u32]) -> Regex {
    before(bound).union(&literal(bound)).complement()
}

/// The strings whose first character is before (or after) that of `bound`, as in the paper's table.
fn by_first(bound: &[u32], smaller: bool) -> Option<Regex> {
    let &first = bound.first()?;
    let characters = match smaller {
        true if first > 0 => characters(0, first - 1),
        false if first < MAX_CODE => characters(first + 1, MAX_CODE),
        _ => return None,
    };
    Some(characters.concat(&Regex::all()))
}

fn order(site: &Site<'_>, strict: bool) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    if site.args.len() != 2 {
        return site.none();
    }
    site.each(|at| {
        let bound = text(site, 1 - at)?.codes();
        // x < y is false if and only if y <= x.
        let smaller = (at == 0) == wanted;
        let strict = strict == wanted;
        if bound.len() > LONG {
            let simple = language(by_first(bound, smaller)?);
            let now = site.value(at)?;
            return simple.contains(now, site.limits).then_some(simple);
        }
        let beside = if smaller { before(bound) } else { after(bound) };
        Some(language(if strict { beside } else { beside.union(&literal(bound)) }))
    })
}

/// The kind of a substring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prefix,
    Suffix,
    Inside,
}

/// The language of the substrings of a string.
fn parts(whole: &[u32], part: Part) -> Option<Regex> {
    let opt_chain = |codes: &mut dyn Iterator<Item = u32>, forward: bool| {
        codes.fold(literal(&[]), |rest, code| {
            let one = literal(&[code]);
            let longer = if forward { one.concat(&rest) } else { rest.concat(&one) };
            longer.opt()
        })
    };
    match part {
        Part::Prefix if whole.len() <= LONG => Some(opt_chain(&mut whole.iter().rev().copied(), true)),
        Part::Suffix if whole.len() <= LONG => Some(opt_chain(&mut whole.iter().copied(), false)),
        Part::Inside if whole.len() <= MANY_PARTS => Some(any_of(
            (0..=whole.len()).map(|start| opt_chain(&mut whole[start..].iter().rev().copied(), true)),
        )),
        _ => None,
    }
}

/// `prefixof` and `suffixof` (the part comes first) and `contains` (the whole comes first).
fn part(site: &Site<'_>, part: Part) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    let whole_at = usize::from(part != Part::Inside);
    site.each(|at| {
        let other = text(site, 1 - at)?;
        if at != whole_at {
            return parts(other.codes(), part).map(|regex| either(regex, wanted));
        }
        let part_itself = Regex::literal(other.clone());
        let regex = match part {
            Part::Prefix => part_itself.concat(&Regex::all()),
            Part::Suffix => Regex::all().concat(&part_itself),
            Part::Inside => Regex::all().concat(&part_itself).concat(&Regex::all()),
        };
        Some(either(regex, wanted))
    })
}

fn concatenation(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let join = |range: std::ops::Range<usize>| {
        let parts: Vec<Str> = range.map(|at| text(site, at).cloned()).collect::<Option<_>>()?;
        Str::concat(&parts, site.limits).ok()
    };
    site.each(|at| {
        let (left, right) = (join(0..at)?, join(at + 1..site.args.len())?);
        match site.wanted {
            Abstract::Language(language) => {
                language.between(&left, &right, site.limits).map(Abstract::Language)
            }
            Abstract::Except(values) => {
                let strip = |value: &Value| {
                    let Value::Str(whole) = value else { return None };
                    let rest = whole.codes().strip_prefix(left.codes())?.strip_suffix(right.codes())?;
                    Str::new(rest.to_vec()).map(Value::Str)
                };
                Some(Abstract::except(values.iter().filter_map(strip).collect()))
            }
            _ => None,
        }
    })
}

/// The strings whose length is in an interval.
fn lengths(range: &Interval) -> Option<Regex> {
    let range = range.integers();
    let end = |end: &Option<semantics::value::real::Real>| match end {
        Some(end) => end.floor().to_i64().map(Some),
        None => Some(None),
    };
    let low = u64::try_from(end(&range.low)?.unwrap_or(0)).unwrap_or(0);
    let any = Regex::any_char();
    match end(&range.high)? {
        None if low == 0 => Some(Regex::all()),
        None => Some(any.power(low).concat(&Regex::all())),
        Some(high) => Some(any.repeat(low, u64::try_from(high).ok()?)),
    }
}

fn length(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| match site.wanted {
        Abstract::Range(range) => lengths(range).map(language),
        Abstract::Except(values) => {
            let excluded = values.iter().map(|value| lengths(&Interval::point(number(value)?)));
            // A negative length excludes nothing.
            let excluded: Vec<Regex> = excluded.flatten().collect();
            if excluded.is_empty() {
                return Some(Abstract::Any);
            }
            Some(language(any_of(excluded.into_iter()).complement()))
        }
        _ => None,
    })
}

/// The language of the extracted part.
fn cut_out(site: &Site<'_>) -> Option<Regex> {
    match site.wanted {
        Abstract::Is(Value::Str(text)) => Some(Regex::literal(text.clone())),
        Abstract::Language(language) if language.is_plain() => Some(language.regex.clone()),
        Abstract::Except(values) => {
            let texts: Option<Vec<Regex>> = values
                .iter()
                .map(|value| match value {
                    Value::Str(text) => Some(Regex::literal(text.clone())),
                    _ => None,
                })
                .collect();
            Some(any_of(texts?.into_iter()).complement())
        }
        _ => None,
    }
}

/// `str.at` and `str.substr`: any string with a fitting part at the position. The position and the count stay.
fn slice(site: &Site<'_>, one: bool) -> Vec<Option<Abstract>> {
    site.first(|| {
        let start = match site.value(1)? {
            Value::Int(start) => start,
            _ => return None,
        };
        let count = match (one, site.values.get(2)) {
            (true, _) => Int::from(1),
            (false, Some(Some(Value::Int(count)))) => count.clone(),
            _ => return None,
        };
        if start.is_negative() || count.signum() <= 0 {
            return Some(Abstract::Any);
        }
        let (start, count) = (start.to_u64()?, count.to_u64()?);
        if start > FAR || count > FAR {
            return None;
        }
        let wanted = cut_out(site)?;
        let any = Regex::any_char();
        // Either the string reaches the end of the part, or the part ends with the string, or nothing is extracted.
        let full = any.power(start).concat(&wanted.intersection(&any.power(count))).concat(&Regex::all());
        let short = any.power(start).concat(&wanted.intersection(&any.repeat(0, count)));
        let mut regex = full.union(&short);
        if start > 0 && crate::diver::domain::accepts(&wanted, &Str::empty(), site.limits)? {
            regex = regex.union(&any.repeat(0, start - 1));
        }
        Some(language(regex))
    })
}

fn is_digit(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![site.wanted_bool().map(|wanted| either(characters(u32::from('0'), u32::from('9')), wanted))]
}

/// The characters with codes in an interval. All other strings have the code -1.
fn to_code(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let Abstract::Range(range) = site.wanted else { return None };
        let range = range.integers();
        let end = |end: &Option<semantics::value::real::Real>, missing: i64| match end {
            Some(end) => end.floor().to_i64(),
            None => Some(missing),
        };
        let (low, high) = (end(&range.low, i64::MIN)?, end(&range.high, i64::MAX)?);
        let (first, last) = (low.max(0), high.min(i64::from(MAX_CODE)));
        let mut regex = Regex::none();
        if first <= last {
            regex = characters(u32::try_from(first).ok()?, u32::try_from(last).ok()?);
        }
        if low <= -1 && -1 <= high {
            regex = regex.union(&Regex::any_char().complement());
        }
        Some(language(regex))
    })
}

/// States only what all numbers or no number allow; otherwise the argument keeps its value.
fn to_int(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let minus_one = Value::Int(Int::from(-1));
        let digits = characters(u32::from('0'), u32::from('9')).plus();
        let none = site.wanted.contains(&minus_one, site.limits);
        let every = match site.wanted {
            Abstract::Range(range) => {
                range.high.is_none() && range.low.as_ref().is_none_or(|low| low.signum() <= 0)
            }
            Abstract::Except(values) => values.iter().all(|value| *value == minus_one),
            _ => false,
        };
        match (every, none) {
            (true, true) => Some(Abstract::Any),
            (true, false) => Some(language(digits)),
            (false, true)
                if site
                    .value(0)
                    .is_some_and(|now| language(digits.complement()).contains(now, site.limits)) =>
            {
                Some(language(digits.complement()))
            }
            _ => None,
        }
    })
}
