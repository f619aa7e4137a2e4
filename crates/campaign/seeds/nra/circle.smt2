; A circle and a hyperbola meet.
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 4.0))
(assert (= (* x y) 1.0))
(assert (> x y 0.0))
(check-sat)
