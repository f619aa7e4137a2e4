//! Statements: solvers say more than `sat` and `unsat`, and every statement can be checked.
//!
//! An [`Oracle`] makes a script from a case that makes a solver state something, and reads the statements of a run as formulas that
//! must be true. Our evaluation tries each formula under the model of the run, or under many assignments. An oracle is one file
//! and knows nothing else: whatever judges, reduces, bisects and reports a finding needs only its script.

mod abduct;
mod apply;
mod assignments;
mod blocking;
mod elimination;
mod goal;
mod grammar;
mod interpolant;
mod learned;
mod optimum;
mod parts;
mod printing;
mod simplify;
mod values;

use crate::oracle::{ModelJudge, ModelOpinion};
use assignments::{assignments, near_model};
use case::hash::fnv1a;
use case::{Answer, Misstatement, Outcome, Statement};
use parts::{Parts, conjunction};
use smt::sexpr::read_all;
use smt::{Arena, Signatures, parse_script, parse_term};
use solver::run::{Command, PieceKind, Response, Script, line_of_error, responses};
use solver::{Observation, Profile};
use std::collections::BTreeSet;

/// How many assignments near the models of a run are tried at the most.
const NEAR_MODELS: usize = 144;

/// Checks one kind of statement.
pub trait Oracle: Sync {
    /// What it checks, and how.
    fn description(&self) -> &'static Description;

    /// The script that asks a solver for statements about a case, with its answer if it is known; `None` if there is nothing to ask.
    fn question(&self, case: &str, known: Option<Answer>, solver: &Profile) -> Option<String>;

    /// Reads the statements of a run of such a script. `pieces` are the responses to the commands, in order. `None` if they say
    /// nothing that can be checked.
    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated>;

    /// Judges the statements of a run.
    fn judge(&self, judge: &mut dyn ModelJudge, script: &str, seen: &Observation) -> StatementVerdict {
        self.reading(script, seen).map_or(StatementVerdict::Undetermined, |reading| reading.judge(judge))
    }

    /// A wrong statement of a run.
    fn wrong(&self, judge: &mut dyn ModelJudge, script: &str, seen: &Observation) -> Option<WrongStatement> {
        match self.judge(judge, script, seen) {
            StatementVerdict::Wrong(wrong) => Some(wrong),
            StatementVerdict::Right | StatementVerdict::Undetermined => None,
        }
    }

    /// The responses to the commands of this oracle.
    fn pieces<'s>(&self, seen: &'s Observation) -> Vec<&'s str> {
        let kind = self.description().responses;
        // Blanks may belong to strings, so the text stays as it is.
        seen.pieces.iter().filter(|piece| piece.kind == kind).map(|piece| piece.text.trim()).collect()
    }

    /// The statements of a run of a script. `None` if it is unknown which response belongs to which command, or the script has strings
    /// that releases read differently.
    fn reading(&self, script: &str, seen: &Observation) -> Option<Reading> {
        let commands = self.description().commands;
        let split = Script::split(script);
        let asked = split.commands.iter().filter(|one| commands.contains(&one.name)).count();
        let said = self.pieces(seen);
        let pieces = match seen.outcome {
            Outcome::Answered if said.len() == asked => said,
            // A limit or an error takes nothing from what was said before.
            Outcome::Timeout | Outcome::Error { .. } => {
                let is_at_end = || said.len() <= asked && ends_in_errors(&seen.stdout);
                match in_order(&split, commands, &seen.stdout) {
                    Some(pieces) => pieces,
                    None if is_at_end() => said,
                    None => return None,
                }
            }
            _ => return None,
        };
        if pieces.is_empty() || script.contains('\\') {
            return None;
        }
        let mut parts = Parts::read(script)?;
        let stated = self.read(&mut parts, seen, &pieces)?;
        Some(Reading { kind: self.description().kind, declarations: parts.declarations, stated })
    }

    /// The script with only one of the commands of this oracle; if it goes on from those before it, the script up to the next one.
    fn alone(&self, question: &str, number: usize) -> Option<String> {
        let mut arena = Arena::new(Signatures::standard());
        let parsed = parse_script(&mut arena, question).ok()?;
        let mut text = String::new();
        let mut seen = 0;
        for command in &parsed.commands {
            let mut printed = String::new();
            arena.print_command(command, &mut printed);
            let name = printed.trim_start_matches('(').split([' ', ')', '\n']).next().unwrap_or_default();
            if self.description().commands.contains(&name) {
                seen += 1;
                match self.description().goes_on {
                    true if seen > number + 1 => break,
                    false if seen != number + 1 => continue,
                    _ => {}
                }
            }
            text.push_str(&printed);
            text.push('\n');
        }
        Some(text)
    }
}

/// What an oracle checks, and how.
pub struct Description {
    /// The kind of statement.
    pub kind: Statement,
    /// What must hold, for people.
    pub about: &'static str,
    /// What a case must have, so that the oracle can ask about it.
    pub needs: Needs,
    /// Whether the answers in its scripts are answers to the case.
    pub asks_the_case: bool,
    /// In one script of this many, another solver is asked whether a statement about every assignment can be wrong.
    pub doubted: u64,
    /// Whether each of its commands goes on from those before it.
    pub goes_on: bool,
    /// The commands that make solvers state something.
    pub commands: &'static [&'static str],
    /// How their responses are classified.
    pub responses: PieceKind,
}

