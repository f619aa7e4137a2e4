//! The paper's example, the file format, and invariants of all instances.

use super::*;
use case::hash::fnv1a;
use smt::{Arena, parse_script};
use std::collections::BTreeSet;

fn mined(formulas: &[&str], support: u32) -> Library {
    let mut miner = Miner::new(Signatures::standard(), false);
    add_all(&mut miner, formulas);
    miner.finish(&RuleSettings { support, ..RuleSettings::default() })
}

fn add_all(miner: &mut Miner, formulas: &[&str]) {
    for text in formulas {
        miner.add(&Source { name: "formula", hash: fnv1a(text), text, ..Source::default() });
    }
}

fn strategy_from(library: Arc<Library>, file: &str, settings: HistFuzzSettings) -> HistFuzz {
    HistFuzz::new(&Signatures::standard(), History { library, file: file.to_owned(), settings })
}

fn instances(library: Library, settings: HistFuzzSettings, seed: u64, count: usize) -> Vec<Case> {
    let strategy = strategy_from(Arc::new(library), "", settings);
    let own = strategy.own_seed().unwrap();
    let mut mutator = strategy.open(&own, Random::new(seed)).unwrap();
    (0..count).map_while(|_| mutator.next_case()).collect()
}

/// σ of the paper's Figure 3, simplified from cvc5's issue 8016.
const SIGMA: &str = "(assert (exists ((v Int)) (and (= 2 v) (= v ((_ iand 1) 1 v)))))\n(check-sat)\n";
/// σ′, simplified from cvc5's issue 8052, which the paper's tool found.
const SIGMA_PRIME: &str =
    "(assert (exists ((v0 Int)) (and (= 2 v0) (= v0 ((_ iand 1) v0 v0)))))\n(check-sat)\n";

/// Figure 3: σ's skeleton, the rule, and σ′ from both.
#[test]
fn figure_3() {
    let other = "(declare-const x Int)(assert (= x ((_ iand 1) x x)))(assert (= 7 x))(check-sat)";
    let library = mined(&[SIGMA, other], 2);
    // (a) The skeleton of σ.
    assert!(library.skeletons.iter().any(|one| one.skeleton.to_string() == "(exists □1 (and □2 □3))"));
    // (b) The atoms to choose from, and the rule.
    let atoms: BTreeSet<&str> = library.atoms.iter().map(|atom| atom.text.as_str()).collect();
    let expected = ["(= 2 □0)", "(= □0 ((_ iand 1) 1 □0))", "(= □0 ((_ iand 1) □0 □0))", "(= 7 □0)"];
    assert_eq!(atoms, expected.into());
    let rules: Vec<String> = library.rules.iter().map(|rule| library.rule_text(rule)).collect();
    assert!(rules.contains(&"(= IntConst IntVar) => (= IntVar IntVar)".to_owned()), "{rules:?}");
    // Only σ's skeleton and only one direction, as in the figure.
    let mut only = library;
    only.skeletons.retain(|one| one.skeleton.holes() == 2);
    only.assertions = [1, 0, 0, 0, 0];
    only.bound = [1, 0, 0, 0];
    let rule_of = |rule: &Rule| only.forms[rule.antecedent[0] as usize] == "(= IntConst IntVar)";
    let rules: Vec<Rule> = only.rules.iter().filter(|rule| rule_of(rule)).cloned().collect();
    only.rules = rules;
    // Only cvc5 has `iand`.
    let solvers = vec!["cvc5".to_owned()];
    let settings = HistFuzzSettings { support: 2, solvers, ..HistFuzzSettings::default() };
    let cases = instances(only, settings, 3, 2000);
    let asserted = |case: &Case| case.text.lines().filter(|line| !line.starts_with("(set-logic")).count();
    let plain = cases.iter().filter(|case| asserted(case) == 2);
    let texts: BTreeSet<String> = plain
        .map(|case| case.text.split_inclusive('\n').filter(|line| !line.starts_with("(set-logic")).collect())
        .collect();
    // (c) σ′ is among the instances.
    assert!(texts.contains(SIGMA_PRIME), "{texts:#?}");
    // Whenever the first hole has the antecedent, the rule fills the second.
    let mut followed = 0;
    for case in &cases {
        let atoms: Vec<&str> =
            case.lineage.iter().filter(|step| step.action == ATOM).map(|step| step.after.as_str()).collect();
        if atoms[0].starts_with("(= 2") || atoms[0].starts_with("(= 7") {
            assert!(atoms[1].starts_with("(= □0 ((_ iand"), "{atoms:?}");
            followed += 1;
        }
    }
    assert!(followed > 100);
}

