; A finite set within a range.
(set-logic ALL)
(set-info :status sat)
(declare-const s (FiniteSet Int))
(assert (set.subset s (set.range 1 5)))
(assert (set.in 2 s))
(assert (not (set.in 2 (set.difference s (set.singleton 2)))))
(assert (distinct (set.union s (set.singleton 7)) s))
(check-sat)
