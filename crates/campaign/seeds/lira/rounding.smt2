; Rounding to the nearest integer, twice.
(set-logic AUFLIRA)
(set-info :status unsat)
(declare-fun round (Real) Int)
(assert (forall ((x Real)) (! (<= (- x 0.5) (to_real (round x)) (+ x 0.5)) :pattern ((round x)))))
(declare-const a Real)
(assert (= a (to_real (round 2.25))))
(assert (distinct (round a) 2))
(check-sat)
