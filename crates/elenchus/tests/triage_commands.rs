//! `elenchus report`, `regress` and `bisect` with little programs as solvers and with real releases.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A program that does what `body` says with the script in `$text`, under a name that makes it a Z3.
fn program(folder: &Path, name: &str, body: &str) -> String {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("z3");
    let version = "case \"$*\" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac";
    let read = "for last in \"$@\"; do :; done\ntext=$(cat \"$last\")";
    std::fs::write(&program, format!("#!/bin/sh\n{version}\n{read}\n{body}\n")).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    program.to_str().unwrap().to_owned()
}

fn elenchus(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output: Output =
        Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn reports_show_evidence_that_can_be_checked_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(declare-const x Int)\n(assert (> (* x x) 8))\n(check-sat)\n";
    std::fs::write(folder.path().join("bug.smt2"), script).unwrap();
    let wrong = program(folder.path(), "wrong", "echo unsat");
    let right = program(
        folder.path(),
        "right",
        "echo sat; case \"$text\" in *get-model*) echo '((define-fun x () Int 3))';; esac",
    );
    let liar = program(
        folder.path(),
        "liar",
        "echo sat; case \"$text\" in *get-model*) echo '((define-fun x () Int 1))';; esac",
    );
    let dying = program(folder.path(), "dying", "kill -SEGV $$");
    let table = [
        (
            format!("{wrong} says unsat, {right} says sat"),
            vec![
                "answers unsat on a satisfiable script",
                "(* x x) = 9",
                "severity: wrong unsat",
                "Expected: sat",
            ],
        ),
        (
            format!("{liar} gives a wrong model"),
            vec!["returns an invalid model", "(* x x) = 1", "severity: invalid model", "(get-model)"],
        ),
        (
            format!("{liar} says sat, {wrong} says unsat"),
            vec!["answers sat on an unsatisfiable script", "severity: wrong sat"],
        ),
        (format!("{dying} crashes"), vec!["crashes", "SIGSEGV", "severity: crash"]),
    ];
    for (predicate, expected) in table {
        let (code, text) =
            elenchus(folder.path(), &["report", "bug.smt2", "--keep", &predicate, "--no-bisect"]);
        assert_eq!(code, Some(0), "{text}");
        for part in expected {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
    let predicate = format!("{wrong} says unsat, {right} says sat");
    for (format, expected) in
        [("json", "\"severity\": \"wrong-unsat\""), ("html", "<h1>Z3 4.8.12 answers unsat")]
    {
        let (code, text) = elenchus(
            folder.path(),
            &["report", "bug.smt2", "--keep", &predicate, "--no-bisect", "--format", format],
        );
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_new_build_is_held_against_all_that_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    std::fs::create_dir(&kept).unwrap();
    let script = "(assert false)\n(check-sat)\n";
    std::fs::write(
        kept.join("one.smt2"),
        format!("; elenchus: z3@4.8.10 says sat, cvc5 says unsat\n{script}"),
    )
    .unwrap();
    std::fs::write(kept.join("two.smt2"), format!("; elenchus: cvc5@1.4.2 crashes\n{script}")).unwrap();
    std::fs::write(kept.join("three.smt2"), script).unwrap();
    let (wrong, right, unsure) = ("echo sat", "echo unsat", "echo unknown");
    let table: [(&str, &[&str], i32, &str); 7] = [
        (wrong, &["--allow-open"], 0, "1 still there"),
        (wrong, &[], 1, "1 still there"),
        (unsure, &[], 0, "unclear"),
        (right, &[], 0, "1 fixed"),
        (wrong, &["--allow-open"], 1, "1 came back"),
        // A second try does not turn green.
        (wrong, &["--allow-open"], 1, "1 came back"),
        (right, &["--json"], 0, "\"state\":\"fixed\""),
    ];
    for (body, more, code, expected) in table {
        let build = program(folder.path(), "build", body);
        let mut arguments = vec!["regress", "kept", "--solver", &build];
        arguments.extend(more);
        let (found, text) = elenchus(folder.path(), &arguments);
        assert_eq!(found, Some(code), "{text}");
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains("two.smt2"), "{text}");
    }
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::write(folder.path().join("other").join("a.smt2"), script).unwrap();
    let build = program(folder.path(), "build", right);
    let (code, text) = elenchus(folder.path(), &["regress", "other", "--solver", &build]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("nothing in "), "{text}");
}

#[test]
fn only_releases_have_a_row() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bug.smt2"), "(check-sat)\n").unwrap();
    let dying = program(folder.path(), "dying", "kill -SEGV $$");
    let (code, text) =
        elenchus(folder.path(), &["bisect", "bug.smt2", "--keep", &format!("{dying} crashes")]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("not a release"), "{text}");
}

#[test]
fn the_findings_of_a_campaign_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let dying =
        program(folder.path(), "dying", "case \"$text\" in *bvult*) kill -SEGV $$;; *) echo sat;; esac");
    let seed = "(declare-const x (_ BitVec 4))\n(assert (bvult x #x3))\n(check-sat)\n";
    std::fs::write(folder.path().join("seed.smt2"), seed).unwrap();
    let line = ["fuzz", "seed.smt2", "--solver", &dying, "--strategy", "seeds", "--cold", "--cases", "1"];
    let (code, text) = elenchus(folder.path(), &line);
    assert_eq!(code, Some(1), "{text}");
    for given in ["elenchus-out", "elenchus-out/findings"] {
        let (code, text) = elenchus(folder.path(), &["cluster", given, "--no-bisect", "--reduce", "0"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("crash-") && text.contains("1 script in 1 cluster"), "{text}");
    }
    // A folder of scripts that state nothing.
    std::fs::create_dir(folder.path().join("plain")).unwrap();
    std::fs::write(folder.path().join("plain/a.smt2"), seed).unwrap();
    let (code, text) = elenchus(folder.path(), &["cluster", "plain"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("does not state what it shows") && text.contains("none of 1 script"), "{text}");
}

#[test]
fn what_was_reported_is_known_until_a_release_no_longer_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(declare-const x Int)\n(assert (> (* x x) 8))\n(check-sat)\n";
    std::fs::write(folder.path().join("bug.smt2"), script).unwrap();
    let dying = program(folder.path(), "dying", "kill -SEGV $$");
    let right = program(folder.path(), "right", "echo sat");
    let predicate = format!("{dying} crashes");
    let link = "https://example.org/issues/1";
    let steps: [(&[&str], &str); 6] = [
        (&["known", "add", "bug.smt2", "--keep", &predicate, "--link", link], "Added "),
        (&["known", "list"], link),
        (&["known", "check", "--solver", &dying], "bad"),
        (&["known", "check", "--solver", &right], "good"),
        (&["known", "list"], "fixed in 4.8.12"),
        (&["known", "remove", "1"], "Removed "),
    ];
    for (arguments, expected) in steps {
        let (code, text) = elenchus(folder.path(), arguments);
        assert_eq!(code, Some(0), "{arguments:?}\n{text}");
        assert!(text.contains(expected), "{arguments:?}\n{text}");
    }
    let (code, text) = elenchus(folder.path(), &["known", "remove", "1"]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn scripts_that_show_one_bug_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let body = "case \"$text\" in *str.len*) echo 'Failed to verify: in file seq.cpp' >&2; exit 114;; *) kill -SEGV $$;; esac";
    let dying = program(folder.path(), "dying", body);
    let scripts = [
        ("a", "(declare-const s String)(assert (= (str.len s) 3))(check-sat)"),
        ("b", "(declare-const t String)(assert (< 7 (str.len t)))(check-sat)"),
        ("c", "(declare-const x Int)(assert (> (* x x) 8))(check-sat)"),
        ("d", "(declare-const x (_ BitVec 4))(assert (bvult x #x1))(check-sat)"),
        ("e", "(declare-const y Int)(assert (> (* y y) 9))(check-sat)"),
    ];
    for (name, script) in scripts {
        let text = format!("; elenchus: {dying} crashes\n{script}\n");
        std::fs::write(folder.path().join(format!("{name}.smt2")), text).unwrap();
    }
    let (code, text) = elenchus(folder.path(), &["cluster", ".", "--no-bisect", "--reduce", "0"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("5 scripts in 3 clusters"), "{text}");
}

#[test]
fn all_findings_of_a_campaign_are_reduced_and_bisected() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = elenchus(folder.path(), &["solver", "install", "z3@4.8.10", "z3@5.4.0"]);
    if code != Some(0) {
        return testing::skip(text);
    }
    std::fs::create_dir(folder.path().join("seeds")).unwrap();
    let half = "(declare-const x Int)\n(assert (not (is_int (to_real (/ 1 2)))))\n(check-sat)\n";
    let sign = "(declare-const a Int)\n(declare-const b Int)\n(assert (> b 3))\n(assert (= \"-1\" (str.from_int a)))\n(check-sat)\n";
    for (name, script) in [("half.smt2", half), ("sign.smt2", sign)] {
        std::fs::write(folder.path().join("seeds").join(name), script).unwrap();
    }
    let solvers = ["--solver", "z3@4.8.10", "--solver", "z3@5.4.0"];
    let fuzz = ["fuzz", "seeds", "--strategy", "seeds", "--no-triage", "--jobs", "1", "--out", "out"];
    let (code, text) = elenchus(folder.path(), &[&fuzz[..], &solvers].concat());
    assert_eq!(code, Some(1), "{text}");

    let (code, text) = elenchus(folder.path(), &["reduce", "--all", "--out", "out"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("reduced ") && text.contains("to_real") && text.contains("str.from_int"), "{text}");
    let (code, text) = elenchus(folder.path(), &["reduce", "--all", "--out", "out"]);
    assert!(code == Some(0) && !text.contains("reduced "), "nothing is left to reduce\n{text}");

    let (code, text) = elenchus(folder.path(), &["bisect", "--all", "--out", "out"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("right again since z3@4.15.8"), "{text}");
    assert!(text.contains("4.8.10"), "{text}");

    // A finding that is reduced by hand is listed by what is left, and its old report is gone.
    let json: serde_json::Value =
        serde_json::from_str(&elenchus(folder.path(), &["findings", "--out", "out", "--json"]).1).unwrap();
    let (id, path) = (json[0]["id"].as_str().unwrap(), json[0]["folder"].as_str().unwrap());
    let own = folder.path().join("out").join(path);
    std::fs::write(own.join("report.md"), "about another script").unwrap();
    for name in ["reduced.smt2", "triage.json"] {
        std::fs::remove_file(own.join(name)).unwrap();
    }
    let (code, text) = elenchus(folder.path(), &["reduce", id, "--out", "out"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(own.join("triage.json").exists() && !own.join("report.md").exists());

    let (code, text) = elenchus(folder.path(), &["reduce"]);
    assert!(code == Some(2) && text.contains("no script and no finding is named"), "{text}");
}
