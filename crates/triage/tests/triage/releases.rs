//! Which releases show a bug.

use crate::support::{
    OWN_MODEL_CHECK, Programs, SAT, SAT_WITHOUT_MODEL, SCRIPT, SEGFAULT, UNKNOWN, UNSAT, WRONG_MODEL, limits,
};
use case::{Answer, Outcome, Predicate, RunResult};
use triage::Subject;
use triage::predicate::Participant;
use triage::releases::{Effort, Probe, ProbeNote, Releases, State, bisect, probe};

#[test]
fn a_release_is_bad_good_or_unclear() {
    use ProbeNote::{ModelConfirmed, ModelRefuted};
    let error = "echo '(error \"unknown constant\")'";
    let table = [
        (UNSAT, "z3@1 says unsat", State::Bad, None, "unsat"),
        (SAT, "z3@1 says unsat", State::Good, None, "sat"),
        (UNKNOWN, "z3@1 says unsat", State::Unclear, None, "unknown"),
        (error, "z3@1 says unsat", State::Unclear, None, "error: unknown constant"),
        (UNSAT, "z3@1 says sat", State::Good, None, "unsat"),
        (SEGFAULT, "z3@1 crashes", State::Bad, None, "crash: SIGSEGV"),
        (SAT, "z3@1 crashes", State::Good, None, "sat"),
        (error, "z3@1 crashes", State::Unclear, None, "error: unknown constant"),
        (WRONG_MODEL, "z3@1 gives a wrong model", State::Bad, Some(ModelRefuted), "sat, its model is wrong"),
        (SAT, "z3@1 gives a wrong model", State::Good, Some(ModelConfirmed), "sat, its model is right"),
        (SAT_WITHOUT_MODEL, "z3@1 gives a wrong model", State::Good, None, "sat"),
        (UNKNOWN, "z3@1 gives a wrong model", State::Unclear, None, "unknown"),
        (UNKNOWN, "z3@1 finds its model wrong", State::Unclear, None, "unknown"),
        (
            OWN_MODEL_CHECK,
            "z3@1 finds its model wrong",
            State::Bad,
            None,
            "sat (invalid model: an invalid model was generated)",
        ),
        (SAT, "z3@1 finds its model wrong", State::Good, None, "sat"),
        (UNSAT, "z3@1 finds its model wrong", State::Unclear, None, "unsat"),
    ];
    for (body, predicate, state, note, did) in table {
        let programs = Programs::new(&[("z3@1", body)]);
        let (clause, target) = programs.clauses(predicate).remove(0);
        let found = probe(&Participant::new(&clause, &target, limits()), SCRIPT, limits()).unwrap();
        assert_eq!((found.state, &found.note), (state, &note), "{predicate}: {body}");
        assert_eq!(found.did(), did, "{predicate}: {body}");
    }
}

#[test]
fn a_core_is_judged_by_the_release_itself() {
    let script = "(set-option :produce-unsat-cores true)\n(declare-const x Int)\n(assert (! (> x 1) :named a))\n\
                  (assert (! (< x 1) :named b))\n(check-sat)\n(get-unsat-core)\n";
    let giver = |alone: &str| {
        format!("if grep -q get-unsat-core \"$file\"; then echo unsat; echo '(a)'; else {alone}; fi")
    };
    let table = [
        (giver("echo sat; echo '((define-fun x () Int 2))'"), State::Bad, ProbeNote::CoreSatisfiable),
        (giver("echo unsat"), State::Good, ProbeNote::CoreUnsatisfiable),
        (giver("echo sat; echo '((define-fun x () Int 0))'"), State::Unclear, ProbeNote::CoreUndetermined),
        ("echo unsat; echo '(a b)'".to_owned(), State::Good, ProbeNote::CoreIsWhole),
    ];
    for (body, state, note) in table {
        let programs = Programs::new(&[("z3@1", &body)]);
        let (clause, target) = programs.clauses("z3@1 gives a wrong core").remove(0);
        let found = probe(&Participant::new(&clause, &target, limits()), script, limits()).unwrap();
        assert_eq!((found.state, found.note), (state, Some(note)), "{body}");
    }
}

/// Releases of Z3 that answer as the letters say: good, bad or unclear.
fn releases(row: &str) -> Programs {
    let mut programs = Programs::new(&[("cvc5@1.0", SAT)]);
    for (minor, letter) in row.chars().enumerate() {
        let body = match letter {
            'g' => SAT,
            'u' => UNKNOWN,
            _ => UNSAT,
        };
        programs.add(&format!("z3@4.{minor}"), body);
    }
    programs
}

fn bisected(programs: &Programs, known: &str, effort: Effort) -> (Releases, usize) {
    let predicate = Predicate::parse(&format!("z3@{known} says unsat, cvc5@1.0 says sat")).unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "bug.smt2");
    let clauses = subject.clauses(programs).unwrap();
    let established = subject.establish(&clauses, limits()).unwrap();
    let mut tested = 0;
    let mut count = |_: &Probe| tested += 1;
    let found = bisect(SCRIPT, &established, limits(), effort, programs, &mut count).unwrap();
    (found, tested)
}

