//! Completes a model: asks the solver for values of symbols that the model does not define, and of operations that the
//! standard leaves open, such as `(/ x 0)`.

use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict, eval};
use smt::lexer::elements;
use smt::{Arena, Scope, Signatures, Term, parse_in_scope};
use solver::run::{Limits, PieceKind, Script, Want};
use solver::{Answer, RunError, RunRequest, Runner};
use std::collections::BTreeSet;

/// The most rounds of questions. A value may show that another one is needed.
const ROUNDS: usize = 5;
/// The most values to ask for.
const MOST_TERMS: usize = 200;
/// The longest term to ask for, in bytes.
const LONGEST_TERM: usize = 4_000;

/// The model of the last check of a script, followed by the values that it leaves out. `None` if nothing is missing, or if the
/// solver cannot be asked.
pub fn complete_model(
    runner: &mut dyn Runner,
    script: &str,
    model: &str,
    options: &[String],
    limits: Limits,
    dialect: StringDialect,
) -> Result<Option<String>, RunError> {
    let mut arena = Arena::new(Signatures::standard());
    let mut scope = Scope::default();
    let Ok(parsed) = parse_in_scope(&mut arena, &mut scope, script) else { return Ok(None) };
    let Some(mut question) = questions(&parsed).pop() else { return Ok(None) };
    let Some(prefix) = up_to_last_check(script) else { return Ok(None) };
    // Only terms without local variables have a value.
    let definitions = smt::rewrite::Definitions::of(&mut arena, &parsed);
    for term in &mut question.assertions {
        let inlined = definitions.inline(&mut arena, *term);
        *term = arena.expand_lets(inlined);
    }
    let mut text = model.to_owned();
    let mut asked: Vec<Term> = Vec::new();
    let mut known = BTreeSet::new();
    for _ in 0..ROUNDS {
        let Ok(read) = Model::read(&mut arena, &scope, &text, dialect) else { break };
        let (verdict, _) = judge(&arena, &question, &read, eval::Limits::default(), Memory::default());
        let Verdict::Undetermined { reasons } = verdict else { break };
        let wanted = reasons.iter().filter_map(|(_, reason)| reason.missing_term());
        let before = asked.len();
        for term in wanted {
            if arena.has_no_locals(term) && !arena.has_binder(term) && known.insert(term) {
                asked.push(term);
            }
        }
        if asked.len() == before || asked.len() > MOST_TERMS {
            break;
        }
        let mut terms = Vec::new();
        for &term in &asked {
            let shared = arena.introduce_lets(term);
            terms.push(arena.term_text(shared));
        }
        terms.retain(|term| term.len() <= LONGEST_TERM);
        let longer = format!("{prefix}\n(get-model)\n(get-value (\n{}))\n", terms.join("\n"));
        let want = Want { model: true, ..Want::default() };
        let seen = runner.run(&RunRequest::new(&longer).options(options).limits(limits).want(want))?;
        let values = seen.piece(PieceKind::Values).filter(|_| seen.answer() == Some(Answer::Sat));
        let (Some(model), Some(values)) = (seen.model(), values.and_then(values_of_pairs)) else { break };
        // Solvers print terms differently, so the text keeps them as they were asked.
        let pairs: Vec<String> =
            terms.iter().zip(values).map(|(term, value)| format!("({term} {value})")).collect();
        text = format!("{model}\n({})", pairs.join("\n"));
    }
    Ok((!asked.is_empty()).then_some(text))
}

/// The values in `((term value) …)`: the last expression of each pair.
fn values_of_pairs(response: &str) -> Option<Vec<&str>> {
    elements(response)?.into_iter().map(|pair| elements(pair)?.pop()).collect()
}

/// The commands of a script up to its last check.
fn up_to_last_check(script: &str) -> Option<String> {
    let split = Script::split(script);
    let last = split.commands.iter().rposition(|command| command.is_check())?;
    let commands: Vec<&str> = split.commands[..=last].iter().map(|command| command.text).collect();
    Some(commands.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{up_to_last_check, values_of_pairs};

    #[test]
    fn values_are_the_last_of_their_pairs() {
        let table: [(&str, Option<&[&str]>); 6] = [
            ("((x 1))", Some(&["1"])),
            ("(((/ x 0) (- 2.0)) (y (as @a U)))", Some(&["(- 2.0)", "(as @a U)"])),
            ("((s \")(\") (t \"\"))", Some(&["\")(\"", "\"\""])),
            ("((|a b| |c d|))", Some(&["|c d|"])),
            ("()", Some(&[])),
            ("((x 1)", None),
        ];
        for (text, expected) in table {
            assert_eq!(values_of_pairs(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn scripts_end_at_their_last_check() {
        let table = [
            ("(assert a)(check-sat)(get-model)(exit)", Some("(assert a)\n(check-sat)")),
            ("(check-sat)(push)(check-sat) ; done\n(pop)", Some("(check-sat)\n(push)\n(check-sat)")),
            ("(assert a)", None),
        ];
        for (script, expected) in table {
            assert_eq!(up_to_last_check(script).as_deref(), expected, "{script}");
        }
    }
}
