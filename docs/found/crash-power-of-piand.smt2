; cvc5@1.4.2 crashes
(set-logic ALL)
(declare-const a Int)
(declare-const b Int)
(assert (bvsge #b0 ((_ int2bv 1) (int.pow2 (piand a b 1)))))
(check-sat)
