//! What the first runs of a script establish.

use crate::support::{
    OWN_MODEL_CHECK, OWN_PROOF_CHECK, Programs, SAT, SAT_WITHOUT_MODEL, SCRIPT, SEGFAULT, UNKNOWN, UNSAT,
    WRONG_MODEL, limits,
};
use case::{Claim, Class, Crash, CrashPattern};
use reduce::{Need, Tester};
use solver::RunMode;
use triage::predicate::{Basis, Confirmer, SatModel, SolverTester, establish};
use triage::{blame, reduce_for};

/// Returns a core without the second assertion, or a model of scripts without it.
const WRONG_CORE: &str = "if grep -q '< x 1' \"$file\"; then echo unsat; echo '(a c)'; \
                          else echo sat; echo '((define-fun x () Int 2))'; fi";
/// Answers `unsat` on scripts with a product.
const WRONG_ON_PRODUCTS: &str = "if grep -q '\\*' \"$file\"; then echo unsat; else echo sat; fi";
/// Returns a core that leaves nothing out.
const WHOLE_CORE: &str = "echo unsat; echo '(a b c)'";
const CORE_SCRIPT: &str = "(set-option :produce-unsat-cores true)\n(declare-const x Int)\n\
                           (assert (! (> x 1) :named a))\n(assert (! (< x 1) :named b))\n\
                           (assert (! (distinct x 5) :named c))\n(check-sat)\n(get-unsat-core)\n";

fn name(basis: &Basis) -> &'static str {
    match basis {
        Basis::Model { .. } => "model",
        Basis::RefutedModel { .. } => "refuted model",
        Basis::Core(_) => "core",
        Basis::Misstatement(_) => "statement",
        Basis::RejectedProof(_) => "rejected proof",
        Basis::Itself => "itself",
        Basis::Times(_) => "times",
        Basis::Answers => "answers",
    }
}

fn programs() -> Programs {
    Programs::new(&[
        ("z3@unsat", UNSAT),
        ("z3@sat", SAT),
        ("z3@liar", WRONG_MODEL),
        ("z3@bare", SAT_WITHOUT_MODEL),
        ("z3@unknown", UNKNOWN),
        ("z3@segfault", SEGFAULT),
        ("z3@own", OWN_MODEL_CHECK),
        ("cvc5@own", OWN_PROOF_CHECK),
        ("z3@core", WRONG_CORE),
        ("z3@whole", WHOLE_CORE),
    ])
}

#[test]
fn claims_are_established_with_their_evidence() {
    let programs = programs();
    let table = [
        (SCRIPT, "z3@unsat says unsat, z3@sat says sat", Some(("model", Class::WrongUnsat))),
        (SCRIPT, "z3@unsat says unsat, z3@liar says sat", Some(("refuted model", Class::WrongSat))),
        (SCRIPT, "z3@unsat says unsat, z3@bare says sat", Some(("answers", Class::Contradiction))),
        (SCRIPT, "z3@unsat says sat, z3@sat says sat", None),
        (SCRIPT, "z3@unknown says unsat, z3@sat says sat", None),
        (SCRIPT, "z3@segfault crashes", Some(("itself", Class::Crash))),
        (SCRIPT, "z3@segfault crashes with SIGSEGV", Some(("itself", Class::Crash))),
        (SCRIPT, "z3@segfault crashes with SIGABRT", None),
        (SCRIPT, "z3@sat crashes", None),
        (SCRIPT, "z3@liar gives a wrong model", Some(("refuted model", Class::InvalidModel))),
        (SCRIPT, "z3@sat gives a wrong model", None),
        (SCRIPT, "z3@own finds its model wrong", Some(("itself", Class::InvalidModel))),
        (SCRIPT, "z3@sat finds its model wrong", None),
        (SCRIPT, "cvc5@own finds its proof wrong", Some(("itself", Class::InvalidProof))),
        (CORE_SCRIPT, "z3@core gives a wrong core", Some(("core", Class::InvalidCore))),
        (CORE_SCRIPT, "z3@core gives a wrong core, z3@core satisfies it", Some(("core", Class::InvalidCore))),
        (CORE_SCRIPT, "z3@whole gives a wrong core", None),
        (CORE_SCRIPT, "z3@core gives a wrong core, z3@unsat satisfies it", None),
    ];
    for (script, predicate, expected) in table {
        let found = establish(script, &programs.clauses(predicate), limits()).unwrap();
        let found = found.ok().map(|found| (name(&found.basis), blame(&found).class));
        assert_eq!(found, expected, "{predicate}");
    }
}

