; Rounding to an integer in two directions.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(assert (fp.lt (fp.roundToIntegral RTN x) x (fp.roundToIntegral RTP x)))
(assert (fp.eq (fp.roundToIntegral RNA x) (fp.roundToIntegral RTZ x)))
(assert (fp.gt x ((_ to_fp 8 24) RNE 100.0)))
(check-sat)
