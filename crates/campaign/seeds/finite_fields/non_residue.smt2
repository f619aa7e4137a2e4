; Three is no square modulo seven.
(set-logic QF_FF)
(set-info :status unsat)
(declare-const x (_ FiniteField 7))
(declare-const y (_ FiniteField 7))
(assert (= (ff.mul y y) (as ff3 (_ FiniteField 7))))
(assert (= (ff.add x (ff.neg x) y) y))
(check-sat)
