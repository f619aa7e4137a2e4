//! Tables of runs and the verdicts they must get.

use super::*;
use case::{Answer, Exit, Expectation, RunMode};
use solver::run::{Piece, PieceKind};
use std::collections::BTreeSet;
use std::time::Duration;

/// An observation in short: answers as letters (s, u, k for unknown, m for missing) and an outcome.
pub(crate) fn saw(answers: &str, outcome: Outcome) -> Observation {
    let answer = |letter: char| match letter {
        's' => Answer::Sat,
        'u' => Answer::Unsat,
        'k' => Answer::Unknown,
        _ => Answer::Missing,
    };
    Observation {
        outcome,
        answers: answers.chars().map(answer).collect(),
        pieces: Vec::new(),
        stdout: String::new(),
        stderr: String::new(),
        exit: Exit::Code(0),
        wall: Duration::from_millis(10),
        cpu: Duration::from_millis(10),
        peak_memory: None,
        truncated: false,
        orphans: 0,
        mode: RunMode::OneShot,
        overhead: Duration::ZERO,
        fallback: None,
    }
}

fn answered(answers: &str) -> Observation {
    saw(answers, Outcome::Answered)
}

fn with_model(mut seen: Observation, text: &str) -> Observation {
    let answers_before = seen.answers.len();
    seen.pieces.push(Piece { kind: PieceKind::Model, answers_before, text: text.to_owned() });
    seen
}

/// A judge that takes the text of a model as its verdict.
struct Believer;

impl ModelJudge for Believer {
    fn opinion(&mut self, _: &str, model: &str) -> ModelOpinion {
        match model {
            "right" => ModelOpinion::Confirmed,
            "wrong" => ModelOpinion::Refuted { explanation: "assertion 1 is false".into() },
            _ => ModelOpinion::Undetermined { reason: "open".into() },
        }
    }
}

const SCRIPT: &str = "(declare-const x Int)(assert (< x 1))(check-sat)";

fn judge_all(seen: &[(&str, Observation)], expectation: &Expectation) -> Verdict {
    judge_script(SCRIPT, seen, expectation)
}

fn judge_script(script: &str, seen: &[(&str, Observation)], expectation: &Expectation) -> Verdict {
    let theories = ["Core", "Ints"].map(str::to_owned).into();
    let question = Question { script, expectation, theories: &theories, premise: &[] };
    let witnesses: Vec<Witness<'_>> = seen
        .iter()
        .map(|(id, observation)| Witness { id, name: id.split('@').next().unwrap_or(id), observation })
        .collect();
    judge(&question, &witnesses, &mut Believer, &Rules::default())
}

fn classes(verdict: &Verdict) -> Vec<(Class, Vec<usize>)> {
    let suspects = |bug: &Bug| bug.suspects.iter().map(|witness| witness.get()).collect();
    verdict.bugs.iter().map(|bug| (bug.class, suspects(bug))).collect()
}

#[test]
fn limits_errors_and_unknown_are_not_bugs() {
    let error = || Outcome::Error { message: "line 1: bad".into() };
    let refused = || Outcome::Refused { reason: "unsupported".into() };
    let table = [
        vec![("z3@1", answered("s")), ("cvc5@1", answered("s"))],
        vec![("z3@1", answered("s")), ("cvc5@1", answered("k"))],
        vec![("z3@1", answered("s")), ("cvc5@1", saw("", Outcome::Timeout))],
        vec![("z3@1", answered("s")), ("cvc5@1", saw("", Outcome::OutOfMemory))],
        vec![("z3@1", answered("s")), ("cvc5@1", saw("", refused()))],
        vec![("z3@1", saw("", error())), ("cvc5@1", saw("", error()))],
        // After an error the rest may be another question altogether.
        vec![("z3@1", saw("u", error())), ("cvc5@1", answered("s"))],
        vec![("z3@1", saw("mu", error())), ("cvc5@1", answered("ss"))],
        vec![("z3@1", answered("su")), ("cvc5@1", answered("s"))],
        vec![("z3@1", saw("", Outcome::Interrupted { signal: 15 })), ("cvc5@1", answered("s"))],
        vec![("z3@1", with_model(answered("s"), "right"))],
        vec![("z3@1", with_model(answered("s"), "open"))],
        // A model that was printed although the last answer is not `sat`.
        vec![("z3@1", with_model(answered("k"), "wrong"))],
        vec![],
    ];
    for seen in table {
        let verdict = judge_all(&seen, &Expectation::Unknown);
        assert!(verdict.bugs.is_empty(), "{seen:?}: {:?}", verdict.bugs);
    }
}

