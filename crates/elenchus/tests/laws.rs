//! Laws of every theory, tried on boundary values and random ones: each must evaluate to true wherever it has a value.

use semantics::NO_DEFINITIONS;
use semantics::{Evaluator, Model, Value};
use smt::{Arena, Scope, Signatures};
use strategies::Random;
use strategies::ground::GroundTerms;

/// How often each law is tried.
const TRIES: usize = 150;

/// Variables with their sorts. Each is bound once, so that it has one value in the whole law.
type Variables = &'static [(&'static str, &'static str)];

/// Variables, and laws about them.
const LAWS: &[(Variables, &[&str])] = &[
    (
        &[("a", "Int"), ("b", "Int"), ("c", "Int")],
        &[
            "(= (+ a (+ b c)) (+ (+ c a) b))",
            "(= (* a (+ b c)) (+ (* a b) (* c a)))",
            "(= (- a b) (- (- b a)))",
            "(=> (distinct b 0) (= a (+ (* b (div a b)) (mod a b))))",
            "(=> (distinct b 0) (and (<= 0 (mod a b)) (< (mod a b) (abs b))))",
            "(=> (and (<= a b) (<= b c)) (<= a c))",
            "(xor (< a b) (= a b) (> a b) false)",
            "(= ((_ divisible 3) a) (= (mod a 3) 0))",
            "(= (to_int (to_real a)) a)",
            "(= (str.to_int (str.from_int (abs a))) (abs a))",
            "(= (str.from_int a) (ite (< a 0) \"\" (str.from_int (abs a))))",
            "(= ((_ iand 8) a b) ((_ iand 8) b a))",
        ],
    ),
    (
        &[("a", "Real"), ("b", "Real"), ("c", "Real")],
        &[
            "(= (* a (+ b c)) (+ (* a b) (* a c)))",
            "(=> (distinct b 0.0) (= (* (/ a b) b) a))",
            "(=> (< a b) (< (+ a c) (+ b c)))",
            "(and (<= (to_real (to_int a)) a) (< a (+ 1.0 (to_real (to_int a)))))",
            "(= (is_int a) (= a (to_real (to_int a))))",
            "(=> (< a b) (exists ((x Real)) (and (< a x) (< x b))))",
            "(forall ((x Real)) (or (<= x a) (> x a)))",
        ],
    ),
    (
        &[("a", "(_ BitVec 9)"), ("b", "(_ BitVec 9)"), ("c", "(_ BitVec 9)")],
        &[
            "(= (bvadd a (bvadd b c)) (bvadd (bvadd a b) c))",
            "(= (bvmul a (bvadd b c)) (bvadd (bvmul a b) (bvmul a c)))",
            "(= (bvneg a) (bvadd (bvnot a) #b000000001))",
            "(= (bvnot (bvand a b)) (bvor (bvnot a) (bvnot b)))",
            "(= (bvxor a b) (bvand (bvor a b) (bvnot (bvand a b))))",
            "(=> (distinct b #b000000000) (= a (bvadd (bvmul b (bvudiv a b)) (bvurem a b))))",
            "(= (bvurem a #b000000000) a)",
            "(= (bvudiv a #b000000000) #b111111111)",
            "(= a (bvadd (bvmul b (bvsdiv a b)) (bvsrem a b)))",
            "(= (concat ((_ extract 8 4) a) ((_ extract 3 0) a)) a)",
            "(= ((_ rotate_left 5) ((_ rotate_right 5) a)) a)",
            "(= (bvslt a b) (< (sbv_to_int a) (sbv_to_int b)))",
            "(= (bvult a b) (< (ubv_to_int a) (ubv_to_int b)))",
            "(= ((_ int_to_bv 9) (ubv_to_int a)) ((_ int_to_bv 9) (sbv_to_int a)))",
            "(= (bvuaddo a b) (>= (+ (ubv_to_int a) (ubv_to_int b)) 512))",
            "(= (bvsmulo a b) (distinct (sbv_to_int (bvmul a b)) (* (sbv_to_int a) (sbv_to_int b))))",
            "(= (bvnego a) (= a #b100000000))",
            "(= (bvshl a #b000000001) (bvadd a a))",
            "(= (bvashr a b) (ite (bvslt a #b000000000) (bvnot (bvlshr (bvnot a) b)) (bvlshr a b)))",
        ],
    ),
    (
        &[("a", "(_ FloatingPoint 4 6)"), ("b", "(_ FloatingPoint 4 6)"), ("m", "RoundingMode")],
        &[
            "(= (fp.add m a b) (fp.add m b a))",
            "(= (fp.mul m a b) (fp.mul m b a))",
            "(= (fp.neg (fp.neg a)) a)",
            "(=> (not (fp.isNaN a)) (not (fp.isNegative (fp.abs a))))",
            "(= (fp.sub m a b) (fp.add m a (fp.neg b)))",
            "(= (fp.eq a a) (not (fp.isNaN a)))",
            "(=> (and (fp.lt a b)) (not (fp.leq b a)))",
            "(= (fp.roundToIntegral m (fp.roundToIntegral m a)) (fp.roundToIntegral m a))",
            "(= ((_ to_fp 4 6) m ((_ to_fp 8 24) m a)) a)",
            "(= ((_ to_fp 4 6) m (fp.to_real a)) (ite (fp.isZero a) (_ +zero 4 6) a))",
            "(=> (fp.leq a b) (fp.leq (fp.add m a a) (fp.add m b b)))",
            "(=> (distinct m RTN) (= (fp.fma m a b (_ -zero 4 6)) (fp.mul m a b)))",
            "(=> (not (or (fp.isNaN a) (fp.isNaN b))) (fp.leq (fp.min a b) (fp.max a b)))",
            "(= (fp.sqrt m (fp.mul m a a)) (fp.sqrt m (fp.mul m (fp.neg a) (fp.neg a))))",
            "(= ((_ to_fp 4 6) (fp.to_ieee_bv a)) a)",
        ],
    ),
    (
        &[("a", "String"), ("b", "String"), ("c", "String"), ("i", "Int")],
        &[
            "(= (str.++ a (str.++ b c)) (str.++ (str.++ a b) c))",
            "(= (str.len (str.++ a b)) (+ (str.len a) (str.len b)))",
            "(= a (str.++ (str.substr a 0 1) (str.substr a 1 (str.len a))))",
            "(= (str.contains a b) (>= (str.indexof a b 0) 0))",
            "(= (str.prefixof b a) (str.in_re a (re.++ (str.to_re b) re.all)))",
            "(= (str.suffixof b a) (str.in_re a (re.++ re.all (str.to_re b))))",
            "(xor (str.< a b) (= a b) (str.< b a) false)",
            "(=> (not (str.contains a b)) (= (str.replace_all a b c) a))",
            "(=> (distinct b \"\") (not (str.contains (str.replace_all a b \"\") (str.++ b b a b))))",
            "(= (str.replace a b b) a)",
            "(= (str.rev (str.rev a)) a)",
            "(= (str.at a i) (str.substr a i 1))",
            "(= (str.from_code (str.to_code (str.at a i))) (str.at a i))",
            "(= (str.replace_re a (str.to_re b) c) (ite (= b \"\") (str.++ c a) (str.replace a b c)))",
        ],
    ),
    (
        &[("r", "RegLan"), ("q", "RegLan"), ("a", "String")],
        &[
            "(= (str.in_re a (re.comp r)) (not (str.in_re a r)))",
            "(= (str.in_re a (re.union r q)) (or (str.in_re a r) (str.in_re a q)))",
            "(= (str.in_re a (re.inter r q)) (and (str.in_re a r) (str.in_re a q)))",
            "(= (str.in_re a (re.diff r q)) (and (str.in_re a r) (not (str.in_re a q))))",
            "(= (str.in_re a (re.* r)) (str.in_re a (re.* (re.* r))))",
            "(= (str.in_re a (re.+ r)) (str.in_re a (re.++ r (re.* r))))",
            "(= (str.in_re a (re.opt r)) (or (= a \"\") (str.in_re a r)))",
            "(= (str.in_re a ((_ re.loop 1 3) r)) (str.in_re a (re.union r (re.++ r r) (re.++ r r r))))",
            "(= (str.in_re a ((_ re.^ 2) r)) (str.in_re a (re.++ r r)))",
            "(= (str.in_re a (re.++ r (re.++ q r))) (str.in_re a (re.++ (re.++ r q) r)))",
        ],
    ),
    (
        &[("a", "(Array Int Int)"), ("b", "(Array Int Int)"), ("i", "Int"), ("j", "Int"), ("v", "Int")],
        &[
            "(= (select (store a i v) i) v)",
            "(=> (distinct i j) (= (select (store a i v) j) (select a j)))",
            "(= (store a i (select a i)) a)",
            "(=> (= a b) (= (select a i) (select b i)))",
            "(= (store (store a i v) i j) (store a i j))",
        ],
    ),
    (
        &[("s", "(Seq Int)"), ("t", "(Seq Int)"), ("i", "Int")],
        &[
            "(= (seq.len (seq.++ s t)) (+ (seq.len s) (seq.len t)))",
            "(= (seq.rev (seq.++ s t)) (seq.++ (seq.rev t) (seq.rev s)))",
            "(= (seq.contains s t) (>= (seq.indexof s t 0) 0))",
            "(=> (and (<= 0 i) (< i (seq.len s))) (= (seq.at s i) (seq.unit (seq.nth s i))))",
            "(= s (seq.++ (seq.extract s 0 1) (seq.extract s 1 (seq.len s))))",
        ],
    ),
    (
        &[("s", "(Set Int)"), ("t", "(Set Int)"), ("i", "Int")],
        &[
            "(= (set.union s t) (set.union t s))",
            "(= (set.inter s (set.union s t)) s)",
            "(= (set.subset s t) (= (set.union s t) t))",
            "(= (set.member i (set.minus s t)) (and (set.member i s) (not (set.member i t))))",
            "(= (+ (set.card s) (set.card t)) (+ (set.card (set.union s t)) (set.card (set.inter s t))))",
        ],
    ),
    (
        &[("s", "(Bag Int)"), ("t", "(Bag Int)"), ("i", "Int")],
        &[
            "(= (bag.count i (bag.union_disjoint s t)) (+ (bag.count i s) (bag.count i t)))",
            "(= (bag.union_disjoint (bag.union_max s t) (bag.inter_min s t)) (bag.union_disjoint s t))",
            "(= (bag.subbag s t) (= (bag.inter_min s t) s))",
            "(= (bag.card (bag.union_disjoint s t)) (+ (bag.card s) (bag.card t)))",
        ],
    ),
    (
        &[("a", "(_ FiniteField 17)"), ("b", "(_ FiniteField 17)"), ("c", "(_ FiniteField 17)")],
        &[
            "(= (ff.mul a (ff.add b c)) (ff.add (ff.mul a b) (ff.mul a c)))",
            "(= (ff.add a (ff.neg a)) (as ff0 (_ FiniteField 17)))",
            "(= (ff.bitsum a b c) (ff.add a (ff.mul (as ff2 (_ FiniteField 17)) b) (ff.mul (as ff4 (_ FiniteField 17)) c)))",
        ],
    ),
    (
        &[("t", "Tree"), ("c", "Color"), ("i", "Int")],
        &[
            "(xor ((_ is leaf) t) ((_ is node) t))",
            "(=> ((_ is node) t) (= t (node (left t) (tag t) (right t))))",
            "(= (val (leaf i)) i)",
            "(or (= c red) (= c green) (= c blue))",
            "(distinct t (node t c t))",
        ],
    ),
];

#[test]
fn laws_hold_wherever_they_have_a_value() {
    let mut maker = GroundTerms::new(&Signatures::standard());
    let mut random = Random::new(12);
    let mut wrong = String::new();
    for (variables, laws) in LAWS {
        for law in *laws {
            let bindings: Vec<String> =
                variables.iter().map(|(name, sort)| format!("({name} {{{sort}}})")).collect();
            let template = format!("(let ({}) {law})", bindings.join(" "));
            let mut decided = 0;
            for _ in 0..TRIES {
                let text = maker.with_constants(&template, &mut random).expect("constants of these sorts");
                let mut arena = Arena::default();
                let mut scope = Scope::default();
                smt::parse_in_scope(&mut arena, &mut scope, GroundTerms::PRELUDE).expect("the prelude reads");
                let term = smt::parse_term(&mut arena, &mut scope, &text).expect(&text);
                let model = Model::new();
                match Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term) {
                    Ok(Value::Bool(true)) => decided += 1,
                    Ok(_) => wrong.push_str(&format!("{law} is false: {text}\n")),
                    Err(_) => {}
                }
            }
            if decided < TRIES / 10 {
                wrong.push_str(&format!("{law} has a value in {decided} of {TRIES} cases only\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
