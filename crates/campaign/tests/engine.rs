//! Whole campaigns against shell scripts that play solvers.

#[allow(dead_code)]
mod support;

use campaign::{Controls, Ended, Event, Listener, Plan, Pool, Settings, Summary};
use smt::Signatures;
use solver::Target;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::{Campaign, Store};
use strategies::{Case, Mutator, Random, Seed, Strategy, StrategyContext, Unchanged, Unsuitable};
use support::script_solver;
use triage::{ModelJudge, NoOpinion};

#[derive(Default)]
struct Recorder(Vec<String>);

impl Listener for Recorder {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Found(finding) => self.0.push(format!("{} {}", finding.class, finding.title)),
            Event::Triaged(_) | Event::Reported { .. } => {}
            Event::Note(note) => self.0.push(note.clone()),
            Event::Started { .. } | Event::Progress(_) => {}
        }
    }
}

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

fn seeds(texts: &[&str]) -> Pool {
    let seed = |(at, text): (usize, &&str)| Seed::new(format!("{at}.smt2"), *text);
    let mut pool = Pool { seeds: texts.iter().enumerate().map(seed).collect(), unusable: Vec::new() };
    pool.seeds.sort_by_key(|seed| seed.hash);
    pool
}

fn small_pool() -> Pool {
    let mut pool = Pool::built_in();
    pool.seeds.truncate(6);
    pool
}

struct Setup {
    settings: Settings,
    targets: Vec<Target>,
    strategies: Vec<Arc<dyn Strategy>>,
    pool: Pool,
}

fn run(setup: Setup, store: &mut Store, from: Option<&Campaign>) -> (Summary, Vec<String>) {
    let mut heard = Recorder::default();
    let Setup { settings, targets, strategies, pool } = setup;
    let plan =
        Plan { settings, targets, strategies, pool, judges: &judges, options: Vec::new(), installer: None };
    let summary = campaign::run(plan, store, from, &AtomicBool::new(false), &mut heard).unwrap();
    (summary, heard.0)
}

fn quick() -> Settings {
    Settings { warm: false, models: false, own_checks: false, seed: 7, ..Settings::default() }
}

const ONE: &str = "(declare-const x Int)(assert (> x 1))(check-sat)";
const TWO: &str = "(declare-const x Int)(assert (> x 2))(check-sat)";

#[test]
fn contradictions_and_crashes_are_confirmed_and_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let table = [
        ("echo unsat", "contradiction"),
        ("kill -SEGV $$", "crash"),
        ("echo sat; echo '(error \"an invalid model was generated\")'", "invalid-model"),
    ];
    for (at, (body, class)) in table.into_iter().enumerate() {
        let mut store = Store::open(&folder.path().join(format!("out{at}"))).unwrap();
        let targets = vec![
            script_solver(folder.path(), "cvc5@1", "echo sat"),
            script_solver(folder.path(), "z3@1", body),
        ];
        let setup = Setup {
            settings: quick(),
            targets,
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: seeds(&[ONE, TWO]),
        };
        let (summary, heard) = run(setup, &mut store, None);
        assert_eq!(summary.ended, Ended::Exhausted);
        assert_eq!(summary.snapshot.statistics.cases, 2);
        assert_eq!(heard.len(), 1, "{heard:?}");
        let findings = store.findings().unwrap();
        assert_eq!((findings[0].class.name(), findings[0].count, findings[0].bug), (class, 2, true));
        let (finding, case, seed) = store.read(&findings[0]).unwrap();
        assert_eq!(case, seed);
        assert!(finding.runs[1].command.ends_with("z3@1 case.smt2") || class == "invalid-model");
        assert!(finding.runs[1].suspect);
    }
}

/// Resumes a paused campaign after some reports, and keeps the running time and the cases of all reports.
struct Resumes<'a> {
    pause: &'a AtomicBool,
    paused: Vec<(Duration, u64)>,
}

