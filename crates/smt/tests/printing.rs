//! Parsing printed scripts gives the same terms.

use elenchus_smt::{Arena, parse_script};

fn round_trip(source: &str) -> String {
    let mut arena = Arena::default();
    let script =
        parse_script(&mut arena, source).unwrap_or_else(|errors| panic!("{}", errors[0].render("s", source)));
    let printed = arena.script_text(&script);
    let again = parse_script(&mut arena, &printed)
        .unwrap_or_else(|errors| panic!("{}", errors[0].render("p", &printed)));
    assert_eq!(script.commands, again.commands, "{source}\n{printed}");
    printed
}

#[test]
fn canonical_scripts_print_unchanged() {
    let table = [
        "(set-logic QF_UF)\n",
        "(set-option :produce-models true)\n",
        "(set-info :source |two\nlines|)\n",
        "(declare-sort S 2)\n",
        "(define-sort Two (A) (Array A A))\n",
        "(define-sort Any (Tuple) (Array Int Tuple))\n",
        "(declare-datatypes ((T 0) (L 1)) (((c) (d (f Int))) (par (A) ((nil) (cons (hd A) (tl (L A)))))))\n",
        "(declare-codatatypes ((Stream 0)) (((more (hd Int) (tl Stream)))))\n",
        "(declare-fun f (Int Bool) Int)\n",
        "(declare-const |a b| Int)\n(assert (= |a b| 1))\n",
        "(declare-const |let| Bool)\n(assert |let|)\n",
        "(define-fun f ((x Int)) Int (+ x 1))\n",
        "(define-const c Int 3)\n",
        "(define-fun-rec f ((x Int)) Int (f x))\n",
        "(define-funs-rec ((f ((x Int)) Int) (g () Int)) ((f g) (f 1)))\n",
        "(check-sat)\n(check-sat-assuming (true (not false)))\n(get-value (1 true))\n",
        "(push 2)\n(pop 1)\n(reset)\n(reset-assertions)\n(exit)\n",
        "(check-sat-using (then simplify smt))\n",
        "(minimize (+ 1 2) :id goal)\n(assert-soft true :weight 2)\n",
        "(some-command of another (solver \"s\" |x|) :k)\n",
        "(echo \"a \"\"quoted\"\" word\")\n",
        "(get-info :name)\n(get-option :seed)\n(get-model)\n(get-unsat-core)\n(get-proof)\n",
        "(assert (= \"a\"\"b\\u{1F600}\" \"\"))\n",
        "(assert (forall ((x Int) (y Int)) (! (= x y) :pattern (x y) :weight 3 :qid |q 1|)))\n",
        "(assert (let ((x 1) (y 2)) (let ((x y)) (= x y))))\n",
        "(assert (= ((_ extract 1 0) #xA) (_ bv2 2)))\n",
        "(assert (fp.eq (_ NaN 8 24) (fp #b0 #x00 #b00000000000000000000000)))\n",
        "(assert (= (select ((as const (Array Int Int)) 7) 1) 7))\n",
        "(declare-const q (Seq Int))\n(assert (= q (as seq.empty (Seq Int))))\n",
        "(assert (= (_ char #x41) \"A\"))\n",
        "(set-logic HO_ALL)\n(declare-fun f (Int Int) Int)\n(assert (= ((f 1) 2) (f 1 2)))\n",
        "(declare-heap (Int Int))\n(assert sep.emp)\n",
        "(declare-const x (_ FiniteField 17))\n(assert (= (ff.mul x (as ff3 (_ FiniteField 17))) #f2m17))\n",
    ];
    for source in table {
        assert_eq!(round_trip(source), source);
    }
}

