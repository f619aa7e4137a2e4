; A square root modulo seven.
(set-logic QF_FF)
(set-info :status sat)
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) (as ff2 (_ FiniteField 7))))
(assert (distinct x (as ff3 (_ FiniteField 7))))
(check-sat)
