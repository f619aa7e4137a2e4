//! Tables of well-typed and ill-typed scripts.

use elenchus_smt::{Arena, ErrorKind, parse_script};

const DECLARATIONS: &str = "
(declare-sort U 0)
(declare-datatypes ((List 1) (Pair 2)) (
  (par (A) ((nil) (cons (head A) (tail (List A)))))
  (par (A B) ((pair (first A) (second B))))))
(declare-const i Int) (declare-const r Real) (declare-const b Bool) (declare-const s String) (declare-const u U)
(declare-const v (_ BitVec 8)) (declare-const w (_ BitVec 16)) (declare-const x (_ FloatingPoint 8 24))
(declare-const m RoundingMode) (declare-const a (Array Int Real)) (declare-const q (Seq Int))
(declare-const l (List Int)) (declare-fun f (Int U) Real) (declare-fun g (Real) Bool)
";

/// The sort of a term, or the error message.
fn sort_of(term: &str) -> Result<String, String> {
    let mut arena = Arena::default();
    let source = format!("{DECLARATIONS}(simplify {term})");
    match parse_script(&mut arena, &source) {
        Ok(script) => {
            let term = script.commands.last().unwrap().terms()[0];
            Ok(arena.sort_text(arena.sort(term)))
        }
        Err(errors) => Err(errors[0].to_string()),
    }
}

#[test]
fn well_typed_terms_have_these_sorts() {
    let table = [
        ("(+ i 1 2)", "Int"),
        ("(+ r 1.5)", "Real"),
        ("(+ i r)", "Real"),
        ("(- 3)", "Int"),
        ("(/ r 2)", "Real"),
        ("(f 1 u)", "Real"),
        ("(g i)", "Bool"),
        ("(= 1 2 3)", "Bool"),
        ("(distinct s \"a\" \"b\")", "Bool"),
        ("(=> b b b)", "Bool"),
        ("(ite b 1 2.0)", "Real"),
        ("(concat v w v)", "(_ BitVec 32)"),
        ("((_ extract 7 4) w)", "(_ BitVec 4)"),
        ("((_ repeat 3) v)", "(_ BitVec 24)"),
        ("((_ sign_extend 0) v)", "(_ BitVec 8)"),
        ("#xAB", "(_ BitVec 8)"),
        ("#b101", "(_ BitVec 3)"),
        ("(_ bv7 100)", "(_ BitVec 100)"),
        ("(bvcomp v v)", "(_ BitVec 1)"),
        ("(bvsmulo v v)", "Bool"),
        ("((_ int_to_bv 5) i)", "(_ BitVec 5)"),
        ("(fp #b0 #xFF #b00000000000000000000000)", "(_ FloatingPoint 8 24)"),
        ("((_ to_fp 11 53) m x)", "(_ FloatingPoint 11 53)"),
        ("((_ to_fp 5 11) w)", "(_ FloatingPoint 5 11)"),
        ("((_ to_fp 5 11) RNE r)", "(_ FloatingPoint 5 11)"),
        ("((_ fp.to_sbv 9) RTZ x)", "(_ BitVec 9)"),
        ("(_ +oo 8 24)", "(_ FloatingPoint 8 24)"),
        ("(select a i)", "Real"),
        ("(store a 1 2.0)", "(Array Int Real)"),
        ("(store a 1 2)", "(Array Int Real)"),
        ("((as const (Array Int Real)) 0.0)", "(Array Int Real)"),
        ("((_ map (*)) a a)", "(Array Int Real)"),
        ("((_ map ( |*|  )) a a)", "(Array Int Real)"),
        ("(cons 1 l)", "(List Int)"),
        ("(as nil (List Bool))", "(List Bool)"),
        ("(cons b (as nil (List Bool)))", "(List Bool)"),
        ("(head l)", "Int"),
        ("((_ is cons) l)", "Bool"),
        ("(is-cons l)", "Bool"),
        ("((_ update head) l 3)", "(List Int)"),
        ("(pair 1 s)", "(Pair Int String)"),
        ("(match l ((nil 0) ((cons h t) (+ h 1))))", "Int"),
        ("(match l (((cons h t) h) (other 0)))", "Int"),
        ("(str.replace_re s (re.+ (str.to_re \"a\")) s)", "String"),
        ("((_ re.loop 1 3) re.allchar)", "RegLan"),
        ("(_ char #x41)", "String"),
        ("(seq.++ q (seq.unit 3))", "(Seq Int)"),
        ("(as seq.empty (Seq Int))", "(Seq Int)"),
        ("(let ((y (+ i 1)) (z b)) (ite z y i))", "Int"),
        ("(let ((i b)) i)", "Bool"),
        ("(forall ((y Int) (z U)) (! (= (f y z) 0.0) :pattern ((f y z)) :qid k))", "Bool"),
        ("(lambda ((y Int)) (+ y 1))", "(-> Int Int)"),
        ("(! b :named name)", "Bool"),
        ("(select (lambda ((y Int)) b) 3)", "Bool"),
        ("(implies b b)", "Bool"),
        ("(str.to.int s)", "Int"),
        ("-5", "Int"),
        ("|i|", "Int"),
        ("(and b)", "Bool"),
        ("\"a\"\"b\\u{41}\"", "String"),
        ("(tuple 1 b)", "(Tuple Int Bool)"),
        ("((_ tuple.select 1) (tuple 1 b))", "Bool"),
        ("(set.union (set.singleton 1) (as set.empty (Set Int)))", "(Set Int)"),
        ("(sin r)", "Real"),
        ("(let ((sin 0.0)) (sin r))", "Real"),
    ];
    for (term, sort) in table {
        assert_eq!(sort_of(term).as_deref(), Ok(sort), "{term}");
    }
}

