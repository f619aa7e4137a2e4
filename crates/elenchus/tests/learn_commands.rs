//! `elenchus learn`, guided configurations and `elenchus coverage` as a person runs them, against the newest Z3.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn elenchus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What is learned in a few seconds is little, but it is written, gone on with, merged, shown, and used by a campaign that says
/// what it reached.
#[test]
fn from_learning_to_coverage() {
    if !cfg!(target_arch = "x86_64") {
        testing::not_applicable("function coverage needs 64-bit x86");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| elenchus(folder.path(), arguments);
    let learn = [
        "learn",
        "--solver",
        "z3@5.4.0",
        "--operation",
        "bvadd,bvmul,and,not",
        "--option",
        "rewriter.bv",
        "--time",
        "3s",
        "--out",
        "a.json",
    ];
    for _ in 0..2 {
        let learned = run(&learn);
        assert!(learned.status.success(), "{}", text(&learned.stderr));
    }
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.path().join(name)).unwrap()).unwrap()
    };
    let formulas = read("a.json")["formulas"].as_u64().unwrap();
    let tried: u64 =
        read("a.json")["operations"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert!(formulas > 0 && tried > 0);
    assert!(run(&["learn", "merge", "both.json", "a.json", "a.json"]).status.success());
    assert_eq!(read("both.json")["formulas"].as_u64(), Some(2 * formulas));
    let shown = run(&["learn", "show", "both.json", "--html", "map.html"]);
    assert!(text(&shown.stdout).contains("z3@5.4.0") && folder.path().join("map.html").exists());
    let json: Value = serde_json::from_slice(&run(&["learn", "show", "both.json", "--json"]).stdout).unwrap();
    assert!(json["pairs"].is_array());

    let fuzzed = run(&[
        "fuzz",
        "--solver",
        "z3@5.4.0",
        "--strategy",
        "grammar",
        "--correlations",
        "both.json",
        "--guided",
        "--configurations=4",
        "--coverage",
        "--cases",
        "6",
        "--seed",
        "1",
        "--jobs",
        "1",
    ]);
    assert!(fuzzed.status.code() == Some(0) || fuzzed.status.code() == Some(1), "{}", text(&fuzzed.stderr));
    let covered = run(&["coverage", "--json"]);
    let points: Value = serde_json::from_slice(&covered.stdout).unwrap();
    let last = &points.as_array().unwrap().last().unwrap()["reached"]["z3@5.4.0"];
    assert!(last["reached"].as_u64() > Some(1000) && last["points"].as_u64() > Some(10_000), "{last}");
    assert_eq!(last["strategies"]["grammar"], last["reached"]);
    assert!(text(&run(&["coverage"]).stdout).contains("functions"));
    // What reached something new is a seed for the next campaign.
    let kept = std::fs::read_dir(folder.path().join("elenchus-out/corpus")).unwrap().count();
    assert!(kept > 0 && kept <= 6, "{kept}");
}

#[test]
fn the_published_falcon_runs_each_formula_under_many_configurations() {
    if !cfg!(target_arch = "x86_64") {
        testing::not_applicable("function coverage needs 64-bit x86");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let configured = |strategy: &str| {
        let out = format!("out-{}", strategy.replace(':', "-"));
        let arguments = [
            "fuzz",
            "--solver",
            "z3@5.4.0",
            "--strategy",
            strategy,
            "--cases",
            "8",
            "--seed",
            "1",
            // With one worker, all cases would be the same in every run, and no share would limit any work.
            "--jobs",
            "2",
            "--no-triage",
            "--json",
            "--out",
            &out,
        ];
        let fuzzed = elenchus(folder.path(), &arguments);
        assert!(matches!(fuzzed.status.code(), Some(0 | 1)), "{}", text(&fuzzed.stderr));
        let summary = text(&fuzzed.stdout).lines().last().unwrap_or_default().to_owned();
        let summary: Value =
            serde_json::from_str(&summary).unwrap_or_else(|error| panic!("{error}: {summary}"));
        summary["statistics"]["configured"].as_u64().unwrap_or_else(|| panic!("{summary}"))
    };
    // Ten generations without new code take 58 configurations; those without a change are not run.
    let published = configured("falcon:published");
    assert!((8 * 20..=8 * 100).contains(&published), "{published}");
    assert_eq!(configured("falcon:no-opt"), 0);
    assert!(configured("falcon:published:configurations=3") <= 8 * 3);
}

#[test]
fn mistakes_are_told_with_a_next_step() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.json"), "{}").unwrap();
    let table: [(&[&str], &str); 4] = [
        (&["learn"], "no solver given"),
        (
            &["learn", "--solver", "z3@5.4.0", "--operation", "frobnicate"],
            "does not support the operation `frobnicate`",
        ),
        (&["learn", "show", "bad.json"], "is not a correlations file"),
        (&["coverage", "--out", "nowhere"], "nowhere"),
    ];
    for (arguments, expected) in table {
        let failed = elenchus(folder.path(), arguments);
        let said = text(&failed.stderr);
        assert!(failed.status.code() == Some(2) && said.contains(expected), "{arguments:?}: {said}");
        assert!(said.contains("help:"), "{said}");
    }
}
