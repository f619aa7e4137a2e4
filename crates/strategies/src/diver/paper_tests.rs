//! What the published variant does as the paper says, and the default does otherwise.

use super::domain::Abstract;
use super::generate::Generator;
use super::tests::{judged, open, seed};
use super::*;
use crate::api::{LiveQuestion, Questioner, Recorded};
use crate::{Case, Expectation};
use case::Learned;
use smt::{Arena, Term, View, parse_term};

const SCRIPT: &str =
    "(declare-const a Int)(declare-const b Int)(assert (> (+ a b) 13))(assert (< a 70))(check-sat)";
const MODEL: &str = "((define-fun a () Int 41)(define-fun b () Int 17))";

fn published(change: impl Fn(&mut DiverSettings)) -> DiverSettings {
    let mut settings = DiverSettings::as_published();
    change(&mut settings);
    settings
}

fn mutants(settings: DiverSettings, count: usize) -> Vec<Case> {
    let mut mutator = open(&seed(SCRIPT, MODEL), settings, 9);
    std::iter::from_fn(|| mutator.next_mutant()).take(count).collect()
}

#[test]
fn the_constants_are_those_of_the_paper() {
    let DiverSettings { mutants, tries, bound, steps, fresh, models, kilobytes, .. } =
        DiverSettings::as_published();
    assert_eq!((mutants, tries, bound, steps, fresh, models, kilobytes), (1000, 50, 5, 1, 1, 1, 200));
}

#[test]
fn a_mutant_has_one_mutation() {
    let longest = |settings| mutants(settings, 200).iter().map(|case| case.lineage.len()).max();
    assert_eq!(longest(published(|_| {})), Some(1));
    assert_eq!(longest(published(|settings| settings.steps = 4)), Some(4));
}

#[test]
fn no_tries_make_no_mutant() {
    let mut mutator = open(&seed(SCRIPT, MODEL), published(|settings| settings.tries = 0), 1);
    assert!(mutator.next_mutant().is_none() && mutator.tally().tries == 0);
    let mut mutator = open(&seed(SCRIPT, MODEL), published(|settings| settings.tries = 1), 1);
    assert!(mutator.next_mutant().is_some());
}

/// The most operators in a term that one mutation makes.
fn largest_term(bound: u32) -> usize {
    let seed = seed(
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat)",
        "((define-fun p () Bool true)(define-fun q () Bool false))",
    );
    let mut mutator = open(&seed, published(|settings| settings.bound = bound), 2);
    let cases: Vec<Case> = std::iter::from_fn(|| mutator.next_mutant()).take(400).collect();
    let terms = cases.iter().map(|case| case.lineage[0].after.as_str());
    // Numbers have parentheses, too, if they are negative or quotients. An operator with indices has two.
    let plain = terms.filter(|term| !term.contains("(- ") && !term.contains("(/ "));
    plain.map(|term| term.matches('(').count() - term.matches("(_ ").count()).max().unwrap()
}

#[test]
fn a_term_takes_at_most_so_many_choices() {
    assert_eq!([largest_term(0), largest_term(1)], [0, 1]);
    assert!(largest_term(5) > 1);
}

#[test]
fn a_formula_is_taken_once() {
    let shortest_later = |removes| {
        let settings = published(|settings| {
            (settings.mutants, settings.removes, settings.pool) = (5, removes, 2);
        });
        let made = mutants(settings, 200);
        made[5..].iter().map(|case| case.lineage.len()).min()
    };
    // The seed is gone after its five mutants, or comes up again.
    assert_eq!([shortest_later(true), shortest_later(false)], [Some(2), Some(1)]);
}

/// Says that all mutants so far but the last showed a bug.
#[derive(Default)]
struct AllButTheLast(Vec<Learned>);

impl Questioner for AllButTheLast {
    fn ask(&mut self, _question: &LiveQuestion) -> Option<Learned> {
        None
    }

    fn buggy_cases(&mut self, made: u64) -> Option<Learned> {
        let numbers: Vec<String> = (0..made - 1).map(|number| number.to_string()).collect();
        let (question, text) = (made as usize, numbers.join(" "));
        self.0.push(Learned { question, solver: String::new(), sat: None, text });
        self.0.last().cloned()
    }
}

