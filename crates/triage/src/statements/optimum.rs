//! Optimisation: the model attains the values that `get-objectives` prints, and no assignment has better ones.
//!
//! Several objectives are lexicographic (the first is the most important), boxed (each for itself, with a model of its own) or Pareto
//! (no assignment is at least as good for all and better for one). Soft assertions with the same id are an objective, too: the
//! weight of those that are false is least.

use super::parts::{Parts, conjunction, disjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::{choice, fnv1a};
use case::text::collapsed;
use case::{Answer, Statement};
use smt::lexer::elements;
use smt::sexpr::{Sexpr, read_all};
use smt::{Arena, Command, Index, Plain, Sort, Term, View};
use solver::run::{Piece, PieceKind};
use solver::{Observation, Profile};
use std::collections::BTreeSet;

/// The terms from which objectives are chosen.
const MOST: usize = 40;
/// The objectives, and the soft assertions, of one script.
const OBJECTIVES: u64 = 3;
/// How often most scripts ask, each time for other objectives.
const ROUNDS: usize = 6;
const WEIGHTS: [&str; 5] = ["1", "2", "3", "0.5", "10"];

pub(super) struct Optimum;

impl Oracle for Optimum {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Optimum,
            about: "the model attains the optimum, and no assignment is better",
            needs: Needs::Model,
            asks_the_case: true,
            doubted: 1,
            goes_on: false,
            commands: &["get-objectives"],
            responses: PieceKind::Objectives,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Optimum)?.join("\n");
        let mut parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        // Solvers do not promise the best value then.
        if parts.arena.features(&parts.script).nonlinear {
            return None;
        }
        let terms: Vec<Term> = parts.closed_subterms(MOST);
        let mut draw = Draw(choice(case, "objectives"));
        let priority = draw.one_of(&Priority::ALL);
        let one_each = draw.below(4) == 0;
        let option = match one_each {
            true => String::new(),
            false => format!("\n(set-option :opt.priority {})", priority.name()),
        };
        let rounds = if draw.below(4) == 0 { 1 } else { ROUNDS };
        let mut all = Vec::new();
        for _ in 0..rounds {
            let commands = match one_each {
                true => one_objective(&parts, &terms, &mut draw),
                false => several_objectives(&parts, &terms, priority, &mut draw),
            };
            all.extend(commands.map(|commands| round(&commands, priority)));
        }
        let asked = match all.as_slice() {
            [] => return None,
            [one] => one.clone(),
            several => several.iter().map(|one| format!("(push 1)\n{one}(pop 1)\n")).collect(),
        };
        Some(parts.asserting(&format!("{prelude}{option}"), &asked))
    }

    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated> {
        let priority = Priority::of(parts)?;
        let (mut facts, mut models) = (Vec::new(), Vec::new());
        let mut is_complete = true;
        for (number, (round, piece)) in rounds(&parts.script.commands).into_iter().zip(pieces).enumerate() {
            match of_round(parts, priority, &round, piece, seen) {
                Some((stated, of_round)) => {
                    facts.extend(stated.into_iter().map(|fact| Fact {
                        number,
                        under: match fact.under {
                            Under::Model(index) => Under::Model(index + models.len()),
                            Under::Every => Under::Every,
                        },
                        ..fact
                    }));
                    models.extend(of_round);
                }
                None => is_complete = false,
            }
        }
        let stated = (!facts.is_empty()).then(|| Stated::new(parts, facts, models))?;
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}

/// The commands that ask for the best values of objectives.
fn round(commands: &[String], priority: Priority) -> String {
    let models = match priority {
        Priority::Box if commands.len() > 1 => {
            let named = commands.iter().filter(|command| !command.starts_with("(assert-soft")).count();
            let groups: BTreeSet<&str> = commands.iter().filter_map(|command| id_at_end(command)).collect();
            (0..named + groups.len()).map(|index| format!("(get-model {index})\n")).collect()
        }
        _ => "(get-model)\n".to_owned(),
    };
    format!("{}\n(check-sat)\n{models}(get-objectives)\n", commands.join("\n"))
}

/// One request for objectives: the commands of its level, and which check it follows.
struct Round {
    commands: Vec<Command>,
    check: usize,
}

