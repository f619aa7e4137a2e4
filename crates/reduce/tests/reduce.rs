//! Reductions with testers that only look at the script, so that what is smallest is known.

use reduce::{Abort, Need, Outcome, Shown, Tester, Watcher};
use smt::{Arena, Signatures, View, parse_script};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Shows the bug when a function of the script says so.
#[derive(Clone)]
struct Looks {
    shows: fn(&str) -> bool,
    tests: Arc<AtomicU64>,
}

impl Tester for Looks {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Shown>, Abort> {
        self.tests.fetch_add(1, Ordering::Relaxed);
        Ok((need != Need::NewModel && (self.shows)(script)).then(Shown::default))
    }
}

/// Keeps the best script, and stops after so many improvements.
struct Kept {
    best: Vec<String>,
    stop_after: usize,
}

impl Watcher for Kept {
    fn stopped(&self) -> bool {
        self.best.len() >= self.stop_after
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        self.best.push(script.to_owned());
        Ok(())
    }
}

fn reduced(
    script: &str,
    model: Option<&str>,
    shows: fn(&str) -> bool,
    workers: usize,
    stop_after: usize,
) -> (Outcome, Vec<String>) {
    let looks = Looks { shows, tests: Arc::default() };
    let mut testers: Vec<Box<dyn Tester>> =
        (0..workers).map(|_| Box::new(looks.clone()) as Box<dyn Tester>).collect();
    let mut kept = Kept { best: Vec::new(), stop_after };
    let outcome = reduce::reduce(script, model.map(str::to_owned), &mut testers, &mut kept);
    (outcome, kept.best)
}

/// Whether the script can be read and holds an application of the operator to at least one argument.
fn uses(script: &str, operator: &str) -> bool {
    let mut arena = Arena::new(Signatures::standard());
    let Ok(parsed) = parse_script(&mut arena, script) else { return false };
    let roots: Vec<_> = parsed.commands.iter().flat_map(smt::Command::terms).collect();
    smt::rewrite::post_order(&arena, &roots)
        .iter()
        .any(|&node| matches!(arena.view(node), View::App(op, args) if !args.is_empty() && arena.op_name(op) == operator))
}

