//! Regular languages.

use super::{Rules, int, language, string};
use crate::data::Value;
use crate::eval::reason::{Outcome, Reason};
use crate::value::integer::Int;
use crate::value::regex::{Automaton, Regex, contains};

pub(super) const RULES: Rules = &[
    ("str.to_re", 1, |_, a| Ok(Value::RegLan(Regex::literal(string(&a[0])?.clone())))),
    ("str.in_re", 2, |site, a| {
        let (text, language) = (string(&a[0])?, language(&a[1])?);
        match contains(language, text) {
            Some(truth) => Ok(Value::Bool(truth)),
            None => Ok(Value::Bool(Automaton::new(language, site.limits)?.accepts(text)?)),
        }
    }),
    ("str.replace_re", 3, |site, a| {
        let mut automaton = Automaton::new(language(&a[1])?, site.limits)?;
        Ok(Value::Str(automaton.replace_first(string(&a[0])?, string(&a[2])?)?))
    }),
    ("str.replace_re_all", 3, |site, a| {
        let mut automaton = Automaton::new(language(&a[1])?, site.limits)?;
        Ok(Value::Str(automaton.replace_all(string(&a[0])?, string(&a[2])?)?))
    }),
    ("str.indexof_re", 3, |site, a| {
        let mut automaton = Automaton::new(language(&a[1])?, site.limits)?;
        Ok(Value::Int(automaton.index_of(string(&a[0])?, int(&a[2])?)?))
    }),
    ("re.none", 0, |_, _| Ok(Value::RegLan(Regex::none()))),
    ("re.all", 0, |_, _| Ok(Value::RegLan(Regex::all()))),
    ("re.allchar", 0, |_, _| Ok(Value::RegLan(Regex::any_char()))),
    ("re.++", 2, |_, a| Ok(Value::RegLan(language(&a[0])?.concat(language(&a[1])?)))),
    ("re.union", 2, |_, a| Ok(Value::RegLan(language(&a[0])?.union(language(&a[1])?)))),
    ("re.inter", 2, |_, a| Ok(Value::RegLan(language(&a[0])?.intersection(language(&a[1])?)))),
    ("re.diff", 2, |_, a| Ok(Value::RegLan(language(&a[0])?.difference(language(&a[1])?)))),
    ("re.xor", 2, |_, a| {
        let (x, y) = (language(&a[0])?, language(&a[1])?);
        Ok(Value::RegLan(x.difference(y).union(&y.difference(x))))
    }),
    ("re.*", 1, |_, a| Ok(Value::RegLan(language(&a[0])?.star()))),
    ("re.+", 1, |_, a| Ok(Value::RegLan(language(&a[0])?.plus()))),
    ("re.opt", 1, |_, a| Ok(Value::RegLan(language(&a[0])?.opt()))),
    ("re.comp", 1, |_, a| Ok(Value::RegLan(language(&a[0])?.complement()))),
    ("re.reverse", 1, |site, a| Ok(Value::RegLan(language(&a[0])?.reverse(site.limits)?))),
    ("re.range", 2, |_, a| Ok(Value::RegLan(Regex::range(string(&a[0])?, string(&a[1])?)))),
    ("re.^", 1, |site, a| Ok(Value::RegLan(language(&a[0])?.power(site.index(0)?)))),
    ("re.loop", 1, |site, a| {
        let language = language(&a[0])?;
        let bounds: Vec<u64> = match &a[1..] {
            [] => site.indices()?,
            bounds => bounds.iter().map(|bound| times(int(bound)?)).collect::<Outcome<_>>()?,
        };
        match bounds[..] {
            [low, high] => Ok(Value::RegLan(language.repeat(low, high))),
            [low] => Ok(Value::RegLan(language.at_least(low))),
            _ => Err(Reason::Kind(None)),
        }
    }),
];

/// A number of repetitions that is given as a term.
fn times(bound: &Int) -> Outcome<u64> {
    if bound.is_negative() {
        return Err(Reason::Open("a loop with a negative bound", None));
    }
    bound.to_u64().ok_or(Reason::TooLarge("a loop with a huge bound"))
}
