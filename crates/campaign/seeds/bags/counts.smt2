; Multiplicities of a disjoint union.
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag String))
(declare-const b (Bag String))
(assert (= (bag.count "x" a) 2))
(assert (= b (bag.union_disjoint a (bag "x" 3))))
(assert (distinct (bag.count "x" b) 5))
(check-sat)
