//! The bugs of docs/found.md show with the releases that they name.

use std::path::Path;
use std::process::{Command, Output};

fn elenchus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap()
}

/// Checks that a model satisfies a script, to which the release answers `unsat`.
fn shows_wrong_unsat(folder: &Path, script: &str, model: &str) {
    std::fs::write(folder.join("model.txt"), model).unwrap();
    let valid = elenchus(folder, &["validate", script, "--model", "model.txt"]);
    assert!(valid.status.success(), "{script}: {}", String::from_utf8_lossy(&valid.stdout));
    let solved = elenchus(folder, &["solve", script, "--solver", "z3@5.4.0", "--json"]);
    let answered = String::from_utf8_lossy(&solved.stdout);
    assert!(answered.contains(r#""answers":["unsat"]"#), "{script}: {answered}");
}

#[test]
fn every_bug_that_is_listed_shows() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let listed = std::fs::read_to_string(docs.join("found.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let installed = elenchus(folder.path(), &["solver", "install", "z3@5.4.0", "cvc5@1.4.2"]);
    if !installed.status.success() {
        return testing::skip(String::from_utf8_lossy(&installed.stderr));
    }
    let scripts = case::files::find_scripts(&[docs.join("found")]).unwrap();
    assert!(scripts.len() >= 10);
    for path in scripts {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(listed.contains(&format!("(found/{name})")), "{name} is not listed");
        let text = std::fs::read_to_string(&path).unwrap();
        let predicate = text.lines().next().unwrap().trim_start_matches("; ");
        // A reduction begins only if the script shows the bug.
        let path = path.to_str().unwrap();
        if let Some(model) = text.lines().find_map(|line| line.strip_prefix("; model: ")) {
            shows_wrong_unsat(folder.path(), path, model);
            continue;
        }
        let arguments = ["reduce", path, "--keep", predicate, "--time", "1s", "--output", "reduced.smt2"];
        let output = elenchus(folder.path(), &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {said}");
        assert!(!said.contains("nothing decides"), "{name}: {said}");
    }
}
