; Doubling maps a set to even numbers.
(set-logic HO_ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(define-fun d ((x Int)) Int (* 2 x))
(assert (= (set.map d a) (set.singleton 6)))
(assert (not (set.member 3 a)))
(check-sat)
