; Only a NaN differs from itself in the IEEE sense.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(assert (not (fp.eq x x)))
(assert (or (not (fp.isNaN x)) (fp.isInfinite x) (distinct x (_ NaN 8 24))))
(check-sat)
