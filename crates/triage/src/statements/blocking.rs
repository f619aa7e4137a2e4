//! Blocked models: after `block-model-values`, the next model gives one of the terms another value; if there is none, every solution
//! gives them these values.

use super::parts::{Parts, conjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::lexer::elements;
use smt::{Command, Plain, Sort, Term};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The terms whose values are blocked.
const MOST: usize = 3;
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
            commands: &["get-value"],
            responses: PieceKind::Values,
        }
    }

    fn question(&self, case: &str, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Blocking)?.join("\n");
        let parts = Parts::read(case).filter(|parts| parts.is_whole && parts.is_easy())?;
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
        let asked = format!(
            "{definitions}(check-sat)\n(get-value ({names}))\n(block-model-values ({names}))\n(check-sat)\n(get-model)\n"
        );
        Some(parts.asserting(&prelude, &asked))
    }

    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated> {
        let [piece] = pieces else { return None };
        let blocked = blocked_terms(parts)?;
        let values: Vec<(&str, &str)> = elements(piece)?
            .into_iter()
            .map(|pair| match elements(pair)?.as_slice() {
                [term, value] => Some((*term, *value)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        // Some releases print a term that has no fixed value as its own value.
        if values.len() != blocked.len() || values.iter().any(|(term, value)| term == value) {
            return None;
        }
        let equal =
            conjunction(blocked.iter().zip(&values).map(|(term, (_, value))| format!("(= {term} {value})")));
        let shown = collapsed(&equal);
        let (fact, models) = match seen.answers[..] {
            [Answer::Sat, Answer::Sat] => {
                let model = seen.model()?.to_owned();
                let said = format!("gives a model with {shown} again, which was blocked");
                let formula = format!("(not {equal})");
                (Fact { number: 0, said, formula, under: Under::Model(0) }, vec![model])
            }
            [Answer::Sat, Answer::Unsat] => {
                let said = format!("says that every solution has {shown}");
                let formula = format!("(=> {} {equal})", parts.conjunction());
                (Fact { number: 0, said, formula, under: Under::Every }, Vec::new())
            }
            _ => return None,
        };
        Some(Stated::new(parts, vec![fact], models))
    }
}

/// The terms that a script blocks, if it has the form of our questions: all assertions, a check, the values, the block, a check and
/// a model.
fn blocked_terms(parts: &Parts) -> Option<Vec<String>> {
    let asked: Vec<&Command> = parts
        .script
        .commands
        .iter()
        .skip_while(|command| !matches!(command, Command::Plain(Plain::CheckSat)))
        .collect();
    let [_, Command::GetValue(terms), Command::Other(block), Command::Plain(Plain::CheckSat), rest @ ..] =
        asked.as_slice()
    else {
        return None;
    };
    if !matches!(rest, [] | [Command::Plain(Plain::GetModel)]) {
        return None;
    }
    let texts: Vec<String> = terms.iter().map(|&term| parts.arena.term_text(term)).collect();
    let blocked = format!("(block-model-values ({}))", texts.join(" "));
    (collapsed(parts.arena.name(*block)) == collapsed(&blocked)).then_some(texts)
}
