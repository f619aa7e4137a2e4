; A sum that depends on the rounding mode.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (fp.eq (fp.add RNE x y) (fp.add RTZ x y))))
(assert (fp.isNormal (fp.add roundNearestTiesToEven x y)))
(assert (fp.gt (fp.add RTP x y) (fp.add RTN x y)))
(check-sat)
