; Rounding to a byte in two modes.
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const x Float32)
(assert (fp.lt ((_ to_fp 8 24) RNE 1.0) x ((_ to_fp 8 24) RNE 9.0)))
(assert (distinct ((_ fp.to_ubv 8) RTP x) ((_ fp.to_ubv 8) RTN x)))
(assert (= ((_ fp.to_sbv 8) RNE x) #x06))
(check-sat)
