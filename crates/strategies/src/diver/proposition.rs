//! Tests Proposition 1 on random formulas, models, positions and terms: a value that satisfies the constraint of its position
//! keeps the formula true.

use super::{Diver, DiverSettings, Trial};
use crate::kit::constants::Constants;
use crate::kit::random::Random;
use case::{Learned, Seed};
use smt::{Arena, Scope, Signatures, parse_sort};
use std::sync::Arc;

/// The results of the trials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Trials in which the value satisfied the constraint and the formula was true.
    pub holds: u64,
    /// Trials in which the value violated the constraint, or the formula had no certain value.
    pub inconclusive: u64,
    /// The number of formulas.
    pub formulas: u64,
    /// Trials in which the value satisfied the constraint and the formula was false.
    pub counterexamples: Vec<String>,
}

/// The theories: sort declarations, then constants with their sorts and the values to choose from. Without values, they are
/// random.
type Constant = (&'static str, &'static str, &'static [&'static str]);
const THEORIES: &[(&str, &[Constant])] = &[
    ("", &[("a", "Int", &[]), ("b", "Int", &[]), ("c", "Int", &["0", "1", "(- 1)"]), ("p", "Bool", &[])]),
    (
        "",
        &[
            ("x", "Real", &[]),
            ("y", "Real", &["0.0", "1.0", "0.5"]),
            ("a", "Int", &["2", "3"]),
            ("p", "Bool", &[]),
        ],
    ),
    (
        "",
        &[
            ("s", "String", &[]),
            ("t", "String", &[]),
            ("i", "Int", &["0", "1", "2", "(- 1)"]),
            ("p", "Bool", &[]),
        ],
    ),
    (
        "",
        &[
            ("u", "(_ BitVec 8)", &[]),
            ("v", "(_ BitVec 8)", &[]),
            ("w", "(_ BitVec 4)", &[]),
            ("p", "Bool", &[]),
        ],
    ),
    (
        "",
        &[
            ("f", "(_ FloatingPoint 3 4)", &[]),
            ("g", "(_ FloatingPoint 3 4)", &[]),
            ("r", "RoundingMode", &[]),
        ],
    ),
    (
        "",
        &[
            (
                "m",
                "(Array Int Int)",
                &["((as const (Array Int Int)) 0)", "(store ((as const (Array Int Int)) 1) 2 3)"],
            ),
            ("n", "(Array Int Int)", &["((as const (Array Int Int)) 1)"]),
            ("i", "Int", &["0", "1", "2"]),
            ("p", "Bool", &[]),
        ],
    ),
    (
        "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))",
        &[
            ("k", "L", &["nil", "(cons 1 nil)", "(cons 0 (cons 2 nil))"]),
            ("l", "L", &["nil", "(cons 1 nil)"]),
            ("i", "Int", &["0", "1"]),
            ("p", "Bool", &[]),
        ],
    ),
];
/// The maximum number of mutations before a formula is tested.
const GROWTH: u64 = 12;
/// The number of trials per formula.
const TRIALS: usize = 60;

/// A random model, and a formula of a theory that every model satisfies.
fn start(signatures: &Arc<Signatures>, theory: usize, random: &mut Random) -> Seed {
    let (sorts, constants) = THEORIES[theory % THEORIES.len()];
    let mut arena = Arena::new(signatures.clone());
    let mut scope = Scope::default();
    let (mut declarations, mut formula, mut model) = (sorts.to_owned(), String::new(), String::new());
    for &(name, sort, values) in constants {
        declarations.push_str(&format!("(declare-const {name} {sort})"));
        formula.push_str(&format!(" (= {name} {name})"));
        let value = match random.pick(values) {
            Some(value) => (*value).to_owned(),
            None => {
                let drawn = parse_sort(&mut arena, &mut scope, sort).ok().and_then(|sort| {
                    let constants = Constants::new(&mut arena, &[sort]);
                    constants.pick(&mut arena, sort, random)
                });
                drawn.map(|value| arena.term_text(value)).unwrap_or_default()
            }
        };
        model.push_str(&format!("(define-fun {name} () {sort} {value})"));
    }
    let mut seed =
        Seed::new("random", format!("{declarations}(assert (or (and{formula}) false))(check-sat)"));
    let text = format!("({model})");
    seed.learned.push(Learned { question: 0, solver: String::new(), sat: Some(true), text });
    seed
}

/// Runs trials until `wanted` of them had a value that satisfied its constraint.
pub fn run(signatures: &Arc<Signatures>, wanted: u64, number: u64) -> Report {
    let mut report = Report::default();
    let settings = DiverSettings { weighted: false, mutants: 1, ..DiverSettings::default() };
    let diver = Diver::new(signatures.clone(), settings);
    let mut random = Random::new(number);
    while report.holds + (report.counterexamples.len() as u64) < wanted {
        let seed = start(signatures, report.formulas as usize, &mut random);
        report.formulas += 1;
        let Ok(mut mutator) = diver.open_satisfiable(&seed, Random::new(random.bits())) else { continue };
        for _ in 0..random.below(GROWTH) {
            mutator.next_mutant();
        }
        for _ in 0..TRIALS {
            match mutator.trial() {
                Trial::Holds => report.holds += 1,
                Trial::Inconclusive => report.inconclusive += 1,
                Trial::Fails { what } => report.counterexamples.push(what),
            }
        }
        if report.counterexamples.len() > 20 {
            break;
        }
    }
    report
}
