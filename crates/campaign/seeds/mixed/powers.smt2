; A power written as an operator.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (= (^ x 2.0) 9.0))
(assert (< (* x x x) 0.0))
(assert (> (^ x 3.0) 0.0))
(check-sat)
