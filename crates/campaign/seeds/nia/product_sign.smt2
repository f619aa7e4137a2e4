; The product of two numbers of different signs.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (< x 0 y))
(assert (or (> (* x y) 0) (= (* x x y) 0)))
(check-sat)
