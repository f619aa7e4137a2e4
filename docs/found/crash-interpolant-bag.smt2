; cvc5@1.4.2 crashes
(set-option :produce-interpolants true)
(set-logic ALL)
(declare-const a (Bag Real))
(declare-const b (Bag Real))
(assert (bag.member (bag.choose b) a))
(get-interpolant formula (bag.member (exp (bag.choose b)) a))
