//! Finds the operator that a solver computes wrongly. Many findings are of this kind, however large their scripts are.
//!
//! Every term of the script has a value in a known model. The equation `(= (op VALUES) VALUE)` has no variables, so evaluation decides
//! it. A solver that answers `unsat` gets this operator wrong, and the equation makes a script of one line. So does a solver that answers
//! `sat` and then rejects its own model, if that is how the finding shows itself.

use super::plainest::plainest;
use crate::blame::blame;
use crate::error::TriageError;
use crate::operators::BOOLEAN;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion};
use crate::predicate::{AskModel, Basis, Established, NO_MODEL, Participant};
use crate::source::SolverSource;
use crate::subject::Subject;
use case::{Answer, Claim, Clause, ParticipantIndex, Predicate};
use semantics::eval::Limits as EvaluationLimits;
use semantics::model::StringDialect;
use semantics::validate::questions as questions_of;
use semantics::{Evaluator, Model, Value};
use smt::rewrite::post_order;
use smt::{Arena, Scope, Signatures, Term, View, parse_in_scope, parse_term};
use solver::run::{Limits, RunSettings, Want};
use solver::{RunError, RunMode, RunRequest, runner};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The most questions about one script.
const QUESTIONS: usize = 48;

/// The most questions about one operator.
const QUESTIONS_PER_OPERATOR: usize = 6;

/// The longest question to ask, in characters.
const LONGEST: usize = 500;

/// The most terms of a script.
const MOST_TERMS: usize = 20_000;

/// The time limit for one question. A solver that needs longer for an equation of constants will not answer at all.
const TIME: Duration = Duration::from_millis(300);

/// The most steps of an evaluation.
const STEPS: u64 = 1 << 18;

