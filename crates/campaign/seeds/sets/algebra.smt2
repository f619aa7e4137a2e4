; A difference of two sets, written in two ways.
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (distinct (set.minus (set.union a b) b) (set.minus a (set.inter a b))))
(check-sat)
