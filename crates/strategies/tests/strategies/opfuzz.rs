//! OpFuzz on small seeds.

use crate::common::{context, first_cases, results};
use strategies::by_name;

#[test]
fn operators_are_replaced_by_others_of_their_type() {
    // The assertion, what it must be able to become, and what it must never become.
    let table: [(&str, &[&str], &[&str]); 7] = [
        ("(assert (< a b))", &["(= a b)", "(> a b)", "(distinct a b)", "(<= a b)", "(>= a b)"], &["(+ a b)"]),
        (
            "(assert (= s t))",
            &["(str.prefixof s t)", "(str.< s t)", "(distinct s t)"],
            &["(< s t)", "(and s t)"],
        ),
        ("(assert (= (- a) b))", &["(abs a)"], &["(+ a)", "(div a)"]),
        ("(assert (= (- a b) b))", &["(+ a b)", "(mod a b)", "(div a b)", "(* a b)"], &["(abs a b)"]),
        ("(assert (forall ((z Int)) (< z a)))", &["(exists ((z Int)) (< z a))"], &[]),
        (
            "(assert (= ((_ extract 3 0) v) #x0))",
            &["((_ extract 7 4) v)", "((_ extract 5 2) v)"],
            &["(bvnot v)"],
        ),
        (
            "(assert (or p (not p)))",
            &["(and p (not p))", "(=> p (not p))", "(xor p (not p))"],
            &["(not p (not p))"],
        ),
    ];
    let declarations = "(declare-const a Int)(declare-const b Int)(declare-const s String)(declare-const t String)\
                        (declare-const v (_ BitVec 8))(declare-const p Bool)";
    let strategy = by_name("opfuzz", &context()).unwrap();
    for (assertion, can, never) in table {
        let cases = first_cases(strategy.as_ref(), &format!("{declarations}{assertion}"), 600);
        let made = results(&cases);
        for wanted in can {
            assert!(made.contains(*wanted), "{assertion} does not become {wanted}: {made:?}");
        }
        for unwanted in never {
            assert!(!made.contains(*unwanted), "{assertion} becomes {unwanted}");
        }
    }
}