/// What a case must have, so that an oracle can ask about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// The solver answers `sat`.
    Model,
}

/// All oracles, in the order of [`Statement::ALL`].
pub static ORACLES: [&dyn Oracle; 10] = [
    &simplify::Simplify,
    &apply::Apply,
    &elimination::Elimination,
    &values::Values,
    &optimum::Optimum,
    &interpolant::Interpolant,
    &abduct::Abduct,
    &learned::Learned,
    &blocking::Blocking,
    &printing::Printing,
];

/// The oracle for a kind of statement.
pub fn oracle_for(kind: Statement) -> &'static dyn Oracle {
    ORACLES[kind as usize]
}

/// A formula that must be true if a solver is right.
struct Fact {
    /// Which command of the script it belongs to, from 0.
    pub number: usize,
    /// What the solver states, after its name.
    pub said: String,
    /// The formula.
    pub formula: String,
    /// Where it must be true.
    pub under: Under,
}

/// The assignments under which a fact must be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Under {
    /// This one of the models of the run, from 0.
    Model(usize),
    /// Every assignment.
    Every,
}

/// The statements of a run, with the declarations of its script.
pub struct Reading {
    kind: Statement,
    declarations: String,
    stated: Stated,
}

impl Reading {
    /// How many statements can be checked.
    pub fn count(&self) -> usize {
        self.stated.facts.iter().map(|fact| fact.number).collect::<BTreeSet<usize>>().len()
    }

    /// Judges the statements by our evaluation.
    pub fn judge(&self, judge: &mut dyn ModelJudge) -> StatementVerdict {
        self.stated.judge(self.kind, &self.declarations, judge)
    }

    /// The script whose models show that a statement is wrong; `None` if none is about every assignment.
    pub fn doubt(&self) -> Option<String> {
        self.stated.doubt(&self.declarations)
    }

    /// The statement about every assignment that is false under a model.
    pub fn refuted_by(&self, judge: &mut dyn ModelJudge, model: &str) -> Option<WrongStatement> {
        self.stated.refuted_by(model, self.kind, &self.declarations, judge)
    }
}

/// What must hold if the statements of a run are right.
pub struct Stated {
    facts: Vec<Fact>,
    /// Whether every statement could be read.
    is_complete: bool,
    /// The models of the run, and assignments of our own.
    models: Vec<String>,
    assignments: Vec<String>,
}

impl Stated {
    /// The statements that these facts stand for. Facts that cannot be parsed are left out.
    fn new(parts: &mut Parts, facts: Vec<Fact>, models: Vec<String>) -> Stated {
        let all = facts.len();
        let mut terms = Vec::new();
        let mut parses = |fact: &Fact| {
            let parsed = parse_term(&mut parts.arena, &mut parts.scope, &fact.formula);
            parsed.map(|term| terms.push(term)).is_ok() && !fact.formula.contains('\\')
        };
        let facts: Vec<Fact> = facts.into_iter().filter(|fact| parses(fact)).collect();
        let tried = facts.iter().any(|fact| fact.under == Under::Every);
        let seed = facts.iter().fold(0, |seed: u64, fact| seed.rotate_left(5) ^ fnv1a(&fact.formula));
        let assignments = match tried {
            true => {
                let mut tried = assignments(&parts.arena, &parts.script, terms, seed);
                let near: Vec<String> = models.iter().flat_map(|model| near_model(model, &tried)).collect();
                let apart = near.len() / NEAR_MODELS + 1;
                tried.extend(near.into_iter().step_by(apart));
                tried
            }
            false => Vec::new(),
        };
        Stated { is_complete: facts.len() == all, facts, models, assignments }
    }

    /// The facts that must be true under every assignment.
    fn general(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.under == Under::Every)
    }

    /// The script whose models make one of the general facts false.
    fn doubt(&self, declarations: &str) -> Option<String> {
        let facts: Vec<String> = self.general().map(|fact| fact.formula.clone()).collect();
        let denied = format!("{declarations}(assert (not {}))\n(check-sat)\n", conjunction(facts.clone()));
        (!facts.is_empty()).then_some(denied)
    }

    /// The general fact that is false under a model.
    fn refuted_by(
        &self,
        model: &str,
        kind: Statement,
        declarations: &str,
        judge: &mut dyn ModelJudge,
    ) -> Option<WrongStatement> {
        let (number, said, explanation) =
            self.general().find_map(|fact| fact.refuted(declarations, model, judge))?;
        Some(WrongStatement { number, misstatement: Misstatement { kind, said, explanation } })
    }

    /// The same, if a statement could not be made a fact.
    fn incomplete(self) -> Stated {
        Stated { is_complete: false, ..self }
    }

    fn judge(&self, kind: Statement, declarations: &str, judge: &mut dyn ModelJudge) -> StatementVerdict {
        let mut is_right = self.is_complete;
        let of_models = self.models.iter().enumerate();
        let cases = of_models.map(|(index, model)| (Under::Model(index), std::slice::from_ref(model)));
        for (under, models) in cases.chain([(Under::Every, self.assignments.as_slice())]) {
            let facts: Vec<&Fact> = self.facts.iter().filter(|fact| fact.under == under).collect();
            if facts.is_empty() {
                continue;
            }
            let mut confirmed = false;
            for model in models {
                match judge.opinion(&question(declarations, &facts), model) {
                    ModelOpinion::Confirmed => confirmed = true,
                    ModelOpinion::Undetermined { .. } => {}
                    ModelOpinion::Refuted { .. } => {
                        let wrong = facts.iter().find_map(|fact| fact.refuted(declarations, model, judge));
                        if let Some((number, said, explanation)) = wrong {
                            let misstatement = Misstatement { kind, said, explanation };
                            return StatementVerdict::Wrong(WrongStatement { number, misstatement });
                        }
                    }
                }
            }
            is_right &= confirmed;
        }
        if is_right { StatementVerdict::Right } else { StatementVerdict::Undetermined }
    }
}