/// The requests for objectives in a script. Objectives of other levels do not count.
fn rounds(commands: &[Command]) -> Vec<Round> {
    let mut found = Vec::new();
    let (mut level, mut checks) = (Vec::new(), 0);
    for command in commands {
        match command {
            Command::Push(_) | Command::Pop(_) => level.clear(),
            Command::Plain(Plain::CheckSat) => checks += 1,
            Command::Plain(Plain::GetObjectives) if checks > 0 => {
                found.push(Round { commands: level.clone(), check: checks - 1 });
            }
            _ => level.push(command.clone()),
        }
    }
    found
}

/// What a solver states in one round, and the models of the round.
fn of_round(
    parts: &mut Parts,
    priority: Priority,
    round: &Round,
    piece: &str,
    seen: &Observation,
) -> Option<(Vec<Fact>, Vec<String>)> {
    let is_model = |piece: &&Piece| piece.kind == PieceKind::Model && piece.answers_before == round.check + 1;
    let models: Vec<String> = seen.pieces.iter().filter(is_model).map(|piece| piece.text.clone()).collect();
    let asked = models_asked(&parts.arena, &round.commands);
    let is_sat = seen.answers.get(round.check) == Some(&Answer::Sat);
    if !is_sat || models.is_empty() || models.len() != asked.len() {
        return None;
    }
    let objectives = Objective::all(parts, &round.commands)?;
    let values = values_of(piece)?;
    if values.is_empty() || values.len() != objectives.len() {
        return None;
    }
    // What cannot be written as a term is infinite, or only approached.
    let stated: Vec<(&Objective, Option<String>)> = objectives
        .iter()
        .zip(&values)
        .map(|(objective, value)| (objective, objective.order.literal(value)))
        .collect();
    let facts = match priority {
        Priority::Lexicographic => lexicographic(parts, &stated, &asked),
        Priority::Box => boxed(parts, &stated, &asked),
        Priority::Pareto => pareto(parts, &stated, &asked)?,
    };
    Some((facts, models))
}

/// How several objectives are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Priority {
    Lexicographic,
    Box,
    Pareto,
}

impl Priority {
    const ALL: [Priority; 3] = [Priority::Lexicographic, Priority::Box, Priority::Pareto];

    fn name(self) -> &'static str {
        match self {
            Priority::Lexicographic => "lex",
            Priority::Box => "box",
            Priority::Pareto => "pareto",
        }
    }

    /// The priority that a script sets.
    fn of(parts: &Parts) -> Option<Priority> {
        let set = parts.script.commands.iter().rev().find_map(|command| match command {
            Command::SetOption(keyword, value) if parts.arena.name(*keyword) == ":opt.priority" => {
                Some(parts.arena.name(*value))
            }
            _ => None,
        });
        let name = set.unwrap_or(Priority::Lexicographic.name());
        Priority::ALL.into_iter().find(|priority| priority.name() == name)
    }
}

/// One objective: a term whose value is least or greatest.
struct Objective {
    term: String,
    /// What is said to be best, for people.
    about: String,
    is_least: bool,
    order: Order,
    /// Whether there is a best value unless there is no bound. A solver only promises to come near to others.
    has_best: bool,
}

impl Objective {
    /// The objectives among commands, in the order of their importance; `None` if one cannot be read.
    fn all(parts: &mut Parts, commands: &[Command]) -> Option<Vec<Objective>> {
        let mut named: Vec<(Option<String>, Objective)> = Vec::new();
        let soft = |command: &Command| match command {
            Command::WithTerm(name, term, _) if parts.arena.name(*name) == "assert-soft" => Some(*term),
            _ => None,
        };
        let soft: Vec<Term> = commands.iter().filter_map(soft).collect();
        let defines = parts.script.commands.iter().any(|command| matches!(command, Command::Define(..)));
        let is_closed = !defines && is_closed(&parts.arena, &parts.assertions, &soft);
        for command in commands {
            let Command::WithTerm(name, term, rest) = command else { continue };
            let (name, rest) = (parts.arena.name(*name).to_owned(), parts.arena.name(*rest).to_owned());
            let text = parts.arena.term_text(*term);
            match name.as_str() {
                "minimize" | "maximize" if rest.is_empty() => {
                    let (order, is_least) = (Order::of(parts, *term)?, name == "minimize");
                    let what = if is_least { "least" } else { "greatest" };
                    let objective = Objective {
                        about: format!("the {what} value of {}", collapsed(&text)),
                        term: text,
                        is_least,
                        has_best: order != Order::Reals || (is_closed && is_linear(&parts.arena, *term)),
                        order,
                    };
                    named.push((None, objective));
                }
                "minimize" | "maximize" => return None,
                "assert-soft" => {
                    let (weight, id) = weight_and_id(&rest)?;
                    let penalty = format!("(ite {text} 0.0 {weight})");
                    let known = named.iter_mut().find(|(other, _)| other.as_ref() == Some(&id));
                    match known {
                        Some((_, objective)) => {
                            objective.term = format!("(+ {} {penalty})", objective.term);
                        }
                        None => {
                            let about = match id.as_str() {
                                "" => "the least penalty".to_owned(),
                                id => format!("the least penalty of {id}"),
                            };
                            let objective = Objective {
                                term: penalty,
                                about,
                                is_least: true,
                                order: Order::Reals,
                                // There are finitely many sums of weights.
                                has_best: true,
                            };
                            named.push((Some(id), objective));
                        }
                    }
                }
                _ => {}
            }
        }
        Some(named.into_iter().map(|(_, objective)| objective).collect())
    }

