; What a filter leaves out.
(set-logic HO_ALL)
(set-info :status sat)
(declare-const a (Bag Int))
(assert (= (bag.filter (lambda ((x Int)) (> x 1)) a) (bag 2 2)))
(assert (= (bag.count 0 a) 1))
(check-sat)
