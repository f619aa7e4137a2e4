; A function of two arguments given one of them.
(set-logic HO_ALL)
(set-info :status unsat)
(declare-fun f (Int Int) Int)
(declare-fun g (Int) Int)
(assert (= (@ f 1) g))
(assert (= (f 1 5) 8))
(assert (= (@ g 5) (+ (g 5) 1)))
(check-sat)