#[test]
fn ill_typed_terms_are_rejected() {
    let table = [
        ("(+ i s)", "`+` does not take"),
        ("(not i)", "`not` does not take"),
        ("(bvadd v w)", "`bvadd` does not take"),
        ("((_ extract 8 0) v)", "`extract` does not take"),
        ("((_ extract 2 3) v)", "`extract` does not take"),
        ("(_ bv1 0)", "unknown constant"),
        ("(f 1)", "`f` does not take"),
        ("(f u 1)", "`f` does not take"),
        ("(undeclared 1)", "unknown function `undeclared`"),
        ("undeclared", "unknown constant `undeclared`"),
        ("nil", "cannot infer the sort of `nil`"),
        ("(cons b l)", "`cons` does not take"),
        ("(= i s)", "`=` does not take"),
        ("(ite i 1 2)", "`ite` does not take"),
        ("(select a s)", "`select` does not take"),
        ("((_ to_fp 5 11) v)", "`to_fp` does not take"),
        ("(forall ((y Int)) y)", "sort Int"),
        ("(match i ((y 0)))", "sort Int"),
        ("(match l (((cons h) 0)))", "the pattern has 1 variable"),
        ("(match l ((nil 0) ((cons h t) b)))", "`match` cases have different sorts"),
        ("(let ((y 1)) (and y b))", "`and` does not take"),
        ("(let ((y 1) (z y)) z)", "unknown constant `y`"),
        ("((_ is nope) l)", "unknown function `is`"),
        ("((as const (Array Int Real)) b)", "`const` does not take"),
        ("(i 1)", "`i` does not take"),
    ];
    for (term, message) in table {
        let error = sort_of(term).expect_err(term);
        assert!(error.contains(message), "{term}: {error}");
    }
}

