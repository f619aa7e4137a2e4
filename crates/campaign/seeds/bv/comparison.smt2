; A comparison as a bit, against all the relations.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 3))
(declare-const y (_ BitVec 3))
(assert (= (bvcomp (bvadd x y) (bvmul x y)) #b1))
(assert (and (bvugt x y) (bvsle x y) (not (= y #b000))))
(check-sat)
