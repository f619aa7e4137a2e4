//! Installs one solver of each kind from the public registries and runs it.
//!
//! Needs Python with pip and a network, and apt for Debian packages. Solvers are kept between runs in the folder for test files.

use solver::Target;
use solver::install::{self, InstallError, Settings};
use solver::options::{self, OptionKind};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn settings() -> Settings {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("solvers-for-tests");
    Settings::new(cache, env!("CARGO_BIN_EXE_elenchus-driver").into())
}

/// The solver, if it is available on this machine.
fn obtain(spec: &str) -> Option<Target> {
    match install::resolve(spec, &settings()) {
        Ok(target) => Some(target),
        Err(error @ (InstallError::Network { .. } | InstallError::MissingTool { .. })) => {
            testing::skip(format_args!("{spec}: {error}"));
            None
        }
        Err(error @ InstallError::NoSuchRelease { .. })
            if spec.starts_with("cvc4") || spec.contains("1.0.3") =>
        {
            testing::not_applicable(format_args!("this distribution has no {spec} ({error})"));
            None
        }
        Err(error) => panic!("{spec}: {error}\n{}", error.hint()),
    }
}

/// What the solver prints for `script` on standard input, with the exit code.
fn run(target: &Target, options: &[&str], script: &str) -> (String, Option<i32>) {
    let mut child = Command::new(&target.program)
        .args(&target.args)
        .args(options)
        .envs(target.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A solver that ends early closes its input; that is for the assertions to judge.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

const BITS: &str = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (= (bvmul x x) #x31))\n(check-sat)\n\
                    (assert (= ((_ extract 0 0) x) #b0))\n(check-sat)\n";

#[test]
fn every_kind_installs_and_answers() {
    // The solver, what reading from standard input takes, and the options for two questions in one script.
    let table: [(&str, &[&str]); 7] = [
        ("z3@5.4.0", &["-in"]),
        ("z3@4.8.5", &["-in"]),
        ("cvc5@1.4.2", &["--incremental"]),
        ("cvc5@1.0.3", &["--incremental", "--lang=smt2"]),
        ("cvc4@1.8", &["--incremental", "--lang=smt2"]),
        ("yices@2.6.5", &["--incremental"]),
        ("bitwuzla@0.9.1", &[]),
    ];
    for (spec, options) in table {
        let Some(target) = obtain(spec) else { continue };
        assert_eq!(target.id, spec);
        assert_eq!(run(&target, options, BITS), ("sat\nunsat\n".to_owned(), Some(0)), "{spec}");
    }
}

#[test]
fn the_library_of_cvc5_behaves_like_an_executable() {
    let reset = "(set-logic QF_LIA)(set-option :produce-models true)(declare-const x Int)(assert (> x 3))(check-sat)\
                 (reset)\n(set-logic QF_BV)(declare-const x Bool)(assert (and x (not x)))(check-sat)";
    let table: [(&str, &[&str], &str, &str, i32); 9] = [
        ("plain", &[], "(set-logic QF_LIA)(check-sat)(exit)(check-sat)", "sat\n", 0),
        ("reset", &[], reset, "sat\nunsat\n", 0),
        (
            "option after reset",
            &["--print-success"],
            "(set-logic ALL)(reset)(set-logic ALL)",
            "success\nsuccess\n",
            0,
        ),
        (
            "two questions",
            &[],
            "(set-logic QF_LIA)(check-sat)(check-sat)(check-sat)",
            "sat\n(error \"cannot make multiple queries unless incremental solving is enabled (try --incremental)\")\n",
            1,
        ),
        (
            "parse error",
            &[],
            "(set-logic QF_LIA)(assert y)(check-sat)",
            "(error \"Parse Error: <stdin>: Symbol 'y' not declared as a variable\")\n",
            1,
        ),
        ("value apart", &["--seed", "7"], "(set-logic QF_LIA)(get-option :seed)", "7\n", 0),
        ("dump models", &["--dump-models"], "(set-logic QF_LIA)(check-sat)", "sat\n(\n)\n", 0),
        ("unknown option", &["--nosuch"], "(check-sat)", "", 1),
        ("wrong value", &["--seed=x"], "(check-sat)", "", 1),
    ];
    for release in ["cvc5@1.2.0", "cvc5@1.4.2"] {
        let Some(target) = obtain(release) else { return };
        for (what, options, script, output, status) in &table {
            let expected = ((*output).to_owned(), Some(*status));
            assert_eq!(run(&target, options, script), expected, "{what} with {release}");
        }
    }
}

#[test]
fn options_are_read_from_each_kind() {
    // The solver, how many options it has at least, and one of them with its default.
    let table = [
        ("z3@5.4.0", 700, "smt.phase_selection", OptionKind::Int { min: Some(0), max: Some(7) }, "3"),
        ("z3@4.8.5", 500, "auto_config", OptionKind::Bool, "true"),
        ("cvc5@1.4.2", 500, "random-freq", OptionKind::Real { min: Some(0.0), max: Some(1.0) }, "0"),
        ("cvc5@1.0.3", 400, "arith-brab", OptionKind::Bool, "true"),
        ("cvc4@1.8", 400, "error-selection-rule", choice(&["min", "varord", "max", "sum"]), "min"),
        ("bitwuzla@0.9.1", 50, "rewrite-level", OptionKind::Int { min: Some(0), max: Some(2) }, "2"),
        ("yices@2.6.5", 10, "verbosity", OptionKind::Int { min: None, max: None }, "0"),
    ];
    for (spec, at_least, name, kind, default) in table {
        let Some(target) = obtain(spec) else { continue };
        let fresh = options::catalogue(&target, &settings()).unwrap();
        assert!(fresh.len() >= at_least, "{spec} has {}", fresh.len());
        let option = fresh.iter().find(|option| option.name == name);
        let option = option.unwrap_or_else(|| panic!("{spec} has no {name}"));
        assert_eq!((&option.kind, option.default.as_deref()), (&kind, Some(default)), "{spec} {name}");
        let again = options::catalogue(&target, &settings()).unwrap();
        assert_eq!(fresh, again, "{spec} from disk");
    }
}

fn choice(values: &[&str]) -> OptionKind {
    OptionKind::Enum { values: values.iter().map(|value| (*value).to_owned()).collect() }
}
