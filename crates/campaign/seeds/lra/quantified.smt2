; A line above every point of the interval.
(set-logic LRA)
(set-info :status sat)
(declare-const m Real)
(declare-const c Real)
(assert (forall ((x Real)) (=> (<= 0.0 x 1.0) (> (+ m (* 2.0 c)) x))))
(assert (< m 0.0))
(assert (<= c 1.0))
(check-sat)