/// Terms that cvc5 accepts: relations with any number of columns, and constants without their sorts.
#[test]
fn cvc5_extensions_have_these_sorts() {
    let three = "(set.singleton (tuple 1 b s))";
    let table = "(bag (tuple 1 b) 2)";
    let sum = "(lambda ((row (Tuple Int Bool)) (sum Int)) (+ sum ((_ tuple.select 0) row)))";
    let terms = [
        (format!("(rel.product {three} {three})"), "(Set (Tuple Int Bool String Int Bool String))"),
        (format!("(rel.join {three} (set.singleton (tuple s 1 2)))"), "(Set (Tuple Int Bool Int Int))"),
        ("(rel.transpose (set.singleton (tuple 1 b s r)))".into(), "(Set (Tuple Real String Bool Int))"),
        (format!("((_ rel.project 2 0 2) {three})"), "(Set (Tuple String Int String))"),
        (format!("(rel.project {three})"), "(Set UnitTuple)"),
        (format!("((_ rel.group 1) {three})"), "(Set (Set (Tuple Int Bool String)))"),
        (
            format!("((_ rel.table_join 0 0) {three} {three})"),
            "(Set (Tuple Int Bool String Int Bool String))",
        ),
        (format!("((_ rel.aggr 1) {sum} 0 (set.singleton (tuple 1 b)))"), "(Set Int)"),
        (format!("(table.product {table} (bag (tuple 1 2 3) 1))"), "(Bag (Tuple Int Bool Int Int Int))"),
        (format!("((_ table.project 1) {table})"), "(Bag (Tuple Bool))"),
        (format!("((_ table.group 0 1) {table})"), "(Bag (Bag (Tuple Int Bool)))"),
        (format!("(table.group {table})"), "(Bag (Bag (Tuple Int Bool)))"),
        (format!("((_ table.join 0 0 1 1) {table} {table})"), "(Bag (Tuple Int Bool Int Bool))"),
        (format!("((_ table.aggr 1) {sum} 0 {table})"), "(Bag Int)"),
        ("(set.insert 1 2 3 4 5 (set.singleton i))".into(), "(Set Int)"),
        (
            "(nullable.lift (lambda ((x Int) (y Int)) (< x y)) (nullable.some 1) (nullable.some 2))".into(),
            "(Nullable Bool)",
        ),
        ("(mod_total i (div_total i 0))".into(), "Int"),
        ("(= q seq.empty)".into(), "Bool"),
        ("(seq.++ seq.empty q)".into(), "(Seq Int)"),
        ("(ite b q seq.empty)".into(), "(Seq Int)"),
        ("(set.member 1 set.empty)".into(), "Bool"),
        ("(set.insert 1 2 set.empty)".into(), "(Set Int)"),
        ("(set.member set.empty (set.singleton (set.singleton 1)))".into(), "Bool"),
        ("(bag.inter_min bag.empty (bag s 1))".into(), "(Bag String)"),
        ("(match l ((nil nil) ((cons h t) t)))".into(), "(List Int)"),
        ("(cons 1 nil)".into(), "(List Int)"),
        ("((_ is (as nil (List Int))) l)".into(), "Bool"),
    ];
    for (term, sort) in &terms {
        assert_eq!(sort_of(term).as_deref(), Ok(*sort), "{term}");
    }
    let ill_typed = [
        (format!("(rel.product {three} {table})"), "`rel.product` does not take"),
        (format!("(rel.join {three} {three})"), "`rel.join` does not take"),
        ("(rel.join (set.singleton (tuple 1)) (set.singleton (tuple 1)))".into(), "`rel.join` does not take"),
        (format!("((_ rel.project 3) {three})"), "`rel.project` does not take"),
        (format!("((_ table.project 0) {three})"), "`table.project` does not take"),
        (format!("((_ rel.project 0) {table})"), "`rel.project` does not take"),
        (format!("((_ table.group 2) {table})"), "`table.group` does not take"),
        (format!("((_ table.join 0) {table} {table})"), "`table.join` does not take"),
        (format!("((_ table.join 0 1) {table} {table})"), "`table.join` does not take"),
        (format!("((_ table.aggr 1) {sum} b {table})"), "`table.aggr` does not take"),
        ("(set.insert 1 2 b 4 (set.singleton i))".into(), "`set.insert` does not take"),
        ("(nullable.lift (lambda ((x Int)) x) (nullable.some b))".into(), "`nullable.lift` does not take"),
        ("seq.empty".into(), "cannot infer the sort of `seq.empty`"),
        ("(seq.len seq.empty)".into(), "cannot infer the sort of `seq.empty`"),
        ("(= set.empty set.empty)".into(), "cannot infer the sort of `set.empty`"),
        ("(= set.empty q)".into(), "cannot infer the sort of `set.empty`"),
        ("(let ((e seq.empty)) (= e q))".into(), "`seq.empty`"),
    ];
    for (term, message) in &ill_typed {
        let error = sort_of(term).expect_err(term);
        assert!(error.contains(message), "{term}: {error}");
    }
}

