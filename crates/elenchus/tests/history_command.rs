//! `elenchus history` as a person runs it, and `elenchus fuzz` with what it learns.

use history::MinePlan;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use strategies::histfuzz::{Library, RuleSettings, built_in};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null()).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Formulas in a folder with a table, and one that our type checker refuses.
    fn formulas(&self) {
        fs::create_dir_all(self.at("bugs/sub")).unwrap();
        let mut table = "id\tfile\tsolver\toptions\n".to_owned();
        for number in 0..12 {
            let text = format!("(declare-const x Int)(assert (and (= {number} x) (= x (* x x))))(check-sat)");
            fs::write(self.at(&format!("bugs/sub/{number}.smt2")), text).unwrap();
            table.push_str(&format!("{number}\tsub/{number}.smt2\tz3\tsmt.arith.solver=2 x.smt2\n"));
        }
        fs::write(self.at("bugs/ill.smt2"), "(assert (= 1 unknown))(check-sat)").unwrap();
        table.push_str("12\till.smt2\tcvc\t\n");
        fs::write(self.at("bugs/not-listed.smt2"), "(assert true)(check-sat)").unwrap();
        fs::write(self.at("bugs/index.tsv"), table).unwrap();
        fs::create_dir(self.at("normal")).unwrap();
        fs::write(self.at("normal/a.smt2"), "(declare-const p Bool)(assert (xor p (not p)))").unwrap();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn mining_and_looking_at_what_was_mined() {
    let place = Place::new();
    place.formulas();
    let counts = place.json(&["history", "mine", "bugs", "--normal", "normal", "--json"]);
    let expected =
        [("formulas", 13), ("ill_formed", 1), ("skeletons", 1), ("atoms", 13), ("normal_skeletons", 1)];
    for (name, count) in expected {
        assert_eq!(counts[name], count, "{name}: {counts}");
    }
    let shown = text(&place.run(&["history", "stats"]).stdout);
    assert!(
        shown.contains("(and □1 □2)") && shown.contains("(= IntConst IntVar) => (= IntVar IntVar)"),
        "{shown}"
    );
    let library = fs::read_to_string(place.at("elenchus-history.txt")).unwrap();
    assert!(library.contains("options\tz3\tsmt.arith.solver=2\n"), "{library}");
    assert!(place.run(&["history", "mine", "normal", "--out", "other.txt"]).status.success());
    let against = place.json(&["history", "stats", "--against", "other.txt", "--json"]);
    assert_eq!(against["against"][5]["both"], 0);
    // What our type checker refuses is kept where that is asked for.
    let kept = place.json(&["history", "mine", "bugs", "--ill-formed", "--json", "--out", "ill.txt"]);
    assert_eq!(kept["atoms"], 14, "{kept}");
    for (arguments, message) in [
        (vec!["history", "mine", "nowhere"], "nowhere"),
        (vec!["history", "stats", "bugs/index.tsv"], "not a history library"),
        (
            vec!["fuzz", "--strategy", "histfuzz", "--history", "other.txt", "--history-variant", "n"],
            "--normal",
        ),
        (vec!["fuzz", "--history-variant", "x"], "unknown variant"),
        (vec!["fuzz", "--strategy", "histfuzz", "--history", "nowhere.txt"], "nowhere.txt"),
        (vec!["fuzz", "--strategy", "histfuzz+valfuzz", "--history", "nowhere.txt"], "nowhere.txt"),
    ] {
        let output = place.run(&arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
}

#[test]
fn fuzzing_with_a_library_and_replaying_what_was_found() {
    let place = Place::new();
    place.formulas();
    assert!(place.run(&["history", "mine", "bugs", "--normal", "normal"]).status.success());
    for (name, body) in [("yes", "echo sat"), ("no", "echo unsat")] {
        fs::write(place.at(name), format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(place.at(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::write(
        place.at("elenchus.toml"),
        "[fuzz.history]\nvariant = \"r\"\nsupport = 3\n[solver.yes]\npath = \"./yes\"\nprofile = \"cvc5\"\n\
         [solver.no]\npath = \"./no\"\nprofile = \"z3\"\n",
    )
    .unwrap();
    let base =
        ["fuzz", "--solver", "yes", "--solver", "no", "--cold", "--no-own-checks", "--strategy", "histfuzz"];
    let fuzz = |more: &[&str]| place.run(&base.iter().chain(more).copied().collect::<Vec<_>>());
    let output = fuzz(&["--cases", "12", "--seed", "3", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("on 0 seeds"), "{}", text(&output.stdout));
    let findings = place.json(&["findings", "--json"]);
    let id = findings[0]["id"].as_str().unwrap();
    let seed = fs::read_to_string(place.at(&format!("elenchus-out/findings/{id}/seed.smt2"))).unwrap();
    assert!(seed.contains("; variant: r\n") && seed.contains("; support: 3\n"), "{seed}");
    let replayed = text(&place.run(&["replay", id]).stdout);
    assert!(replayed.contains("the same bytes"), "{replayed}");
    // With seeds and other strategies beside it, and going on where it was.
    let output = fuzz(&["--strategy", "seeds", "bugs/sub", "--cases", "20", "--seed", "4", "--out", "both"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let output = place.run(&["fuzz", "--resume", "--cases", "10", "--out", "both"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    // The tool learns from what it found.
    let counts = place.json(&["history", "mine", "elenchus-out", "--out", "own.txt", "--json"]);
    assert_eq!(counts["formulas"], findings.as_array().unwrap().len(), "{counts}");
}

/// A second stage changes nothing about the settings of the first.
#[test]
fn histfuzz_with_a_second_stage_uses_its_settings() {
    let place = Place::new();
    place.formulas();
    assert!(place.run(&["history", "mine", "bugs", "--out", "own.txt"]).status.success());
    fs::write(place.at("no"), "#!/bin/sh\nkill -SEGV $$\n").unwrap();
    fs::set_permissions(place.at("no"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(
        place.at("elenchus.toml"),
        "[solver.no]\npath = \"./no\"\nprofile = \"z3\"\nversion = \"5.0.0\"\n",
    )
    .unwrap();
    let output = place.run(&[
        "fuzz",
        "--solver",
        "no",
        "--cold",
        "--strategy",
        "histfuzz+valfuzz",
        "--cases",
        "2",
        "--jobs",
        "1",
        "--history",
        "own.txt",
        "--history-variant",
        "r",
        "--history-support",
        "3",
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let findings = place.json(&["findings", "--json"]);
    let id = findings[0]["id"].as_str().unwrap();
    let seed = fs::read_to_string(place.at(&format!("elenchus-out/findings/{id}/seed.smt2"))).unwrap();
    assert!(seed.contains("; variant: r\n") && seed.contains("; support: 3\n"), "{seed}");
    assert!(seed.contains("own.txt") || !seed.contains("built-in"), "{seed}");
}

/// The built-in library is what its formulas give.
#[test]
fn the_built_in_library_is_mined_from_its_formulas() {
    let (Some(bugs), Some(corpus)) = (testing::corpus("bugs"), testing::corpus("corpus")) else { return };
    let (formulas, normal) = (history::read(&[bugs]).unwrap(), history::read(&[corpus]).unwrap());
    let plan = MinePlan {
        library: Library::default(),
        formulas: &formulas,
        normal: &normal,
        ill_formed: false,
        rules: RuleSettings::default(),
    };
    let library = history::mine(plan, &mut |_, _| {});
    assert!(
        library.write() == built_in().write(),
        "crates/strategies/history/library.txt is not what its formulas give; make it anew:\n\
         elenchus history mine ../shared/bugs --normal ../shared/corpus --out crates/strategies/history/library.txt"
    );
}

/// A campaign's findings are added to the built-in library, once.
#[test]
fn findings_are_added_to_the_library_once() {
    let place = Place::new();
    fs::write(place.at("no"), "#!/bin/sh\nkill -SEGV $$\n").unwrap();
    fs::set_permissions(place.at("no"), fs::Permissions::from_mode(0o755)).unwrap();
    let config = "[solver.no]\npath = \"./no\"\nprofile = \"z3\"\nversion = \"5.0.0\"\n";
    fs::write(place.at("elenchus.toml"), config).unwrap();
    fs::write(place.at("seed.smt2"), "(declare-const x Int)(assert (= x (+ x 20261118)))(check-sat)")
        .unwrap();
    // The solver crashes on everything, so reduction would leave nothing.
    let options = ["--cold", "--no-triage", "--strategy", "seeds", "--cases", "1", "--jobs", "1"];
    let output = place.run(&[&["fuzz", "seed.smt2", "--solver", "no"], &options[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let first = place.json(&["history", "update", "--json"]);
    assert_eq!(first["new_formulas"], 1, "{first}");
    assert_eq!(first["formulas"], built_in().origins.formulas + 1, "{first}");
    let library = fs::read_to_string(place.at("elenchus-history.txt")).unwrap();
    assert!(library.lines().any(|line| line.starts_with("atom\t") && line.contains("20261118")));
    let again = text(&place.run(&["history", "update"]).stdout);
    assert!(again.contains("Nothing to add"), "{again}");
    assert_eq!(library, fs::read_to_string(place.at("elenchus-history.txt")).unwrap());
}
