//! Weaker and stronger formulas of small seeds.

use crate::common::{context, first_cases};
use std::collections::BTreeSet;
use strategies::by_name;

/// What the first steps make of an assertion, by their direction.
fn made(declarations: &str, assertion: &str, action: &str) -> BTreeSet<String> {
    let strategy = by_name("approximate:steps=1:chain=1", &context()).unwrap();
    let text = format!("{declarations}(assert {assertion})(check-sat)");
    let cases = first_cases(strategy.as_ref(), &text, 600);
    let steps = cases.iter().flat_map(|case| &case.lineage).filter(|step| step.action == action);
    steps.map(|step| format!("{} → {}", step.before, step.after)).collect()
}

/// Declarations, assertion and action, what becomes of it, and what does not.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], &'a [&'a str]);

#[test]
fn parts_become_weaker_or_stronger() {
    let ints = "(declare-const x Int)(declare-const y Int)";
    let bits = "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))";
    let strings = "(declare-const s String)(declare-const t String)";
    let floats = "(declare-const f Float32)(declare-const g Float32)";
    let sets = "(declare-const m (Set Int))(declare-const n (Set Int))";
    let table: [Row; 20] = [
        (ints, "(< x y)", "weaken", &["(< x y) → (<= x y)", "x → (- x 1)", "y → (+ y 1)"], &["y → (- y 1)"]),
        (
            ints,
            "(<= x y)",
            "strengthen",
            &["(<= x y) → (= x y)", "x → (+ x 1)", "y → (- y 1)"],
            &["x → (- x 1)"],
        ),
        (ints, "(not (< x y))", "weaken", &["y → (- y 1)"], &["(< x y) → (<= x y)", "y → (+ y 1)"]),
        (ints, "(not (< x y))", "strengthen", &["(< x y) → (<= x y)"], &["y → (- y 1)"]),
        (ints, "(= x y)", "weaken", &["(= x y) → (<= x y)", "(= x y) → (>= x y)"], &["x → (+ x 1)"]),
        (ints, "(and (< x 1) (> y 2))", "weaken", &["(and (< x 1) (> y 2)) → (< x 1)"], &[]),
        (ints, "(or (< x 1) (> y 2))", "strengthen", &["(or (< x 1) (> y 2)) → (> y 2)"], &[]),
        (
            ints,
            "(=> (< x 1) (> y 2))",
            "weaken",
            &["(> y 2) → (>= y 2)", "1 → (- 1 1)"],
            &["(< x 1) → (<= x 1)"],
        ),
        (ints, "(ite (< x 1) (< y 2) (= x y))", "weaken", &["(< y 2) → (<= y 2)"], &["(< x 1) → (<= x 1)"]),
        (
            ints,
            "(forall ((z Int)) (< z x))",
            "weaken",
            &[
                "(forall ((z Int)) (< z x)) → (< x x)",
                "(forall ((z Int)) (< z x)) → (exists ((z Int)) (< z x))",
            ],
            &[],
        ),
        (ints, "(exists ((z Int)) (< z x))", "strengthen", &["(exists ((z Int)) (< z x)) → (< x x)"], &[]),
        (
            bits,
            "(bvult a b)",
            "weaken",
            &["(bvult a b) → (bvule a b)", "b → (bvor b a)", "a → (bvand a b)"],
            &["a → (bvor a b)"],
        ),
        (bits, "(bvsge a b)", "strengthen", &["(bvsge a b) → (bvsgt a b)"], &[]),
        (
            strings,
            "(str.prefixof s t)",
            "weaken",
            &["(str.prefixof s t) → (str.contains t s)", "t → (str.++ t s)"],
            &["s → (str.++ s t)"],
        ),
        (strings, "(str.contains s t)", "strengthen", &["(str.contains s t) → (str.prefixof t s)"], &[]),
        (strings, "(str.< s t)", "weaken", &["(str.< s t) → (str.<= s t)"], &[]),
        (
            strings,
            "(str.in_re s (re.+ (str.to_re \"a\")))",
            "weaken",
            &[
                "(re.+ (str.to_re \"a\")) → (re.* (str.to_re \"a\"))",
                "(str.to_re \"a\") → (re.opt (str.to_re \"a\"))",
            ],
            &["(re.+ (str.to_re \"a\")) → (str.to_re \"a\")"],
        ),
        (
            strings,
            "(str.in_re s (re.comp (str.to_re \"a\")))",
            "strengthen",
            &["(str.to_re \"a\") → (re.opt (str.to_re \"a\"))"],
            &[],
        ),
        (
            floats,
            "(fp.lt f g)",
            "weaken",
            &["(fp.lt f g) → (fp.leq f g)", "(fp.lt f g) → (not (fp.isNaN f))"],
            &[],
        ),
        (
            sets,
            "(set.subset m n)",
            "weaken",
            &["n → (set.union n m)", "m → (set.inter m n)"],
            &["m → (set.union m n)"],
        ),
    ];
    let mut wrong = Vec::new();
    for (declarations, assertion, action, expected, never) in table {
        let found = made(declarations, assertion, action);
        for step in expected.iter().filter(|step| !found.contains(**step)) {
            wrong.push(format!("{assertion}: {action} does not make {step}: {found:#?}"));
        }
        for step in never.iter().filter(|step| found.contains(**step)) {
            wrong.push(format!("{assertion}: {action} makes {step}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn assertions_are_removed_and_added() {
    let text = "(declare-const x Int)(assert (< x 1))(assert (> x 2))(check-sat)";
    let strategy = by_name("approximate:steps=1:chain=1", &context()).unwrap();
    let cases = first_cases(strategy.as_ref(), text, 400);
    let assertions = |text: &str| text.matches("(assert").count();
    let actions: BTreeSet<(&str, usize)> =
        cases.iter().map(|case| (&*case.lineage[0].action, assertions(&case.text))).collect();
    assert_eq!(actions, [("assert", 3), ("remove", 1), ("strengthen", 2), ("weaken", 2)].into());
}
