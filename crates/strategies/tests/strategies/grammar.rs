//! Formulas from scratch: invariants of all of them.

use crate::common::context;
use semantics::model::StringDialect;
use semantics::{Model, Verdict};
use smt::{Arena, Scope, Signatures, parse_script};
use std::collections::BTreeSet;
use strategies::grammar::{COMMANDS, operations, operations_of};
use strategies::{Case, Expectation, Grammar, GrammarSettings, Random, RejectedBy, Seed, Strategy, by_name};

fn sample(strategy: &dyn Strategy, random: u64, count: usize) -> Vec<Case> {
    let seed = Seed::new("none", "");
    let mut made = strategy.open(&seed, Random::new(random)).unwrap();
    (0..count).map_while(|_| made.next_case()).collect()
}

/// Every formula parses, prints the same, and states all of its theories.
#[test]
fn formulas_are_well_typed() {
    for name in ["grammar", "enumerate"] {
        let strategy = by_name(name, &context()).unwrap();
        let (mut made, mut theories) = (0, BTreeSet::new());
        for random in 0..120 {
            for case in sample(strategy.as_ref(), random, 25) {
                made += 1;
                let mut arena = Arena::default();
                let script = parse_script(&mut arena, &case.text)
                    .unwrap_or_else(|errors| panic!("{name} {random}: {}\n{}", errors[0], case.text));
                assert_eq!(arena.script_text(&script), case.text, "{name} {random}");
                assert!(script.commands.iter().any(smt::Command::is_check), "{}", case.text);
                let features = arena.features(&script);
                let stated = |theory: &String| theory == "Legacy" || case.theories.contains(theory);
                assert!(features.theories.iter().all(stated), "{:?}\n{}", case.theories, case.text);
                assert_ne!(case.solvers, Some(BTreeSet::new()), "{}", case.text);
                theories.extend(case.theories);
            }
        }
        assert!(made > 2500, "{name} made only {made}");
        for theory in
            ["Ints", "Reals", "FixedSizeBitVectors", "FloatingPoint", "Strings", "ArraysEx", "Sets", "Bags"]
        {
            assert!(theories.contains(theory), "{name}: no {theory} in {theories:?}");
        }
        assert!(theories.contains("Datatypes") && theories.contains("UF"), "{name}: {theories:?}");
    }
}

/// A few hundred universes use nearly the whole signature table, and every command.
#[test]
fn formulas_use_the_whole_signature_table() {
    let signatures = Signatures::standard();
    let mut used = BTreeSet::new();
    let strategy = by_name("grammar", &context()).unwrap();
    for random in 0..700 {
        for case in sample(strategy.as_ref(), random, 8) {
            used.extend(operations_of(&signatures, &case.text));
        }
    }
    for command in COMMANDS {
        assert!(used.contains(command), "no {command}");
    }
    for solver in [None, Some("z3")] {
        let all = operations(&signatures, solver, &[]);
        let missing: Vec<&String> = all.iter().filter(|name| !used.contains(*name)).collect();
        assert!(
            missing.len() * 50 < all.len(),
            "{} of {} never occur: {missing:?}",
            missing.len(),
            all.len()
        );
    }
}

/// A large part of the formulas is satisfiable, and the witness confirms it.
#[test]
fn hidden_models_satisfy_their_formulas() {
    let strategy = by_name("grammar", &context()).unwrap();
    let (mut made, mut satisfied) = (0, 0);
    for random in 0..100 {
        for case in sample(strategy.as_ref(), random, 6) {
            made += 1;
            let Expectation::Sat { model } = &case.expectation else { continue };
            satisfied += 1;
            let (mut arena, mut scope) = (Arena::default(), Scope::default());
            let script = smt::parse_in_scope(&mut arena, &mut scope, &case.text).unwrap();
            let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).unwrap();
            let verdict = semantics::validate(&arena, &script, &model);
            assert!(matches!(verdict, Verdict::Valid), "{verdict:?}\n{}\n{:?}", case.text, case.expectation);
        }
    }
    assert!(satisfied * 4 > made, "only {satisfied} of {made} have a witness");
}