impl Listener for Resumes<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::Progress(snapshot) = event
            && snapshot.paused
        {
            self.paused.push((snapshot.elapsed, snapshot.statistics.cases));
            self.pause.store(self.paused.len() < 3, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_paused_campaign_starts_no_case_and_its_time_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let plan = Plan {
        settings: quick(),
        targets: vec![script_solver(folder.path(), "cvc5@1", "echo sat")],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&[ONE, TWO]),
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    let pause = AtomicBool::new(true);
    let mut listener = Resumes { pause: &pause, paused: Vec::new() };
    let controls = Controls { interrupt: &AtomicBool::new(false), pause: &pause };
    let summary = campaign::run(plan, &mut store, None, controls, &mut listener).unwrap();
    let first = listener.paused[0];
    assert_eq!(first.1, 0);
    assert!(listener.paused.len() >= 3 && listener.paused.iter().all(|seen| *seen == first));
    assert_eq!((summary.ended, summary.snapshot.statistics.cases), (Ended::Exhausted, 2));
}

#[test]
fn an_incremental_bug_is_reported_with_its_push() {
    let folder = tempfile::tempdir().unwrap();
    // Answers `sat`, and something else after a push.
    let reader = |inside: &str| {
        format!(
            "answer() {{ while IFS= read -r line; do\n\
             case \"$line\" in *'(push'*) pushed=1;; *'(pop'*) pushed=;; esac\n\
             case \"$line\" in\n\
             *check-sat*) if [ \"$pushed\" ]; then echo {inside}; else echo sat; fi;;\n\
             *'(echo'*) word=${{line#*\\\"}}; echo \"${{word%\\\"*}}\";;\n\
             esac; done; }}\n\
             if [ -f \"$file\" ]; then answer < \"$file\"; else answer; fi"
        )
    };
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let setup = Setup {
        settings: Settings { warm: true, cases: Some(1), ..quick() },
        targets: vec![
            script_solver(folder.path(), "cvc5@1", &reader("sat")),
            script_solver(folder.path(), "z3@1", &reader("unsat")),
        ],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&["(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n"]),
    };
    let (summary, heard) = run(setup, &mut store, None);
    assert_eq!(summary.snapshot.statistics.incremental, 2);
    let found = heard.iter().filter(|line| line.starts_with("contradiction"));
    assert_eq!(found.count(), 1, "{heard:?}");
    let findings = store.findings().unwrap();
    assert_eq!((findings[0].class.name(), findings[0].bug), ("contradiction", true));
    let (finding, case, seed) = store.read(&findings[0]).unwrap();
    assert_eq!(case, format!("(push 1)\n{seed}"));
    let steps: Vec<_> = finding.lineage.iter().map(|step| (&*step.action, step.after.as_str())).collect();
    assert_eq!(steps, [("push", "(push 1)")]);
}

#[test]
fn a_wrong_answer_behind_a_failed_model_check_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let checked =
        "case \"$*\" in *model_validate=true*) echo '(error \"an invalid model was generated\")';; *)";
    // The answer of Z3 without its own check, and the class, given a cvc5 that answers `unsat`.
    for (at, (answer, class)) in
        [("sat", "contradiction"), ("unsat", "invalid-model")].into_iter().enumerate()
    {
        let mut store = Store::open(&folder.path().join(format!("out{at}"))).unwrap();
        let z3 = script_solver(folder.path(), "z3@1", &format!("{checked} echo {answer};; esac"));
        let setup = Setup {
            settings: Settings { own_checks: true, ..quick() },
            targets: vec![script_solver(folder.path(), "cvc5@1", "echo unsat"), z3],
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: seeds(&[ONE, TWO]),
        };
        run(setup, &mut store, None);
        let findings = store.findings().unwrap();
        let reported: Vec<(&str, u64)> =
            findings.iter().map(|finding| (finding.class.name(), finding.count)).collect();
        assert_eq!(reported, [(class, 2)]);
    }
}

