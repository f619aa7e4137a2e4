//! `elenchus corpus`: statistics, import, and minimizing by the coverage of a real solver.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn elenchus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed, and returns its JSON.
fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let output = elenchus(folder, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

const INTEGERS: &str =
    "(set-info :status sat)(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)(exit)\n";
const RENAMED: &str = "; the same\n(set-info :status sat)\n(set-logic QF_LIA)\n(declare-const y Int)\n(assert (> y 1))\n(check-sat)\n";
const STRINGS: &str =
    "(declare-const s String)(assert (= (str.len s) 3))(assert (str.contains s \"ab\"))(check-sat)\n";
const SMALLER: &str = "(declare-const s String)(assert (= (str.len s) 3))(check-sat)\n";

#[test]
fn scripts_are_described_and_imported_once() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    fs::create_dir_all(source.join("deep")).unwrap();
    let files = [
        ("a.smt2", INTEGERS),
        ("deep/b.smt2", RENAMED),
        ("c.smt2", STRINGS),
        ("wrong.smt2", "(assert (bvult 1 true))(check-sat)"),
        ("broken.smt2", "(assert"),
        ("silent.smt2", "(assert true)"),
        ("empty.smt2", "\n"),
        ("copy.smt2", STRINGS),
    ];
    files.iter().for_each(|(name, script)| fs::write(source.join(name), script).unwrap());
    let stats = json_of(folder.path(), &["corpus", "stats", "source", "--json"]);
    assert_eq!((&stats["files"], &stats["well_typed"]), (&json!(8), &json!(6)), "{stats}");
    assert_eq!(stats["errors"], json!({"sort": 1, "syntax": 1}));
    assert_eq!(stats["statuses"], json!({"none": 4, "sat": 2}));
    assert_eq!(stats["duplicates"].as_array().unwrap().len(), 2, "{stats}");
    assert_eq!(stats["theories"]["Strings"], 2);
    let shown = text(&elenchus(folder.path(), &["corpus", "stats", "source"]).stdout);
    assert!(shown.starts_with("8 files, 0.0 MB: 6 well-typed, 2 with errors\n"), "{shown}");

    let imported = json_of(folder.path(), &["corpus", "import", "source", "--out", "seeds", "--json"]);
    let left_out = json!([
        { "why": "not-a-seed", "files": 1 },
        { "why": "malformed", "files": 1 },
        { "why": "ill-typed", "files": 1 },
        { "why": "no-check", "files": 1 },
        { "why": "duplicate", "files": 2 },
    ]);
    assert_eq!(imported, json!({ "imported": 2, "left_out": left_out }));
    let seeds = names(&folder.path().join("seeds"));
    assert_eq!(seeds.len(), 2);
    for name in &seeds {
        let seed = fs::read_to_string(folder.path().join("seeds").join(name)).unwrap();
        assert!(!seed.contains("exit") && !seed.contains(';'), "{seed}");
        assert_eq!(seed.contains("(set-info :status sat)"), seed.contains("QF_LIA"), "{seed}");
    }
    // A second import adds nothing and changes nothing.
    let again = elenchus(folder.path(), &["corpus", "import", "source", "--out", "seeds"]);
    assert!(text(&again.stdout).starts_with("Imported 0 seeds into seeds\n"), "{}", text(&again.stdout));
    assert_eq!(names(&folder.path().join("seeds")), seeds);
}

#[test]
fn the_fewest_seeds_reach_the_same_functions() {
    let folder = tempfile::tempdir().unwrap();
    let installed = elenchus(folder.path(), &["solver", "install", "z3@5.4.0"]);
    if !installed.status.success() {
        return testing::skip(text(&installed.stderr));
    }
    let source = folder.path().join("source");
    fs::create_dir(&source).unwrap();
    let files = [("a.smt2", INTEGERS), ("b.smt2", RENAMED), ("c.smt2", STRINGS), ("d.smt2", SMALLER)];
    files.iter().for_each(|(name, script)| fs::write(source.join(name), script).unwrap());
    let minimize = ["corpus", "minimize", "source", "--solver", "z3@5.4.0", "--out", "small"];
    let result = json_of(folder.path(), &[&minimize[..], &["--json"]].concat());
    let number = |key: &str| result[key].as_u64().unwrap();
    assert_eq!((number("seeds"), number("not_measured")), (4, 0), "{result}");
    assert!(number("reached") > 100 && number("reached") < number("points"), "{result}");
    assert_eq!(number("kept_reached") + number("unsteady"), number("reached"), "{result}");
    assert!(number("kept") < 4 && number("kept_bytes") < number("bytes"), "{result}");
    let kept = names(&folder.path().join("small"));
    assert!(kept.contains("c.smt2") && kept.len() as u64 == number("kept"), "{kept:?}");
    assert_eq!(fs::read_to_string(folder.path().join("small/c.smt2")).unwrap(), STRINGS);
    // A folder with scripts is not mixed with others.
    let again = elenchus(folder.path(), &minimize);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("small has scripts already"), "{}", text(&again.stderr));
}