#[test]
fn mutants_that_show_a_bug_do_not_join_the_pool() {
    let seed = seed(SCRIPT, MODEL);
    let make = |settings: &DiverSettings, questioner: &mut dyn Questioner| -> Vec<Case> {
        let mut mutator = open(&seed, settings.clone(), 4);
        std::iter::from_fn(|| mutator.next_case_with(questioner)).take(60).collect()
    };
    let follows_the_last = |made: &[Case]| {
        made.chunks(10).collect::<Vec<_>>().windows(2).all(|pair| {
            let last = &pair[0][9].lineage;
            pair[1].iter().all(|case| case.lineage.starts_with(last))
        })
    };
    let settings = published(|settings| settings.mutants = 10);
    let mut told = AllButTheLast::default();
    let made = make(&settings, &mut told);
    assert!(made.len() == 60 && follows_the_last(&made) && told.0.len() == 5);
    assert!(!follows_the_last(&make(&settings, &mut Recorded::default())));
    let keeps = DiverSettings { forgets: false, ..settings.clone() };
    assert!(!follows_the_last(&make(&keeps, &mut AllButTheLast::default())));
    // A finding stores the answers, so its case can be made again. An answer to another question is left alone.
    assert_eq!(make(&settings, &mut Recorded::new(&told.0)), made);
    let other = Learned { question: 7, ..told.0[0].clone() };
    assert_eq!(make(&settings, &mut Recorded::new(&[other])), make(&settings, &mut Recorded::default()));
}

#[test]
fn seeds_have_at_most_200_kilobytes() {
    let comment = format!(";{}\n", "x".repeat(1000));
    let large = seed(&format!("{}{SCRIPT}", comment.repeat(201)), MODEL);
    let unlimited = published(|settings| settings.kilobytes = 0);
    for (settings, fits) in [(DiverSettings::as_published(), false), (unlimited, true)] {
        let diver = Diver::new(Signatures::standard(), settings);
        assert_eq!(diver.open(&large, Random::new(1)).is_ok(), fits);
        assert_eq!(diver.seed_question(&large, 0).is_some(), fits);
    }
}

#[test]
fn unsatisfiable_seeds_are_left_alone() {
    let mut unsatisfiable =
        Seed::new("u", "(declare-const a Int)(assert (> a 3))(assert (< a 2))(check-sat)");
    let answer = |question, text: &str| {
        let text = text.to_owned();
        Learned { question, solver: "z3".to_owned(), sat: Some(false), text }
    };
    unsatisfiable.learned.push(answer(0, ""));
    let published = Diver::new(Signatures::standard(), DiverSettings::as_published());
    let default = Diver::new(Signatures::standard(), DiverSettings::default());
    assert!(published.seed_question(&unsatisfiable, 1).is_none());
    assert!(default.seed_question(&unsatisfiable, 1).is_some());
    unsatisfiable.learned.push(answer(1, "(elenchus-core-0 elenchus-core-1)"));
    assert!(published.open(&unsatisfiable, Random::new(1)).is_err());
    assert!(default.open(&unsatisfiable, Random::new(1)).is_ok());
}

#[test]
fn constants_come_from_the_formula_and_its_model() {
    let script = "(declare-const x Real)(assert (< x 13.25))(check-sat)";
    let seed = seed(script, "((define-fun x () Real 3.0))");
    let foreign = |biased: bool| {
        let mut mutator = open(&seed, published(|settings| settings.biased = biased), 3);
        let cases: Vec<Case> = std::iter::from_fn(|| mutator.next_mutant()).take(500).collect();
        let words = cases.iter().flat_map(|case| case.lineage[0].after.split(['(', ')', ' ']));
        let is_real = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
        words.filter(is_real).filter(|word| !["13.25", "3.0"].contains(word)).count()
    };
    assert_eq!(foreign(false), 0);
    assert!(foreign(true) > 0);
}

#[test]
fn sorts_outside_the_paper_keep_their_values() {
    let script = "(declare-const v (_ BitVec 8))(assert (bvult v #x20))(check-sat)";
    let seed = seed(script, "((define-fun v () (_ BitVec 8) #x05))");
    let constraint = |settings| {
        let labels = open(&seed, settings, 1).labels(10);
        labels.into_iter().find(|label| label.term == "v").unwrap().constraint
    };
    assert!(matches!(constraint(DiverSettings::as_published()), Abstract::Is(_)));
    assert!(matches!(constraint(DiverSettings::default()), Abstract::Bits(_)));
}