const LARGE: &str = r#"
(set-logic ALL)
(set-info :status sat)
(declare-sort Unrelated 0)
(declare-datatypes ((Color 0)) (((red) (green) (blue (shade Int)))))
(declare-fun first_string () String)
(declare-fun second_string () String)
(declare-fun count (Int Int) Int)
(declare-const number Int)
(declare-const color Color)
(declare-const wide (_ BitVec 64))
(declare-const flag Bool)
(define-fun twice ((n Int)) Int (* 2 n))
(define-fun joined () String (str.++ first_string "some text" second_string))
(assert (> (count number (twice 7)) 1234))
(push 1)
(assert (let ((sum (bvadd wide #x00000000000000FF)) (other (= color (blue 3)))) (and other (bvult sum wide) flag)))
(pop 1)
(assert (! (or flag (forall ((x Int) (y Int)) (=> (> x y) (exists ((z Int)) (= x (+ y z)))))) :named axiom))
(assert (and flag (= (str.replace_all joined "text" (str.substr first_string 0 (twice number))) "abc") (not (= number 17))))
(assert (= ((_ extract 15 8) wide) #xA5))
(check-sat)
(get-model)
(exit)
"#;

#[test]
fn large_scripts_become_the_smallest_that_show_it() {
    type Row = (fn(&str) -> bool, &'static str);
    let table: [Row; 6] = [
        (|script| uses(script, "str.replace_all"), "(assert (= (str.replace_all \"\" \"\" \"\") \"\"))\n"),
        (|script| uses(script, "bvult"), "(assert (bvult #b0 #b0))\n"),
        (|script| uses(script, "count") && script.contains("check-sat"), "(declare-fun count (Int) Int)\n"),
        (|script| script.contains("green") && uses(script, "="), "green"),
        (|script| script.contains("(push"), "(push)\n"),
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
fn what_shows_it_in_any_case_becomes_nothing() {
    let (outcome, _) = reduced(LARGE, None, |_| true, 2, usize::MAX);
    assert_eq!(outcome.script, "");
}

#[test]
fn what_comes_out_cannot_be_made_smaller() {
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

/// Becomes smaller only by way of something larger: the right side cannot go before the left one does.
const ROUNDABOUT: &str = "(declare-const n Int)(assert (= (* n n) (+ n 7)))(check-sat)";

fn shows_roundabout(script: &str) -> bool {
    let sides = script.split_once("(assert (= ").and_then(|(_, rest)| rest.split_once("))"));
    sides.is_some_and(|(sides, _)| match sides.split_once(' ') {
        Some(("(*", _)) => sides.starts_with("(* n n) (+ n 7"),
        Some((left, right)) => left.bytes().all(|byte| byte.is_ascii_alphabetic()) && left != right,
        None => false,
    })
}

#[test]
fn a_new_constant_may_make_it_larger_on_the_way_to_something_smaller() {
    let (result, improvements) = reduced(ROUNDABOUT, None, shows_roundabout, 1, usize::MAX);
    assert_eq!(result.script, "(declare-const n Int)\n(assert (= n 0))\n");
    let sizes: Vec<usize> = improvements.iter().map(String::len).collect();
    assert!(sizes.is_sorted_by(|one, next| one >= next), "what is larger is told to nobody: {sizes:?}");
}

/// Keeps the best script, and stops after so many tests.
struct Impatient {
    best: Option<String>,
    tests: Arc<AtomicU64>,
    stop_after: u64,
}

impl Watcher for Impatient {
    fn stopped(&self) -> bool {
        self.tests.load(Ordering::Relaxed) >= self.stop_after
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        self.best = Some(script.to_owned());
        Ok(())
    }
}

#[test]
fn stopped_on_a_way_round_the_search_stands_where_it_began() {
    for stop_after in 1.. {
        let looks = Looks { shows: shows_roundabout, tests: Arc::default() };
        let mut watcher = Impatient { best: None, tests: looks.tests.clone(), stop_after };
        let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(looks)];
        let outcome = reduce::reduce(ROUNDABOUT, None, &mut testers, &mut watcher);
        assert_eq!(outcome.script, watcher.best.unwrap_or_else(|| ROUNDABOUT.to_owned()), "{stop_after}");
        assert!(shows_roundabout(&outcome.script) && outcome.cost.1 <= outcome.cost.0, "{stop_after}");
        if !outcome.stopped {
            assert!(stop_after > 10, "it takes more tests than {stop_after}");
            return;
        }
    }
}

#[test]
fn real_numbers_are_written_as_the_author_writes_them() {
    let shows: fn(&str) -> bool = |script| uses(script, "/") && script.contains("17");
    for number in ["17", "17.0"] {
        let script = format!("(declare-const x Real)(assert (< (/ {number} x) x))(check-sat)");
        let (result, _) = reduced(&script, None, shows, 1, usize::MAX);
        assert_eq!(result.script.contains("17.0"), number == "17.0", "{}", result.script);
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let shows: fn(&str) -> bool = |script| uses(script, "str.replace_all") && uses(script, ">");
    let (one, _) = reduced(LARGE, None, shows, 1, usize::MAX);
    for workers in [2, 5] {
        let (many, _) = reduced(LARGE, None, shows, workers, usize::MAX);
        assert_eq!(many.script, one.script);
    }
}

#[test]
fn stopped_at_any_moment_the_best_so_far_is_kept() {
    let shows: fn(&str) -> bool = |script| uses(script, "str.replace_all");
    let (whole, all) = reduced(LARGE, None, shows, 1, usize::MAX);
    assert_eq!(all.last(), Some(&whole.script));
    for stop_after in 1..all.len() {
        let (outcome, kept) = reduced(LARGE, None, shows, 2, stop_after);
        assert!(outcome.stopped);
        assert_eq!(kept.last(), Some(&outcome.script));
        assert!(shows(&outcome.script));
        assert!(outcome.cost.1 <= outcome.cost.0);
    }
    let sizes: Vec<reduce::Cost> = all.iter().map(|script| reduce::Cost::of(script)).collect();
    assert!(sizes.windows(2).all(|pair| pair[1] < pair[0]), "every step makes it smaller");
}

#[test]
fn with_a_model_in_hand_every_step_keeps_it() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-const s String)\n\
        (assert (> (+ x y) 4))(assert (= (str.len s) (- x 1)))(assert (distinct x y (* x y)))(check-sat)";
    let model = "((define-fun x () Int 3)(define-fun y () Int 5)(define-fun s () String \"ab\"))";
    let shows: fn(&str) -> bool = |script| uses(script, "str.len");
    let (outcome, _) = reduced(script, Some(model), shows, 1, usize::MAX);
    let model = outcome.model.expect("a model is kept");
    let mut arena = Arena::new(Signatures::standard());
    let mut scope = smt::Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, &outcome.script).expect("it can be read");
    let model = semantics::Model::read(&mut arena, &scope, &model, semantics::model::StringDialect::Standard)
        .expect("the model can be read");
    assert!(matches!(semantics::validate(&arena, &parsed, &model), semantics::Verdict::Valid));
    assert!(outcome.script.len() < 45, "{}", outcome.script);
    assert!(outcome.counts.refuted > 0);
}

#[test]
fn scripts_that_cannot_be_read_are_changed_as_text() {
    let script =
        "(strange-command :a (b c))\n(assert (unknown-operator 1 2 (deep (er 3))))\n(check-sat)\n(exit)\n";
    let (outcome, _) = reduced(script, None, |script| script.contains("er 3"), 1, usize::MAX);
    assert_eq!(outcome.script.trim(), "(er 3)");
}

/// Says yes at first and no when asked plainly.
struct Doubtful;

impl Watcher for Doubtful {
    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        Ok(uses(script, "str.replace_all") && uses(script, "bvult"))
    }
}

/// Warm it is content with less than cold.
struct Fickle(bool);

impl Tester for Fickle {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Shown>, Abort> {
        let shows = uses(script, "str.replace_all") && (!self.0 || uses(script, "bvult"));
        Ok(shows.then(Shown::default))
    }

    fn go_cold(&mut self) {
        self.0 = true;
    }
}

#[test]
fn what_fresh_processes_do_not_confirm_is_taken_back() {
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(Fickle(false)), Box::new(Fickle(false))];
    let outcome = reduce::reduce(LARGE, None, &mut testers, &mut Doubtful);
    assert!(uses(&outcome.script, "str.replace_all") && uses(&outcome.script, "bvult"), "{}", outcome.script);
    assert!(outcome.script.len() < 200, "{}", outcome.script);
}

/// Warm it sees nothing.
struct Blind(bool);

impl Tester for Blind {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Shown>, Abort> {
        Ok((self.0 && uses(script, "str.replace_all")).then(Shown::default))
    }

    fn go_cold(&mut self) {
        self.0 = true;
    }
}

#[test]
fn what_only_fresh_processes_show_is_reduced_in_fresh_processes() {
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(Blind(false)), Box::new(Blind(false))];
    let mut kept = Kept { best: Vec::new(), stop_after: usize::MAX };
    let outcome = reduce::reduce(LARGE, None, &mut testers, &mut kept);
    assert!(uses(&outcome.script, "str.replace_all") && outcome.script.len() < 60, "{}", outcome.script);
}

/// Its first test is dear, the others cost what they are said to.
struct Paid {
    looks: Looks,
    later: Duration,
}

impl Tester for Paid {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Shown>, Abort> {
        self.looks.test(script, need)
    }

    fn took(&self) -> Duration {
        if self.looks.tests.load(Ordering::Relaxed) == 1 { Duration::from_secs(1) } else { self.later }
    }
}

#[test]
fn a_second_worker_joins_only_where_tests_cost_more_than_its_start() {
    for (later, joins) in [(Duration::from_micros(1), false), (Duration::from_secs(1), true)] {
        let looks = || Looks { shows: |script| uses(script, "str.replace_all"), tests: Arc::default() };
        let both = [looks(), looks()];
        let mut testers: Vec<Box<dyn Tester>> = both
            .iter()
            .map(|looks| Box::new(Paid { looks: looks.clone(), later }) as Box<dyn Tester>)
            .collect();
        let mut kept = Kept { best: Vec::new(), stop_after: usize::MAX };
        let outcome = reduce::reduce(LARGE, None, &mut testers, &mut kept);
        assert!(outcome.script.len() < 60, "{}", outcome.script);
        assert!(both[0].tests.load(Ordering::Relaxed) > 0);
        assert_eq!(both[1].tests.load(Ordering::Relaxed) > 0, joins, "{later:?}");
    }
}

/// Counts how often it is asked for a model.
struct Asked(Arc<AtomicU64>);

impl Tester for Asked {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Shown>, Abort> {
        if need == Need::NewModel {
            self.0.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        Ok(uses(script, "str.replace_all").then(Shown::default))
    }
}

#[test]
fn nobody_is_asked_for_a_model_of_what_is_false_by_itself() {
    let script =
        "(assert (= \"abcabcabcabc\" (str.replace_all \"abcabc\" \"abc\" \"abcabc\")))(check-sat)".to_owned();
    let asked: Arc<AtomicU64> = Arc::default();
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(Asked(asked.clone()))];
    let mut kept = Kept { best: Vec::new(), stop_after: usize::MAX };
    let outcome = reduce::reduce(&script, Some("()".to_owned()), &mut testers, &mut kept);
    assert!(outcome.counts.refuted > 0);
    assert_eq!(asked.load(Ordering::Relaxed), 0, "{}", outcome.script);
}