#[test]
fn a_crash_that_does_not_repeat_is_not_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    // Crashes on its first run only.
    let body = format!("if mkdir {} 2>/dev/null; then kill -SEGV $$; fi; echo sat", mark.display());
    let mut solver = script_solver(folder.path(), "z3@1", &body);
    // A confined solver may write to the folder that this variable names.
    solver.env.push(("GCOV_PREFIX".to_owned(), folder.path().to_string_lossy().into_owned()));
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let setup = Setup {
        settings: quick(),
        targets: vec![solver],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&[ONE]),
    };
    let (summary, heard) = run(setup, &mut store, None);
    assert_eq!(heard, Vec::<String>::new());
    assert_eq!(summary.snapshot.statistics.unrepeatable, 1);
}

#[test]
fn unusable_seeds_are_reported_and_the_campaign_continues() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let setup = Setup {
        settings: quick(),
        targets: vec![script_solver(folder.path(), "z3@1", "echo sat")],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&[ONE, "(assert (+ 1 true))(check-sat)", "(assert true)", "no script at all )("]),
    };
    let (summary, _) = run(setup, &mut store, None);
    // A script that is not well-typed is still a question.
    assert_eq!(summary.snapshot.statistics.cases, 2);
    assert_eq!(summary.unusable_seeds.len(), 2, "{:?}", summary.unusable_seeds);
    assert!(summary.unusable_seeds.iter().any(|one| one.reason.contains("no `check-sat`")));
}

#[test]
fn only_solvers_that_support_a_case_run_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let text = "(declare-const s String)(assert (= (str.len s) 3))(check-sat)";
    let setup = Setup {
        settings: quick(),
        targets: vec![
            script_solver(folder.path(), "z3@1", "echo sat"),
            script_solver(folder.path(), "yices@1", "echo unsat"),
        ],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&[text]),
    };
    let (summary, heard) = run(setup, &mut store, None);
    assert_eq!(heard, Vec::<String>::new());
    let asked: Vec<&String> = summary.snapshot.statistics.targets.keys().collect();
    assert_eq!(asked, ["z3@1"]);
}

#[test]
fn cases_that_no_solver_supports_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let text = "(declare-const s String)(assert (= (str.len s) 3))(check-sat)";
    let setup = Setup {
        settings: Settings { cases: Some(20), ..quick() },
        targets: vec![script_solver(folder.path(), "yices@1", "echo unknown")],
        strategies: all_strategies(),
        pool: seeds(&[ONE, text]),
    };
    let (summary, _) = run(setup, &mut store, None);
    assert_eq!(summary.ended, Ended::Cases);
    let statistics = &summary.snapshot.statistics;
    assert!(statistics.unsupported > 0);
    assert_eq!(statistics.cases, 20);
}

#[test]
fn the_same_seed_gives_the_same_cases_after_a_resumption() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |name: &str, steps: &[u64]| {
        let mut store = Store::open(&folder.path().join(name)).unwrap();
        let mut last = 0;
        for (at, &cases) in steps.iter().enumerate() {
            let from = if at == 0 { None } else { store.last_campaign().unwrap() };
            let mut settings = Settings { cases: Some(cases), budget: 7, ..quick() };
            if let Some(campaign) = &from {
                let kept: Settings = serde_json::from_str(&campaign.settings).unwrap();
                settings = Settings { cases: Some(cases), ..kept };
            }
            let setup = Setup {
                settings,
                targets: vec![script_solver(folder.path(), "z3@1", "echo unknown")],
                strategies: all_strategies(),
                pool: small_pool(),
            };
            let (summary, _) = run(setup, &mut store, from.as_ref());
            assert_eq!(summary.ended, Ended::Cases);
            let statistics = &summary.snapshot.statistics;
            assert_eq!(statistics.cases, cases);
            last = statistics.digest;
        }
        last
    };
    let whole = digest("a", &[60]);
    assert_eq!(digest("b", &[60]), whole);
    assert_eq!(digest("c", &[11, 37, 60]), whole);
}