#[test]
fn formulas_yield_skeletons_and_atoms() {
    // A script, its skeletons, its atoms and their abstract forms.
    type Row<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, &'a str)]);
    let table: [Row<'_>; 8] = [
        (
            "(declare-const p Bool)(declare-const x Int)(assert (or p (not (< x 3))))",
            &["(or □1 (not □2))"],
            &[("□0", "BoolVar"), ("(< □0 3)", "(< IntVar IntConst)")],
        ),
        (
            "(declare-sort A 0)(declare-fun f (A) A)(assert (forall ((x A)) (forall ((y A)) (and (= y (f (f y)))))))",
            &["(forall □1 (forall □2 (and □3)))"],
            &[("(= □0 (□1 (□1 □0)))", "(= SortVar SortVar)")],
        ),
        (
            "(declare-const x Int)(assert (let ((y (+ x 1))) (=> (= y 2) (= x y))))",
            &["(=> □1 □2)"],
            &[("(= (+ □0 1) 2)", "(= IntVar IntConst)"), ("(= □0 (+ □0 1))", "(= IntVar IntVar)")],
        ),
        (
            "(define-fun twice ((a Real)) Real (* 2.0 a))(declare-const r Real)(assert (! (xor (< r (twice r)) true) :named n))",
            &["(xor □1 □2)"],
            &[("(< □0 (* 2.0 □0))", "(< RealVar RealVar)"), ("true", "true")],
        ),
        (
            "(declare-datatypes ((L 0)) (((e) (k (h Int) (t L)))))(declare-const l L)(assert ((_ is k) (t l)))",
            &["□1"],
            &[("((_ is c0_0_1) (s0_0_1_1 □0))", "(tester DatatypeVar)")],
        ),
        (
            "(declare-const s String)(assert (str.in_re s (re.* (str.to_re \"a\"))))(assert (not (= s \"\")))",
            &["(not □1)", "□1"],
            &[
                ("(str.in_re □0 (re.* (str.to_re \"a\")))", "(str.in_re StringVar RegLanConst)"),
                ("(= □0 \"\")", "(= StringVar StringConst)"),
            ],
        ),
        (
            "(declare-const a (Array Int Int))(assert (= a (lambda ((v0 Int)) (select a v0))))",
            &["□1"],
            &[("(= □0 (lambda ((l_v0 Int)) (select □0 l_v0)))", "(= ArrayVar FunctionVar)")],
        ),
        ("(declare-const x Int)(check-sat)", &[], &[]),
    ];
    for (text, skeletons, atoms) in table {
        let library = mined(&[text], 1);
        let mut found: Vec<String> = library.skeletons.iter().map(|one| one.skeleton.to_string()).collect();
        found.sort();
        assert_eq!(found, skeletons, "{text}");
        let found: Vec<(&str, &str)> = library
            .atoms
            .iter()
            .map(|atom| (atom.text.as_str(), library.forms[atom.form as usize].as_str()))
            .collect();
        assert_eq!(found, atoms, "{text}");
    }
}

/// Adding to a library gives what mining all formulas at once gives, and formulas that it has change nothing.
#[test]
fn libraries_grow() {
    let formulas = [
        SIGMA,
        "(declare-datatypes ((L 0)) (((e) (k (h Int) (t L)))))(declare-const l L)(assert ((_ is k) (t l)))",
        "(declare-sort A 0)(declare-datatypes ((M 0)) (((z) (y (w A)))))(declare-const m M)(assert (= m z))",
        "(declare-datatypes ((K 0)) (((n) (o (p Int) (q K)))))(declare-const a K)(assert (or ((_ is o) a) (= a n)))",
        "(declare-const x Int)(assert (forall ((y Int) (z Int)) (= x (* y z))))",
        "(assert (= 1 unknown))",
        "(check-sat)",
        SIGMA_PRIME,
    ];
    let settings = RuleSettings { support: 1, ..RuleSettings::default() };
    let whole = mined(&formulas, 1);
    for first in 0..=formulas.len() {
        let begun = Library::read(&mined(&formulas[..first], 1).write()).unwrap();
        let mut miner = Miner::resume(Signatures::standard(), false, begun);
        add_all(&mut miner, &formulas);
        assert_eq!(miner.finish(&settings).write(), whole.write(), "from {first}");
    }
}

