; Dividing twice is dividing by the product, for positive divisors.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const n Int)
(declare-const k Int)
(assert (= k (div n 3 4)))
(assert (not (= k (div n 12))))
(check-sat)
