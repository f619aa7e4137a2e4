; A quotient times its divisor need not be the dividend.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 4))
(define-fun three () (_ FloatingPoint 3 4) ((_ to_fp 3 4) RNE 3.0))
(assert (fp.isNormal x))
(assert (not (fp.eq (fp.mul RNE (fp.div RNE x three) three) x)))
(assert (fp.geq x three))
(check-sat)
