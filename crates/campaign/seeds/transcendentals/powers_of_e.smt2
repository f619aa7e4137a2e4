; The exponential of a sum below its tangent.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (> x 0.0))
(assert (<= (exp x) (+ x 1.0)))
(check-sat)
