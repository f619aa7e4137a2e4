; The sort of sets is the sort of arrays of Booleans.
(set-logic ALL)
(set-info :status sat)
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (select s 4))
(assert (= t (store s 5 true)))
(assert (subset (union s t) (complement (intersection s ((as const (Set Int)) false)))))
(check-sat)
