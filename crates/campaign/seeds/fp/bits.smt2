; A number from its bits and from its three fields.
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const b (_ BitVec 32))
(declare-const x Float32)
(assert (= x ((_ to_fp 8 24) b)))
(assert (distinct x (fp ((_ extract 31 31) b) ((_ extract 30 23) b) ((_ extract 22 0) b))))
(check-sat)