#[test]
fn other_spellings_print_in_canonical_form() {
    let table = [
        ("(push)(pop)", "(push 1)\n(pop 1)\n"),
        ("(declare-datatype T ((c)))", "(declare-datatypes ((T 0)) (((c))))\n"),
        (
            "(declare-datatypes (A) ((L nil (cons (hd A) (tl L)))))",
            "(declare-datatypes ((L 1)) ((par (A) ((nil) (cons (hd A) (tl (L A)))))))\n",
        ),
        ("(set-logic QF_LRA)(assert (= 1 2))", "(set-logic QF_LRA)\n(assert (= 1.0 2.0))\n"),
        ("(declare-const r Real)(assert (= r 1))", "(declare-const r Real)\n(assert (= r 1.0))\n"),
        ("(declare-const i Int)(assert (= i 1.5))", "(declare-const i Int)\n(assert (= (to_real i) 1.5))\n"),
        ("(assert (= -1 1))", "(assert (= (- 1) 1))\n"),
        ("(assert (= 2. 2.5))", "(assert (= 2.0 2.5))\n"),
        // Conversions that Z3 inserts
        (
            "(declare-fun f (Int) Int)(assert (= (f 1.5) 0))",
            "(declare-fun f (Int) Int)\n(assert (= (f (to_int 1.5)) 0))\n",
        ),
        (
            "(declare-const a (Array Int Int))(assert (= (select a 1.5) 0))",
            "(declare-const a (Array Int Int))\n(assert (= (select a (to_int 1.5)) 0))\n",
        ),
        (
            "(declare-const a (Array Int Int))(assert (= a (store a 1 1.5)))",
            "(declare-const a (Array Int Int))\n(assert (= a (store a 1 (to_int 1.5))))\n",
        ),
        (
            "(declare-const b Bool)(assert (= b 1 (ite b b 0)))",
            "(declare-const b Bool)\n(assert (= (ite b 1 0) 1 (ite b (ite b 1 0) 0)))\n",
        ),
        (
            "(declare-const b Bool)(assert (< (+ b b) 1.5))",
            "(declare-const b Bool)\n(assert (< (to_real (+ (ite b 1 0) (ite b 1 0))) 1.5))\n",
        ),
        (
            "(set-logic QF_LRA)(declare-const b Bool)(assert (< b 1))",
            "(set-logic QF_LRA)\n(declare-const b Bool)\n(assert (< (ite b 1.0 0.0) 1.0))\n",
        ),
        // Z3 knows only the instances that a script mentions.
        (
            "(declare-datatype E (par (A B) ((none) (left (l A)))))(declare-const x (E Int Bool))(assert (= x (left 1)))(assert (let ((y none)) (= x y)))(assert (= none none))",
            "(declare-datatypes ((E 2)) ((par (A B) ((none) (left (l A))))))\n(declare-const x (E Int Bool))\n(assert (= x ((as left (E Int Bool)) 1)))\n(assert (let ((y (as none (E Int Bool)))) (= x y)))\n(assert (= (as none (E Int Bool)) (as none (E Int Bool))))\n",
        ),
        ("(get-value (true) :model-index 0)", "(get-value (true) :model-index 0)\n"),
        // Sorts that cvc5 infers
        (
            "(declare-const q (Seq Int))(assert (= seq.empty q))",
            "(declare-const q (Seq Int))\n(assert (= (as seq.empty (Seq Int)) q))\n",
        ),
        ("(define-fun e () (Set Int) set.empty)", "(define-fun e () (Set Int) (as set.empty (Set Int)))\n"),
        (
            "(declare-fun f ((Bag Int)) Bool)(assert (f bag.empty))",
            "(declare-fun f ((Bag Int)) Bool)\n(assert (f (as bag.empty (Bag Int))))\n",
        ),
        (
            "(declare-const x (List Int))(assert (= x (insert 1 nil)))",
            "(declare-const x (List Int))\n(assert (= x (insert 1 (as nil (List Int)))))\n",
        ),
        (
            "(declare-const r (Relation Int Int Int))(assert (= ((_ rel.project 2 0) r) ((_ rel.project 0 0) r)))",
            "(declare-const r (Set (Tuple Int Int Int)))\n(assert (= ((_ rel.project 2 0) r) ((_ rel.project 0 0) r)))\n",
        ),
        (
            "(set-logic HO_ALL)(declare-const n (Nullable Int))(assert (= n ((_ nullable.lift +) n n)))",
            "(set-logic HO_ALL)\n(declare-const n (Nullable Int))\n(assert (= n (nullable.lift (lambda ((x0 Int) (x1 Int)) (+ x0 x1)) n n)))\n",
        ),
        (
            "(declare-const p Bool)(assert (let ((x p))))",
            "(declare-const p Bool)\n(assert (let ((x p)) x))\n",
        ),
        ("; c\n(check-sat) ; d", "(check-sat)\n"),
    ];
    for (source, printed) in table {
        assert_eq!(round_trip(source), printed, "{source}");
    }
}
