//! Campaigns over configurations, against shell scripts that play a solver with options.

mod support;

use campaign::{Plan, Pool, Settings};
use falcon::{Knob, KnobKind, SolverOptions, Space, Value};
use smt::Signatures;
use solver::Target;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::{ModelJudge, NoOpinion};

/// A solver that answers `sat` unless its options match the pattern of a shell `case`.
fn solver(folder: &Path, pattern: &str, then: &str) -> Target {
    script_solver(folder, "z3@1", &format!("case \"$*\" in {pattern}) {then};; *) echo sat;; esac"))
}

/// The class of a finding, and the options that it names.
type Expected = (&'static str, &'static [&'static str]);

#[test]
fn findings_name_the_fewest_options() {
    let switch = |name: &str| Knob {
        name: name.to_owned(),
        kind: KnobKind::Bool,
        default: Value::Bool(false),
        alone: false,
        unsupported: false,
    };
    let space = Space::new(["a", "b", "c", "d", "e"].map(switch).into());
    let table: [(&str, &str, &[Expected]); 6] = [
        ("*b=true*", "echo unsat", &[("contradiction", &["b=true"])]),
        ("*a=true*c=true*", "kill -SEGV $$", &[("crash", &["a=true", "c=true"])]),
        (
            "*d=true*",
            "echo sat; echo '(error \"an invalid model was generated\")'",
            &[("invalid-model", &["d=true"])],
        ),
        ("*b=true*", "echo unknown", &[]),
        ("*b=true*", "echo '(error \"unknown parameter b\")'", &[]),
        // A bug under default options is reported once, without options.
        ("*", "kill -SEGV $$", &[("crash", &[])]),
    ];
    for (pattern, then, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("out")).unwrap();
        let judges = || -> Box<dyn ModelJudge> { Box::new(NoOpinion) };
        let text = "(declare-const x Int)(assert (> x 1))(check-sat)";
        let plan = Plan {
            settings: Settings {
                warm: false,
                models: false,
                own_checks: false,
                seed: 7,
                configurations: 40,
                ..Settings::default()
            },
            targets: vec![solver(folder.path(), pattern, then)],
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: Pool { seeds: vec![Seed::new("one", text)], unusable: Vec::new() },
            judges: &judges,
            options: vec![SolverOptions { space: space.clone(), correlations: None }],
            installer: None,
        };
        campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
        let mut found = Vec::new();
        for listed in store.findings().unwrap() {
            let (finding, ..) = store.read(&listed).unwrap();
            let configured = finding.runs.iter().find(|run| !run.options.is_empty());
            let options = configured.map_or_else(Vec::new, |target| target.options.clone());
            if let Some(target) = configured {
                assert!(target.command.contains(&options.join(" ")), "{}", target.command);
                assert_eq!(
                    (target.spec.as_str(), target.id.as_str()),
                    ("z3@1", &*format!("z3@1 {}", options.join(" ")))
                );
            }
            found.push((finding.class.name().to_owned(), options));
        }
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(class, options)| {
                ((*class).to_owned(), options.iter().map(|one| (*one).to_owned()).collect())
            })
            .collect();
        assert_eq!(found, expected, "{pattern} {then}");
    }
}

#[test]
fn seeds_run_under_the_options_that_their_comments_name() {
    let knob = |name: &str, unsupported| Knob {
        name: name.to_owned(),
        kind: KnobKind::Bool,
        default: Value::Bool(false),
        alone: false,
        unsupported,
    };
    let space = Space::new(vec![knob("a", false), knob("b", false), knob("c", true)]);
    let script = "(declare-const x Int)(assert (> x 1))(check-sat)";
    // The first comments of the seed, how often it runs under options, and whether that shows the bug of `b`.
    for (comments, runs, found) in [
        ("; solver: z3\n; options: a=true b=true\n", 1, true),
        ("; options: a=true\n", 1, false),
        ("; COMMAND-LINE: --b\n", 0, false),
        ("; options: c=true d=true b=2\n", 0, false),
        ("; b=true\n", 0, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("out")).unwrap();
        let plan = Plan {
            settings: Settings { warm: false, models: false, own_checks: false, ..Settings::default() },
            targets: vec![solver(folder.path(), "*b=true*", "echo unsat")],
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: Pool {
                seeds: vec![Seed::new("one", &*format!("{comments}{script}"))],
                unusable: Vec::new(),
            },
            judges: &|| -> Box<dyn ModelJudge> { Box::new(NoOpinion) },
            options: vec![SolverOptions { space: space.clone(), correlations: None }],
            installer: None,
        };
        let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
        assert_eq!(summary.snapshot.statistics.configured, runs, "{comments}");
        let options: Vec<Vec<String>> = store
            .findings()
            .unwrap()
            .iter()
            .flat_map(|listed| store.read(listed).unwrap().0.runs)
            .map(|run| run.options)
            .filter(|options| !options.is_empty())
            .collect();
        assert_eq!(options, if found { vec![["b=true"]] } else { vec![] }, "{comments}");
    }
}

/// Line 7 of Falcon's Algorithm 2.
#[test]
fn a_case_that_crashes_by_default_is_done_as_published() {
    let switch = |name: &str| Knob {
        name: name.to_owned(),
        kind: KnobKind::Bool,
        default: Value::Bool(false),
        alone: false,
        unsupported: false,
    };
    for (name, varied) in
        [("falcon:published:guided=false", false), ("falcon:published:guided=false:after-crash=true", true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("out")).unwrap();
        let context = strategies::StrategyContext::new(Signatures::standard());
        let plan = Plan {
            settings: Settings {
                warm: false,
                models: false,
                own_checks: false,
                // Options are not varied any more once the last case has run, so there are several batches.
                cases: Some(30),
                jobs: 1,
                ..Settings::default()
            },
            targets: vec![script_solver(folder.path(), "z3@1", "kill -SEGV $$")],
            strategies: vec![strategies::by_name(name, &context).unwrap().into()],
            pool: Pool { seeds: Vec::new(), unusable: Vec::new() },
            judges: &|| -> Box<dyn ModelJudge> { Box::new(NoOpinion) },
            options: vec![SolverOptions {
                space: Space::new(["a", "b"].map(switch).into()),
                correlations: None,
            }],
            installer: None,
        };
        let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
        let statistics = summary.snapshot.statistics;
        assert_eq!((statistics.cases, statistics.configured > 0), (30, varied), "{name}");
    }
}
