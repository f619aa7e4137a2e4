//! Which solver is wrong, for every kind of evidence.

use case::{Class, ParticipantIndex, Predicate};
use solver::run::Limits;
use solver::{Profile, Target};
use std::time::Duration;
use triage::blame;
use triage::predicate::{Basis, CoreModel, Established, Participant, Times};

fn established(predicate: &str, basis: Basis) -> Established {
    let profile = Profile::built_in("z3").unwrap();
    let participants = Predicate::parse(predicate).unwrap().clauses;
    let participants = participants.iter().map(|clause| {
        let target = Target::executable(&clause.spec, "solver", profile.clone());
        Participant::new(clause, &target, Limits::default())
    });
    Established { participants: participants.collect(), seen: Vec::new(), basis }
}

#[test]
fn every_basis_has_its_blame() {
    let model = || Basis::Model { model: String::new(), from: "b".to_owned() };
    let refuted_if =
        |by: &str, always| Basis::RefutedModel { by: by.to_owned(), explanation: String::new(), always };
    let refuted = |by: &str| refuted_if(by, false);
    let core = CoreModel {
        core: "(p\n q)".to_owned(),
        alone: String::new(),
        model: String::new(),
        from: "b".to_owned(),
    };
    let times = Times {
        slow: Duration::from_secs(20),
        fast: Duration::from_millis(50),
        at_least: Duration::from_secs(10),
        at_most: Duration::from_millis(100),
    };
    type Row = (&'static str, Basis, Class, bool, &'static [usize], &'static str);
    let table: [Row; 16] = [
        ("a crashes", Basis::Itself, Class::Crash, true, &[0], "a crashes on this input"),
        ("a says sat, b crashes", Basis::Itself, Class::Crash, true, &[1], "b crashes on this input"),
        (
            "a says unsat, b says sat",
            model(),
            Class::WrongUnsat,
            true,
            &[0],
            "the model of b makes every assertion true by our own evaluation",
        ),
        (
            "a says unsat",
            Basis::Model { model: "(\n)".to_owned(), from: "b".to_owned() },
            Class::WrongUnsat,
            true,
            &[0],
            "every assertion is true by our own evaluation, whatever the model",
        ),
        (
            "a says sat, b says unsat",
            refuted("a"),
            Class::WrongSat,
            true,
            &[0],
            "the model of a makes an assertion false by our own evaluation, and b answers unsat",
        ),
        (
            "a gives a wrong model",
            refuted_if("a", true),
            Class::WrongSat,
            true,
            &[0],
            "a answers sat, and an assertion is false by our own evaluation, whatever the model",
        ),
        (
            "a gives a wrong model",
            refuted("a"),
            Class::InvalidModel,
            true,
            &[0],
            "the model of a makes an assertion false by our own evaluation",
        ),
        (
            "a gives a wrong core, b satisfies it",
            Basis::Core(core),
            Class::InvalidCore,
            true,
            &[0],
            "a returns the unsat core (p q), and the model of b makes every assertion of it true by our own evaluation",
        ),
        (
            "a finds its model wrong",
            Basis::Itself,
            Class::InvalidModel,
            true,
            &[0],
            "a rejects its own model",
        ),
        (
            "a finds its proof wrong",
            Basis::Itself,
            Class::InvalidProof,
            true,
            &[0],
            "a rejects its own proof",
        ),
        (
            "a is fast, b is slow",
            Basis::Times(times),
            Class::Performance,
            true,
            &[1],
            "b takes 20.00 s of CPU time, a at most 0.05 s",
        ),
        (
            "a says unsat, b says sat",
            Basis::Answers,
            Class::Contradiction,
            false,
            &[1, 0],
            "b answers sat and a answers unsat; no model could be evaluated, so it is undecided which is wrong",
        ),
        (
            "a says sat plainly, a says unsat",
            Basis::Answers,
            Class::Contradiction,
            true,
            &[1, 0],
            "a plainly answers sat and a answers unsat; it contradicts itself, and no model that could be evaluated shows which \
             answer is wrong",
        ),
        (
            "a says unsat, a says sat plainly",
            Basis::RefutedModel { by: "a".to_owned(), explanation: String::new(), always: false },
            Class::WrongSat,
            true,
            &[1],
            "the model of a makes an assertion false by our own evaluation, and a answers unsat",
        ),
        // The same solver under two options is named once.
        (
            "a x=1 crashes, a x=2 crashes",
            Basis::Itself,
            Class::Crash,
            true,
            &[0, 1],
            "a crashes on this input",
        ),
        // A model of another solver than those that contradict each other.
        (
            "a says unsat, b says sat, c says unsat",
            model(),
            Class::WrongUnsat,
            true,
            &[0, 2],
            "the model of b makes every assertion true by our own evaluation",
        ),
    ];
    for (predicate, basis, class, decided, suspects, reason) in table {
        let found = blame(&established(predicate, basis));
        let indices: Vec<usize> = found.suspects.iter().map(|index| index.get()).collect();
        assert_eq!(
            (found.class, found.decided, indices.as_slice(), found.reason.as_str()),
            (class, decided, suspects, reason),
            "{predicate}"
        );
        assert_eq!(found.first_suspect(), ParticipantIndex(suspects[0]), "{predicate}");
    }
}