    fn equals(&self, value: &str) -> String {
        format!("(= {} {value})", self.term)
    }

    /// Whether the objective is no better than this value.
    fn is_no_better(&self, value: &str) -> String {
        let (low, high) = if self.is_least { (value, &*self.term) } else { (&*self.term, value) };
        format!("({} {low} {high})", self.order.at_most())
    }

    /// Whether the objective is at least as good as this value.
    fn is_as_good(&self, value: &str) -> String {
        let (low, high) = if self.is_least { (&*self.term, value) } else { (value, &*self.term) };
        format!("({} {low} {high})", self.order.at_most())
    }

    fn said(&self, value: &str) -> String {
        format!("says that {} is {value}", self.about)
    }
}

/// Every objective is best among the assignments for which those before it are.
fn lexicographic(
    parts: &Parts,
    stated: &[(&Objective, Option<String>)],
    asked: &[Option<usize>],
) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut conditions = vec![parts.conjunction()];
    for (objective, value) in stated {
        // Those after an objective without a best value are best for no assignment.
        let Some(value) = value else { break };
        let equal = objective.equals(value);
        if asked == [None] {
            let (said, formula) = (objective.said(value), equal.clone());
            facts.push(Fact { number: 0, said, formula, under: Under::Model(0) });
        }
        if !objective.has_best {
            break;
        }
        let condition = conjunction(conditions.iter().cloned());
        let formula = format!("(=> {condition} {})", objective.is_no_better(value));
        facts.push(Fact { number: 0, said: objective.said(value), formula, under: Under::Every });
        conditions.push(equal);
    }
    facts
}

/// Every objective is best for itself, and has a model of its own.
fn boxed(parts: &Parts, stated: &[(&Objective, Option<String>)], asked: &[Option<usize>]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (index, (objective, value)) in stated.iter().enumerate() {
        let Some(value) = value else { continue };
        let said = objective.said(value);
        if objective.has_best {
            let formula = format!("(=> {} {})", parts.conjunction(), objective.is_no_better(value));
            facts.push(Fact { number: 0, said: said.clone(), formula, under: Under::Every });
        }
        // A model without an index belongs to any of them, unless there is only one.
        let of_index = |at: &Option<usize>| *at == Some(index) || (at.is_none() && stated.len() == 1);
        if let Some(model) = asked.iter().position(of_index) {
            facts.push(Fact {
                number: 0,
                said,
                formula: objective.equals(value),
                under: Under::Model(model),
            });
        }
    }
    facts
}

/// The model attains all values, and no assignment is at least as good for all objectives and better for one.
fn pareto(
    parts: &Parts,
    stated: &[(&Objective, Option<String>)],
    asked: &[Option<usize>],
) -> Option<Vec<Fact>> {
    let values: Vec<(&Objective, &str)> = stated
        .iter()
        .map(|(objective, value)| Some((*objective, value.as_deref()?)))
        .collect::<Option<_>>()?;
    let mut facts: Vec<Fact> = Vec::new();
    if asked == [None] {
        facts.extend(values.iter().map(|(objective, value)| Fact {
            number: 0,
            said: objective.said(value),
            formula: objective.equals(value),
            under: Under::Model(0),
        }));
    }
    let as_good = conjunction(values.iter().map(|(objective, value)| objective.is_as_good(value)));
    let better = disjunction(
        values.iter().map(|(objective, value)| format!("(not {})", objective.is_no_better(value))),
    );
    let point: Vec<String> =
        values.iter().map(|(objective, value)| format!("{} is {value}", objective.about)).collect();
    facts.push(Fact {
        number: 0,
        said: format!("says that {} in a Pareto optimum", point.join(", ")),
        formula: format!("(=> {} (not (and {as_good} {better})))", parts.conjunction()),
        under: Under::Every,
    });
    Some(facts)
}

