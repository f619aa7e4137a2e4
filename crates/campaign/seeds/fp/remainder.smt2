; The remainder is exact and at most half the divisor.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(define-fun two () (_ FloatingPoint 3 4) (fp #b0 #b100 #b000))
(assert (fp.gt (fp.abs (fp.rem x two)) (fp #b0 #b011 #b000)))
(check-sat)