#[test]
fn libraries_round_trip() {
    let library = built_in();
    assert!(library.atoms.len() > 150 && library.skeletons.len() > 20, "{:?}", library.origins);
    assert!(!library.normal.is_empty() && !library.rules.is_empty());
    let text = library.write();
    assert_eq!(text, BUILT_IN);
    assert_eq!(Library::read(&text).as_ref(), Ok(library.as_ref()));
    let broken = [
        ("", "not a history library"),
        ("elenchus-history 1\n", "unsupported library version"),
        ("elenchus-history 2\nnonsense\n", "line 2"),
        ("elenchus-history 2\natom\t7\t0\t1\twell-formed\t\t\t\t\ttrue\n", "missing"),
        ("elenchus-history 2\ndeclaration\t0\t(declare-sort S0 0)\n", "missing"),
        ("elenchus-history 2\nskeleton\t1\t(plus □1)\n", "line 2"),
    ];
    for (text, problem) in broken {
        let error = Library::read(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn instances_type_check_in_every_variant() {
    for variant in [Variant::Full, Variant::Random, Variant::Normal] {
        let settings = HistFuzzSettings { variant, ..HistFuzzSettings::default() };
        let mut arena = Arena::default();
        let mut texts = BTreeSet::new();
        for case in instances((*built_in()).clone(), settings, 17, 3000) {
            match parse_script(&mut arena, &case.text) {
                Ok(script) => assert_eq!(arena.script_text(&script), case.text),
                Err(errors) => panic!("{}\n{}", errors[0], case.text),
            }
            texts.insert(case.text);
        }
        assert!(texts.len() > 2900, "{variant}: only {} different instances", texts.len());
    }
}

#[test]
fn assertion_counts_follow_the_library() {
    let library = Library { assertions: [0, 1, 0, 3, 0], ..(*built_in()).clone() };
    let mut counts = [0usize; 6];
    for case in instances(library, HistFuzzSettings::default(), 5, 2000) {
        counts[case.text.matches("(assert ").count()] += 1;
    }
    assert_eq!(counts[0] + counts[1] + counts[3] + counts[5], 0, "{counts:?}");
    assert!(counts[4] > 2 * counts[2] && counts[2] > 300, "{counts:?}");
}

/// How many of 2000 instances with two holes need a single solver, and in how many the atoms share a sort.
fn single_and_related(biased: bool) -> (usize, usize) {
    let formulas = [
        "(declare-const x Int)(declare-const y Int)(assert (and (< x 3) (= y 2)))",
        "(declare-const a Real)(declare-const b Real)(assert (and (< a 3.0) (= b 2.0)))",
        "(declare-const s String)(declare-const t String)(assert (and (= (str.rev s) t) (= t \"a\")))",
        "(declare-const v (_ BitVec 8))(declare-const w (_ BitVec 8))(assert (and (bvult v w) (= w #x01)))",
    ];
    let library = Library { assertions: [1, 0, 0, 0, 0], ..mined(&formulas, 10) };
    let solvers = vec!["cvc5".to_owned(), "z3".to_owned()];
    let settings = HistFuzzSettings { biased, solvers, ..HistFuzzSettings::as_published() };
    let cases = instances(library, settings, 3, 2000);
    let single = cases.iter().filter(|case| case.text.contains("str.rev")).count();
    let words = ["Int)", "Real)", "String)", "(_ BitVec 8))"];
    let related = |case: &&Case| words.iter().filter(|word| case.text.contains(**word)).count() == 1;
    (single, cases.iter().filter(related).count())
}

#[test]
fn the_published_variant_draws_atoms_evenly() {
    let (published, default) = (single_and_related(false), single_and_related(true));
    // One atom of eight needs cvc5, and one pair of four has one sort.
    assert!((350..600).contains(&published.0) && (400..600).contains(&published.1), "{published:?}");
    assert!(default.0 < 200 && default.1 > published.1 + 300, "{default:?}");
}

#[test]
fn the_seed_states_whether_instances_are_biased() {
    for (settings, stated) in [(HistFuzzSettings::default(), false), (HistFuzzSettings::as_published(), true)]
    {
        let text = strategy_from(built_in(), "", settings.clone()).own_seed().unwrap().text.to_string();
        assert_eq!(text.contains("; biased: false\n"), stated);
        assert_eq!(FromSeed::read(&text).unwrap().settings.biased, settings.biased);
    }
}

#[test]
fn atoms_of_new_bugs_gain_weight_and_the_seed_records_it() {
    let make = || strategy_from(built_in(), "", HistFuzzSettings::default());
    let (plain, taught) = (make(), make());
    let step = |action: &'static str, before: &str| Step {
        action: action.into(),
        before: before.to_owned(),
        after: String::new(),
    };
    let case = |atom: &str| Case { lineage: vec![step("skeleton", ""), step(ATOM, atom)], ..Case::default() };
    for _ in 0..5 {
        taught.found_bug(&case("3"), true);
        taught.found_bug(&case("4"), false);
    }
    let own = taught.own_seed().unwrap();
    assert!(own.text.contains("; weights: 3:32 4:3\n"), "{}", own.text);
    assert_ne!(own.hash, plain.own_seed().unwrap().hash);
    let count = |strategy: &HistFuzz, atom: &str| {
        let mut mutator = strategy.open(&own, Random::new(1)).unwrap();
        let cases: Vec<Case> = (0..4000).map_while(|_| mutator.next_case()).collect();
        let used = cases.iter().flat_map(|case| &case.lineage).filter(|step| step.action == ATOM);
        used.filter(|step| step.before == atom).count()
    };
    // The seed states everything: any strategy that opens it makes the same instances.
    assert_eq!(count(&plain, "3"), count(&taught, "3"));
    assert!(count(&taught, "3") > 3 * count(&taught, "4"));
}

#[test]
fn a_seed_of_another_library_is_unsuitable() {
    let settings = HistFuzzSettings::default();
    let one = strategy_from(built_in(), "", settings.clone());
    let other = strategy_from(Arc::new(mined(&[SIGMA], 1)), "other.txt", settings);
    let refused = one.open(&other.own_seed().unwrap(), Random::new(1)).err().unwrap();
    assert!(refused.0.contains("other.txt"), "{refused}");
}

#[test]
fn ill_formed_formulas_are_kept_only_on_request() {
    let ill = "(declare-const x Int)(assert (and (= x (foo x)) (< x \"a\")))(check-sat)";
    let mine = |keep: bool| {
        let mut miner = Miner::new(Signatures::standard(), keep);
        add_all(&mut miner, &[ill, SIGMA]);
        miner.finish(&RuleSettings::default())
    };
    let (without, with) = (mine(false), mine(true));
    assert_eq!((without.origins.ill_formed, without.atoms.len()), (1, 2));
    assert_eq!(with.atoms.len(), 4);
    assert!(
        with.atoms.iter().any(|atom| atom.ill_formed && atom.text == "(= □0 (foo □0))"),
        "{:?}",
        with.atoms
    );
    let uses = |ill_formed: bool| {
        let settings = HistFuzzSettings { ill_formed, ..HistFuzzSettings::default() };
        instances(with.clone(), settings, 9, 200).iter().any(|case| case.text.contains("(foo "))
    };
    assert!(uses(true) && !uses(false));
}

#[test]
fn options_of_reports_go_to_their_solver() {
    let mut miner = Miner::new(Signatures::standard(), false);
    let text = "(set-option :produce-models true)(set-option :nl-cov true)(declare-const x Int)(assert (> (* x x) 3))(check-sat)";
    let options = vec![("strings-exp".into(), "true".into())];
    miner.add(&Source { text, solver: Some("cvc5"), options, ..Source::default() });
    let library = miner.finish(&RuleSettings::default());
    assert_eq!(library.options.len(), 1);
    let settings = HistFuzzSettings { options: true, ..HistFuzzSettings::default() };
    let cases = instances(library.clone(), settings, 2, 400);
    let with: Vec<&Case> = cases.iter().filter(|case| case.text.contains("set-option")).collect();
    assert!((20..100).contains(&with.len()), "{}", with.len());
    for case in with {
        assert!(case.text.starts_with("(set-option :nl-cov true)\n(set-option :strings-exp true)\n"));
        assert_eq!(case.solvers.as_ref().unwrap().iter().collect::<Vec<_>>(), ["cvc5"]);
    }
    let plain = instances(library, HistFuzzSettings::default(), 2, 400);
    assert!(plain.iter().all(|case| !case.text.contains("set-option")));
}

/// Replay depends on these bytes.
#[test]
fn instances_have_these_bytes() {
    let text = "(declare-const x Int)(declare-const y Int)(assert (exists ((k Int)) (and (< x k) (= y k))))(check-sat)";
    let cases =
        instances(mined(&[text], 1), HistFuzzSettings { support: 1, ..HistFuzzSettings::default() }, 11, 3);
    assert_eq!(
        cases[2].text,
        "(set-logic LIA)\n(assert (exists ((v0 Int)) (and (= v0 v0) (< v0 v0))))\n(check-sat)\n"
    );
}
