; The average without overflow lies between its arguments.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun avg () (_ BitVec 8) (bvadd (bvand x y) (bvlshr (bvxor x y) #x01)))
(assert (bvule x y))
(assert (not (and (bvule x avg) (bvule avg y))))
(check-sat)
