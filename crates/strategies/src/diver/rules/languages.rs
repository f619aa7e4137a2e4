//! Regular expressions as terms: any language that gives the same answer about a string will do.

use super::{Rules, Site};
use crate::diver::domain::{Abstract, Language, accepts};
use semantics::Value;
use semantics::value::regex::Regex;
use semantics::value::string::Str;

pub(super) const RULES: Rules = &[
    ("str.in_re", in_re),
    ("str.to_re", to_re),
    ("re.union", |site| junction(site, true)),
    ("re.inter", |site| junction(site, false)),
    ("re.diff", difference),
    ("re.comp", complement),
    ("re.opt", optional),
];
pub(super) const CURRENT: &[&str] =
    &["re.++", "re.*", "re.+", "re.range", "re.^", "re.loop", "re.reverse", "re.xor"];

fn regex<'a>(site: &'a Site<'_>, at: usize) -> Option<&'a Regex> {
    match site.value(at)? {
        Value::RegLan(regex) => Some(regex),
        _ => None,
    }
}

/// The string that is tested for membership, and the wanted answer.
fn wanted<'a>(site: &'a Site<'_>) -> Option<(&'a Str, bool)> {
    match site.wanted {
        Abstract::Holds(text, wanted) => Some((text, *wanted)),
        _ => None,
    }
}

fn in_re(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    let string = regex(site, 1).map(|regex| {
        let regex = if wanted { regex.clone() } else { regex.complement() };
        Abstract::Language(Language::of(regex))
    });
    let language = match site.value(0) {
        Some(Value::Str(text)) => Some(Abstract::Holds(text.clone(), wanted)),
        _ => None,
    };
    vec![string, language]
}

fn to_re(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![wanted(site).map(|(text, wanted)| {
        let text = Value::Str(text.clone());
        if wanted { Abstract::exact(&text) } else { Abstract::except(vec![text]) }
    })]
}

/// Union and intersection, which one part that contains the string (or does not) decides.
fn junction(site: &Site<'_>, deciding: bool) -> Vec<Option<Abstract>> {
    let Some((text, wanted)) = wanted(site) else { return site.none() };
    let answers: Vec<Option<bool>> = (0..site.args.len())
        .map(|at| regex(site, at).and_then(|regex| accepts(regex, text, site.limits)))
        .collect();
    let deciders = answers.iter().filter(|answer| **answer == Some(deciding)).count();
    site.each(|at| {
        let others = deciders - usize::from(answers[at] == Some(deciding));
        Some(if wanted == deciding && others > 0 {
            Abstract::Any
        } else {
            Abstract::Holds(text.clone(), wanted)
        })
    })
}

fn difference(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some((text, wanted)) = wanted(site) else { return site.none() };
    if site.args.len() != 2 {
        return site.none();
    }
    site.each(|at| {
        // a \\ b contains a string if and only if a does and b does not.
        let other = accepts(regex(site, 1 - at)?, text, site.limits)?;
        let other_denies = other == (at == 0);
        Some(if !wanted && other_denies {
            Abstract::Any
        } else {
            Abstract::Holds(text.clone(), wanted == (at == 0))
        })
    })
}

fn complement(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![wanted(site).map(|(text, wanted)| Abstract::Holds(text.clone(), !wanted))]
}

fn optional(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![wanted(site).map(|(text, wanted)| {
        if text.is_empty() { Abstract::Any } else { Abstract::Holds(text.clone(), wanted) }
    })]
}
