; The sine is positive in the first half of the circle.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (< 0.0 x real.pi))
(assert (< (sin x) 0.0))
(check-sat)