#[test]
fn a_mutant_may_have_any_size() {
    let sum = format!("(+ {})", "a b ".repeat(90));
    let script = format!("(declare-const a Int)(declare-const b Int)(assert (> {sum} 13))(check-sat)");
    let seed = seed(&script, MODEL);
    let longest = |growth| {
        let mut mutator =
            open(&seed, published(|settings| (settings.growth, settings.mutants) = (growth, 1)), 5);
        let sizes = std::iter::from_fn(|| mutator.next_mutant()).take(600).map(|case| case.text.len());
        sizes.max().unwrap()
    };
    let (limited, unlimited) = (longest(1), longest(0));
    assert!(limited < unlimited, "{limited} {unlimited}");
}

/// The seed of Figure 2 and its two new formulas.
const FIGURE_2: &str = "(set-logic QF_SLIA)(declare-fun t () String)\
    (assert (str.prefixof \"-\" (str.substr t 0 1)))\
    (assert (> (str.len (str.substr t 0 2)) 1))\
    (assert (not (= (- 1) (str.to_int (str.substr t 1 1)))))\
    (assert (>= (+ 0 2) (str.len t)))(check-sat)";
const LINE_7: &str = "(not (xor (str.< (str.update \"-0\" 0 t) \"-0\") false))";
const LINE_8: &str = "(str.suffixof (str.replace t \"-0\" \"-\") \"-\")";

/// Whether a generator can make a term with the choices that are left, in its own order: from the left, depth first.
fn can_make(generator: &Generator, arena: &mut Arena, term: Term, left: &mut u32) -> bool {
    let sort = arena.sort(term);
    let args = match arena.view(term) {
        View::App(_, args) => args.to_vec(),
        _ => Vec::new(),
    };
    let may_apply = *left > 0;
    *left = left.saturating_sub(1);
    if args.is_empty() {
        let known = |terms: Option<&Vec<Term>>| terms.is_some_and(|terms| terms.contains(&term));
        let mut drawn = || {
            (0..200)
                .any(|number| generator.constants.pick(arena, sort, &mut Random::new(number)) == Some(term))
        };
        return known(generator.variables.get(&sort)) || known(generator.values.get(&sort)) || drawn();
    }
    let View::App(op, _) = arena.view(term) else { return false };
    let sorts: Vec<_> = args.iter().map(|&arg| arena.sort(arg)).collect();
    let groups = generator.operators.of(sort).unwrap();
    let mut instances = groups.common.iter().chain(&groups.specific).flat_map(|group| &group.instances);
    let is_known = instances.any(|instance| {
        instance.name(arena) == arena.op_name(op)
            && *instance.args == sorts[..]
            && instance.fact.solvers & generator.solvers != 0
    });
    may_apply && is_known && args.into_iter().all(|arg| can_make(generator, arena, arg, left))
}

#[test]
fn figure_2_is_two_mutations() {
    let model = "((define-fun t () String \"-0\"))";
    let by = |solver: &str| {
        let mut seed = seed(FIGURE_2, model);
        seed.learned[0].solver = solver.to_owned();
        open(&seed, DiverSettings::as_published(), 1)
    };
    // `str.update` is an operator of cvc5 alone. With fewer than five choices, line 7 is too large.
    for (solver, bound, formula, expected) in [
        ("cvc5", 5, LINE_7, true),
        ("cvc5", 4, LINE_7, true),
        ("cvc5", 3, LINE_7, false),
        ("z3", 5, LINE_7, false),
        ("z3", 5, LINE_8, true),
    ] {
        let DiverMutator { draft, generator, .. } = &mut by(solver);
        let term = parse_term(&mut draft.arena, &mut draft.scope, formula).unwrap();
        let made = can_make(generator, &mut draft.arena, term, &mut bound.clone());
        assert_eq!(made, expected, "{solver} {bound} {formula}");
    }
    // Both formulas of the seed that they replace can be drawn.
    let labels = by("cvc5").labels(100);
    for replaced in ["(not (= (- 1) (str.to_int (str.substr t 1 1))))", "(>= (+ 0 2) (str.len t))"] {
        assert!(labels.iter().any(|label| label.term == replaced && label.probability > 0.0), "{replaced}");
    }
    // The mutant is true under the model of the seed.
    let text = FIGURE_2
        .replace("(not (= (- 1) (str.to_int (str.substr t 1 1))))", LINE_7)
        .replace("(>= (+ 0 2) (str.len t))", LINE_8);
    assert!(text.contains(LINE_7) && text.contains(LINE_8));
    let mut case = by("cvc5").next_mutant().unwrap();
    (case.text, case.expectation) = (text, Expectation::Sat { model: model.to_owned() });
    assert_eq!(judged(&case), "valid");
}
