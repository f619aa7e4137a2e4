; solver: cvc5
(declare-const x Int)
(declare-const y Int)
(assert (= x ((_ iand 4) x y)))
(assert (distinct x y))
(assert (< 0 x y 16))
(check-sat)
