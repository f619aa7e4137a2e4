; No square leaves remainder three when divided by four.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const k Int)
(assert (= (* x x) (+ (* 4 k) 3)))
(assert (and (<= 0 x) (<= x 40)))
(check-sat)
