; The root of a negative number is no number, that of minus zero is minus zero.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(assert (fp.isNegative x))
(assert (not (fp.isNaN (fp.sqrt RTP x))))
(assert (not (fp.isZero x)))
(check-sat)
