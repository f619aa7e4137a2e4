; One cell cannot be in both halves.
(set-logic QF_ALL)
(set-info :status unsat)
(declare-heap (Int Int))
(declare-const x Int)
(declare-const y Int)
(assert (sep (pto x 1) (pto y 1)))
(assert (= x y))
(check-sat)
