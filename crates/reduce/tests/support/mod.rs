//! Testers that only inspect the script, so that the minimum is known.

#![allow(dead_code, reason = "every test file uses a part of it")]

use reduce::{Abort, Need, Outcome, Reproduced, Tester, Watcher};
use smt::{Arena, Signatures, View, parse_script};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A script shows the bug if a function says so.
#[derive(Clone)]
pub struct ByFunction {
    pub shows: fn(&str) -> bool,
    pub tests: Arc<AtomicU64>,
}

impl Tester for ByFunction {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        self.tests.fetch_add(1, Ordering::Relaxed);
        Ok((need != Need::NewModel && (self.shows)(script)).then(Reproduced::default))
    }
}

/// Keeps every improvement, and stops after a number of them.
pub struct Improvements {
    pub best: Vec<String>,
    pub stop_after: usize,
}

impl Watcher for Improvements {
    fn should_stop(&self) -> bool {
        self.best.len() >= self.stop_after
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        self.best.push(script.to_owned());
        Ok(())
    }
}

pub fn reduced(
    script: &str,
    model: Option<&str>,
    shows: fn(&str) -> bool,
    workers: usize,
    stop_after: usize,
) -> (Outcome, Vec<String>) {
    let tester = ByFunction { shows, tests: Arc::default() };
    let mut testers: Vec<Box<dyn Tester>> =
        (0..workers).map(|_| Box::new(tester.clone()) as Box<dyn Tester>).collect();
    let mut improvements = Improvements { best: Vec::new(), stop_after };
    let outcome = reduce::reduce(script, model.map(str::to_owned), &mut testers, &mut improvements);
    (outcome, improvements.best)
}

/// Whether the script parses and applies the operator to at least one argument.
pub fn uses(script: &str, operator: &str) -> bool {
    let mut arena = Arena::new(Signatures::standard());
    let Ok(parsed) = parse_script(&mut arena, script) else { return false };
    let roots: Vec<_> = parsed.commands.iter().flat_map(smt::Command::terms).collect();
    smt::rewrite::post_order(&arena, &roots)
        .iter()
        .any(|&node| matches!(arena.view(node), View::App(op, args) if !args.is_empty() && arena.op_name(op) == operator))
}

pub const LARGE: &str = r#"
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
