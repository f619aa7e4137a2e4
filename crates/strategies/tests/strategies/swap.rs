//! Swaps on small seeds.

use crate::common::{context, first_cases};
use strategies::by_name;

#[test]
fn swaps_introduce_nothing_new() {
    let text = "(declare-const x Int)(declare-const y Int)(assert (< x 1))(assert (< 2 y))";
    let strategy = by_name("swap", &context()).unwrap();
    for case in first_cases(strategy.as_ref(), text, 100) {
        let mut words: Vec<&str> = case.text.split(['(', ')', ' ', '\n']).collect();
        words.sort_unstable();
        if case.lineage.iter().all(|step| step.action == "exchange") {
            assert_eq!(words.iter().filter(|word| **word == "x").count(), 2, "{}", case.text);
        }
        let known = |word: &&str| {
            ["", "declare-const", "x", "y", "Int", "assert", "<", "1", "2", "check-sat"].contains(word)
        };
        assert!(words.iter().all(known), "{}", case.text);
    }
}
