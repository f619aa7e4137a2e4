; An even number is not odd.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (* 2 x) (+ (* 4 y) 1)))
(assert (< (- 100) x 100))
(check-sat)
