; z3@5.4.0 crashes
(declare-const a RoundingMode)
(declare-fun e ((_ BitVec 1) RoundingMode) (_ FloatingPoint 2 2))
(assert (fp.isNormal (e #b0 a)))
(check-sat)
