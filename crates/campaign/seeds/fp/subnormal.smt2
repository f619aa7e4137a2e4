; A product of normal numbers that is subnormal.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 5))
(declare-const y (_ FloatingPoint 3 5))
(assert (and (fp.isNormal x) (fp.isNormal y)))
(assert (fp.isSubnormal (fp.mul RNE x y)))
(assert (fp.lt x y))
(check-sat)
