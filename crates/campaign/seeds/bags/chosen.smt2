; A chosen element occurs.
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag Int))
(assert (distinct a (as bag.empty (Bag Int))))
(assert (= (bag.count (bag.choose a) a) 0))
(check-sat)
