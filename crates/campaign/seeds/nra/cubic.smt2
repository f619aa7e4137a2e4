; Every cubic of this family has a root.
(set-logic NRA)
(set-info :status sat)
(declare-const a Real)
(assert (> a 1.0))
(assert (exists ((x Real)) (and (= (+ (* x x x) (* a x)) 2.0) (> x 0.0) (< x 1.5))))
(check-sat)
