; Absorption, and a number whose square is larger.
(set-logic BV)
(set-info :status sat)
(declare-const c (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (= (bvand (bvor x c) c) c)))
(assert (exists ((y (_ BitVec 4))) (and (bvult y c) (= (bvmul y y) c))))
(check-sat)