/// One objective without soft assertions.
fn one_objective(parts: &Parts, terms: &[Term], draw: &mut Draw) -> Option<Vec<String>> {
    let terms: Vec<Term> = terms.iter().copied().filter(|&term| Order::of(parts, term).is_some()).collect();
    let term = *terms.get(draw.below(terms.len() as u64) as usize)?;
    Some(vec![format!("({} {})", draw.direction(), parts.arena.term_text(term))])
}

/// Some objectives and soft assertions, at least two together.
fn several_objectives(
    parts: &Parts,
    terms: &[Term],
    priority: Priority,
    draw: &mut Draw,
) -> Option<Vec<String>> {
    // Real numbers have no next better one, so that the search for a Pareto optimum need not end.
    let suits = |order: &Order| *order != Order::Reals || priority != Priority::Pareto;
    let numbers: Vec<Term> = terms
        .iter()
        .copied()
        .filter(|&term| Order::of(parts, term).is_some_and(|order| suits(&order)))
        .collect();
    let formulas: Vec<Term> =
        terms.iter().copied().filter(|&term| parts.arena.sort(term) == Sort::BOOL).collect();
    let mut commands = Vec::new();
    for _ in 0..draw.below(OBJECTIVES + 1) {
        let Some(&term) = numbers.get(draw.below(numbers.len() as u64) as usize) else { break };
        let text = parts.arena.term_text(term);
        let is_integer = Order::of(parts, term) == Some(Order::Integers);
        // Most terms have no bound.
        let objective = match is_integer && (priority == Priority::Pareto || draw.below(2) == 0) {
            true => format!("(ite (< {text} (- 9)) (- 9) (ite (> {text} 9) 9 {text}))"),
            false => text,
        };
        commands.push(format!("({} {objective})", draw.direction()));
    }
    for _ in 0..draw.below(OBJECTIVES + 1) {
        let Some(&term) = formulas.get(draw.below(formulas.len() as u64) as usize) else { break };
        let text = parts.arena.term_text(term);
        // The subterms are often true in every model.
        let formula = if draw.below(2) == 0 { format!("(not {text})") } else { text };
        let (weight, id) = (draw.one_of(&WEIGHTS), draw.one_of(&["g1", "g2"]));
        commands.push(format!("(assert-soft {formula} :weight {weight} :id {id})"));
    }
    (commands.len() > 1).then_some(commands)
}

/// The id of a soft assertion that we wrote.
fn id_at_end(command: &str) -> Option<&str> {
    command.rsplit_once(":id ").map(|(_, id)| id)
}

/// The models that commands ask for: of which objective, if they say so.
fn models_asked(arena: &Arena, commands: &[Command]) -> Vec<Option<usize>> {
    let index = |command: &Command| match command {
        Command::Plain(Plain::GetModel) => Some(None),
        Command::Other(text) => match elements(arena.name(*text))?.as_slice() {
            ["get-model", index] => Some(index.parse().ok()),
            _ => None,
        },
        _ => None,
    };
    commands.iter().filter_map(index).collect()
}

/// The weight of a soft assertion, as a decimal, and its id. `None` for attributes and weights of another kind.
fn weight_and_id(rest: &str) -> Option<(String, String)> {
    let written = format!("({rest})");
    let words = elements(&written)?;
    let (mut weight, mut id) = ("1".to_owned(), String::new());
    for pair in words.chunks(2) {
        match pair {
            [":weight", value] => weight = (*value).to_owned(),
            [":id", value] => id = (*value).to_owned(),
            _ => return None,
        }
    }
    let is_number = weight.chars().all(|c| c.is_ascii_digit() || c == '.')
        && weight.starts_with(|c: char| c.is_ascii_digit());
    let decimal = if weight.contains('.') { weight } else { format!("{weight}.0") };
    is_number.then_some((decimal, id))
}

