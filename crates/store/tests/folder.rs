//! The folder of a finding, as people read it.

use case::{
    Answer, Claim, Class, Clause, Evidence, Expectation, FINDING_FORMAT, Finding, Origin, Outcome, Predicate,
    RunResult, Signature, SolverRun, Step,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use store::{Store, Texts};

fn run(spec: &str, answer: Answer, suspect: bool) -> SolverRun {
    let result = RunResult { outcome: Outcome::Answered, answers: vec![answer] };
    SolverRun { stdout: format!("{}\n", answer.word()), ..testing::solver_run(spec, result, suspect) }
}

fn finding() -> Finding {
    let clause = |spec: &str, answer| Clause {
        spec: spec.to_owned(),
        options: Vec::new(),
        claim: Claim::Says(answer),
    };
    Finding {
        format: FINDING_FORMAT,
        class: Class::WrongUnsat,
        signature: Signature::Answers {
            class: Class::WrongUnsat,
            said: [("z3@4.8.10".to_owned(), Some(Answer::Unsat))].into(),
            theories: ["Core".to_owned(), "Ints".to_owned()].into(),
            operators: vec!["<".to_owned()],
        },
        evidence: vec![Evidence::Construction {
            answer: Answer::Sat,
            reason: "the case was built to have a model".to_owned(),
            against: vec!["z3@4.8.10".to_owned()],
        }],
        predicate: Some(Predicate {
            clauses: vec![clause("z3@4.8.10", Answer::Unsat), clause("cvc5@1.4.2", Answer::Sat)],
        }),
        runs: vec![run("z3@4.8.10", Answer::Unsat, true), run("cvc5@1.4.2", Answer::Sat, false)],
        models: true,
        own_checks: false,
        theories: ["Ints".to_owned()].into(),
        origin: Origin {
            campaign_seed: 5,
            strategy: "typefuzz".to_owned(),
            seed_hash: "00ff".to_owned(),
            round: 1,
            index: 8,
        },
        seed_name: "a.smt2".to_owned(),
        lineage: vec![Step { action: "replace".into(), before: "x".into(), after: "1".into() }],
        learned: Vec::new(),
        dialogue: Vec::new(),
        expectation: Expectation::Sat { model: "((define-fun x () Int 0))".to_owned() },
        signature_files: Vec::new(),
        found_by: "0.1.0".to_owned(),
    }
}

/// The text files of a folder, by their names relative to it.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else {
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    found
}

fn written(finding: &Finding, case: &str) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let id = store.record(finding, Texts { case, seed: "(exit)\n", plain: None }).unwrap().id().to_owned();
    files(&folder.path().join("findings").join(id))
}

const CASE: &str = "(declare-const x Int)\n(assert (< x 1))\n(check-sat)\n";

#[test]
fn a_folder_has_everything_to_show_the_bug_again() {
    let files = written(&finding(), CASE);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "README.md",
            "case.smt2",
            "finding.json",
            "lineage.txt",
            "outputs/cvc5@1.4.2.txt",
            "outputs/z3@4.8.10.txt",
            "seed.smt2",
            "witness.smt2"
        ]
    );
    let table = [
        ("case.smt2", CASE),
        ("seed.smt2", "(exit)\n"),
        ("lineage.txt", "replace: x -> 1\n"),
        ("witness.smt2", "((define-fun x () Int 0))\n"),
        ("outputs/z3@4.8.10.txt", "$ z3 case.smt2\nunsat\n\n--- standard error\n\n--- exit code 0\n"),
    ];
    for (name, text) in table {
        assert_eq!(files[name], text, "{name}");
    }
    assert_eq!(serde_json::from_str::<Finding>(&files["finding.json"]).unwrap(), finding());
}

#[test]
fn the_readme_explains_a_finding() {
    let expected = "# z3@4.8.10 answers unsat on a satisfiable script

Finding `ID`, class **wrong-unsat**.

## Results

| solver | release | result | ms | |
|---|---|---|---|---|
| z3@4.8.10 | 4.8.10 | unsat | 12 | suspect |
| cvc5@1.4.2 | 1.4.2 | sat | 12 |  |

## Evidence

- sat by construction: the case was built to have a model

## Command lines

```sh
z3 case.smt2
cvc5 case.smt2
```

`elenchus replay ID` runs all of them again.

Reproduces with `(get-model)` after the last check.

The script was built with a model, which is in `witness.smt2`: `elenchus validate` confirms it.

## Script (`case.smt2`)

```smt2
(declare-const x Int)
(assert (< x 1))
(check-sat)
```

## Output of z3@4.8.10

```
unsat
```

## Origin

Strategy typefuzz, seed `a.smt2` (hash 00ff), campaign seed 5, round 1, case 8. Found by elenchus 0.1.0.

Signature: `wrong-unsat z3@4.8.10:unsat [Ints] <`
";
    let page = &written(&finding(), CASE)["README.md"];
    let id = page.split('`').nth(1).unwrap();
    assert_eq!(page.replace(id, "ID"), expected);
}

#[test]
fn readmes_truncate_long_scripts_and_fence_backticks() {
    let mut candidate = finding();
    candidate.class = Class::Performance;
    candidate.runs[0].stdout = "```` and | more".to_owned();
    let long = "; long\n".repeat(1_000);
    let page = &written(&candidate, &long)["README.md"];
    assert!(page.contains("This is a candidate, not a proven bug."), "{page}");
    assert!(page.contains("\n; … cut here, the file has the rest\n```\n"), "{page}");
    assert!(page.contains("\n`````\n```` and | more\n`````\n"), "{page}");
    assert!(page.len() < 6_000);
}

#[test]
fn output_files_have_plain_names() {
    let mut odd = finding();
    odd.runs[0].id = "../bin/z3 -o x=1".to_owned();
    let files = written(&odd, CASE);
    assert!(files.contains_key("outputs/_bin_z3_-o_x_1.txt"), "{:?}", files.keys());
}
