//! Bugs that show only after other scripts in the same process.

mod support;

use campaign::{Plan, Pool, Settings};
use smt::Signatures;
use solver::Target;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::{Evaluated, ModelJudge};

/// A solver that goes wrong at its second question about 7, whatever comes in between.
fn forgetful(folder: &Path, wrong: &str) -> Target {
    let body = format!(
        "[ \"$file\" = -in ] || exec < \"$file\"\n\
         sevens=0\n\
         while read -r line; do\n\
           case \"$line\" in\n\
             *'(echo'*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\";;\n\
             *'x 7'*) sevens=$((sevens + 1));;\n\
             *check-sat*) if [ $sevens = 2 ]; then sevens=0; {wrong}; else echo sat; fi;;\n\
             *get-model*) echo '((define-fun x () Int 100))';;\n\
           esac\n\
         done"
    );
    script_solver(folder, "z3@1", &body)
}

#[test]
fn a_bug_that_needs_other_scripts_is_reported_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    // Every other case is incremental; two of those ask about 7.
    let numbers = [1, 2, 3, 4, 7, 5, 6, 8, 9, 10, 7, 11, 12, 13];
    let script = |(at, number): (usize, &i32)| {
        format!("(declare-const x Int)\n(assert (> x {number}))\n(assert (> x (- {at})))\n(check-sat)\n")
    };
    let seeds = numbers.iter().enumerate().map(|each| Seed::new(format!("{}.smt2", each.0), script(each)));
    let settings =
        Settings { own_checks: false, seed: 7, cases: Some(numbers.len() as u64), ..Settings::default() };
    let plan = Plan {
        settings,
        targets: vec![forgetful(folder.path(), "kill -SEGV $$")],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: seeds.collect(), unusable: Vec::new() },
        judges: &|| -> Box<dyn ModelJudge> { Box::new(Evaluated::default()) },
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let listed = store.findings().unwrap();
    let found: Vec<_> = listed.iter().map(|one| store.read(one).unwrap()).collect();
    let [(finding, case, _)] = &found[..] else { panic!("{found:?} {:?}", summary.snapshot.statistics) };
    assert_eq!(finding.class, case::Class::Crash);
    assert_eq!((case.matches("x 7").count(), case.matches("(check-sat)").count()), (2, 2), "{case}");
    assert!(case.trim_end().ends_with("(check-sat)"), "{case}");
    assert_eq!(finding.lineage.last().unwrap().after, "1 other scripts in the same process");
    assert_eq!(summary.snapshot.statistics.unrepeatable, 0);
}