#[test]
fn giving_up_counts_after_an_answer_from_which_another_follows() {
    let learned = |solver: &str, sat: Option<bool>| case::Learned {
        question: 0,
        solver: solver.to_owned(),
        sat,
        text: String::new(),
    };
    let sat = || Expectation::Sat { model: "open".to_owned() };
    let unsat = || Expectation::Unsat { reason: "it implies the seed".to_owned() };
    let both = [learned("z3", Some(true)), learned("cvc5", Some(true))];
    let refuted = [learned("z3", Some(false))];
    let two_releases = [learned("z3", Some(true)), learned("z3", None)];
    let table: [(&[case::Learned], Expectation, Observation, bool); 9] = [
        (&both, sat(), answered("k"), true),
        (&refuted, unsat(), answered("k"), true),
        (&both, sat(), answered("s"), false),
        (&both, sat(), saw("", Outcome::Timeout), false),
        (&both, sat(), saw("k", Outcome::OutOfMemory), false),
        (&both, Expectation::Unknown, answered("k"), false),
        (&both, unsat(), answered("k"), false),
        (&two_releases, sat(), answered("k"), false),
        (&[], sat(), answered("k"), false),
    ];
    let theories = BTreeSet::new();
    for (premise, expectation, observation, expected) in table {
        let question = Question { script: SCRIPT, expectation: &expectation, theories: &theories, premise };
        let witnesses = [Witness { id: "z3@1", name: "z3", observation: &observation }];
        let on = Rules { incompleteness: true, ..Rules::default() };
        let found = classes(&judge(&question, &witnesses, &mut Believer, &on));
        let wanted = if expected { vec![(Class::Incompleteness, vec![0])] } else { Vec::new() };
        assert_eq!(found, wanted, "{premise:?} {expectation:?} {observation:?}");
        for off in [Rules::default(), on.without_candidates()] {
            assert!(judge(&question, &witnesses, &mut Believer, &off).bugs.is_empty());
        }
    }
}

#[test]
fn wrong_answers_are_blamed_by_the_strongest_evidence() {
    let model = |text| with_model(answered("s"), text);
    let built = || Expectation::Unsat { reason: "x < x".into() };
    let witness = Expectation::Sat { model: "open".into() };
    let refuted_witness = Expectation::Sat { model: "wrong".into() };
    let rejected = saw("s", Outcome::InvalidModel { message: "invalid".into() });
    let table = [
        (
            vec![("z3@1", answered("s")), ("cvc5@1", answered("u"))],
            Expectation::Unknown,
            Class::Contradiction,
            vec![0, 1],
            5,
        ),
        (
            vec![("z3@1", answered("s")), ("z3@2", answered("u"))],
            Expectation::Unknown,
            Class::Contradiction,
            vec![0, 1],
            6,
        ),
        (
            vec![("z3@1", model("right")), ("cvc5@1", answered("u"))],
            Expectation::Unknown,
            Class::WrongUnsat,
            vec![1],
            0,
        ),
        (
            vec![("z3@1", model("wrong")), ("cvc5@1", answered("u"))],
            Expectation::Unknown,
            Class::WrongSat,
            vec![0],
            1,
        ),
        (
            vec![("z3@1", model("open")), ("cvc5@1", answered("u"))],
            Expectation::Unknown,
            Class::Contradiction,
            vec![0, 1],
            5,
        ),
        (
            vec![("z3@1", answered("s")), ("z3@2", answered("u")), ("cvc5@1", answered("u"))],
            Expectation::Unknown,
            Class::WrongSat,
            vec![0],
            4,
        ),
        (
            vec![("z3@1", answered("u")), ("z3@2", answered("s")), ("cvc5@1", answered("s"))],
            Expectation::Unknown,
            Class::WrongUnsat,
            vec![0],
            4,
        ),
        (vec![("z3@1", answered("s")), ("cvc5@1", answered("s"))], built(), Class::WrongSat, vec![0, 1], 3),
        (vec![("z3@1", answered("u"))], witness, Class::WrongUnsat, vec![0], 3),
        (vec![("z3@1", answered("s")), ("cvc5@1", answered("u"))], built(), Class::WrongSat, vec![0], 3),
        (
            vec![("z3@1", answered("s")), ("cvc5@1", answered("u"))],
            refuted_witness,
            Class::Contradiction,
            vec![0, 1],
            5,
        ),
        (vec![("z3@1", model("wrong"))], Expectation::Unknown, Class::InvalidModel, vec![0], 1),
        // A wrong answer is worse than the model that comes with it.
        (
            vec![("z3@1", rejected), ("z3@2", answered("u")), ("cvc5@1", answered("u"))],
            Expectation::Labelled { answers: vec![Answer::Unsat] },
            Class::WrongSat,
            vec![0],
            4,
        ),
        // Answers before a limit or a crash count.
        (
            vec![("z3@1", saw("s", Outcome::Timeout)), ("cvc5@1", answered("uu"))],
            Expectation::Unknown,
            Class::Contradiction,
            vec![0, 1],
            5,
        ),
        (
            vec![("z3@1", answered("ksu")), ("cvc5@1", answered("uus"))],
            Expectation::Unknown,
            Class::Contradiction,
            vec![0, 1],
            5,
        ),
    ];
    for (seen, expected, class, suspects, rank) in table {
        let verdict = judge_all(&seen, &expected);
        assert_eq!(classes(&verdict), [(class, suspects)], "{seen:?}");
        assert_eq!(verdict.bugs[0].evidence[0].rank(), rank, "{seen:?}");
    }
}

