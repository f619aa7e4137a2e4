; A line that touches a parabola.
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const m Real)
(assert (= (* x x) (- (* m x) 1.0)))
(assert (= (* 2.0 x) m))
(assert (> m 0.0))
(check-sat)
