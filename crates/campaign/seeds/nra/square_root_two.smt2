; The root of two lies in a small interval.
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (< 1.41421 x 1.41422))
(assert (not (= (* x x x) (* 2.0 x 1.0) 3.0)))
(check-sat)
