use crate::check_in;

const LISTS: &str = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
    (declare-datatype Color ((red) (green) (blue)))
    (declare-datatype Pair ((pair (first Int) (second Color))))";

#[test]
fn datatypes() {
    check_in(
        LISTS,
        "()",
        &[
            ("(head (cons 1 (as nil (List Int))))", "1"),
            (
                "(head (as nil (List Int)))",
                "? left open by the standard: a selector applied to another constructor",
            ),
            ("((_ is cons) (cons 1 (as nil (List Int))))", "true"),
            ("(= (cons 1 (as nil (List Int))) (cons 1 (as nil (List Int))))", "true"),
            ("(tail (cons 1 (as nil (List Int))))", "(as nil (List Int))"),
            ("(cons 1 (as nil (List Int)))", "((as cons (List Int)) 1 (as nil (List Int)))"),
            ("(match (cons 7 (as nil (List Int))) ((nil 0) ((cons h t) h)))", "7"),
            ("(match red ((green 1) (c 2)))", "2"),
            ("((_ update first) (pair 1 red) 5)", "(pair 5 red)"),
            ("(distinct red green blue)", "true"),
            ("(distinct red green blue red)", "false"),
        ],
    );
    check_in(LISTS, "((refine-fun first ((p Pair)) Int 9))", &[("(first (pair 1 red))", "1")]);
}

#[test]
fn tuples_and_nullables() {
    check_in(
        "",
        "()",
        &[
            ("((_ tuple.select 1) (tuple 1 true))", "true"),
            ("((_ tuple.update 0) (tuple 1 true) 2)", "(tuple 2 true)"),
            ("((_ tuple.project 1 0 1) (tuple 1 true))", "(tuple true 1 true)"),
            ("(nullable.val (nullable.some 3))", "3"),
            ("(nullable.is_null (as nullable.null (Nullable Int)))", "true"),
        ],
    );
}
