//! The JSON of everything that is stored. A change here is a change of format: old findings, databases and lists of known bugs
//! become unreadable, so raise the version of the format with it.

use case::{
    Answer, AskedScript, Case, CaseIndex, Claim, Class, Clause, Conflict, Crash, CrashCause, CrashPattern,
    CrashStack, Evidence, Exit, Expectation, FINDING_FORMAT, Finding, Learned, Misstatement, Origin, Outcome,
    ParticipantIndex, Predicate, RunMode, RunResult, Seed, Signature, SignatureFile, SolverRun, Statement,
    Step,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::time::Duration;

/// Checks that a value has this JSON, and is read back from it.
#[track_caller]
fn pinned<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn answered(answers: &[Answer]) -> RunResult {
    RunResult { outcome: Outcome::Answered, answers: answers.to_vec() }
}

#[test]
fn names_are_kebab_case() {
    pinned(
        Class::ALL.to_vec(),
        r#"["wrong-unsat","wrong-sat","contradiction","wrong-rewrite","wrong-optimum","wrong-consequence","invalid-model","wrong-value","repeated-model","invalid-core","invalid-proof","crash","state-leak","wrong-printing","performance","wrong-label","incompleteness"]"#,
    );
    for class in Class::ALL {
        pinned(class, &format!("\"{}\"", class.name()));
    }
    pinned(
        vec![Answer::Sat, Answer::Unsat, Answer::Unknown, Answer::Missing],
        r#"["sat","unsat","unknown","missing"]"#,
    );
    pinned(RunMode::ALL.to_vec(), r#"["one-shot","session","fork","incremental"]"#);
    let asked = vec![AskedScript::Case, AskedScript::CoreAlone, AskedScript::Doubt, AskedScript::Plain];
    pinned(asked, r#"["case","core-alone","doubt","plain"]"#);
    pinned(vec![Exit::Code(1), Exit::Signal(11), Exit::Running], r#"[{"code":1},{"signal":11},"running"]"#);
}

#[test]
fn indices_are_numbers() {
    pinned(CaseIndex(3), "3");
    pinned(ParticipantIndex(0), "0");
}

#[test]
fn outcomes_and_crashes() {
    let message = || "text".to_owned();
    let crash = Crash { cause: CrashCause::Signal(11), stack: CrashStack::Innermost(words(&["f", "g"])) };
    let recursion = CrashStack::Recursion(words(&["f"]));
    let table = [
        (Outcome::Answered, r#""answered""#),
        (Outcome::Timeout, r#""timeout""#),
        (Outcome::OutOfMemory, r#""out-of-memory""#),
        (Outcome::OutputLimit, r#""output-limit""#),
        (Outcome::Refused { reason: message() }, r#"{"refused":{"reason":"text"}}"#),
        (Outcome::Error { message: message() }, r#"{"error":{"message":"text"}}"#),
        (Outcome::InvalidModel { message: message() }, r#"{"invalid-model":{"message":"text"}}"#),
        (Outcome::InvalidProof { message: message() }, r#"{"invalid-proof":{"message":"text"}}"#),
        (Outcome::Interrupted { signal: 15 }, r#"{"interrupted":{"signal":15}}"#),
        (Outcome::Crash(crash), r#"{"crash":{"cause":{"signal":11},"stack":{"innermost":["f","g"]}}}"#),
        (
            Outcome::Crash(Crash { cause: CrashCause::ExitCode(3), stack: recursion }),
            r#"{"crash":{"cause":{"exit-code":3},"stack":{"recursion":["f"]}}}"#,
        ),
        (Outcome::Crash(CrashCause::Handler(message()).into()), r#"{"crash":{"cause":{"handler":"text"}}}"#),
        (Outcome::Crash(Crash::message("text")), r#"{"crash":{"cause":{"message":"text"}}}"#),
    ];
    for (outcome, json) in table {
        pinned(outcome, json);
    }
    pinned(answered(&[]), r#"{"outcome":"answered"}"#);
    pinned(answered(&[Answer::Sat]), r#"{"outcome":"answered","answers":["sat"]}"#);
}

#[test]
fn claims_and_predicates() {
    let table = [
        (Claim::Says(Answer::Unsat), r#"{"says":"unsat"}"#),
        (Claim::SaysPlainly(Answer::Sat), r#"{"says-plainly":"sat"}"#),
        (Claim::Crashes(CrashPattern::Any), r#"{"crashes":"any"}"#),
        (Claim::Crashes(CrashPattern::Containing("text".into())), r#"{"crashes":{"containing":"text"}}"#),
        (
            Claim::Crashes(CrashPattern::Like(Crash::signal(6))),
            r#"{"crashes":{"like":{"cause":{"signal":6}}}}"#,
        ),
        (Claim::WrongModel, r#""wrong-model""#),
        (Claim::OwnModelCheck, r#""own-model-check""#),
        (Claim::OwnProofCheck, r#""own-proof-check""#),
        (Claim::WrongCore, r#""wrong-core""#),
        (Claim::SatisfiesCore, r#""satisfies-core""#),
        (Claim::RefutesStatement, r#""refutes-statement""#),
        (Claim::Misstates(Statement::Simplify), r#"{"misstates":"simplify"}"#),
        (Claim::Slow(None), r#"{"slow":null}"#),
        (Claim::Fast(Some(Duration::from_millis(1_500))), r#"{"fast":{"secs":1,"nanos":500000000}}"#),
    ];
    for (claim, json) in table {
        pinned(claim, json);
    }
    let clause = |options: &[&str]| Clause {
        spec: "z3@5.4.0".to_owned(),
        options: words(options),
        claim: Claim::Says(Answer::Sat),
    };
    pinned(
        Predicate { clauses: vec![clause(&[]), clause(&["-q"])] },
        r#"{"clauses":[{"spec":"z3@5.4.0","claim":{"says":"sat"}},{"spec":"z3@5.4.0","options":["-q"],"claim":{"says":"sat"}}]}"#,
    );
}

#[test]
fn evidence() {
    let solver = || "z3@5.4.0".to_owned();
    let conflict = || Conflict { check: 1, sat: words(&["cvc5"]), unsat: words(&["z3"]) };
    let table = [
        (
            Evidence::Crashed { solver: solver(), crash: Crash::signal(11) },
            r#"{"crashed":{"solver":"z3@5.4.0","crash":{"cause":{"signal":11}}}}"#,
        ),
        (Evidence::ModelConfirmed { solver: solver() }, r#"{"model-confirmed":{"solver":"z3@5.4.0"}}"#),
        (
            Evidence::Misstated {
                solver: solver(),
                misstatement: Misstatement {
                    kind: Statement::Values,
                    said: "gives x the value 1".into(),
                    explanation: "why".into(),
                },
            },
            r#"{"misstated":{"solver":"z3@5.4.0","misstatement":{"kind":"values","said":"gives x the value 1","explanation":"why"}}}"#,
        ),
        (
            Evidence::ModelRefuted { solver: solver(), explanation: "why".into() },
            r#"{"model-refuted":{"solver":"z3@5.4.0","explanation":"why"}}"#,
        ),
        (
            Evidence::CoreSatisfied { solver: solver(), core: "(a)".into(), by: "cvc5".into() },
            r#"{"core-satisfied":{"solver":"z3@5.4.0","core":"(a)","by":"cvc5"}}"#,
        ),
        (
            Evidence::OwnCheck { solver: solver(), message: "text".into() },
            r#"{"own-check":{"solver":"z3@5.4.0","message":"text"}}"#,
        ),
        (
            Evidence::Construction { answer: Answer::Sat, reason: "why".into(), against: words(&["z3"]) },
            r#"{"construction":{"answer":"sat","reason":"why","against":["z3"]}}"#,
        ),
        (
            Evidence::Majority { solvers: words(&["a", "b"]), answer: Answer::Unsat },
            r#"{"majority":{"solvers":["a","b"],"answer":"unsat"}}"#,
        ),
        (Evidence::Disagreement(conflict()), r#"{"disagreement":{"check":1,"sat":["cvc5"],"unsat":["z3"]}}"#),
        (
            Evidence::SelfContradiction(conflict()),
            r#"{"self-contradiction":{"check":1,"sat":["cvc5"],"unsat":["z3"]}}"#,
        ),
        (
            Evidence::WarmOnly {
                solver: solver(),
                mode: RunMode::Fork,
                warm: answered(&[Answer::Sat]),
                cold: answered(&[]),
            },
            r#"{"warm-only":{"solver":"z3@5.4.0","mode":"fork","warm":{"outcome":"answered","answers":["sat"]},"cold":{"outcome":"answered"}}}"#,
        ),
        (
            Evidence::Label { check: 1, stated: Answer::Sat, against: words(&["z3"]) },
            r#"{"label":{"check":1,"stated":"sat","against":["z3"]}}"#,
        ),
        (
            Evidence::Slow { solver: solver(), milliseconds: 9, timed_out: true, others: 1 },
            r#"{"slow":{"solver":"z3@5.4.0","milliseconds":9,"timed_out":true,"others":1}}"#,
        ),
        (
            Evidence::GaveUp { solver: solver(), answer: Answer::Sat, reason: "incomplete".into() },
            r#"{"gave-up":{"solver":"z3@5.4.0","answer":"sat","reason":"incomplete"}}"#,
        ),
    ];
    for (evidence, json) in table {
        pinned(evidence, json);
    }
}

#[test]
fn signatures() {
    let theories = || ["Ints".to_owned()].into();
    let said = [("cvc5".to_owned(), None), ("z3".to_owned(), Some(Answer::Sat))];
    let table = [
        (
            Signature::Answers {
                class: Class::WrongSat,
                said: said.into(),
                theories: theories(),
                operators: words(&["+"]),
            },
            r#"{"answers":{"class":"wrong-sat","said":[["cvc5",null],["z3","sat"]],"theories":["Ints"],"operators":["+"]}}"#,
        ),
        (
            Signature::Crash { solver: "z3".into(), crash: Crash::signal(11), theories: theories() },
            r#"{"crash":{"solver":"z3","crash":{"cause":{"signal":11}},"theories":["Ints"]}}"#,
        ),
        (
            Signature::StateLeak {
                solver: "z3".into(),
                mode: RunMode::Session,
                warm: answered(&[]),
                cold: answered(&[]),
                theories: theories(),
            },
            r#"{"state-leak":{"solver":"z3","mode":"session","warm":{"outcome":"answered"},"cold":{"outcome":"answered"},"theories":["Ints"]}}"#,
        ),
        (
            Signature::Solver { class: Class::InvalidProof, solver: "z3".into(), theories: theories() },
            r#"{"solver":{"class":"invalid-proof","solver":"z3","theories":["Ints"]}}"#,
        ),
        (
            Signature::Label { script: "00ff".into(), stated: Answer::Unsat },
            r#"{"label":{"script":"00ff","stated":"unsat"}}"#,
        ),
    ];
    for (signature, json) in table {
        pinned(signature, json);
    }
}

#[test]
fn seeds_and_cases() {
    let learned = Learned { question: 1, solver: "z3".into(), sat: Some(true), text: "()".into() };
    let mut seed = Seed::new("a.smt2", "(check-sat)");
    seed.learned.push(learned);
    pinned(
        seed,
        r#"{"name":"a.smt2","text":"(check-sat)","hash":15594111178664169387,"learned":[{"question":1,"solver":"z3","sat":true,"text":"()"}],"dialogue":[]}"#,
    );
    let table = [
        (Expectation::Unknown, r#""unknown""#),
        (Expectation::Sat { model: "()".into() }, r#"{"sat":{"model":"()"}}"#),
        (Expectation::Unsat { reason: "why".into() }, r#"{"unsat":{"reason":"why"}}"#),
        (
            Expectation::Labelled { answers: vec![Answer::Sat, Answer::Unknown] },
            r#"{"labelled":{"answers":["sat","unknown"]}}"#,
        ),
    ];
    for (expectation, json) in table {
        pinned(expectation, json);
    }
    let step = Step { action: "replace".into(), before: "a".into(), after: "b".into() };
    pinned(
        Case {
            text: "(exit)".into(),
            expectation: Expectation::Unknown,
            lineage: vec![step],
            solvers: Some(["z3".to_owned()].into()),
            theories: ["Core".to_owned()].into(),
        },
        r#"{"text":"(exit)","expectation":"unknown","lineage":[{"action":"replace","before":"a","after":"b"}],"solvers":["z3"],"theories":["Core"]}"#,
    );
}

#[test]
fn findings() {
    let crash = Crash::signal(11);
    let run = SolverRun {
        id: "z3@5.4.0".into(),
        name: "z3".into(),
        version: "5.4.0".into(),
        spec: "z3".into(),
        options: Vec::new(),
        checks: words(&["model_validate=true"]),
        command: "z3 case.smt2".into(),
        asked: AskedScript::Case,
        result: RunResult { outcome: Outcome::Crash(crash.clone()), answers: Vec::new() },
        exit: Exit::Signal(11),
        milliseconds: 7,
        suspect: true,
        stdout: "out".into(),
        stderr: "err".into(),
    };
    let finding = Finding {
        format: FINDING_FORMAT,
        class: Class::Crash,
        signature: Signature::Crash { solver: "z3".into(), crash, theories: Default::default() },
        evidence: Vec::new(),
        predicate: None,
        runs: vec![run],
        models: true,
        own_checks: true,
        theories: Default::default(),
        origin: Origin {
            campaign_seed: 1,
            strategy: "seeds".into(),
            seed_hash: "ff".into(),
            round: 2,
            index: 3,
        },
        seed_name: "a.smt2".into(),
        lineage: Vec::new(),
        learned: Vec::new(),
        dialogue: Vec::new(),
        expectation: Expectation::Unknown,
        signature_files: vec![SignatureFile { name: "own.smt2".into(), text: "(theory T)".into() }],
        found_by: "0.1.0".into(),
    };
    pinned(
        finding,
        concat!(
            r#"{"format":2,"class":"crash","signature":{"crash":{"solver":"z3","crash":{"cause":{"signal":11}},"theories":[]}},"#,
            r#""evidence":[],"predicate":null,"runs":[{"id":"z3@5.4.0","name":"z3","version":"5.4.0","spec":"z3","#,
            r#""checks":["model_validate=true"],"command":"z3 case.smt2","asked":"case","#,
            r#""result":{"outcome":{"crash":{"cause":{"signal":11}}}},"exit":{"signal":11},"milliseconds":7,"suspect":true,"#,
            r#""stdout":"out","stderr":"err"}],"models":true,"own_checks":true,"theories":[],"#,
            r#""origin":{"campaign_seed":1,"strategy":"seeds","seed_hash":"ff","round":2,"index":3},"seed_name":"a.smt2","#,
            r#""lineage":[],"expectation":"unknown","signature_files":[{"name":"own.smt2","text":"(theory T)"}],"found_by":"0.1.0"}"#
        ),
    );
}
