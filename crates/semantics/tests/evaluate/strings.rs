use crate::check;

#[test]
fn strings() {
    check(&[
        (r#"(str.++ "a" "b" "c")"#, r#""abc""#),
        (r#"(str.len "\u{1F600}a")"#, "2"),
        (r#"(str.at "abc" 3)"#, r#""""#),
        (r#"(str.substr "hello" 1 100)"#, r#""ello""#),
        (r#"(str.substr "hello" (- 1) 2)"#, r#""""#),
        (r#"(str.indexof "abc" "" 3)"#, "3"),
        (r#"(str.indexof "abc" "" 4)"#, "(- 1)"),
        (r#"(str.indexof "abcabc" "c" 3)"#, "5"),
        (r#"(str.replace "abc" "" "x")"#, r#""xabc""#),
        (r#"(str.replace_all "aaa" "aa" "b")"#, r#""ba""#),
        (r#"(str.replace_all "abc" "" "x")"#, r#""abc""#),
        (r#"(str.prefixof "" "")"#, "true"),
        (r#"(str.< "a" "b" "c")"#, "true"),
        (r#"(str.<= "b" "a")"#, "false"),
        (r#"(str.to_int "007")"#, "7"),
        (r#"(str.to_int "")"#, "(- 1)"),
        (r#"(str.to_int "-1")"#, "(- 1)"),
        (r#"(str.from_int (- 1))"#, r#""""#),
        (r#"(str.to_code "ab")"#, "(- 1)"),
        (r#"(str.from_code 65)"#, r#""A""#),
        (r#"(str.is_digit "5")"#, "true"),
        (r#"(str.rev "abc")"#, r#""cba""#),
        (r#"(str.update "abcd" 2 "xyz")"#, r#""abxy""#),
        (r#"(str.to_upper "az!")"#, r#""AZ!""#),
        (r#"(_ char #x41)"#, r#""A""#),
        (r#"(str.len "\x41")"#, "4"),
    ]);
}

#[test]
fn regular_languages() {
    check(&[
        (r#"(str.in_re "aab" (re.++ (re.* (str.to_re "a")) (str.to_re "b")))"#, "true"),
        (r#"(str.in_re "" (re.comp re.all))"#, "false"),
        (r#"(str.in_re "c" (re.range "a" "d"))"#, "true"),
        (r#"(str.in_re "c" (re.range "d" "a"))"#, "false"),
        (r#"(str.in_re "c" (re.range "aa" "d"))"#, "false"),
        (r#"(str.in_re "aa" ((_ re.^ 2) (str.to_re "a")))"#, "true"),
        (r#"(str.in_re "aaaa" ((_ re.loop 1 3) (str.to_re "a")))"#, "false"),
        (r#"(str.in_re "" ((_ re.loop 3 1) (str.to_re "a")))"#, "false"),
        (r#"(str.in_re "ab" (re.diff re.all (str.to_re "ab")))"#, "false"),
        (r#"(str.in_re "ba" (re.reverse (str.to_re "ab")))"#, "true"),
        (r#"(str.replace_re "xaay" (re.+ (str.to_re "a")) "b")"#, r#""xbay""#),
        (r#"(str.replace_re_all "xaay" (str.to_re "a") "b")"#, r#""xbby""#),
        (r#"(str.indexof_re "xaay" (str.to_re "a") 2)"#, "2"),
        (r#"(= (re.* (re.* (str.to_re "a"))) (re.* (str.to_re "a")))"#, "true"),
        (r#"(= (re.+ (str.to_re "a")) (re.* (str.to_re "a")))"#, "false"),
    ]);
}

#[test]
fn sequences_and_characters() {
    check(&[
        ("(seq.len (seq.++ (seq.unit 1) (seq.unit 2)))", "2"),
        ("(seq.nth (seq.++ (seq.unit 1) (seq.unit 2)) 1)", "2"),
        ("(seq.nth (seq.unit 1) 1)", "? left open by the standard: seq.nth out of range"),
        ("(seq.at (seq.unit 1) 5)", "(as seq.empty (Seq Int))"),
        (
            "(seq.extract (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3)) 1 2)",
            "(seq.++ (seq.unit 2) (seq.unit 3))",
        ),
        ("(seq.contains (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 2))", "true"),
        ("(seq.indexof (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 2) 0)", "1"),
        ("(seq.replace (seq.unit 1) (seq.unit 1) (as seq.empty (Seq Int)))", "(as seq.empty (Seq Int))"),
        ("(seq.rev (seq.++ (seq.unit 1) (seq.unit 2)))", "(seq.++ (seq.unit 2) (seq.unit 1))"),
        (
            "(seq.map (lambda ((x Int)) (+ x 1)) (seq.++ (seq.unit 1) (seq.unit 2)))",
            "(seq.++ (seq.unit 2) (seq.unit 3))",
        ),
        ("(seq.foldl (lambda ((s Int) (x Int)) (+ s x)) 10 (seq.++ (seq.unit 1) (seq.unit 2)))", "13"),
        (r#"(seq.len "abc")"#, "3"),
        (r#"(char.to_int (seq.nth "abc" 1))"#, "98"),
        (r#"(str.len (seq.++ "a" "b"))"#, "2"),
    ]);
}
