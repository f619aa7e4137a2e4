; The sine stays between minus one and one.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (> (sin x) 1.0))
(check-sat)
