; solver: cvc5
(declare-const X (Set Int))
(declare-const Y (Set Int))
(declare-const x Int)
(assert (set.subset X Y))
(assert (= (set.minus Y X) (set.inter X Y)))
(assert (set.member x X))
(check-sat)
