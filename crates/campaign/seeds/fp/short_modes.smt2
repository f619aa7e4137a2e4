; Long and short names mean the same modes.
(set-logic QF_FP)
(set-info :status sat)
(declare-const m RoundingMode)
(assert (or (= m roundNearestTiesToAway) (= m roundTowardPositive)))
(assert (distinct m RTN RTZ RNA))
(check-sat)