/// Whether the real numbers that satisfy assertions form a closed set, so that a bounded linear term has a best value: no bound is
/// strict. `conditions` may be true or false.
fn is_closed(arena: &Arena, assertions: &[Term], conditions: &[Term]) -> bool {
    // Terms, and whether they must be true and false.
    let mut waiting: Vec<(Term, bool, bool)> = assertions.iter().map(|&term| (term, true, false)).collect();
    waiting.extend(conditions.iter().map(|&term| (term, true, true)));
    let mut seen = BTreeSet::new();
    while let Some((term, is_true, is_false)) = waiting.pop() {
        if !seen.insert((term, is_true, is_false)) || !has_reals(arena, term) {
            continue;
        }
        let View::App(op, args) = arena.view(term) else { return false };
        let is_formula = |args: &[Term]| args.iter().all(|&term| arena.sort(term) == Sort::BOOL);
        let linear = || args.iter().all(|&term| is_linear(arena, term));
        match (arena.op_name(op), args) {
            ("and" | "or", _) => waiting.extend(args.iter().map(|&term| (term, is_true, is_false))),
            ("not", [one]) => waiting.push((*one, is_false, is_true)),
            ("=>", [conditions @ .., last]) => {
                waiting.push((*last, is_true, is_false));
                waiting.extend(conditions.iter().map(|&term| (term, is_false, is_true)));
            }
            ("ite" | "xor" | "=" | "distinct", _) if is_formula(args) => {
                waiting.extend(args.iter().map(|&term| (term, true, true)));
            }
            ("<=" | ">=" | "=", _) if !is_false && linear() => {}
            ("<" | ">" | "distinct", [_, _]) if !is_true && linear() => {}
            _ => return false,
        }
    }
    true
}

/// Whether a term has subterms with real numbers.
fn has_reals(arena: &Arena, term: Term) -> bool {
    let mut waiting = vec![term];
    let mut seen = BTreeSet::new();
    while let Some(term) = waiting.pop() {
        if seen.insert(term) {
            if arena.sort_text(arena.sort(term)).contains("Real") {
                return true;
            }
            waiting.extend(arena.children(term));
        }
    }
    false
}

/// Whether a term is a sum of multiples of real constants and of integer terms without reals.
fn is_linear(arena: &Arena, term: Term) -> bool {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match arena.view(term) {
            _ if !has_reals(arena, term) => {}
            View::Literal(..) => {}
            View::App(_, []) => {}
            View::App(op, args) if matches!(arena.op_name(op), "+" | "-" | "*" | "/" | "to_real") => {
                waiting.extend(args);
            }
            _ => return false,
        }
    }
    true
}

/// Choices that follow from a case.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = fnv1a(&self.0.to_string());
        (self.0 >> 16).checked_rem(bound).unwrap_or_default()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn direction(&mut self) -> &'static str {
        self.one_of(&["minimize", "maximize"])
    }
}

/// How the values of an objective are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Integers,
    Reals,
    /// Without signs.
    Bits(u64),
}

impl Order {
    fn of(parts: &Parts, term: Term) -> Option<Order> {
        let sort = parts.arena.sort(term);
        match (parts.sort_head(sort), &*parts.arena.sort_node(sort).indices) {
            ("Int", _) => Some(Order::Integers),
            ("Real", _) => Some(Order::Reals),
            ("BitVec", [Index::Num(width)]) => Some(Order::Bits(*width)),
            _ => None,
        }
    }

    fn at_most(&self) -> &'static str {
        match self {
            Order::Integers | Order::Reals => "<=",
            Order::Bits(_) => "bvule",
        }
    }

    /// A printed value as a term; `None` if it is infinite, or only a bound.
    fn literal(&self, printed: &str) -> Option<String> {
        let is_plain = !printed.contains(|c: char| c.is_alphabetic());
        match self {
            Order::Integers | Order::Reals => is_plain.then(|| printed.to_owned()),
            Order::Bits(width) => {
                printed.chars().all(|c| c.is_ascii_digit()).then(|| format!("(_ bv{printed} {width})"))
            }
        }
    }
}

/// The values in `(objectives (term value) …)`. The name of soft assertions without an id is empty.
fn values_of(piece: &str) -> Option<Vec<&str>> {
    let read = read_all(piece).ok()?;
    let [all] = read.as_slice() else { return None };
    let [name, objectives @ ..] = all.list()? else { return None };
    let value = |objective: &Sexpr| match objective.list()? {
        [_, value] | [value] => Some(&piece[value.span().start as usize..value.span().end as usize]),
        _ => None,
    };
    if name.atom() != Some("objectives") {
        return None;
    }
    objectives.iter().map(value).collect()
}
