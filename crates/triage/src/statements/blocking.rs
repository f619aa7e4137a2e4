//! Blocked models: after `block-model-values`, every further model gives one of the terms another value; if there is none, every
//! solution gives them one of the blocked values.

use super::parts::{Parts, conjunction, disjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::lexer::elements;
use smt::{Command, Plain, Sort, Term};
use solver::run::{Piece, PieceKind};
use solver::{Observation, Profile};

/// The terms whose values are blocked.
const MOST: usize = 5;
/// How often a model is blocked.
const ROUNDS: usize = 16;
/// The sorts whose values every solver prints as terms.
const SORTS: [&str; 5] = ["Bool", "Int", "Real", "BitVec", "String"];

pub(super) struct Blocking;

impl Oracle for Blocking {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Blocking,
            about: "a model after a blocked one gives the terms other values",
            needs: Needs::Model,
            asks_the_case: false,
            doubted: 1,
            goes_on: true,
            commands: &["get-value"],
            responses: PieceKind::Values,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Blocking)?.join("\n");
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let has_value = |sort: Sort| SORTS.contains(&parts.sort_head(sort));
        let terms: Vec<Term> = parts
            .closed_subterms(usize::MAX)
            .into_iter()
            .filter(|&term| has_value(parts.arena.sort(term)))
            .collect();
        let first = choice(case, "blocked terms").checked_rem(terms.len() as u64)? as usize;
        let chosen = terms.iter().cycle().skip(first).take(MOST.min(terms.len()));
        let mut prefix = "value-".to_owned();
        while case.contains(&prefix) {
            prefix.push('-');
        }
        // By their names, the terms can be reduced.
        let (mut definitions, mut names) = (String::new(), Vec::new());
        for &term in chosen {
            let name = format!("{prefix}{}", names.len());
            let sort = parts.arena.sort_text(parts.arena.sort(term));
            definitions.push_str(&format!("(define-fun {name} () {sort} {})\n", parts.arena.term_text(term)));
            names.push(name);
        }
        let names = names.join(" ");
        let round =
            format!("(check-sat)\n(get-model)\n(get-value ({names}))\n(block-model-values ({names}))\n");
        let asked = format!("{definitions}{}(check-sat)\n(get-model)\n", round.repeat(ROUNDS));
        Some(parts.asserting(&prelude, &asked))
    }

    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated> {
        let rounds = blocked_terms(parts)?;
        let blocked: Vec<String> =
            rounds.iter().zip(pieces).map_while(|(terms, piece)| equal(terms, piece)).collect();
        let models: Vec<&Piece> = seen.pieces.iter().filter(|piece| piece.kind == PieceKind::Model).collect();
        let mut facts = Vec::new();
        for (check, answer) in seen.answers.iter().enumerate().skip(1) {
            let Some(before) = blocked.get(..check) else { break };
            let number = check - 1;
            match answer {
                Answer::Sat => {
                    let Some(index) = models.iter().position(|model| model.answers_before == check + 1)
                    else {
                        break;
                    };
                    facts.extend(before.iter().map(|equal| Fact {
                        number,
                        said: format!("gives a model with {} again, which was blocked", collapsed(equal)),
                        formula: format!("(not {equal})"),
                        under: Under::Model(index),
                    }));
                }
                Answer::Unsat => {
                    let any = disjunction(before.iter().cloned());
                    facts.push(Fact {
                        number,
                        said: format!("says that every solution has {}", collapsed(&any)),
                        formula: format!("(=> {} {any})", parts.conjunction()),
                        under: Under::Every,
                    });
                }
                _ => break,
            }
        }
        let models = models.into_iter().map(|model| model.text.clone()).collect();
        (!facts.is_empty()).then(|| Stated::new(parts, facts, models))
    }
}

/// How an element of an uninterpreted sort begins.
const ELEMENT: &str = "(as @";

/// That terms have the values of a response. `None` for a value that is not written as one: some releases print a term that has no
/// fixed value as its own value. An element of an uninterpreted sort is none either: another model may give its name to another one.
fn equal(terms: &[String], piece: &str) -> Option<String> {
    let values: Vec<(&str, &str)> = elements(piece)?
        .into_iter()
        .map(|pair| match elements(pair)?.as_slice() {
            [term, value] if term != value && !value.contains(ELEMENT) => Some((*term, *value)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let pairs = terms.iter().zip(&values).map(|(term, (_, value))| format!("(= {term} {value})"));
    (values.len() == terms.len()).then(|| conjunction(pairs))
}

/// The terms that a script blocks each time, if it has the form of our questions: all assertions, then a check, the values and the
/// block several times, and a last check. Each check may be followed by a request for the model.
fn blocked_terms(parts: &Parts) -> Option<Vec<Vec<String>>> {
    let mut asked = parts
        .script
        .commands
        .iter()
        .skip_while(|command| !matches!(command, Command::Plain(Plain::CheckSat)))
        .filter(|command| !matches!(command, Command::Plain(Plain::GetModel)));
    let mut rounds = Vec::new();
    loop {
        let Some(Command::Plain(Plain::CheckSat)) = asked.next() else { return None };
        let values = match asked.next() {
            None => return (!rounds.is_empty()).then_some(rounds),
            Some(Command::GetValue(terms)) => terms,
            Some(_) => return None,
        };
        let Some(Command::Other(block)) = asked.next() else { return None };
        let texts: Vec<String> = values.iter().map(|&term| parts.arena.term_text(term)).collect();
        let blocked = format!("(block-model-values ({}))", texts.join(" "));
        if collapsed(parts.arena.name(*block)) != collapsed(&blocked) {
            return None;
        }
        rounds.push(texts);
    }
}
