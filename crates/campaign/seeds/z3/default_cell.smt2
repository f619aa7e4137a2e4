; Two arrays that differ at an index of the solver's choice.
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (distinct a b))
(assert (= a ((as const (Array Int Int)) 2)))
(assert (= (select b (array-ext a b)) 2))
(check-sat)