/// A request for models hides this crash, and so does a time limit of half a second.
#[test]
fn a_seed_runs_as_it_is_with_the_full_limit() {
    let folder = tempfile::tempdir().unwrap();
    let body = "if grep -q get-model \"$file\"; then echo sat; else sleep 0.7; kill -SEGV $$; fi";
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let setup = Setup {
        settings: Settings { models: true, timeout: 10_000, ..quick() },
        targets: vec![script_solver(folder.path(), "z3@1", body)],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&["(declare-const x Int)(assert (frobnicate x))(check-sat)"]),
    };
    run(setup, &mut store, None);
    let findings = store.findings().unwrap();
    assert_eq!(findings.iter().map(|finding| finding.class).collect::<Vec<_>>(), [case::Class::Crash]);
}

/// A wrong label is reported once, as a candidate.
#[test]
fn a_wrong_label_is_reported_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let labelled =
        |status: &str| format!("(set-info :status {status})(declare-const x Int)(assert (< x 1))(check-sat)");
    let setup = Setup {
        settings: Settings { models: true, ..quick() },
        targets: ["z3@1", "cvc5@1"].map(|id| script_solver(folder.path(), id, "echo sat")).to_vec(),
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: seeds(&[&labelled("unsat"), &labelled("sat"), &labelled("unknown")]),
    };
    let (_, heard) = run(setup, &mut store, None);
    let findings = store.findings().unwrap();
    assert_eq!(findings.len(), 1, "{heard:?}");
    assert!(!findings[0].bug);
    assert_eq!(findings[0].title, "the script is labelled unsat, but z3@1 and cvc5@1 answer sat");
}

/// A release without escapes reads another script: only what it does on its own counts.
#[test]
fn a_release_that_reads_strings_differently_is_judged_alone() {
    let seed = r#"(declare-const s String)(assert (= s "\u{41}"))(check-sat)"#;
    let table: [(&str, &[case::Class]); 2] = [("echo unsat", &[]), ("kill -SEGV $$", &[case::Class::Crash])];
    for (body, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("out")).unwrap();
        let old = script_solver(folder.path(), "z3@4.8.7", body);
        let old = Target { version: "4.8.7".to_owned(), ..old };
        let setup = Setup {
            settings: quick(),
            targets: vec![old, script_solver(folder.path(), "cvc5@1.4.2", "echo sat")],
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: seeds(&[seed]),
        };
        run(setup, &mut store, None);
        let classes: Vec<case::Class> =
            store.findings().unwrap().iter().map(|finding| finding.class).collect();
        assert_eq!(classes, expected, "{body}");
    }
}

/// All strategies over the built-in operators.
fn all_strategies() -> Vec<Arc<dyn Strategy>> {
    strategies::all(&StrategyContext::new(Signatures::standard())).into_iter().map(Arc::from).collect()
}

/// The case limit is reached while the last cases are still running.
#[test]
fn all_cases_of_a_case_limit_run() {
    for jobs in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("out")).unwrap();
        let setup = Setup {
            settings: Settings { cases: Some(20), budget: 7, jobs, ..quick() },
            targets: vec![script_solver(folder.path(), "z3@1", "sleep 0.1; echo unknown")],
            strategies: all_strategies(),
            pool: small_pool(),
        };
        let (summary, _) = run(setup, &mut store, None);
        assert_eq!(summary.ended, Ended::Cases);
        assert_eq!(summary.snapshot.statistics.cases, 20, "{jobs} workers");
    }
}

#[test]
fn every_case_can_be_made_again_from_its_origin() {
    let pool = small_pool();
    let mut made = 0;
    for strategy in all_strategies() {
        for seed in &pool.seeds {
            let case = |index| campaign::case_again(strategy.as_ref(), seed, 3, 1, index);
            if let (Ok(Some(first)), Ok(Some(second))) = (case(4), case(4)) {
                assert_eq!(first.text, second.text);
                made += 1;
            }
        }
    }
    assert!(made > 0);
}

/// Makes cases without a seed: each asserts a random number.
struct Numbers;

struct Counting(Random);

impl Strategy for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn own_seed(&self) -> Option<Seed> {
        Some(Seed::new("nothing", ""))
    }

    fn open(&self, _: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(Counting(random)))
    }
}

impl Mutator for Counting {
    fn next_case(&mut self) -> Option<Case> {
        let text = format!("(assert (= 0 {}))(check-sat)", self.0.bits());
        Some(Case { text, ..Case::default() })
    }
}