#[test]
fn bisection_names_the_first_bad_and_the_first_good_release() {
    let table = [
        ("ggbbg", "4.2", "z3@4.2", false, Some("z3@4.4"), "wrong since z3@4.2, right again since z3@4.4"),
        (
            "bbbgg",
            "4.1",
            "z3@4.0",
            true,
            Some("z3@4.3"),
            "wrong as far back as z3@4.0, right again since z3@4.3",
        ),
        (
            "uubg",
            "4.2",
            "z3@4.2",
            true,
            Some("z3@4.3"),
            "wrong as far back as z3@4.2, right again since z3@4.3",
        ),
        (
            "gb",
            "4.1",
            "z3@4.1",
            false,
            None,
            "wrong since z3@4.1, and still wrong in the newest release, z3@4.1",
        ),
        (
            "gbu",
            "4.1",
            "z3@4.1",
            false,
            None,
            "wrong since z3@4.1; unclear in the newest release, z3@4.2: unknown",
        ),
        (
            "b",
            "4.0",
            "z3@4.0",
            true,
            None,
            "wrong as far back as z3@4.0, and still wrong in the newest release, z3@4.0",
        ),
    ];
    for (row, known, first_bad, no_good_before, first_good, sentence) in table {
        let programs = releases(row);
        for effort in [Effort::Bisect, Effort::All] {
            let (found, tested) = bisected(&programs, known, effort);
            assert_eq!((found.solver.as_str(), found.first_bad.as_str()), ("z3", first_bad), "{row}");
            assert_eq!(
                (found.no_good_before, found.first_good.as_deref()),
                (no_good_before, first_good),
                "{row}"
            );
            assert_eq!(found.sentence(), sentence, "{row}");
            // The known release is not run again.
            assert_eq!(found.probes.len(), tested + 1, "{row}");
            assert!(effort == Effort::Bisect || tested + 1 == row.len(), "{row}");
            let all: Vec<String> = found.all().iter().map(|(release, _)| (*release).to_owned()).collect();
            let expected: Vec<String> = (0..row.len()).map(|minor| format!("z3@4.{minor}")).collect();
            assert_eq!(all, expected, "{row}");
            assert_eq!(found.all().iter().flat_map(|one| one.1).count(), tested + 1, "{row}");
        }
    }
}

#[test]
fn unsat_is_no_right_answer_to_a_script_with_a_model() {
    let row = [WRONG_MODEL, UNKNOWN, UNSAT, UNSAT, SAT, SAT];
    let mut programs = Programs::new(&[]);
    row.iter().enumerate().for_each(|(minor, body)| programs.add(&format!("z3@4.{minor}"), body));
    let tested = |programs: &Programs, effort| {
        let predicate = Predicate::parse("z3@4.0 gives a wrong model").unwrap();
        let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "test");
        let established = subject.establish(&subject.clauses(programs).unwrap(), limits()).unwrap();
        bisect(SCRIPT, &established, limits(), effort, programs, &mut |_| {}).unwrap()
    };
    for effort in [Effort::Bisect, Effort::All] {
        let found = tested(&programs, effort);
        assert_eq!(found.first_good.as_deref(), Some("z3@4.4"));
        let unsat = found.probes.iter().find(|probe| probe.release == "z3@4.3").unwrap();
        assert_eq!((unsat.state, unsat.did().as_str()), (State::Bad, "unsat, but there is a model"));
    }
    // Without a model, nobody knows whether `unsat` is right.
    programs.add("z3@4.4", UNSAT);
    programs.add("z3@4.5", UNSAT);
    assert_eq!(tested(&programs, Effort::All).first_good.as_deref(), Some("z3@4.2"));
}

#[test]
fn an_undecided_contradiction_accuses_no_release() {
    let programs = Programs::new(&[
        ("z3@4.0", SAT_WITHOUT_MODEL),
        ("z3@4.1", SAT_WITHOUT_MODEL),
        ("z3@4.2", UNSAT),
        ("cvc5@1.0", UNSAT),
    ]);
    let predicate = Predicate::parse("z3@4.1 says sat, cvc5@1.0 says unsat").unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "test");
    let established = subject.establish(&subject.clauses(&programs).unwrap(), limits()).unwrap();
    let found = bisect(SCRIPT, &established, limits(), Effort::All, &programs, &mut |_| {}).unwrap();
    assert_eq!(found.sentence(), "shown as far back as z3@4.0, no longer since z3@4.2");
    let words: Vec<_> = found.probes.iter().map(|probe| found.word(probe.state)).collect();
    assert_eq!(words, ["shown", "shown", "not shown"]);
}

#[test]
fn only_releases_can_be_bisected() {
    let programs = Programs::new(&[("z3@path", UNSAT), ("cvc5@1.0", SAT)]);
    let predicate = Predicate::parse("z3@path says unsat, cvc5@1.0 says sat").unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "bug.smt2");
    let established = subject.establish(&subject.clauses(&programs).unwrap(), limits()).unwrap();
    let error = bisect(SCRIPT, &established, limits(), Effort::Bisect, &programs, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "the solver that is wrong is not a release that can be installed");
}

#[test]
fn saved_releases_belong_to_one_script() {
    let folder = tempfile::tempdir().unwrap();
    let result = RunResult { outcome: Outcome::Answered, answers: vec![Answer::Unsat] };
    let newest = Probe {
        release: "z3@4.1".to_owned(),
        state: State::Bad,
        result: Some(result),
        cpu_ms: None,
        note: None,
    };
    let found = Releases {
        solver: "z3".to_owned(),
        probes: vec![newest.clone()],
        first_bad: "z3@4.1".to_owned(),
        no_good_before: false,
        first_good: None,
        newest: Some(newest),
        undecided: false,
        untested: Vec::new(),
    };
    assert_eq!(Releases::saved(folder.path(), SCRIPT), None);
    found.save(folder.path(), SCRIPT).unwrap();
    assert_eq!(Releases::saved(folder.path(), SCRIPT), Some(found));
    assert_eq!(Releases::saved(folder.path(), "(check-sat)"), None);
}
