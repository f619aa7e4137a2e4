; The exponential is positive.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= y (* 2.0 (exp x))))
(assert (<= y 0.0))
(check-sat)
