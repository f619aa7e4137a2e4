; The predefined narrow and wide formats.
(set-logic QF_FP)
(set-info :status sat)
(declare-const h Float16)
(declare-const q Float128)
(assert (= q ((_ to_fp 15 113) RNE h)))
(assert (fp.isSubnormal h))
(assert (fp.isNormal q))
(check-sat)