impl Fact {
    /// Its number, what was said, and why it is false under a model.
    fn refuted(
        &self,
        declarations: &str,
        model: &str,
        judge: &mut dyn ModelJudge,
    ) -> Option<(usize, String, String)> {
        let ModelOpinion::Refuted { explanation } = judge.opinion(&question(declarations, &[self]), model)
        else {
            return None;
        };
        let explanation = explanation.trim_start_matches("assertion 1 is false: ").to_owned();
        Some((self.number, self.said.clone(), explanation))
    }
}

/// Whether an output consists of whole responses, and only errors follow the first error. Then every response before it belongs to
/// the command of the same number.
fn ends_in_errors(output: &str) -> bool {
    let is_whole = output.ends_with('\n') && read_all(output).is_ok();
    is_whole && responses(output).into_iter().skip_while(|one| !one.is_error()).all(Response::is_error)
}

/// What solvers print without being asked.
const OF_NO_COMMAND: [&str; 6] = ["sat", "unsat", "unknown", "timeout", "success", "unsupported"];

/// The responses to the commands with these names, if they are the only ones of a script that print something, and if it is certain which
/// response belongs to which command. A command that failed has its error for a response. A response that was cut off does not count.
fn in_order<'o>(script: &Script<'_>, names: &[&str], output: &'o str) -> Option<Vec<&'o str>> {
    let (asked, others): (Vec<&Command<'_>>, Vec<&Command<'_>>) =
        script.commands.iter().partition(|command| names.contains(&command.name));
    if !others.iter().all(|command| is_silent(command.name)) {
        return None;
    }
    let lines = output.rfind('\n').map_or("", |end| &output[..=end]);
    let is_cut_off =
        |response: &Response<'_>| matches!(response, Response::Line(text) if text.starts_with('('));
    let found: Vec<Response<'_>> =
        responses(lines).into_iter().take_while(|response| !is_cut_off(response)).collect();
    let belongs = |(response, command): (&Response<'_>, &&Command<'_>)| match response.is_error() {
        true => is_error_of(response.text(), command),
        false => {
            let is_whole = read_all(response.text()).is_ok_and(|read| read.len() == 1);
            is_whole && !OF_NO_COMMAND.contains(&response.text())
        }
    };
    let is_certain = found.len() <= asked.len() && found.iter().zip(&asked).all(belongs);
    is_certain.then(|| found.into_iter().map(|response| response.text().trim()).collect())
}

/// Whether commands with this name print nothing but errors.
fn is_silent(name: &str) -> bool {
    let beginnings = ["declare-", "define-", "set-"];
    matches!(name, "assert" | "push" | "pop")
        || beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether an error is the response to a command: it names its line. Z3 names none for a tactic.
fn is_error_of(message: &str, command: &Command<'_>) -> bool {
    match line_of_error(message) {
        Some(line) => (command.line..=command.last_line).contains(&line),
        None => command.name == "apply" && message.contains("tactic failed"),
    }
}

/// The script that asserts facts.
fn question(declarations: &str, facts: &[&Fact]) -> String {
    let mut script = declarations.to_owned();
    for fact in facts {
        script.push_str(&format!("(assert {})\n", fact.formula));
    }
    script.push_str("(check-sat)\n");
    script
}

/// A wrong statement in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongStatement {
    /// Which command of the script, from 0.
    pub number: usize,
    /// What is wrong.
    pub misstatement: Misstatement,
}

/// What our evaluation says about the statements of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementVerdict {
    /// One is wrong.
    Wrong(WrongStatement),
    /// Every statement could be checked, and no assignment refutes it.
    Right,
    /// Neither: nothing was stated, a response cannot be read, or no value is determined.
    Undetermined,
}

/// A wrong statement of any kind in a run.
pub fn wrong_statement(
    judge: &mut dyn ModelJudge,
    script: &str,
    seen: &Observation,
) -> Option<WrongStatement> {
    ORACLES.into_iter().find_map(|oracle| oracle.wrong(judge, script, seen))
}

#[cfg(test)]
mod tests;
