//! `elenchus bench`: real runs of Elenchus and of another tool on a release with a known bug, their records, and the report.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Z3 4.8.10 answers `unsat`, although it is satisfiable.
const BUG: &str = "(declare-const a String)\n(declare-const b String)\n(declare-const c String)\n\
                   (assert (= (str.++ (str.substr a 1 5) \"AA\") (str.++ \"B\" c)))\n\
                   (assert (= 0 (str.len b)))\n(check-sat)\n";

/// Something that no solver gets wrong.
const PLAIN: &str = "(declare-const x Int)\n(assert (and (> x 1) (< x 5)))\n(check-sat)\n";

fn elenchus(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn runs_are_recorded_resumed_compared_and_reported() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(folder, "seeds/sat/bug.smt2", BUG);
    // yinyang says how many calls it has made after a second, so it gets enough to do.
    for number in 0..8 {
        write(folder, &format!("seeds/sat/plain-{number}.smt2"), PLAIN);
    }
    write(
        folder,
        "bugs/index.tsv",
        "id\tfile\tsolver\tissue\nb\tformulas/b.smt2\tz3\t4000\nold\tformulas/old.smt2\tz3\t12\n",
    );
    write(folder, "bugs/bugs.tsv", "release\tformula\tclass\nz3-4.8.10.0\tb\tsoundness-unsat\n");
    write(folder, "bugs/formulas/b.smt2", BUG);
    write(folder, "bugs/formulas/old.smt2", PLAIN);
    let run = [
        "bench",
        "bugs",
        "seeds",
        "--release",
        "z3@4.8.10",
        "--other",
        "z3@5.4.0",
        "--time",
        "6s",
        "--repeat",
        "1",
        "--strategy",
        "seeds",
        "--peer",
        "yinyang-opfuzz",
        "--bugs",
        "bugs",
        "--out",
        "results",
    ];
    let (code, table, progress) = elenchus(folder, &run);
    assert_eq!(code, Some(0), "{progress}");
    assert!(progress.contains("z3@4.8.10: 1 listed bug"), "{progress}");
    for contender in ["elenchus", "seeds", "yinyang-opfuzz"] {
        let file = folder.join(format!("results/runs/z3@4.8.10/{contender}-0.1m-1.json"));
        let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        assert!(record["calls"].as_u64().unwrap() > 0, "{record}");
        assert_eq!(record["history"], 1, "the formula that breaks the release is not in the history");
        if contender == "seeds" {
            let bug = &record["bugs"][0];
            assert_eq!(bug["class"], "wrong-unsat", "{record}");
            assert!(
                bug["after"].as_f64().unwrap() < 10.0 && bug["script"].as_str().unwrap().len() < 200,
                "{record}"
            );
        }
    }
    assert!(
        table.contains("| wrong unsat | Z3 4.8.10 answers unsat on a satisfiable script")
            && table.contains("| yes |"),
        "{table}"
    );

    // Everything is done, so the same command only shows the table.
    let (code, again, progress) = elenchus(folder, &run);
    assert_eq!((code, again), (Some(0), table.clone()), "{progress}");
    assert!(!progress.contains("bugs in"), "{progress}");

    let (code, text, _) = elenchus(folder, &["bench", "report", "results", "--html", "bench.html"]);
    assert_eq!((code, text), (Some(0), table));
    let page = fs::read_to_string(folder.join("bench.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("yinyang-opfuzz"));
}

#[test]
fn what_does_not_fit_is_an_error_with_a_hint() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(folder, "seeds/plain.smt2", PLAIN);
    write(folder, "broken/runs/z3@4.8.10/a.json", "{}");
    let table: [(&[&str], &str); 6] = [
        (&["bench", "report"], "elenchus-bench has no results"),
        (&["bench", "report", "broken"], "cannot read the results"),
        (&["bench", "bugs", "nowhere", "--release", "z3@5.4.0"], "nowhere"),
        (&["bench", "bugs", "seeds", "--release", "z3@5.4.0", "--peer", "ddsmt"], "`ddsmt` is not a peer"),
        (&["bench", "bugs", "seeds", "--release", "z3@5.4.0", "--variant", "x"], "`x` has no name"),
        (
            &["bench", "bugs", "seeds", "--release", "z3@5.4.0", "--program", "x=none"],
            "there is no program none",
        ),
    ];
    for (arguments, expected) in table {
        let (code, _, errors) = elenchus(folder, arguments);
        assert!(
            code == Some(2) && errors.contains(expected) && errors.contains("help:"),
            "{arguments:?}: {errors}"
        );
    }
    let (code, peers, _) = elenchus(folder, &["bench", "peers"]);
    assert!(code == Some(0) && peers.contains("yinyang-fusion"), "{peers}");
}
