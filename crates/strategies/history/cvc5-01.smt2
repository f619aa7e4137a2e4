; solver: cvc5
(declare-const x Int)
(declare-const y Int)
(assert (exists ((v Int)) (and (= 2 v) (= v ((_ iand 1) 1 v)))))
(check-sat)
