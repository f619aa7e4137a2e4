; Infinity minus infinity is no number.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (= x (fp.sub m (_ +oo 8 24) (fp.neg (_ -oo 8 24)))))
(assert (not (fp.isNaN x)))
(check-sat)
