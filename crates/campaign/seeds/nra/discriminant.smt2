; A quadratic without real roots.
(set-logic NRA)
(set-info :status unsat)
(declare-const b Real)
(declare-const c Real)
(assert (forall ((x Real)) (> (+ (* x x) (* b x) c) 0.0)))
(assert (>= (* b b) (* 4.0 c)))
(check-sat)