#[test]
fn a_strategy_without_seeds_takes_turns_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    // The seeds, the strategies, and how many of the first sixty cases each of them makes.
    type Row = (Pool, Vec<Arc<dyn Strategy>>, [u64; 2]);
    let table: [Row; 3] = [
        (Pool::default(), vec![Arc::new(Numbers)], [60, 0]),
        (seeds(&[ONE, TWO]), vec![Arc::new(Numbers)], [60, 0]),
        (
            seeds(&[ONE, TWO]),
            vec![Arc::new(Numbers), Arc::new(Unchanged::new(Signatures::standard()))],
            [58, 2],
        ),
    ];
    for (at, (pool, strategies, expected)) in table.into_iter().enumerate() {
        let mut store = Store::open(&folder.path().join(at.to_string())).unwrap();
        let settings = Settings { cases: Some(60), ..quick() };
        let targets = vec![script_solver(folder.path(), "z3@1", "kill -SEGV $$")];
        let (summary, _) = run(Setup { settings, targets, strategies, pool }, &mut store, None);
        let tallies = &summary.snapshot.statistics.strategies;
        let made = ["numbers", "seeds"].map(|name| tallies.get(name).map_or(0, |tally| tally.cases));
        assert_eq!(made, expected);
        let (finding, case, seed) = store.read(&store.findings().unwrap()[0]).unwrap();
        let (origin, seed) = (&finding.origin, Seed::new(finding.seed_name.clone(), seed));
        let again =
            campaign::case_again(&Numbers, &seed, origin.campaign_seed, origin.round, origin.index).unwrap();
        assert_eq!(again.map(|again| again.text), Some(case));
    }
}

/// A solver that has a model of the seed and answers `unsat` to everything else.
#[test]
fn diver_needs_no_second_solver() {
    let folder = tempfile::tempdir().unwrap();
    let body = "if grep -q '^(assert (> x 1))$' \"$file\" && ! grep -q 'not (= x' \"$file\"; then\n\
                echo sat; echo '((define-fun x () Int 5))'\nelse echo unsat; fi";
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let seed = "(declare-const x Int)\n(assert (> x 1))\n(assert (< x 9))\n(check-sat)\n";
    let diver = strategies::by_name("diver", &StrategyContext::new(Signatures::standard())).unwrap();
    let evaluated: campaign::JudgeMaker<'_> = &|| Box::<triage::Evaluated>::default();
    let plan = Plan {
        settings: Settings { cases: Some(60), budget: 60, forms: 0, ..quick() },
        targets: vec![script_solver(folder.path(), "z3@1", body)],
        strategies: vec![Arc::from(diver)],
        pool: seeds(&[seed]),
        judges: evaluated,
        options: Vec::new(),
        installer: None,
    };
    let summary =
        campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Recorder::default()).unwrap();
    assert!(summary.snapshot.statistics.cases > 0);
    let findings = store.findings().unwrap();
    let wrong = findings.iter().find(|finding| finding.class == case::Class::WrongUnsat).unwrap();
    let (finding, case, text) = store.read(wrong).unwrap();
    let case::Expectation::Sat { model } = &finding.expectation else { panic!("no witness") };
    assert!(model.contains("(define-fun x () Int 5)"));
    assert!(
        matches!(&finding.evidence[0], case::Evidence::Construction { answer: case::Answer::Sat, .. }),
        "{:?}",
        finding.evidence
    );
    // The case can be made again only with the answers about the seed.
    let origin = &finding.origin;
    let diver = strategies::by_name("diver", &StrategyContext::new(Signatures::standard())).unwrap();
    let make = |seed: &Seed| {
        campaign::case_again(diver.as_ref(), seed, origin.campaign_seed, origin.round, origin.index)
    };
    assert!(make(&Seed::new(finding.seed_name.clone(), text.clone())).is_err());
    assert_eq!(make(&campaign::seed_again(&finding, text)).unwrap().map(|case| case.text), Some(case));
}