#[test]
fn a_script_that_shows_nothing_says_what_solvers_did() {
    let programs = programs();
    let not_shown = |script: &str, predicate: &str| {
        establish(script, &programs.clauses(predicate), limits()).unwrap().unwrap_err().seen
    };
    let pair = |solver: &str, did: &str| (solver.to_owned(), did.to_owned());
    assert_eq!(not_shown(SCRIPT, "z3@unsat says sat"), [pair("z3@unsat", "unsat")]);
    let seen = not_shown(CORE_SCRIPT, "z3@whole gives a wrong core");
    assert_eq!(seen.iter().map(|(solver, _)| solver.as_str()).collect::<Vec<_>>(), ["z3@whole", "note"]);
    let ambiguous = "(assert (= \"\\x41\" \"A\"))\n(check-sat)\n";
    let seen = not_shown(ambiguous, "z3@unsat says unsat, z3@bare says sat");
    assert!(seen[2].1.contains("escapes"), "{seen:?}");
}

#[test]
fn a_crash_is_pinned_by_its_first_run() {
    let programs = programs();
    let found = establish(SCRIPT, &programs.clauses("z3@segfault crashes"), limits()).unwrap().unwrap();
    let Claim::Crashes(CrashPattern::Like(crash)) = &found.participants[0].claim else { panic!() };
    assert!(crash.matches(&Crash::signal(11)) || Crash::signal(11).matches(crash), "{crash}");
}

#[test]
fn testers_accept_only_what_shows_the_claims() {
    let programs = Programs::new(&[("z3@1", WRONG_ON_PRODUCTS), ("z3@2", SAT)]);
    let clauses = programs.clauses("z3@1 says unsat, z3@2 says sat");
    let found = establish(SCRIPT, &clauses, limits()).unwrap().unwrap();
    let mut tester = SolverTester::new(&found.participants, RunMode::OneShot, SatModel::Any).unwrap();
    let mut confirmer = Confirmer::new(&found.participants, limits(), found.basis.sat_model()).unwrap();
    let other = "(declare-const x Int)\n(assert (> x 2))\n(check-sat)\n";
    for (script, expected) in [(SCRIPT, true), (other, false)] {
        assert_eq!(tester.test(script, Need::Everything).unwrap().is_some(), expected, "{script}");
        assert_eq!(confirmer.confirms(script).unwrap(), expected, "{script}");
    }
    let new_model = tester.test(SCRIPT, Need::NewModel).unwrap().unwrap().model;
    assert_eq!(new_model.as_deref(), Some("((define-fun x () Int 3))"));
    // No model can be new if models must stay wrong.
    let mut refuted = SolverTester::new(&found.participants, RunMode::OneShot, SatModel::Refuted).unwrap();
    assert!(refuted.test(SCRIPT, Need::NewModel).unwrap().is_none());
    assert!(refuted.test(SCRIPT, Need::Everything).unwrap().is_none());
}

#[test]
fn a_reduced_script_still_shows_the_claims() {
    let programs = Programs::new(&[("z3@1", WRONG_ON_PRODUCTS), ("z3@2", SAT)]);
    let clauses = programs.clauses("z3@1 says unsat, z3@2 says sat");
    let found = establish(SCRIPT, &clauses, limits()).unwrap().unwrap();
    let reduced = reduce_for(SCRIPT, &found, limits().wall).unwrap();
    assert!(reduced.len() <= SCRIPT.len(), "{reduced}");
    assert!(establish(&reduced, &clauses, limits()).unwrap().is_ok(), "{reduced}");
}
