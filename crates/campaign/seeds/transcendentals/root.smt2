; The root of two is not negative.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (= x (sqrt 2.0)))
(assert (< x 0.0))
(check-sat)
