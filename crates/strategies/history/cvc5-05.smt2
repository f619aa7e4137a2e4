; solver: cvc5
(declare-const a Real)
(declare-const b Real)
(assert (= (sin a) (cos b)))
(assert (< 0.0 a b 1.5))
(check-sat)