/// The operator that a suspect of a finding computes wrongly, as a subject of its own; `None` if there is none.
pub fn isolated(
    subject: &Subject,
    established: &Established,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<Option<(Subject, Established)>, TriageError> {
    let concerns = |clause: &Clause| {
        let claim = &clause.claim;
        claim.answer().is_some() || matches!(claim, Claim::WrongModel | Claim::OwnModelCheck)
    };
    if !subject.predicate.clauses.iter().all(concerns) {
        return Ok(None);
    }
    for suspect in blame(established).suspects {
        let Some(model) = model_at_hand(subject, established, suspect, limits)? else { continue };
        let questions = questions(&subject.script, &model);
        let participant = established.participant(suspect);
        let Some((script, claim)) = wrongly_answered(participant, &questions)? else { continue };
        for predicate in predicates(&subject.predicate, suspect, &claim) {
            let model = Some(NO_MODEL.to_owned());
            let alone = Subject { script: script.clone(), predicate, model, ..subject.clone() };
            match plainest(&alone, limits, source) {
                Ok(found) => return Ok(Some(found)),
                Err(TriageError::NotShown { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(None)
}

/// What a question must show: the claim of the suspect. If possible, the solvers that were right answer `sat` again.
fn predicates(predicate: &Predicate, suspect: ParticipantIndex, claim: &Claim) -> Vec<Predicate> {
    let clause = predicate.clauses[suspect.get()].clone();
    let wrong = Clause { claim: claim.clone(), ..clause };
    let is_right = |clause: &&Clause| clause.claim == Claim::Says(Answer::Sat) && clause.spec != wrong.spec;
    let right: Vec<Clause> = predicate.clauses.iter().filter(is_right).cloned().collect();
    let alone = Predicate { clauses: vec![wrong.clone()] };
    match right.is_empty() {
        true => vec![alone],
        false => vec![Predicate { clauses: [vec![wrong], right].concat() }, alone],
    }
}

/// A model to evaluate terms in: the one that satisfies the script, or the one that the suspect returns. It need not be right.
fn model_at_hand(
    subject: &Subject,
    established: &Established,
    suspect: ParticipantIndex,
    limits: Limits,
) -> Result<Option<String>, RunError> {
    if let Basis::Model { model, .. } = &established.basis {
        return Ok(Some(model.clone()));
    }
    let run = established.run(suspect);
    let seen = run.model().or_else(|| established.seen.iter().find_map(|run| run.model()));
    if let Some(model) = seen {
        return Ok(Some(model.to_owned()));
    }
    let participant = established.participant(suspect);
    let script = participant.script(&subject.script);
    let want = Want { check_models: false, ..participant.want(AskModel::Always) };
    let request = RunRequest::new(&script).options(&participant.options).limits(limits).want(want);
    let run = participant.run_once(&request)?;
    Ok(run.model().map(str::to_owned))
}

/// The first question that a solver gets wrong, with how it does: it answers `unsat`, or it rejects its model as in the finding.
fn wrongly_answered(
    participant: &Participant,
    questions: &[String],
) -> Result<Option<(String, Claim)>, RunError> {
    let mut runner = runner(&participant.target, RunMode::Fork, &RunSettings::default())?;
    let limits = Limits { wall: TIME, ..participant.limits };
    let checks_model = participant.claim == Claim::OwnModelCheck;
    let want = Want { check_models: checks_model, ..Want::default() };
    for question in questions {
        let request = RunRequest::new(question).options(&participant.options).limits(limits).want(want);
        let seen = runner.run(&request)?;
        let says_unsat = seen.answer() == Some(Answer::Unsat);
        if says_unsat || (checks_model && participant.shows(&seen, 0)) {
            let claim = if says_unsat { Claim::Says(Answer::Unsat) } else { Claim::OwnModelCheck };
            return Ok(Some((question.clone(), claim)));
        }
    }
    Ok(None)
}

/// A question for each operator of a script and the values of its arguments in a model, the shortest first. All are satisfiable by our
/// evaluation.
fn questions(script: &str, model: &str) -> Vec<String> {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let mut judge = Evaluated::default();
    let mut chosen = |operator: String, text: &str| {
        let count = count.entry(operator).or_default();
        *count += 1;
        *count <= QUESTIONS_PER_OPERATOR && judge.opinion(text, NO_MODEL) == ModelOpinion::Confirmed
    };
    // A panic of the evaluator must not end a campaign.
    let equations = catch_unwind(AssertUnwindSafe(|| equations(script, model)));
    let mut found = equations.ok().flatten().unwrap_or_default();
    found.sort_by_key(|(_, equation)| equation.len());
    found
        .into_iter()
        .filter(|(_, equation)| equation.len() <= LONGEST)
        .map(|(operator, equation)| (operator, format!("(assert {equation})\n(check-sat)\n")))
        .filter_map(|(operator, text)| chosen(operator, &text).then_some(text))
        .take(QUESTIONS)
        .collect()
}

/// An operator and an equation of it, for each term of a script that has a value in a model. Equations may contain symbols of the
/// script, such as constructors. `None` if the script or the model cannot be read, or the script is too large.
fn equations(script: &str, model: &str) -> Option<Vec<(String, String)>> {
    let mut arena = Arena::new(Signatures::standard());
    let mut scope = Scope::default();
    let parsed = parse_in_scope(&mut arena, &mut scope, script).ok()?;
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).ok()?;
    let question = questions_of(&parsed).pop()?;
    let terms = post_order(&arena, &question.assertions);
    if terms.len() > MOST_TERMS {
        return None;
    }
    let values: Vec<Option<Value>> = {
        let limits = EvaluationLimits { steps: STEPS, ..EvaluationLimits::default() };
        let mut evaluator = Evaluator::new(&arena, &model, &question.definitions).with_limits(limits);
        terms.iter().map(|&term| evaluator.evaluate(term).ok()).collect()
    };
    let mut found = BTreeSet::new();
    // How to write a term by values only.
    let mut written: HashMap<Term, Term> = HashMap::new();
    for (term, value) in terms.into_iter().zip(values) {
        let sort = arena.sort(term);
        let View::App(op, arguments) = arena.view(term) else {
            add_value(&mut arena, &mut scope, &mut written, term, value.as_ref());
            continue;
        };
        let arguments: Option<Vec<Term>> =
            arguments.iter().map(|argument| written.get(argument).copied()).collect();
        let operator = arena.op_name(op).to_owned();
        let applied = arguments
            .filter(|arguments| !arguments.is_empty())
            .map(|arguments| arena.with_children(term, &arguments));
        match applied {
            // The value of a regular expression is a language; how it is written matters.
            Some(applied) if arena.sort_head(sort) == "RegLan" => {
                written.insert(term, applied);
            }
            applied => {
                add_value(&mut arena, &mut scope, &mut written, term, value.as_ref());
                if let (Some(applied), Some(value)) = (applied, value)
                    && !BOOLEAN.contains(&operator.as_str())
                {
                    let applied = arena.term_text(applied);
                    found.insert((
                        operator,
                        match value {
                            Value::Bool(true) => applied,
                            Value::Bool(false) => format!("(not {applied})"),
                            value => format!("(= {applied} {})", value.text(&arena, sort)),
                        },
                    ));
                }
            }
        }
    }
    Some(found.into_iter().collect())
}

/// Remembers how to write the value of a term.
fn add_value(
    arena: &mut Arena,
    scope: &mut Scope,
    written: &mut HashMap<Term, Term>,
    term: Term,
    value: Option<&Value>,
) {
    let sort = arena.sort(term);
    let text = value.map(|value| value.text(arena, sort));
    let parsed = text.and_then(|text| parse_term(arena, scope, &text).ok());
    if let Some(value) = parsed.filter(|value| arena.sort(*value) == sort) {
        written.insert(term, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_is_asked_about_by_values() {
        let table: [(&str, &str, &[&str]); 4] = [
            (
                "(declare-const x Int)(assert (or (< (+ x 1) 3) (= x 9)))(check-sat)",
                "((define-fun x () Int (- 4)))",
                &["(< (- 3) 3)", "(= (+ (- 4) 1) (- 3))"],
            ),
            (
                "(declare-const s String)(assert (str.in_re s (re.* (str.to_re s))))(check-sat)",
                "((define-fun s () String \"ab\"))",
                &["(str.in_re \"ab\" (re.* (str.to_re \"ab\")))"],
            ),
            // The standard leaves this open, so nothing is known about it.
            ("(declare-const x Int)(assert (= 0 (div x 0)))(check-sat)", "((define-fun x () Int 0))", &[]),
            // Only instances of bound variables have values.
            ("(assert (forall ((x Int)) (< x (+ x 1))))(check-sat)", "()", &[]),
        ];
        for (script, model, expected) in table {
            let expected: Vec<String> =
                expected.iter().map(|equation| format!("(assert {equation})\n(check-sat)\n")).collect();
            assert_eq!(questions(script, model), expected, "{script}");
        }
    }
}
