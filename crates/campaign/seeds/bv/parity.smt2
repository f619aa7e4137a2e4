; A byte with an even number of ones.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(define-fun fold4 () (_ BitVec 4) (bvxor ((_ extract 7 4) x) ((_ extract 3 0) x)))
(define-fun fold2 () (_ BitVec 2) (bvxor ((_ extract 3 2) fold4) ((_ extract 1 0) fold4)))
(assert (= ((_ extract 1 1) fold2) ((_ extract 0 0) fold2)))
(assert (and (bvsgt x #x10) (bvule x #x14)))
(check-sat)
