; A value that is neutral for addition.
(set-logic FP)
(set-info :status sat)
(declare-const z (_ FloatingPoint 2 3))
(assert (forall ((x (_ FloatingPoint 2 3))) (or (fp.isNaN x) (= (fp.add RNE x z) x))))
(check-sat)