/// Rejected operators become rare. The own seed names them, so the cases can be made again.
#[test]
fn rejected_operators_are_avoided() {
    let signatures = Signatures::standard();
    let strategy = by_name("grammar", &context()).unwrap();
    let rejected = ["not", "ite", "bvadd", "str.len"];
    let plain = strategy.own_seed().unwrap();
    rejected.iter().for_each(|name| strategy.operator_rejected(name, RejectedBy::Some));
    let seed = strategy.own_seed().unwrap();
    assert_ne!(plain.hash, seed.hash);
    let with_rejected = |seed: &Seed, strategy: &dyn Strategy| {
        let mut count = 0;
        for random in 0..100 {
            let mut made = strategy.open(seed, Random::new(random)).unwrap();
            let used = operations_of(&signatures, &made.next_case().unwrap().text);
            // Negation also makes an assertion true.
            count += usize::from(rejected[1..].iter().any(|name| used.contains(*name)));
        }
        count
    };
    let (before, after) = (with_rejected(&plain, strategy.as_ref()), with_rejected(&seed, strategy.as_ref()));
    assert!(after * 2 < before, "{after} instead of {before}");
    let fresh = by_name("grammar", &context()).unwrap();
    assert_eq!(with_rejected(&seed, fresh.as_ref()), after, "the seed says it all");
    rejected.iter().for_each(|name| strategy.operator_rejected(name, RejectedBy::All));
    assert_eq!(with_rejected(&strategy.own_seed().unwrap(), strategy.as_ref()), 0);
}

/// Restricted formulas use only the given operations, and all of them.
#[test]
fn restricted_formulas_use_only_the_given_operations() {
    let signatures = Signatures::standard();
    let table: [(&[&str], &[&str]); 5] = [
        (&["bvadd", "bvurem", "and", "push"], &["="]),
        (&["str.replace", "re.*", "not", "get-unsat-core"], &["=", "str.in_re"]),
        (&["mod", "abs", "forall", "get-model"], &["="]),
        (&["fp.add", "fp.lt", "ite", "pop"], &["=", "push"]),
        (&["select", "store", "+", "get-proof"], &["="]),
    ];
    for (chosen, glue) in table {
        let settings = GrammarSettings {
            operations: chosen.iter().map(|name| (*name).to_owned()).collect(),
            solver: Some("z3".to_owned()),
        };
        let grammar = Grammar::new(signatures.clone(), settings);
        let mut used = BTreeSet::new();
        for case in sample(&grammar, 5, 60) {
            used.extend(operations_of(&signatures, &case.text));
        }
        // Some values are written with operators: negative numbers, the empty language.
        let values = ["-", "/", "true", "false", "fp", "str.to_re", "re.none", "re.all", "re.allchar"];
        let constant = |name: &str| values.contains(&name) || name.contains("zero") || name.contains("oo");
        let rounding = ["RNE", "RNA", "RTP", "RTN", "RTZ", "NaN"];
        for name in &used {
            let name = name.as_str();
            let known =
                chosen.contains(&name) || glue.contains(&name) || constant(name) || rounding.contains(&name);
            assert!(known, "{chosen:?}: {name}");
        }
        for name in chosen {
            assert!(used.contains(*name), "{chosen:?}: no {name} in {used:?}");
        }
    }
}

/// The smallest formulas come first.
#[test]
fn enumeration_is_ordered_by_size() {
    let strategy = by_name("enumerate", &context()).unwrap();
    for random in 0..20 {
        let mut arena = Arena::default();
        let mut largest = 0;
        for case in sample(strategy.as_ref(), random, 150) {
            let script = parse_script(&mut arena, &case.text).unwrap();
            let assertion = script.assertions().next().unwrap();
            // A negative number and a quotient count as one value.
            let size = smt::dag_size(&arena, &[assertion]);
            assert!(size + 6 >= largest, "{random}: {} after one of {largest}", case.text);
            largest = largest.max(size);
        }
        assert!(largest > 1);
    }
}
