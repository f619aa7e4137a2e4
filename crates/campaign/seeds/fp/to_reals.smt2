; One half is exact, and a third is not.
(set-logic QF_FPLRA)
(set-info :status unsat)
(declare-const x Float32)
(assert (= (fp.to_real x) 0.5))
(assert (fp.eq x ((_ to_fp 8 24) RNE (/ 1.0 3.0))))
(check-sat)