/// Terms that Z3 accepts: odd numbers of arguments, and old names.
#[test]
fn z3_extensions_have_these_sorts() {
    let table = [
        ("(mkbv b true false)", "(_ BitVec 3)"),
        ("(bvxnor v v v v)", "(_ BitVec 8)"),
        ("(concat v)", "(_ BitVec 8)"),
        ("(<= s)", "Bool"),
        ("(iff i 1 2)", "Bool"),
        ("(equals s s)", "Bool"),
        ("(&& b b b)", "Bool"),
        ("(seq.++ q)", "(Seq Int)"),
        ("((_ pble 9 1 2 3 4 5 6 7) b b b b b b b)", "Bool"),
        ("(let ((x i) (y b)))", "Bool"),
        ("(* 2. r)", "Real"),
        ("(forall ((y Real)) (! (g y) :pattern (g y)))", "Bool"),
    ];
    for (term, sort) in table {
        assert_eq!(sort_of(term).as_deref(), Ok(sort), "{term}");
    }
    let ill_typed = [
        ("(mkbv b 1)", "`mkbv` does not take"),
        ("(iff i s)", "`iff` does not take"),
        ("((_ pble 9 1 2) b b b)", "`pble` does not take"),
        ("(let ((x i)) (+ x s))", "`+` does not take"),
        ("(* 2.r r)", "invalid token"),
    ];
    for (term, message) in ill_typed {
        let error = sort_of(term).expect_err(term);
        assert!(error.contains(message), "{term}: {error}");
    }
}

/// Of several functions with one name, the one that needs no conversions is meant.
#[test]
fn overloads_without_conversions_come_first() {
    let table = [
        ("(declare-fun h (Int) Bool)(declare-fun h (Real) Int)(assert (h 1))", true),
        ("(declare-fun h (Int) Bool)(declare-fun h (Real) Int)(assert (h 1.0))", false),
        ("(declare-fun h (Real) Bool)(assert (h 1))", true),
    ];
    for (source, valid) in table {
        let result = parse_script(&mut Arena::default(), source);
        assert_eq!(result.is_ok(), valid, "{source}: {result:?}");
    }
}

/// Without a logic, Z3 knows a datatype of lists.
#[test]
fn lists_need_no_declaration_without_a_logic() {
    let uses = "(declare-const x (List Int))(assert (= x (insert 1 nil)))(assert (or (is-nil x) (> (head (tail x)) 0)))";
    let table = [
        (uses.to_owned(), true),
        (format!("(push){uses}(pop){uses}"), true),
        (format!("(set-logic ALL){uses}"), false),
        ("(declare-const x (List Int Int))".to_owned(), false),
        ("(declare-const x (List Int))(assert (= x (insert true nil)))".to_owned(), false),
        ("(assert (= nil nil))".to_owned(), false),
        ("(declare-const x (List Int))(assert (let ((y nil)) (= x y)))".to_owned(), true),
        // Two instances are ambiguous.
        (
            "(declare-const x (List Int))(declare-const z (List Bool))(assert (let ((y nil)) (= x y)))"
                .to_owned(),
            false,
        ),
        ("(declare-datatype List ((nil)))(declare-const x List)(assert (= x nil))".to_owned(), true),
        ("(declare-datatype List ((nil)))(declare-const x (List Int))".to_owned(), false),
    ];
    for (source, valid) in &table {
        let result = parse_script(&mut Arena::default(), source);
        assert_eq!(result.is_ok(), *valid, "{source}: {result:?}");
    }
}

#[test]
fn errors_have_a_kind_and_a_position() {
    let table = [
        ("(assert", ErrorKind::Syntax, (1, 8)),
        ("(assert true))", ErrorKind::Syntax, (1, 14)),
        ("assert", ErrorKind::Syntax, (1, 1)),
        ("(assert true)\n  (declare-fun f (Foo) Int)", ErrorKind::Undeclared, (2, 19)),
        ("(assert\n 3)", ErrorKind::Sort, (2, 2)),
        ("(declare-const x (_ BitVec 0))", ErrorKind::Sort, (1, 18)),
        ("(declare-const x (Array Int))", ErrorKind::Sort, (1, 18)),
        ("(declare-datatypes ((T 0)) ())", ErrorKind::Syntax, (1, 29)),
        ("(declare-datatypes (A) ((T)))", ErrorKind::Syntax, (1, 27)),
        ("(declare-datatype T ())", ErrorKind::Syntax, (1, 22)),
        ("(declare-datatypes (x) ((x c)))", ErrorKind::Syntax, (1, 21)),
        ("(define-fun f () Int true)", ErrorKind::Sort, (1, 22)),
        ("(assert (let () true)", ErrorKind::Syntax, (1, 22)),
        ("(assert (forall () true))", ErrorKind::Syntax, (1, 9)),
        ("(assert ())", ErrorKind::Syntax, (1, 10)),
        ("(assert (and true \u{e9}))", ErrorKind::Syntax, (1, 19)),
        ("(push 99999999999)", ErrorKind::Syntax, (1, 7)),
        ("(declare-sort S 1)(declare-const x S)", ErrorKind::Sort, (1, 36)),
    ];
    for (source, kind, position) in table {
        let errors = parse_script(&mut Arena::default(), source).expect_err(source);
        assert_eq!((errors[0].kind, errors[0].position(source)), (kind, position), "{source}: {}", errors[0]);
    }
}

