//! A theory with one sort and two operators, added by a signature file alone.

use elenchus_smt::{Arena, ErrorKind, Features, Script, Signatures, logic, parse_script, signature};
use std::sync::Arc;

/// The signature file of the section "Add a theory" in CONTRIBUTING.md.
const CLOCKS: &str = "
; Hours on a clock face.
(theory Clocks
  :sorts ((Clock 0))
  :funs (
    (clock Int Clock)
    (clock.add Clock Clock Clock :left-assoc)))
";

fn arena_with(signature: &str) -> Arena {
    let mut signatures = Signatures::built_in();
    signatures.load(signature).unwrap_or_else(|error| panic!("{}", error.render("signature", signature)));
    Arena::new(Arc::new(signatures))
}

fn parse(arena: &mut Arena, source: &str) -> Script {
    parse_script(arena, source).unwrap_or_else(|errors| panic!("{}", errors[0].render("script", source)))
}

fn features(signature: &str, source: &str) -> (Features, String) {
    let mut arena = arena_with(signature);
    let script = parse(&mut arena, source);
    let features = arena.features(&script);
    let logic = logic::smallest(&features, arena.signatures());
    (features, logic)
}

#[test]
fn well_typed_scripts_are_printed_back() {
    let table = [
        "(declare-const c Clock)\n",
        "(declare-fun f (Clock) Clock)\n(assert (= (f (clock 3)) (clock 4)))\n",
        "(declare-const c Clock)\n(assert (= (clock.add c (clock 1) (clock 2)) c))\n",
        "(assert (forall ((c Clock)) (distinct (clock.add c (clock 1)) c)))\n",
        "(define-sort Clocks () (Array Clock Clock))\n(declare-const a (Array Clock Clock))\n",
        "(declare-datatypes ((Time 0)) (((time (hour Clock) (minute Int)))))\n",
        "(assert (let ((c (clock 1))) (= c (ite true c (clock 2)))))\n",
    ];
    for source in table {
        let mut arena = arena_with(CLOCKS);
        let script = parse(&mut arena, source);
        let printed = arena.script_text(&script);
        assert_eq!(printed, source);
        assert_eq!(parse(&mut arena, &printed).commands, script.commands);
    }
}

#[test]
fn ill_typed_scripts_are_rejected() {
    let table = [
        ("(declare-const c (Clock Int))", ErrorKind::Sort, "invalid use of sort `Clock`"),
        ("(declare-const c Clok)", ErrorKind::Undeclared, "unknown sort `Clok`"),
        ("(assert (clock 3))", ErrorKind::Sort, "the asserted term has sort Clock"),
        (
            "(assert (= (clock true) (clock 1)))",
            ErrorKind::Sort,
            "`clock` does not take arguments of sorts Bool",
        ),
        ("(assert (= (clock 1) 1))", ErrorKind::Sort, "`=` does not take arguments of sorts Clock Int"),
        ("(assert (= (clock.add (clock 1)) (clock 1)))", ErrorKind::Sort, "`clock.add` does not take"),
        (
            "(assert (= (clock.sub (clock 1)) (clock 1)))",
            ErrorKind::Undeclared,
            "unknown function `clock.sub`",
        ),
    ];
    for (source, kind, message) in table {
        let errors = parse_script(&mut arena_with(CLOCKS), source).expect_err(source);
        assert_eq!(errors[0].kind, kind, "{source}");
        assert!(errors[0].message.starts_with(message), "{source}: {}", errors[0]);
    }
    // Without the file, nothing knows the sort.
    assert!(parse_script(&mut Arena::default(), "(declare-const c Clock)").is_err());
}

#[test]
fn features_and_logic_know_the_theory() {
    let source = "(declare-const c Clock)(assert (= (clock.add c c c) (clock.add c (clock 2))))";
    let (used, logic) = features(CLOCKS, source);
    assert_eq!(used.theories, ["Clocks", "Core", "Ints"].map(str::to_owned).into());
    assert_eq!(used.operators["clock.add"], 2);
    assert_eq!(used.solvers, None);
    assert_eq!(logic, "ALL");

    // A declaration alone uses the theory as well.
    let (used, _) = features(CLOCKS, "(declare-const c (Array Int Clock))");
    assert!(used.theories.contains("Clocks"));

    let specific = CLOCKS.replace(":sorts", ":solvers (my_solver) :logic CLK :sorts");
    let (used, logic) = features(&specific, "(declare-const c Clock)(assert (= c (clock.add c c)))");
    assert_eq!(used.solvers, Some(["my_solver".to_owned()].into()));
    assert_eq!(logic, "QF_CLK");
}

#[test]
fn a_restriction_leaves_only_the_listed_operators() {
    let mut signatures = Signatures::built_in();
    let text = "(only not (+ Int Int Int) (par (A) (= A A Bool)) (half Int Int))";
    signatures.load(text).unwrap();
    let left: Vec<String> = signatures
        .declarations
        .iter()
        .filter(|declaration| !declaration.removed)
        .map(|declaration| format!("{} {}", signatures.name(declaration.name), declaration.args.len()))
        .collect();
    assert_eq!(left, ["not 1", "= 2", "+ 2", "half 1"]);
    // Scripts may use all of them.
    let mut arena = Arena::new(signatures.into());
    let script = "(declare-const x Int)(assert (< (half x) (* x 2)))(check-sat)";
    assert!(parse_script(&mut arena, script).is_ok());
    for (text, expected) in [("(only frobnicate)", "unknown operator"), ("(just +)", "neither a theory")] {
        let error = Signatures::built_in().load(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn the_operators_of_typefuzz_are_known() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/samples/typefuzz.sig");
    let mut signatures = Signatures::built_in();
    let known = signatures.declarations.len();
    signatures.load(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(signatures.declarations.len(), known);
    let is_left = |declaration: &&signature::Declaration| !declaration.removed;
    let left: Vec<&str> =
        signatures.declarations.iter().filter(is_left).map(|one| signatures.name(one.name)).collect();
    assert_eq!(left.len(), 64, "{left:?}");
}
