; A mode that is none of the five.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const m RoundingMode)
(assert (distinct m RNE RNA RTP))
(assert (distinct m roundTowardNegative))
(assert (not (= m roundTowardZero)))
(check-sat)
