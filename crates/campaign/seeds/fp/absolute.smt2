; The absolute value is not negative, the sign may be.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.isNegative (fp.abs x)))
(assert (fp.isPositive (fp.neg y)))
(check-sat)