#[test]
fn a_wrong_expectation_proves_nothing() {
    let seen = [("z3@1", answered("u")), ("cvc5@1", answered("u"))];
    assert!(judge_all(&seen, &Expectation::Sat { model: "wrong".into() }).bugs.is_empty());
    let seen = [("z3@1", with_model(answered("s"), "right"))];
    assert!(judge_all(&seen, &Expectation::Unsat { reason: "so it was made".into() }).bugs.is_empty());
}

#[test]
fn a_label_alone_is_never_a_bug() {
    let model = |text| with_model(answered("s"), text);
    let labelled = |answers: &str| Expectation::Labelled { answers: answered(answers).answers };
    let own_check = || saw("s", Outcome::InvalidModel { message: "invalid".into() });
    // The runs, the label, the class and its suspects, and the ranks of the evidence.
    type Row<'a> = (Vec<(&'a str, Observation)>, &'a str, Option<(Class, Vec<usize>)>, &'a [u8]);
    let table: [Row<'_>; 11] = [
        (vec![("z3@1", answered("s"))], "s", None, &[]),
        (vec![("z3@1", answered("s"))], "k", None, &[]),
        (vec![("z3@1", answered("k"))], "u", None, &[]),
        // Either may be wrong.
        (vec![("z3@1", answered("s"))], "u", Some((Class::WrongLabel, vec![0])), &[7]),
        (
            vec![("z3@1", answered("s")), ("z3@2", answered("s"))],
            "u",
            Some((Class::WrongLabel, vec![0, 1])),
            &[7],
        ),
        // The label is wrong.
        (
            vec![("z3@1", answered("u")), ("cvc5@1", answered("u"))],
            "s",
            Some((Class::WrongLabel, vec![])),
            &[4, 7],
        ),
        (vec![("z3@1", model("right"))], "u", Some((Class::WrongLabel, vec![])), &[0, 7]),
        (
            vec![("z3@1", answered("us")), ("cvc5@1", answered("us"))],
            "uu",
            Some((Class::WrongLabel, vec![])),
            &[4, 7],
        ),
        // The answer is suspect without the label.
        (
            vec![("z3@1", answered("s")), ("cvc5@1", answered("u"))],
            "u",
            Some((Class::Contradiction, vec![0, 1])),
            &[5, 7],
        ),
        (vec![("z3@1", model("wrong"))], "u", Some((Class::InvalidModel, vec![0])), &[1, 7]),
        (vec![("z3@1", own_check())], "u", Some((Class::InvalidModel, vec![0])), &[2, 7]),
    ];
    for (seen, label, expected, ranks) in table {
        let verdict = judge_all(&seen, &labelled(label));
        assert_eq!(classes(&verdict), expected.into_iter().collect::<Vec<_>>(), "{seen:?}");
        let found: Vec<u8> = verdict.bugs.iter().flat_map(|bug| &bug.evidence).map(Evidence::rank).collect();
        assert_eq!(found, ranks, "{seen:?}");
    }
}

#[test]
fn crashes_and_failed_own_checks_are_bugs_of_one_solver() {
    let crash = Outcome::Crash(case::Crash::signal(11));
    let model = Outcome::InvalidModel { message: "an invalid model was generated".into() };
    let table = [
        (saw("", crash), Class::Crash, "crash z3 SIGSEGV [Ints]"),
        (saw("s", model), Class::InvalidModel, "invalid-model z3 [Ints]"),
    ];
    for (seen, class, signature) in table {
        let verdict = judge_all(&[("z3@1", seen), ("cvc5@1", answered("s"))], &Expectation::Unknown);
        assert_eq!(classes(&verdict), [(class, vec![0])]);
        assert_eq!(verdict.bugs[0].signature.key(), signature);
    }
}

