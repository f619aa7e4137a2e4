; Functions at zero, where their values are known.
(set-logic ALL)
(set-info :status sat)
(declare-const x Real)
(assert (= x (+ (exp 0.0) (cos 0.0) (sin 0.0))))
(assert (> x 1.5))
(check-sat)
