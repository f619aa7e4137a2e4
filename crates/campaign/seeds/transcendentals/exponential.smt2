; The exponential grows faster than its argument.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (< (exp x) x))
(assert (> x 1.0))
(check-sat)