#[test]
fn answers_after_blocked_models_are_not_compared() {
    let script = "(declare-const x Int)(check-sat)(block-model :values)(check-sat)";
    let crash = saw("s", Outcome::Crash(case::Crash::signal(11)));
    let label = Expectation::Labelled { answers: vec![Answer::Sat, Answer::Unsat] };
    let seen = [("z3@1", answered("ss")), ("z3@2", answered("su")), ("cvc5@1", crash)];
    assert_eq!(classes(&judge_script(script, &seen, &label)), [(Class::Crash, vec![2])]);
}

#[test]
fn an_own_check_after_another_error_proves_nothing() {
    let rejected = "(error \"an invalid model was generated\")";
    let table = [
        (format!("sat\n{rejected}\n"), 1),
        (format!("sat\n{rejected}\nsat\n{rejected}\n(error \"no value\")\n"), 1),
        (format!("(error \"not supported\")\nunknown\nsat\n{rejected}\n"), 0),
    ];
    for (stdout, bugs) in table {
        let message = "an invalid model was generated".to_owned();
        let seen = Observation { stdout: stdout.clone(), ..saw("s", Outcome::InvalidModel { message }) };
        assert_eq!(judge_all(&[("z3@1", seen)], &Expectation::Unknown).bugs.len(), bugs, "{stdout}");
    }
}

#[test]
fn an_error_of_one_side_is_counted_as_rejected() {
    let error = Outcome::Error { message: "unknown constant".into() };
    let verdict = judge_all(&[("z3@1", saw("", error)), ("cvc5@1", answered("s"))], &Expectation::Unknown);
    assert_eq!((verdict.bugs.len(), verdict.rejected), (0, vec![WitnessIndex(0)]));
}

#[test]
fn a_slow_solver_is_a_candidate_not_a_bug() {
    let timed = |mut seen: Observation, ms: u64| {
        (seen.wall, seen.cpu) = (Duration::from_millis(ms), Duration::from_millis(ms));
        seen
    };
    let mut refused = saw("", Outcome::Timeout);
    refused.stdout = "(error \"unknown constant\")\n".to_owned();
    let table = [
        (timed(saw("", Outcome::Timeout), 10_000), timed(answered("s"), 15), true),
        (timed(answered("s"), 8_000), timed(answered("s"), 100), true),
        (timed(answered("s"), 8_000), timed(answered("s"), 1_000), false),
        (timed(answered("s"), 900), timed(answered("s"), 1), false),
        (timed(saw("", Outcome::Timeout), 10_000), timed(answered("k"), 15), false),
        (timed(answered("k"), 8_000), timed(answered("s"), 15), false),
        (timed(refused, 10_000), timed(answered("s"), 15), false),
    ];
    for (slow, other, expected) in table {
        let verdict = judge_all(&[("z3@1", slow.clone()), ("cvc5@1", other)], &Expectation::Unknown);
        assert_eq!(!verdict.bugs.is_empty(), expected, "{slow:?}");
        assert!(verdict.bugs.iter().all(|bug| !bug.class.is_bug()));
    }
    assert!(
        judge_all(&[("z3@1", timed(saw("", Outcome::Timeout), 10_000))], &Expectation::Unknown)
            .bugs
            .is_empty()
    );
}

#[test]
fn a_leak_needs_a_clear_difference() {
    let warm = |mut seen: Observation| {
        seen.mode = RunMode::Session;
        seen
    };
    let crash = || Outcome::Crash(case::Crash::signal(11));
    let table = [
        (warm(answered("s")), answered("u"), true),
        (warm(saw("", crash())), answered("u"), true),
        (warm(answered("s")), answered("k"), false),
        (warm(answered("s")), saw("", Outcome::Timeout), false),
        (warm(answered("s")), answered("s"), false),
        (saw("", crash()), answered("u"), false),
    ];
    let theories = BTreeSet::new();
    let expectation = &Expectation::Unknown;
    let question = Question { script: SCRIPT, expectation, theories: &theories, premise: &[] };
    for (seen, cold, expected) in table {
        let witness = Witness { id: "z3@1", name: "z3", observation: &seen };
        assert_eq!(
            state_leak(&question, &witness, &cold, WitnessIndex(0)).is_some(),
            expected,
            "{seen:?} {cold:?}"
        );
    }
}
