; The remainder is below the absolute value of the divisor.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (not (= y 0)))
(assert (>= (mod x y) (abs y)))
(check-sat)
