; A double that does not fit into a single.
(set-logic QF_FP)
(set-info :status sat)
(declare-const d Float64)
(assert (not (fp.isInfinite d)))
(assert (fp.isInfinite ((_ to_fp 8 24) RNE d)))
(assert (fp.isPositive d))
(check-sat)
