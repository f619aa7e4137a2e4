//! Explains the value of a term by a small tree of subterms with their values.

use smt::{Arena, Binder, Term, View};

use crate::data::Value;
use crate::eval::Evaluator;
use crate::reason::{Outcome, Reason, shorten};

/// The depth of the tree.
const MAX_LEVELS: usize = 7;
/// The most subterms to show of one term.
const MAX_PARTS: usize = 6;

/// A term, its value, and the subterms that decide it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The term.
    pub term: Term,
    /// Its value.
    pub value: Outcome<Value>,
    /// The values of bound variables: of a `let`, or of the instance that decides a quantifier.
    pub bindings: Vec<(Term, Outcome<Value>)>,
    /// The subterms that decide the value.
    pub parts: Vec<Explanation>,
    /// The number of omitted subterms.
    pub omitted: usize,
    /// Whether the value holds for every choice of the values that neither the standard nor the model defines.
    pub for_all_choices: bool,
}

impl Explanation {
    /// The tree as text: one line for each term, indented by two spaces for each level.
    pub fn text(&self, arena: &Arena) -> String {
        let mut out = String::new();
        self.write(arena, 0, &mut out);
        out
    }

    /// Recursion is bounded by [`MAX_LEVELS`].
    fn write(&self, arena: &Arena, level: usize, out: &mut String) {
        let indent = "  ".repeat(level);
        let line = |term: Term, value: &Outcome<Value>| {
            format!("{} = {}\n", shorten(&arena.term_text(term)), outcome_text(arena, term, value))
        };
        out.push_str(&indent);
        out.push_str(&line(self.term, &self.value));
        if self.for_all_choices {
            out.push_str(&format!("{indent}  for all values that the standard leaves open\n"));
        }
        for (variable, value) in &self.bindings {
            out.push_str(&format!("{indent}  with {}", line(*variable, value)));
        }
        for part in &self.parts {
            part.write(arena, level + 1, out);
        }
        if self.omitted > 0 {
            out.push_str(&format!("{indent}  … and {} more\n", self.omitted));
        }
    }
}

/// A value as text, or the reason why it is undetermined.
fn outcome_text(arena: &Arena, term: Term, value: &Outcome<Value>) -> String {
    match value {
        Ok(value) => shorten(&value.text(arena, arena.sort(term))),
        Err(reason) => format!("undetermined ({})", reason.text(arena)),
    }
}

/// Explains the value of a term.
pub(super) fn explain(evaluator: &mut Evaluator, term: Term) -> Explanation {
    at_level(evaluator, term, 0)
}

/// Explains an assertion that no choice of open values makes true, together with others.
pub(super) fn explain_choice(evaluator: &mut Evaluator, term: Term, together: &[Term]) -> Explanation {
    let mut explanation = explain(evaluator, term);
    explanation.value = Ok(Value::Bool(false));
    explanation.for_all_choices = true;
    for &other in together.iter().filter(|&&other| other != term).take(MAX_PARTS) {
        explanation.parts.push(at_level(evaluator, other, 1));
    }
    explanation
}

fn at_level(evaluator: &mut Evaluator, term: Term, level: usize) -> Explanation {
    let arena = evaluator.arena();
    let value = evaluator.evaluate(term);
    let (bindings, parts) = (Vec::new(), Vec::new());
    let mut explanation = Explanation { term, value, bindings, parts, omitted: 0, for_all_choices: false };
    if level + 1 >= MAX_LEVELS {
        return explanation;
    }
    match arena.view(term) {
        View::App(op, args) => {
            let parts = deciding_parts(evaluator, arena.op_name(op), args, &explanation.value);
            explanation.omitted = parts.len().saturating_sub(MAX_PARTS);
            for part in parts.into_iter().take(MAX_PARTS) {
                explanation.parts.push(at_level(evaluator, part, level + 1));
            }
        }
        View::Annotated { body, .. } => return at_level(evaluator, body, level),
        View::Let { names, values, body } => {
            let outcomes: Vec<Outcome<Value>> =
                values.iter().map(|&value| evaluator.evaluate(value)).collect();
            explanation.bindings =
                names.iter().copied().zip(outcomes.iter().cloned()).take(MAX_PARTS).collect();
            explanation.omitted = names.len().saturating_sub(MAX_PARTS);
            let inner =
                evaluator.with_bindings(names, outcomes, |evaluator| at_level(evaluator, body, level + 1));
            explanation.parts.push(inner);
        }
        View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
            let deciding = kind == Binder::Exists;
            if explanation.value == Ok(Value::Bool(deciding))
                && let Ok(Some(values)) = evaluator.instances(term, variables, bodies[0], deciding)
                && values.len() == variables.len()
            {
                explanation.bindings =
                    variables.iter().copied().zip(values.iter().cloned().map(Ok)).collect();
                let outcomes = values.into_iter().map(Ok).collect();
                let inner = evaluator.with_bindings(variables, outcomes, |evaluator| {
                    at_level(evaluator, bodies[0], level + 1)
                });
                explanation.parts.push(inner);
            }
        }
        View::Match { scrutinee, .. } => explanation.parts.push(at_level(evaluator, scrutinee, level + 1)),
        View::Literal(..) | View::Local(_) | View::Binder { .. } => {}
    }
    explanation
}

/// The subterms that decide a term's value: one argument that decides a connective, the condition and the chosen branch of `ite`,
/// otherwise all that are not literals.
fn deciding_parts(evaluator: &mut Evaluator, name: &str, args: &[Term], value: &Outcome<Value>) -> Vec<Term> {
    let truth = value.as_ref().ok().and_then(Value::as_bool);
    let arena = evaluator.arena();
    let mut with_truth = |wanted: bool| {
        args.iter()
            .copied()
            .find(|&arg| evaluator.evaluate(arg) == Ok(Value::Bool(wanted)))
            .into_iter()
            .collect()
    };
    match (name, truth) {
        ("and", Some(false)) => with_truth(false),
        ("or", Some(true)) => with_truth(true),
        ("ite", _) if args.len() == 3 => match evaluator.evaluate(args[0]) {
            Ok(Value::Bool(true)) => vec![args[0], args[1]],
            Ok(Value::Bool(false)) => vec![args[0], args[2]],
            _ => args.to_vec(),
        },
        _ => args.iter().copied().filter(|&arg| !matches!(arena.view(arg), View::Literal(..))).collect(),
    }
}

/// The reasons as text, without duplicates.
pub fn reasons_text(arena: &Arena, reasons: &[(Term, Reason)]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for (_, reason) in reasons {
        let text = reason.text(arena);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}
