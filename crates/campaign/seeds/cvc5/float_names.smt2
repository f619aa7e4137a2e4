; The conversions under names of their own.
(set-logic QF_BVFPLRA)
(set-info :status sat)
(declare-const b (_ BitVec 32))
(declare-const r Real)
(assert (= ((_ to_fp_bv 8 24) b) ((_ to_fp_real 8 24) RNE r)))
(assert (= ((_ to_fp_signed 8 24) RNE #x05) ((_ to_fp_fp 8 24) RNE ((_ to_fp_bv 8 24) b))))
(assert (= r 5.0))
(check-sat)
