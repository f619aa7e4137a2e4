//! The search: stopping, known models, and confirmation in fresh processes.

mod support;

use reduce::{Abort, Need, Reproduced, Tester, Watcher};
use smt::{Arena, Signatures};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{Improvements, LARGE, reduced, uses};

#[test]
fn stopping_at_any_moment_keeps_the_best_script() {
    let shows: fn(&str) -> bool = |script| uses(script, "str.replace_all");
    let (whole, all) = reduced(LARGE, None, shows, 1, usize::MAX);
    assert_eq!(all.last(), Some(&whole.script));
    for stop_after in 1..all.len() {
        let (outcome, improvements) = reduced(LARGE, None, shows, 2, stop_after);
        assert!(outcome.stopped);
        assert_eq!(improvements.last(), Some(&outcome.script));
        assert!(shows(&outcome.script));
        assert!(outcome.cost.1 <= outcome.cost.0);
    }
    let sizes: Vec<reduce::Cost> = all.iter().map(|script| reduce::Cost::of(script)).collect();
    assert!(sizes.windows(2).all(|pair| pair[1] < pair[0]), "every improvement is smaller");
}

#[test]
fn a_known_model_satisfies_the_result() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-const s String)\n\
        (assert (> (+ x y) 4))(assert (= (str.len s) (- x 1)))(assert (distinct x y (* x y)))(check-sat)";
    let model = "((define-fun x () Int 3)(define-fun y () Int 5)(define-fun s () String \"ab\"))";
    let shows: fn(&str) -> bool = |script| uses(script, "str.len");
    let (outcome, _) = reduced(script, Some(model), shows, 1, usize::MAX);
    let model = outcome.model.expect("the model is kept");
    let mut arena = Arena::new(Signatures::standard());
    let mut scope = smt::Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, &outcome.script).expect("the result parses");
    let model = semantics::Model::read(&mut arena, &scope, &model, semantics::model::StringDialect::Standard)
        .expect("the model parses");
    assert!(matches!(semantics::validate(&arena, &parsed, &model), semantics::Verdict::Valid));
    assert!(outcome.script.len() < 45, "{}", outcome.script);
    assert!(outcome.counts.refuted > 0);
}

/// Counts requests for models.
struct CountsModelRequests(Arc<AtomicU64>);

impl Tester for CountsModelRequests {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        if need == Need::NewModel {
            self.0.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        Ok(uses(script, "str.replace_all").then(Reproduced::default))
    }
}

#[test]
fn no_model_is_requested_for_trivially_false_scripts() {
    let script =
        "(assert (= \"abcabcabcabc\" (str.replace_all \"abcabc\" \"abc\" \"abcabc\")))(check-sat)".to_owned();
    let requests: Arc<AtomicU64> = Arc::default();
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(CountsModelRequests(requests.clone()))];
    let mut improvements = Improvements { best: Vec::new(), stop_after: usize::MAX };
    let outcome = reduce::reduce(&script, Some("()".to_owned()), &mut testers, &mut improvements);
    assert!(outcome.counts.refuted > 0);
    assert_eq!(requests.load(Ordering::Relaxed), 0, "{}", outcome.script);
}

/// Confirms only scripts that use both operators.
struct StrictConfirmation;

impl Watcher for StrictConfirmation {
    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        Ok(uses(script, "str.replace_all") && uses(script, "bvult"))
    }
}

/// Warm, accepts scripts that it rejects cold. Holds whether it is cold.
struct LaxWhenWarm(bool);

impl Tester for LaxWhenWarm {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Reproduced>, Abort> {
        let shows = uses(script, "str.replace_all") && (!self.0 || uses(script, "bvult"));
        Ok(shows.then(Reproduced::default))
    }

    fn go_cold(&mut self) {
        self.0 = true;
    }
}

#[test]
fn unconfirmed_scripts_are_taken_back() {
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(LaxWhenWarm(false)), Box::new(LaxWhenWarm(false))];
    let outcome = reduce::reduce(LARGE, None, &mut testers, &mut StrictConfirmation);
    assert!(uses(&outcome.script, "str.replace_all") && uses(&outcome.script, "bvult"), "{}", outcome.script);
    assert!(outcome.script.len() < 200, "{}", outcome.script);
}

/// Warm, rejects everything. Holds whether it is cold.
struct RejectsWhenWarm(bool);

impl Tester for RejectsWhenWarm {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Reproduced>, Abort> {
        Ok((self.0 && uses(script, "str.replace_all")).then(Reproduced::default))
    }

    fn go_cold(&mut self) {
        self.0 = true;
    }
}

#[test]
fn a_bug_that_only_fresh_processes_show_is_reduced_cold() {
    let mut testers: Vec<Box<dyn Tester>> =
        vec![Box::new(RejectsWhenWarm(false)), Box::new(RejectsWhenWarm(false))];
    let mut improvements = Improvements { best: Vec::new(), stop_after: usize::MAX };
    let outcome = reduce::reduce(LARGE, None, &mut testers, &mut improvements);
    assert!(uses(&outcome.script, "str.replace_all") && outcome.script.len() < 60, "{}", outcome.script);
}
