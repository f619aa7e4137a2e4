//! Extracts the parts of a formula that our type checker rejects, by its parentheses alone. Solvers must survive such formulas,
//! too.

use super::extract::{ExtractedAtom, Parts};
use super::names::Declarations;
use super::skeleton::{CONNECTIVES, Part, Skeleton};
use crate::kit::draft::{Fact, Facts};
use smt::lexer::{Kind, Lexer, elements, top_level};
use std::collections::{BTreeMap, BTreeSet};

/// Longer atoms are dropped, in bytes.
const LONGEST_ATOM: usize = 400;
/// Larger skeletons are dropped, in parts.
const LARGEST_SKELETON: usize = 64;

/// The parts of a formula; `None` if its parentheses or tokens are wrong.
pub(super) fn take_apart(text: &str, declarations: &mut Declarations, facts: &Facts) -> Option<Parts> {
    let mut parts = Parts::default();
    // The declared names with their ranks, where they can be parsed.
    let mut ranks: BTreeMap<&str, String> = BTreeMap::new();
    let mut others: BTreeSet<u32> = BTreeSet::new();
    let commands: Vec<&str> = top_level(text).collect::<Result<_, _>>().ok()?;
    for command in commands {
        let Some(words) = elements(command) else { continue };
        match words.as_slice() {
            ["declare-fun", name, args, result] => {
                ranks.insert(name, format!("{} {}", plain(args)?, plain(result)?));
            }
            ["declare-const", name, sort] => {
                ranks.insert(name, format!("() {}", plain(sort)?));
            }
            ["declare-sort" | "declare-datatypes" | "declare-datatype" | "define-sort", ..] => {
                others.insert(declarations.as_written(&plain(command)?));
            }
            ["set-option", name, value] => {
                parts.options.push((name.trim_start_matches(':').to_owned(), plain(value)?));
            }
            ["assert", formula] => assertion(formula, &ranks, &others, facts, &mut parts)?,
            _ => {}
        }
    }
    Some(parts)
}

/// A text with single spaces and without comments.
fn plain(text: &str) -> Option<String> {
    let mut lexer = Lexer::new(text);
    let mut out = String::new();
    loop {
        let token = lexer.next_token().ok()?;
        match token.kind {
            Kind::End => return Some(out),
            Kind::Close => {}
            _ if out.is_empty() || out.ends_with('(') => {}
            _ => out.push(' '),
        }
        out.push_str(lexer.text(token));
    }
}

fn assertion<'a>(
    formula: &'a str,
    ranks: &BTreeMap<&'a str, String>,
    others: &BTreeSet<u32>,
    facts: &Facts,
    parts: &mut Parts,
) -> Option<()> {
    parts.assertions += 1;
    let mut ranks = ranks.clone();
    let mut skeleton = Vec::new();
    let mut stack = vec![formula];
    while let Some(text) = stack.pop() {
        if skeleton.len() > LARGEST_SKELETON {
            parts.left_out += 1;
            return Some(());
        }
        let words = elements(text).unwrap_or_default();
        match words.as_slice() {
            ["!", body, ..] => stack.push(body),
            [kind @ ("forall" | "exists"), variables, body] => {
                let variables = elements(variables).unwrap_or_default();
                parts.bound.push(variables.len());
                for variable in variables {
                    if let Some([name, sort]) = elements(variable).as_deref() {
                        ranks.insert(name, format!("() {}", plain(sort)?));
                    }
                }
                skeleton.push(if *kind == "forall" { Part::Forall } else { Part::Exists });
                stack.push(body);
            }
            [name, args @ ..] if CONNECTIVES.contains(name) && args.len() < usize::from(u16::MAX) => {
                let name = CONNECTIVES.into_iter().find(|known| known == name)?;
                skeleton.push(Part::Connective(name, args.len() as u16));
                stack.extend(args.iter().rev());
            }
            _ => {
                skeleton.push(Part::Hole);
                match atom(text, &ranks, others, facts) {
                    Some(atom) => parts.atoms.push(atom),
                    None => parts.left_out += 1,
                }
            }
        }
    }
    parts.skeletons.push(Skeleton(skeleton));
    Some(())
}

fn atom(
    text: &str,
    ranks: &BTreeMap<&str, String>,
    others: &BTreeSet<u32>,
    facts: &Facts,
) -> Option<ExtractedAtom> {
    let text = plain(text)?;
    if text.len() > LONGEST_ATOM || text.contains('□') {
        return None;
    }
    let mut lexer = Lexer::new(&text);
    let mut out = String::new();
    let mut slots: Vec<&str> = Vec::new();
    let mut copied = 0;
    loop {
        let token = lexer.next_token().ok()?;
        if token.kind == Kind::End {
            break;
        }
        let word = lexer.text(token);
        if ranks.contains_key(word) {
            out.push_str(&text[copied..token.span.start as usize]);
            copied = token.span.end as usize;
            let at = slots.iter().position(|known| *known == word).unwrap_or_else(|| {
                slots.push(word);
                slots.len() - 1
            });
            out.push_str(&format!("□{at}"));
        }
    }
    out.push_str(&text[copied..]);
    let operator = elements(&text).and_then(|words| Some((*words.first()?).to_owned()));
    Some(ExtractedAtom {
        text: out,
        form: format!("(?{})", operator.as_deref().unwrap_or(if slots.is_empty() { "Const" } else { "Var" })),
        ranks: slots.iter().map(|slot| (ranks[slot].clone(), others.clone())).collect(),
        after: others.clone(),
        // Its meaning is unknown, so it goes to the solvers with the most theories.
        fact: Fact { size: 1, solvers: facts.syntax_set("ill-typed"), ..Fact::NEUTRAL },
        outdated: false,
    })
}
