; solver: cvc5
(declare-const X (Set Int))
(declare-const Y (Set Int))
(declare-const x Int)
(assert (= X (set.union Y (set.singleton x))))
(assert (not (set.member x Y)))
(assert (= (set.card X) 2))
(check-sat)
