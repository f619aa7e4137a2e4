//! The judge that evaluates models with our own exact evaluator.

use super::models::{ModelJudge, ModelOpinion};
use super::solver_defined::solver_defined_operators;
use case::text::head;
use semantics::eval::{Limits, Memory};
use semantics::model::StringDialect;
use semantics::validate::{judge, questions, reasons_text};
use semantics::{Model, Verdict};
use smt::{Arena, Scope, Script, Signatures, parse_in_scope};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Longer explanations are truncated, in characters. The finding keeps the model and the script.
const SHOWN: usize = 2_000;

/// Evaluates models. Parses a script once for all its models.
#[derive(Default)]
pub struct Evaluated {
    last: Option<Read>,
}

/// A parsed script.
struct Read {
    text: String,
    arena: Arena,
    scope: Scope,
    script: Script,
    /// The operators of the script that solvers define differently where the standard says nothing.
    solver_defined: BTreeSet<String>,
}

impl ModelJudge for Evaluated {
    fn opinion(&mut self, script: &str, model: &str) -> ModelOpinion {
        // A panic of the evaluator must not end a campaign. It decides nothing, and is printed on standard error.
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge(script, model)));
        judged.unwrap_or_else(|_| {
            self.last = None;
            undetermined("the evaluation failed")
        })
    }
}

impl Evaluated {
    fn judge(&mut self, script: &str, model: &str) -> ModelOpinion {
        let Some(read) = self.read(script) else {
            return undetermined("our own checker rejects the script");
        };
        let opinion = read.opinion(model, StringDialect::Standard);
        // Older releases escape strings differently. If that can matter, both readings must agree.
        let escapes = model.match_indices('\\').any(|(at, _)| !model[at..].starts_with("\\u"));
        if !escapes || matches!(opinion, ModelOpinion::Undetermined { .. }) {
            return opinion;
        }
        let legacy = read.opinion(model, StringDialect::Legacy);
        if std::mem::discriminant(&opinion) == std::mem::discriminant(&legacy) {
            opinion
        } else {
            undetermined("the strings of the model are ambiguous: old and new releases read them differently")
        }
    }

    fn read(&mut self, script: &str) -> Option<&mut Read> {
        if self.last.as_ref().is_none_or(|last| last.text != script) {
            let mut arena = Arena::new(Signatures::standard());
            let mut scope = Scope::default();
            let parsed = parse_in_scope(&mut arena, &mut scope, script).ok();
            self.last = parsed.map(|parsed| Read {
                text: script.to_owned(),
                arena,
                scope,
                script: parsed,
                solver_defined: solver_defined_operators(script),
            });
        }
        self.last.as_mut()
    }
}

impl Read {
    fn opinion(&mut self, model: &str, dialect: StringDialect) -> ModelOpinion {
        let mut model = match Model::read(&mut self.arena, &self.scope, model, dialect) {
            Ok(model) => model,
            Err(error) => return undetermined(&format!("the model cannot be read: {error}")),
        };
        let question = questions(&self.script).pop().unwrap_or_default();
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let mut verdict = judge(&self.arena, &question, &model, limits, Memory::default()).0;
        if matches!(verdict, Verdict::Valid) && !self.solver_defined.is_empty() {
            // Another solver need not agree with this one about its own operators.
            model.forget_open(&self.arena, &self.solver_defined);
            verdict = judge(&self.arena, &question, &model, limits, Memory::default()).0;
        }
        match verdict {
            // A recursive definition asserts an equation, and this one may have no solution, as in `f(x) = f(x) + 1`.
            Verdict::Valid if question.definitions.values().any(|definition| definition.recursive) => {
                undetermined("a recursive definition may have no solution")
            }
            Verdict::Valid => ModelOpinion::Confirmed,
            Verdict::Invalid { index, explanation, .. } => {
                let text = explanation.text(&self.arena);
                let explanation = format!("assertion {} is false: {}", index + 1, head(&text, SHOWN));
                ModelOpinion::Refuted { explanation }
            }
            Verdict::Undetermined { reasons } => {
                undetermined(&reasons_text(&self.arena, &reasons).join("; "))
            }
        }
    }
}

/// The step limit for one assertion. A campaign must not spend seconds on one model.
const STEPS: u64 = 1 << 21;

fn undetermined(reason: &str) -> ModelOpinion {
    ModelOpinion::Undetermined { reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(opinion: &ModelOpinion) -> &'static str {
        match opinion {
            ModelOpinion::Confirmed => "confirmed",
            ModelOpinion::Refuted { .. } => "refuted",
            ModelOpinion::Undetermined { .. } => "open",
        }
    }

    #[test]
    fn a_value_that_solvers_define_differently_proves_nothing() {
        let script = "(declare-const x Real)(assert (distinct (^ x 0.0) 1.0))(check-sat)";
        let by_definition = "((define-fun x () Real 0.0))(((^ x 0.0) 2.0))";
        assert_eq!(word(&Evaluated::default().opinion(script, by_definition)), "open");
        let script = "(declare-const x Real)(assert (= (^ x 2.0) 4.0))(check-sat)";
        let anyway = "((define-fun x () Real 2.0))";
        assert_eq!(word(&Evaluated::default().opinion(script, anyway)), "confirmed");
        let script = "(declare-const x Real)(assert (distinct (/ x 0.0) 1.0))(check-sat)";
        let standard = "((define-fun x () Real 0.0) (define-fun /0 ((a Real) (b Real)) Real 2.0))";
        assert_eq!(word(&Evaluated::default().opinion(script, standard)), "confirmed");
    }

    #[test]
    fn a_recursive_definition_may_have_no_solution() {
        let script = "(define-fun-rec a () Int (+ a 1))(check-sat)";
        assert_eq!(word(&Evaluated::default().opinion(script, "()")), "open");
    }

    #[test]
    fn a_rounded_number_proves_nothing() {
        let script = "(declare-const x Real)(declare-const y Real)(assert (= (* x x) 2.0))(assert (> y 1.0))(check-sat)";
        let table = [
            ("((define-fun x () Real (rounded -1.414214))(define-fun y () Real 2.0))", "open"),
            ("((define-fun x () Real (rounded 1.414214))(define-fun y () Real 1.0))", "refuted"),
            ("((define-fun x () Real 1.5)(define-fun y () Real 2.0))", "refuted"),
        ];
        for (model, expected) in table {
            assert_eq!(word(&Evaluated::default().opinion(script, model)), expected, "{model}");
        }
    }

    #[test]
    fn models_are_confirmed_refuted_or_undetermined() {
        let script = "(declare-const x Int)(declare-const s String)(assert (> x 1))(assert (= (str.len s) 1))(check-sat)";
        let table = [
            ("((define-fun x () Int 2)(define-fun s () String \"a\"))", "confirmed"),
            ("((define-fun x () Int 1)(define-fun s () String \"a\"))", "refuted"),
            ("((define-fun x () Int 2))", "open"),
            ("((define-fun x () Int 2)(define-fun s () String \"\\u{61}\"))", "confirmed"),
            // One character for an old release, four for a new one.
            ("((define-fun x () Int 2)(define-fun s () String \"\\x61\"))", "open"),
            ("no model", "open"),
        ];
        let mut judge = Evaluated::default();
        for (model, expected) in table {
            assert_eq!(word(&judge.opinion(script, model)), expected, "{model}");
        }
        assert!(matches!(judge.opinion("(assert", "()"), ModelOpinion::Undetermined { .. }));
    }
}
