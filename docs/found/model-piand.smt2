; cvc5@1.4.2 gives a wrong model
(declare-const v Int)
(assert (= (piand v v v) 16))
(check-sat)
(get-model)
