//! A solver that gives up on what follows from its own answers: found only on request, replayed and reduced.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// It answers the seed, and gives up on everything else.
const LAZY: &str = "for file; do :; done\n\
    if grep -q 'x 3)' \"$file\" && grep -q 'y x)' \"$file\"; then echo sat; else echo unknown; fi\n\
    if grep -q reason-unknown \"$file\"; then echo \"(:reason-unknown $REASON)\"; fi";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn giving_up_is_a_candidate_on_request() {
    let installing = solver::install::Settings::from_environment().unwrap();
    let z3 = match solver::install::resolve("z3@5.4.0", &installing) {
        Ok(target) => target.id,
        Err(error) => return testing::skip(error),
    };
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for (name, reason) in [("lazy", "incomplete"), ("late", "timeout")] {
        fs::write(place.join(name), format!("#!/bin/sh\nREASON={reason}\n{LAZY}\n")).unwrap();
        fs::set_permissions(place.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let solver = |name: &str| {
        format!("[solver.{name}]\npath = \"./{name}\"\nprofile = \"cvc5\"\nversion = \"1.4.0\"\n")
    };
    fs::write(place.join("elenchus.toml"), solver("lazy") + &solver("late")).unwrap();
    fs::write(
        place.join("seed.smt2"),
        "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (< y x))\n(check-sat)\n",
    )
    .unwrap();
    let campaign = |solver: &str, out: &str, more: &[&str]| {
        let fixed = ["fuzz", "seed.smt2", "--solver", &z3, "--solver", solver, "--cold", "--no-own-checks"];
        let rest = [
            "--no-triage",
            "--strategy",
            "approximate:other=0",
            "--jobs",
            "1",
            "--seed",
            "1",
            "--cases",
            "40",
        ];
        let output = run(place, &[&fixed[..], &rest, &["--out", out], more].concat());
        // A candidate is no bug.
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
        let listed = run(place, &["findings", "--json", "--out", out]);
        serde_json::from_slice::<Vec<Value>>(&listed.stdout).unwrap()
    };
    assert!(campaign("lazy", "off", &[]).is_empty());
    assert!(campaign("late", "limit", &["--incompleteness"]).is_empty());
    let findings = campaign("lazy", "on", &["--incompleteness"]);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding["class"], "incompleteness");
    let id = finding["id"].as_str().unwrap();
    let shown = text(&run(place, &["show", id, "--out", "on"]).stdout);
    assert!(shown.contains("gives up on a satisfiable script") && shown.contains("(incomplete)"), "{shown}");
    let replay = text(&run(place, &["replay", id, "--out", "on"]).stdout);
    assert!(replay.contains("the same bytes") && replay.contains("incompleteness: "), "{replay}");
    let reduced = run(place, &["reduce", id, "--out", "on"]);
    assert!(reduced.status.success(), "{}{}", text(&reduced.stdout), text(&reduced.stderr));
    let report = text(&run(place, &["report", id, "--out", "on", "--no-bisect"]).stdout);
    assert!(report.contains("gives up on a script"), "{report}");
}
