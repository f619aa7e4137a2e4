; Signed and unsigned readings of one byte.
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const b (_ BitVec 8))
(assert (fp.lt ((_ to_fp 8 24) RNE b) ((_ to_fp_unsigned 8 24) RNE b)))
(assert (= ((_ extract 3 0) b) #x5))
(check-sat)
