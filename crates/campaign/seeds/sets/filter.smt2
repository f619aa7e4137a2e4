; The positive ones, all of them, and some.
(set-logic HO_ALL)
(set-info :status sat)
(declare-const a (Set Int))
(assert (= (set.filter (lambda ((x Int)) (> x 0)) a) (set.singleton 3)))
(assert (set.member (- 2) a))
(assert (set.some (lambda ((x Int)) (= x 3)) a))
(check-sat)
