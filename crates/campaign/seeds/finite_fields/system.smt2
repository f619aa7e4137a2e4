; Two lines that meet nowhere.
(set-logic QF_FF)
(set-info :status unsat)
(declare-const x (_ FiniteField 11))
(declare-const y (_ FiniteField 11))
(assert (= (ff.add (ff.mul (as ff2 (_ FiniteField 11)) x) y) (as ff1 (_ FiniteField 11))))
(assert (= (ff.add x (ff.mul (as ff6 (_ FiniteField 11)) y)) (as ff5 (_ FiniteField 11))))
(check-sat)
