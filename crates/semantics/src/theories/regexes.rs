//! Regular languages.

use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theory::args::{int, regex, string};
use crate::theory::{Rule, Theory};
use crate::value::integer::Int;
use crate::value::regex::{Automaton, Regex, contains};

/// The semantics of regular languages.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("RegularExpressions") };

const RULES: &[(&str, u8, Rule)] = &[
    ("str.to_re", 1, |_, a| Ok(Value::RegLan(Regex::literal(string(&a[0])?.clone())))),
    ("str.in_re", 2, |cx, a| {
        let (text, language) = (string(&a[0])?, regex(&a[1])?);
        match contains(language, text) {
            Some(truth) => Ok(Value::Bool(truth)),
            None => Ok(Value::Bool(Automaton::new(language, cx.limits)?.accepts(text)?)),
        }
    }),
    ("str.replace_re", 3, |cx, a| {
        let mut automaton = Automaton::new(regex(&a[1])?, cx.limits)?;
        Ok(Value::Str(automaton.replace_first(string(&a[0])?, string(&a[2])?)?))
    }),
    ("str.replace_re_all", 3, |cx, a| {
        let mut automaton = Automaton::new(regex(&a[1])?, cx.limits)?;
        Ok(Value::Str(automaton.replace_all(string(&a[0])?, string(&a[2])?)?))
    }),
    ("str.indexof_re", 3, |cx, a| {
        let mut automaton = Automaton::new(regex(&a[1])?, cx.limits)?;
        Ok(Value::Int(automaton.index_of(string(&a[0])?, int(&a[2])?)?))
    }),
    ("re.none", 0, |_, _| Ok(Value::RegLan(Regex::none()))),
    ("re.all", 0, |_, _| Ok(Value::RegLan(Regex::all()))),
    ("re.allchar", 0, |_, _| Ok(Value::RegLan(Regex::any_char()))),
    ("re.++", 2, |_, a| Ok(Value::RegLan(regex(&a[0])?.concat(regex(&a[1])?)))),
    ("re.union", 2, |_, a| Ok(Value::RegLan(regex(&a[0])?.union(regex(&a[1])?)))),
    ("re.inter", 2, |_, a| Ok(Value::RegLan(regex(&a[0])?.intersection(regex(&a[1])?)))),
    ("re.diff", 2, |_, a| Ok(Value::RegLan(regex(&a[0])?.difference(regex(&a[1])?)))),
    ("re.xor", 2, |_, a| {
        let (x, y) = (regex(&a[0])?, regex(&a[1])?);
        Ok(Value::RegLan(x.difference(y).union(&y.difference(x))))
    }),
    ("re.*", 1, |_, a| Ok(Value::RegLan(regex(&a[0])?.star()))),
    ("re.+", 1, |_, a| Ok(Value::RegLan(regex(&a[0])?.plus()))),
    ("re.opt", 1, |_, a| Ok(Value::RegLan(regex(&a[0])?.opt()))),
    ("re.comp", 1, |_, a| Ok(Value::RegLan(regex(&a[0])?.complement()))),
    ("re.reverse", 1, |cx, a| Ok(Value::RegLan(regex(&a[0])?.reverse(cx.limits)?))),
    ("re.range", 2, |_, a| Ok(Value::RegLan(Regex::range(string(&a[0])?, string(&a[1])?)))),
    ("re.^", 1, |cx, a| Ok(Value::RegLan(regex(&a[0])?.power(cx.index(0)?)))),
    ("re.loop", 1, |cx, a| {
        let language = regex(&a[0])?;
        let bounds: Vec<u64> = match &a[1..] {
            [] => cx.indices()?,
            bounds => bounds.iter().map(|bound| times(int(bound)?)).collect::<Outcome<_>>()?,
        };
        match bounds[..] {
            [low, high] => Ok(Value::RegLan(language.repeat(low, high))),
            [low] => Ok(Value::RegLan(language.at_least(low))),
            _ => Err(Reason::BadArguments(None)),
        }
    }),
];

/// A number of repetitions that is an argument and not an index.
fn times(bound: &Int) -> Outcome<u64> {
    if bound.is_negative() {
        return Err(Reason::Open("a loop with a negative bound", None));
    }
    bound.to_u64().ok_or(Reason::TooLarge("a loop with a huge bound"))
}