#[test]
fn every_command_with_an_error_is_reported() {
    let source = "(assert x)\n(declare-const y Int)\n(assert (= y \"\"))\n(assert (= y 1))\n(foo (bar";
    let errors = parse_script(&mut Arena::default(), source).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.position(source).0).collect();
    assert_eq!(lines, [1, 3, 5]);
}

#[test]
fn names_are_visible_only_in_their_scope() {
    let table = [
        ("(push)(declare-const x Int)(pop)(declare-const x Bool)(assert x)", true),
        ("(push)(declare-const x Bool)(pop)(assert x)", false),
        ("(set-option :global-declarations true)(push)(declare-const x Bool)(pop)(assert x)", true),
        ("(declare-const x Bool)(reset)(assert x)", false),
        ("(declare-const x Bool)(reset-assertions)(assert x)", true),
        ("(assert (exists ((x Bool)) x))(assert x)", false),
        ("(define-fun f ((x Bool)) Bool x)(assert x)", false),
        ("(define-fun f ((x Bool)) Bool (f x))", false),
        ("(define-fun-rec f ((x Bool)) Bool (f x))", true),
        ("(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (f x)))", true),
        ("(assert (! true :named t))(assert t)", true),
        ("(set-logic QF_LRA)(declare-const x Real)(assert (= x 1))", true),
        ("(set-logic QF_LIA)(declare-const x Int)(assert (= x 1.0))", true),
        ("(set-logic QF_LRA)(declare-const x Int)(assert (= x 1 1.0))", true),
        ("(define-sort Two (A) (Array A A))(declare-const x (Two Int))(assert (= (select x 1) 1))", true),
        ("(define-sort Set (A) (Array A Bool))(declare-const x (Set Int))(assert (select x 1))", true),
        // A sort that can no longer be printed is rejected: here the name of the array sort is redefined.
        ("(define-sort Array (A) (Array Int A))(declare-const x (Array Int))", false),
        ("(define-sort T () (Array Int Int))(define-sort Array () Int)(declare-const x T)", false),
        ("(declare-datatype Array ((mk)))(assert (mk 1))", false),
        ("(declare-sort D 0)(define-sort T () D)(declare-sort D 1)(declare-const x T)", false),
        ("(declare-sort-parameter A)(declare-fun id (A) A)(assert (id true))(assert (= (id 1) 1))", true),
        ("(declare-sort-parameter A)(declare-fun id (A) A)(assert (id 1))", false),
    ];
    for (source, valid) in table {
        let result = parse_script(&mut Arena::default(), source);
        assert_eq!(result.is_ok(), valid, "{source}: {result:?}");
    }
}

#[test]
fn signature_files_add_operators() {
    let mut signatures = elenchus_smt::Signatures::built_in();
    signatures
        .load("(theory Mine :solvers (my_solver) :funs ((par ((n Nat)) ((_ twist n) (_ BitVec n) (_ BitVec (* 2 n)))) (dist Int Int Int)))")
        .unwrap();
    let mut arena = Arena::new(std::sync::Arc::new(signatures));
    let script = parse_script(
        &mut arena,
        "(declare-const v (_ BitVec 4))(assert (= ((_ twist 4) v) #x00))(assert (= (dist 1 2) 1))",
    )
    .unwrap();
    let features = arena.features(&script);
    assert_eq!(features.solvers, Some(["my_solver".to_owned()].into()));
    let invalid = ["(theory", "(foo)", "(theory T :funs ((f)))", "(theory T :funs ((f Int :where (foo 1))))"];
    for text in invalid {
        assert!(elenchus_smt::Signatures::built_in().load(text).is_err(), "{text}");
    }
}
