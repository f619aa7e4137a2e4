; A small hash with a preimage.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 16))
(define-fun h ((v (_ BitVec 16))) (_ BitVec 16) (bvxor (bvmul v #x0101) (bvlshr v #x0005)))
(assert (= (h x) #x1234))
(assert (bvugt x #x00ff))
(check-sat)
