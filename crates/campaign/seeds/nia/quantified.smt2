; A number that every other multiplies into itself.
(set-logic NIA)
(set-info :status unsat)
(declare-const z Int)
(assert (forall ((x Int)) (= (* x z) z)))
(assert (distinct z 0))
(check-sat)
