//! Whole reductions: what the passes come to together.

mod support;

use reduce::{Abort, Tester, Watcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{ByFunction, LARGE, reduced, uses};

#[test]
fn large_scripts_become_minimal() {
    type Row = (fn(&str) -> bool, &'static str);
    let table: [Row; 6] = [
        (|script| uses(script, "str.replace_all"), "(assert (= (str.replace_all \"\" \"\" \"\") \"\"))\n"),
        (|script| uses(script, "bvult"), "(assert (bvult #b0 #b0))\n"),
        (|script| uses(script, "count") && script.contains("check-sat"), "(declare-fun count (Int) Int)\n"),
        (|script| script.contains("green") && uses(script, "="), "green"),
        (|script| script.contains("(push"), "(push 1)\n"),
        (|script| script.contains("exists") && uses(script, "+"), "exists"),
    ];
    for (shows, expected) in table {
        let (outcome, _) = reduced(LARGE, None, shows, 1, usize::MAX);
        assert!(shows(&outcome.script), "{}", outcome.script);
        assert!(outcome.script.contains(expected), "{}", outcome.script);
        assert!(outcome.script.len() < 140, "{}", outcome.script);
        assert!(!outcome.stopped && outcome.typed);
    }
}

#[test]
fn a_bug_that_every_script_shows_leaves_the_empty_script() {
    let (outcome, _) = reduced(LARGE, None, |_| true, 2, usize::MAX);
    assert_eq!(outcome.script, "");
}

#[test]
fn reducing_the_result_again_changes_nothing() {
    let table: [fn(&str) -> bool; 4] = [
        |script| uses(script, "str.replace_all"),
        |script| uses(script, "bvadd") && uses(script, "extract"),
        |script| uses(script, "count"),
        |script| uses(script, "shade") || uses(script, "blue"),
    ];
    for shows in table {
        let (once, _) = reduced(LARGE, None, shows, 1, usize::MAX);
        let (again, improvements) = reduced(&once.script, None, shows, 1, usize::MAX);
        assert_eq!(again.script, once.script);
        assert!(improvements.is_empty());
    }
}

/// Becomes smaller only by a detour through a larger script: the right side cannot shrink before the left one does.
const NEEDS_DETOUR: &str = "(declare-const n Int)(assert (= (* n n) (+ n 7)))(check-sat)";

fn shows_with_detour(script: &str) -> bool {
    let sides = script.split_once("(assert (= ").and_then(|(_, rest)| rest.split_once("))"));
    sides.is_some_and(|(sides, _)| match sides.split_once(' ') {
        Some(("(*", _)) => sides.starts_with("(* n n) (+ n 7"),
        Some((left, right)) => left.bytes().all(|byte| byte.is_ascii_alphabetic()) && left != right,
        None => false,
    })
}

#[test]
fn a_detour_through_a_new_constant_finds_a_smaller_script() {
    let (result, improvements) = reduced(NEEDS_DETOUR, None, shows_with_detour, 1, usize::MAX);
    assert_eq!(result.script, "(declare-const n Int)\n(assert (= n 0))\n");
    let sizes: Vec<usize> = improvements.iter().map(String::len).collect();
    assert!(sizes.is_sorted_by(|one, next| one >= next), "larger scripts are not reported: {sizes:?}");
}

/// Keeps the best script, and stops after a number of tests.
struct StopAfterTests {
    best: Option<String>,
    tests: Arc<AtomicU64>,
    stop_after: u64,
}

impl Watcher for StopAfterTests {
    fn should_stop(&self) -> bool {
        self.tests.load(Ordering::Relaxed) >= self.stop_after
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        self.best = Some(script.to_owned());
        Ok(())
    }
}

#[test]
fn stopping_on_a_detour_returns_its_start() {
    for stop_after in 1.. {
        let tester = ByFunction { shows: shows_with_detour, tests: Arc::default() };
        let mut watcher = StopAfterTests { best: None, tests: tester.tests.clone(), stop_after };
        let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(tester)];
        let outcome = reduce::reduce(NEEDS_DETOUR, None, &mut testers, &mut watcher);
        assert_eq!(outcome.script, watcher.best.unwrap_or_else(|| NEEDS_DETOUR.to_owned()), "{stop_after}");
        assert!(shows_with_detour(&outcome.script) && outcome.cost.1 <= outcome.cost.0, "{stop_after}");
        if !outcome.stopped {
            assert!(stop_after > 10, "the search needs more than {stop_after} tests");
            return;
        }
    }
}

#[test]
fn reals_are_written_as_in_the_original() {
    let shows: fn(&str) -> bool = |script| uses(script, "/") && script.contains("17");
    for number in ["17", "17.0"] {
        let script = format!("(declare-const x Real)(assert (< (/ {number} x) x))(check-sat)");
        let (result, _) = reduced(&script, None, shows, 1, usize::MAX);
        assert_eq!(result.script.contains("17.0"), number == "17.0", "{}", result.script);
    }
}

#[test]
fn scripts_that_do_not_parse_are_reduced_as_text() {
    let script =
        "(strange-command :a (b c))\n(assert (unknown-operator 1 2 (deep (er 3))))\n(check-sat)\n(exit)\n";
    let (outcome, _) = reduced(script, None, |script| script.contains("er 3"), 1, usize::MAX);
    assert_eq!(outcome.script.trim(), "(er 3)");
}

#[test]
fn what_follows_the_term_of_a_command_is_removed() {
    let grammar = "((B Bool) (I Int)) ((B Bool ((= I I))) (I Int (x 1)))";
    let script = format!("(declare-const x Int)(assert (> x 0))(get-abduct f (> x 1) {grammar})");
    let abduct = |script: &str| script.contains("(get-abduct f");
    let (outcome, _) = reduced(&script, None, abduct, 1, usize::MAX);
    assert_eq!(outcome.script, "(get-abduct f true)\n");
}
